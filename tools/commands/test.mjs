// Steps of `npm test` and `npm run test:exact` after the build. Each runner leaves a report in build/reports,
// from which the closing line is added up.
import { join } from 'node:path';
import { run } from '../lib/exec.mjs';
import { ALL_PRESETS, BUILD, inRoot, REPORTS } from '../lib/paths.mjs';
import { forgetReports } from '../lib/tally.mjs';
import { toolEnv } from '../lib/tool-env.mjs';
import { compile } from './build.mjs';

export function testSteps() {
  forgetReports();
  return [
    ...ALL_PRESETS.map((preset) => [`compile ${preset} with its tests`, () => compile(preset)]),
    ...ALL_PRESETS.map((preset) => [`ctest ${preset}`, () => ctest(preset)]),
    ['vitest: library, state, drawing, tools', () => vitest('node', ['unit'])],
    ['vitest: the built site in browsers', () => vitest('browser', ['browser'])],
  ];
}

export function exactSteps() {
  forgetReports();
  return [
    ['fetch the fp32 originals', () => run('node', ['tools/models/fetch-originals.mjs'])],
    ['vitest: against the fp32 originals', () => vitest('exact', ['exact'])],
  ];
}

function ctest(preset) {
  const report = join(REPORTS, `ctest-${preset}.xml`);
  const args = [
    '--test-dir',
    join(BUILD, preset),
    '--parallel',
    '2',
    '--output-on-failure',
    '--no-tests=error',
  ];
  return run('ctest', [...args, '--output-junit', report], { env: toolEnv() });
}

function vitest(name, projects) {
  const chosen = projects.flatMap((project) => ['--project', project]);
  const report = join(REPORTS, `vitest-${name}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  return run('node', [inRoot('node_modules/vitest/vitest.mjs'), 'run', ...chosen, ...reporters], {
    env: toolEnv(),
  });
}
