// The set-up as a step of the other commands; `node tools/setup.mjs` runs it alone.
import { setup } from '../setup.mjs';

/** `needs`: any of 'build', 'lint', 'test'; nothing beyond them is brought. */
export const setupSteps = (needs) => [['set up', () => setup(needs)]];
