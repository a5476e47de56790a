// The arrows of the C++ folders: core <- simd <- kernels <- attention <- model <- bindings, the instruction sets
// named only in simd, Emscripten only in bindings. Reads #include lines; the compiler would take any of them.
import { lineAt, sourceFiles } from './lib/source-files.mjs';

export const name = 'layers of the C++ code';

/** From the bottom up: a folder may include itself and those before it. */
const LAYERS = ['core', 'simd', 'kernels', 'attention', 'model', 'bindings'];

const STANDARD = /^[a-z_]+$/;
const INSTRUCTION_SETS =
  /^(xsimd\/|wasm_simd128\.h|arm_neon\.h|[a-z]*mmintrin\.h|immintrin\.h|x86intrin\.h)/;
const EMSCRIPTEN = /^emscripten([/.]|$)/;
const DOCTEST = /^doctest\//;

export function check(root) {
  const faults = [];
  for (const { path, text } of sourceFiles(root, ['cpp', 'tests/cpp'], ['.hpp', '.cpp', '.h'])) {
    const layer = path.startsWith('cpp/') ? path.split('/')[1] : null;
    for (const match of text.matchAll(/^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]/gm)) {
      const fault = match[1] === '<' ? faultOfSystem(layer, match[2]) : faultOfOwn(layer, match[2]);
      if (fault) faults.push(`${path}:${lineAt(text, match.index)}: ${fault}`);
    }
  }
  return faults;
}

/** `layer` is null for tests, which may include any layer but name no instruction set. */
function faultOfSystem(layer, header) {
  if (STANDARD.test(header)) return null;
  if (INSTRUCTION_SETS.test(header))
    return layer === 'simd' ? null : `only cpp/simd may include <${header}>`;
  if (EMSCRIPTEN.test(header))
    return layer === 'bindings' ? null : `only cpp/bindings may include <${header}>`;
  if (DOCTEST.test(header)) return layer === null ? null : `only tests may include <${header}>`;
  return `<${header}> is neither standard C++ nor a library of the project`;
}

function faultOfOwn(layer, header) {
  const target = header.includes('/') ? header.split('/')[0] : null;
  if (layer === null) return null;
  if (!LAYERS.includes(layer)) return `cpp/${layer} is not in the list of layers`;
  if (!LAYERS.includes(target)) return `include "${header}" by its path from cpp/, with its folder`;
  if (LAYERS.indexOf(target) > LAYERS.indexOf(layer))
    return `${layer} may not know ${target} ("${header}")`;
  return null;
}
