/**
 * The test projects. `unit` and `relaxed` run in Node on the built library (web/dist/headlights.js), `browser` drives
 * real browsers on the built site, `exact` compares with the fp32 originals. tools/run.mjs builds first.
 */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { relaxedSimd } from 'wasm-feature-detect';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** Node 20 runs relaxed SIMD only with this flag; newer ones have it and may not know the flag. */
const RELAXED = (await relaxedSimd()) ? [] : ['--experimental-wasm-relaxed-simd'];

/** The built library, as a user gets it: not transformed, so that import.meta.url stays true. */
const library = {
  resolve: { alias: { headlights: path('web/dist/headlights.js') } },
  test: {
    environment: 'node' as const,
    pool: 'forks' as const,
    server: { deps: { external: [/\/web\/dist\//] } },
  },
};

const unit = [
  'tests/engine',
  'tests/arrays',
  'tests/demos',
  'tests/calculator',
  'tests/state',
  'tests/draw',
  'tests/views',
  'tests/tools',
];

export default defineConfig({
  test: {
    watch: false,
    maxWorkers: 2,
    projects: [
      {
        ...library,
        test: {
          ...library.test,
          name: 'unit',
          include: unit.map((folder) => `${folder}/**/*.test.ts`),
          execArgv: RELAXED,
          testTimeout: 60_000,
        },
      },
      {
        ...library,
        test: {
          ...library.test,
          name: 'exact',
          include: ['tests/exact/**/*.test.ts'],
          execArgv: RELAXED,
          testTimeout: 300_000,
          fileParallelism: false,
        },
      },
      {
        ...library,
        test: {
          ...library.test,
          name: 'browser',
          include: ['tests/browser/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false, // two cores: one browser at a time
        },
      },
    ],
  },
});
