// Runs named steps one after the other, says how long each took, and stops at the first that fails.
import { Failure } from './failure.mjs';

const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

/**
 * `steps` is a list of [name, action]. An action may return a string, which is shown beside the time
 * ("unchanged"). With `keepGoing` later steps run after a failure; the error thrown at the end is the first one and
 * its `steps` says how many failed.
 */
export async function runSteps(steps, { keepGoing = false, log = console.log } = {}) {
  let failed = null;
  for (const [name, action] of steps) {
    const start = performance.now();
    log(`== ${name}`);
    try {
      const note = await action();
      log(`== ${name}: done in ${seconds(start)}${note ? ` (${note})` : ''}`);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      log(`== ${name}: FAILED after ${seconds(start)}: ${error.message}`);
      failed ??= new Failure(`step "${name}" failed`, { cause: error });
      failed.steps = (failed.steps ?? 0) + 1;
      if (!keepGoing) throw failed;
    }
  }
  if (failed) throw failed;
}
