// The project's commands: npm run start | build | test | test:exact | lint | models, each a list of steps.
// Only Node built-ins up to the first set-up step, which brings the npm packages.
import { buildSteps } from './commands/build.mjs';
import { lintSteps } from './commands/lint.mjs';
import { modelSteps } from './commands/models.mjs';
import { setupSteps } from './commands/setup.mjs';
import { startServer } from './commands/start.mjs';
import { exactSteps, testSteps } from './commands/test.mjs';
import { Failure } from './lib/failure.mjs';
import { runSteps } from './lib/steps.mjs';
import { closingLine } from './lib/tally.mjs';

const commands = {
  async start() {
    await runSteps([...setupSteps(['build']), ...buildSteps()]);
    await startServer();
  },
  async build() {
    await runSteps([...setupSteps(['build']), ...buildSteps()]);
  },
  async lint() {
    await runSteps([
      ...setupSteps(['build', 'lint']),
      ...buildSteps({ only: 'wasm' }),
      ...lintSteps(),
    ]);
  },
  async test() {
    await runSteps([
      ...setupSteps(['build', 'lint', 'test']),
      ...lintSteps({ part: 'sources' }),
      ...buildSteps(),
      ...lintSteps({ part: 'built' }),
    ]);
    await tested(testSteps());
  },
  async 'test-exact'() {
    await runSteps([...setupSteps(['build']), ...buildSteps({ only: 'library' })]);
    await tested(exactSteps());
  },
  async models() {
    await runSteps([...setupSteps([]), ...modelSteps()]);
  },
};

/** Runs every test step even after a failure, so that the closing line counts them all. */
async function tested(steps) {
  let failedSteps = 0;
  try {
    await runSteps(steps, { keepGoing: true });
  } catch (error) {
    failedSteps = error.steps ?? 1;
    throw error;
  } finally {
    console.log(closingLine(failedSteps));
  }
}

const name = process.argv[2];
const command = Object.hasOwn(commands, name ?? '') ? commands[name] : null;
if (!command) {
  console.error(`usage: node tools/run.mjs ${Object.keys(commands).join(' | ')}`);
  process.exit(2);
}
try {
  await command();
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  console.error(`\nnpm run ${name}: ${error.message}`);
  process.exit(1);
}
