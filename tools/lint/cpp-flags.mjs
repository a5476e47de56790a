// Flags that name an instruction set stand only in cpp/cmake; flags that break IEEE arithmetic nowhere.
import { lineAt, sourceFiles } from './lib/source-files.mjs';

export const name = 'compiler flags';

const INSTRUCTION_SETS = /-m(simd128|relaxed-simd|avx\w*|fma|sse[\w.]*|arch=|tune=|cpu=|fpu=)/g;
const INEXACT =
  /-f(fast-math|associative-math|finite-math-only|unsafe-math-optimizations|reciprocal-math)|-Ofast|-ffp-contract=(fast|on)/g;

export function check(root) {
  const faults = [];
  const files = sourceFiles(
    root,
    ['CMakeLists.txt', 'CMakePresets.json', 'cpp', 'tests/cpp'],
    ['CMakeLists.txt', '.cmake', 'Presets.json', '.hpp', '.cpp'],
  );
  for (const { path, text } of files) {
    const code = withoutComments(path, text);
    const report = (match, why) =>
      faults.push(`${path}:${lineAt(code, match.index)}: ${match[0]} ${why}`);
    if (!path.startsWith('cpp/cmake/'))
      for (const match of code.matchAll(INSTRUCTION_SETS)) report(match, 'belongs in cpp/cmake');
    for (const match of code.matchAll(INEXACT))
      report(match, 'breaks the exactness of the arithmetic');
  }
  return faults;
}

/** Same length and lines, comments blanked: they may speak of such flags. */
function withoutComments(path, text) {
  const comment = /\.[hc]pp$/.test(path) ? /\/\/.*|\/\*[\s\S]*?\*\//g : /#.*/g;
  return path.endsWith('.json') ? text : text.replace(comment, (all) => all.replace(/[^\n]/g, ' '));
}
