// The environment that compilers, ninja and ctest are started with.
import { delimiter } from 'node:path';
import { findEmscripten } from '../setup/emscripten.mjs';
import { INCLUDE_ROOT, inRoot } from './paths.mjs';

/** PATH with the npm tools; where to find xsimd, doctest and, for Debian's Emscripten, binaryen. */
export function toolEnv() {
  const emscripten = findEmscripten();
  const path = [inRoot('node_modules', '.bin'), process.env.PATH].join(delimiter);
  const env = { ...process.env, PATH: path, HEADLIGHTS_INCLUDE_ROOT: INCLUDE_ROOT };
  // The Node that runs this also runs the wasm tests and Emscripten's own scripts.
  env.EM_NODE_JS = process.execPath;
  if (emscripten) env.EMSCRIPTEN_ROOT = emscripten.root;
  if (emscripten && !emscripten.ownBinaryen)
    env.EM_BINARYEN_ROOT = inRoot('node_modules', 'binaryen');
  return env;
}
