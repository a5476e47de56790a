/** The size of the start page's code, and that the measure sees all of it. */
import { expect, it } from 'vitest';
import { brotliSize, budget, LIMIT, reachable } from '../../tools/budget.mjs';
import { folderWith } from './fixture.ts';

const noise = (length: number) => {
  let state = 1;
  return Uint8Array.from({ length }, () => {
    state = (state * 48271) % 2147483647;
    return state & 255;
  });
};

it('follows imports, workers and WebAssembly, and counts the larger variant once', () => {
  const wasm = { baseline: noise(3000), relaxed: noise(4000) };
  const root = folderWith({
    'index.html': '<script type="module" src="./assets/index-1.js"></script>',
    'assets/index-1.js': 'import{a}from"../headlights.js";import("./lazy-2.js");',
    'assets/lazy-2.js': 'export const b=1;',
    'headlights.js':
      'new Worker(new URL("headlights-worker.js",import.meta.url));import(`./headlights-$' +
      '{variant}.mjs`);new URL(`headlights-$' +
      '{variant}.wasm`,import.meta.url)',
    'headlights-worker.js': 'import"./headlights.js";',
    'headlights-baseline.mjs': 'export default 1',
    'headlights-relaxed.mjs': 'export default 1',
    'headlights-baseline.wasm': wasm.baseline,
    'headlights-relaxed.wasm': wasm.relaxed,
    'unused.js': 'export{}',
    'models/a.js': 'export{}',
  });
  expect(reachable(root)).toHaveLength(9);
  expect(reachable(root)).not.toContain('unused.js');
  const { code, files } = budget(root);
  const counted = files.filter((file) => file.counted).map((file) => file.path);
  expect(counted).toContain('headlights-relaxed.wasm');
  expect(counted).not.toContain('headlights-baseline.wasm');
  expect(code).toBeGreaterThan(brotliSize(wasm.relaxed));
  expect(code).toBeLessThan(brotliSize(wasm.relaxed) + 1000);
});

it('scripts and WebAssembly of the start page stay within the limit', () => {
  const { code, files } = budget();
  const paths = files.map((file) => file.path);
  for (const needed of ['headlights.js', 'headlights-worker.js', 'headlights-relaxed.wasm'])
    expect(paths).toContain(needed);
  expect(code).toBeLessThanOrEqual(LIMIT);
});
