// How long a keystroke takes in the real page: scripted typing at the end of sentences of about 12 and 32 tokens, with
// the wall and the stage visible, read from the page's own User Timing marks (`headlights:keystroke`: from the input
// event's timeStamp to the end of the drawing that paints the last head). Prints p50, p95 and p99; asserts nothing.
// With --step=softmax the head is open at that step, and its numbers (`headlights:inside`) are timed as well.
// node tools/latency.mjs [--keystrokes=200] [--pause=120] [--step=softmax]
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { runnerImport } from 'vite';
import { DIST, inRoot } from './lib/paths.mjs';
import { serve } from './serve.mjs';

const { values } = parseArgs({
  options: {
    keystrokes: { type: 'string', default: '200' },
    step: { type: 'string', default: '' },
    pause: { type: 'string', default: '120' }, // ms between keys: a fast typist
  },
});

const SENTENCES = {
  12: 'The old man opened the heavy door with a ke',
  16: 'The old man who lived here opened the heavy door with a ke',
  32:
    'The students who passed the difficult exam last week thanked their teacher because she had ' +
    'helped them every day after school and never asked for anything in re',
};

const percentile = (sorted, share) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

const fragment = values.step === '' ? '' : `#step=${values.step}`;

const { module } = await runnerImport(inRoot('tests/browser/harness/chromium.ts'));
const server = await serve({ root: DIST });
const browser = await module.launchChromium();
try {
  const page = await browser.open(`${server.url}${fragment}`, { width: 1440, height: 1000 });
  await page.evaluate(() => window.headlights?.ready);
  const { variant, thread } = await page.evaluate(() => ({
    variant: window.headlights.engine.variant,
    thread: window.headlights.engine.thread,
  }));
  console.log(
    `${cpus()[0].model}, ${cpus().length} cores; Chromium ${page.native.context().browser().version()}; ${variant}, ${thread}`,
  );
  for (const text of Object.values(SENTENCES)) await measure(page, text);
} finally {
  await browser.close();
  await server.close();
}

async function measure(page, text) {
  await page.click('textarea');
  await page.press('Control+a');
  await page.type(text);
  await type(page, 40); // warm up: the optimising compiler
  await page.evaluate(() => performance.clearMeasures());
  await type(page, Number(values.keystrokes));
  const { durations, tokens, inside } = await page.evaluate(() => {
    const entries = performance.getEntriesByName('headlights:keystroke');
    return {
      durations: entries.map((entry) => entry.duration),
      tokens: entries.map((entry) => entry.detail.tokens),
      inside: performance.getEntriesByName('headlights:inside').map((entry) => entry.duration),
    };
  });
  const range = `${Math.min(...tokens)}-${Math.max(...tokens)} tokens`;
  report(range, `${durations.length} of ${values.keystrokes} keystrokes drawn`, durations);
  if (inside.length > 0) report('', `${inside.length} followed by the open head`, inside);
}

function report(range, what, durations) {
  const sorted = durations.sort((a, b) => a - b);
  const row = [0.5, 0.95, 0.99].map((share) => percentile(sorted, share).toFixed(1).padStart(7));
  console.log(`${range.padEnd(16)} ${what}: p50 p95 p99 (ms)${row.join('')}`);
}

/** Types a letter and takes it back, so that the length stays. */
async function type(page, count) {
  for (let i = 0; i < count; i++) {
    if (i % 2 === 0) await page.type('y');
    else await page.press('Backspace');
    await new Promise((done) => setTimeout(done, Number(values.pause)));
  }
}
