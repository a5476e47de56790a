// The checks of `npm run lint`, in the order in which they run: quick ones first.
// Each is { name, check(root) -> faults }, a fault being a line "file:line: what is wrong".
import * as biome from './biome.mjs';
import * as cppFlags from './cpp-flags.mjs';
import * as cppFormat from './cpp-format.mjs';
import * as cppLayers from './cpp-layers.mjs';
import * as lockFile from './lock-file.mjs';
import * as notice from './notice.mjs';
import * as privateNames from './private-names.mjs';
import * as translations from './translations.mjs';
import * as tsLayers from './ts-layers.mjs';
import * as types from './types.mjs';
import * as wasmOpcodes from './wasm-opcodes.mjs';

/** Need only the sources. */
export const SOURCE_CHECKS = [
  lockFile,
  privateNames,
  cppLayers,
  cppFlags,
  cppFormat,
  tsLayers,
  translations,
  notice,
  biome,
  types,
];

/** Need both WebAssembly modules. */
export const BUILT_CHECKS = [wasmOpcodes];
