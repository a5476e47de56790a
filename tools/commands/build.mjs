// Steps that make web/dist: both WebAssembly modules, the library, the pages.
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../lib/exec.mjs';
import { BUILD, DIST, inRoot, WASM_PRESETS } from '../lib/paths.mjs';
import { whenChanged } from '../lib/stamp.mjs';
import { toolEnv } from '../lib/tool-env.mjs';
import { writeLicences } from '../licences.mjs';

/** `only`: 'wasm' or 'library' stops there. */
export function buildSteps({ only = 'site' } = {}) {
  const steps = WASM_PRESETS.map((preset) => [
    `compile ${preset}`,
    () => compile(preset, { targets: ['headlights_module'] }),
  ]);
  if (only === 'wasm') return steps;
  steps.push(['bundle the library', bundleLibrary]);
  if (only === 'library') return [...steps, ['copy the models', copyModels]];
  return [...steps, ['bundle the pages', bundlePages], ['collect the licences', writeLicences]];
}

/** Configures a preset when it is new and builds what changed. */
export async function compile(preset, { targets = [] } = {}) {
  const env = toolEnv();
  if (!existsSync(join(BUILD, preset, 'build.ninja')))
    await run('cmake', ['--preset', preset], { env, quiet: true });
  const chosen = targets.flatMap((target) => ['--target', target]);
  await run('cmake', ['--build', join(BUILD, preset), ...chosen], { env });
}

const LIBRARY_INPUTS = [
  'web/src/engine',
  'tools/build-library.mjs',
  'package-lock.json',
  ...WASM_PRESETS.flatMap((preset) => {
    const name = preset.replace('wasm-', 'headlights-');
    return [`build/${preset}/${name}.mjs`, `build/${preset}/${name}.wasm`];
  }),
].map((path) => inRoot(path));

const LIBRARY_OUTPUTS = ['headlights.js', 'headlights-worker.js', 'types'].map((name) =>
  join(DIST, name),
);

function bundleLibrary() {
  return whenChanged('library', { inputs: LIBRARY_INPUTS, outputs: LIBRARY_OUTPUTS }, () =>
    run('node', ['tools/build-library.mjs'], { env: toolEnv() }),
  );
}

const PAGE_INPUTS = [
  'web/index.html',
  'web/calculator.html',
  'web/demos.html',
  'web/lab.html',
  'web/src',
  'web/public',
  'web/vite.config.ts',
  'package-lock.json',
].map((path) => inRoot(path));

function bundlePages() {
  const outputs = [join(DIST, 'index.html')];
  return whenChanged('pages', { inputs: PAGE_INPUTS, outputs }, () => {
    removeOldPages();
    const vite = inRoot('node_modules', 'vite', 'bin', 'vite.js');
    return run('node', [
      vite,
      'build',
      '--config',
      inRoot('web', 'vite.config.ts'),
      '--logLevel',
      'warn',
    ]);
  });
}

/** What an earlier build of the pages left; the library and the types stay. */
function removeOldPages() {
  for (const name of existsSync(DIST) ? readdirSync(DIST) : []) {
    const library = name === 'types' || /^headlights.*\.(js|mjs|wasm|map)$/.test(name);
    if (!library) rmSync(join(DIST, name), { recursive: true, force: true });
  }
}

/** The engine's own tests need the packs but no pages. */
function copyModels() {
  const inputs = [inRoot('web', 'public', 'models')];
  return whenChanged('models', { inputs, outputs: [join(DIST, 'models')] }, () => {
    mkdirSync(DIST, { recursive: true });
    cpSync(inputs[0], join(DIST, 'models'), { recursive: true });
  });
}
