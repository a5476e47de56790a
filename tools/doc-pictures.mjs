// The pictures of README and docs, made of the built site: node tools/doc-pictures.mjs [name…]
import { writeFileSync } from 'node:fs';
import { runnerImport } from 'vite';
import { DIST, inRoot } from './lib/paths.mjs';
import { serve } from './serve.mjs';

const TIRED = `text=${encodeURIComponent("The animal didn't cross the street because it was too tired.")}&model=minilm-en`;

/** What each picture shows: a page and its link, and the elements that it is cut to (null = the first screen). */
const PICTURES = {
  explorer: { page: '', link: `${TIRED}&layer=3&head=1&query=6`, parts: null },
  inside: {
    page: '',
    link: `${TIRED}&layer=3&head=1&query=6&key=8&step=products`,
    parts: ['.inside'],
  },
  controls: {
    page: '',
    link: `${TIRED}&layer=3&head=1&mask=causal&off=3&temperature=0.5`,
    parts: ['.changed', 'hl-controls'],
  },
  demos: { page: 'demos.html', link: 'demo=heads', parts: null },
  lab: { page: 'lab.html', link: '', parts: ['main'], press: 'Three French words' },
};

const wanted = process.argv.slice(2);
const { module } = await runnerImport(inRoot('tests/browser/harness/chromium.ts'));
const server = await serve({ root: DIST });
const browser = await module.launchChromium();
try {
  for (const [name, picture] of Object.entries(PICTURES))
    if (wanted.length === 0 || wanted.includes(name)) await shoot(name, picture);
} finally {
  await browser.close();
  await server.close();
}

async function shoot(name, { page: path, link, parts, press }) {
  const page = await browser.open(`${server.url}${path}#${link}&lang=en&theme=light`, {
    width: 1440,
    height: 900,
    colorScheme: 'light',
    locale: 'en-US',
  });
  await page.evaluate(() => window.headlights?.ready);
  if (press) await page.native.getByRole('button', { name: press }).click();
  await new Promise((done) => setTimeout(done, 1000)); // captions and captions of captions
  const clip = parts && (await page.evaluate(around, parts));
  const file = inRoot(`docs/${name}.png`);
  writeFileSync(
    file,
    await page.native.screenshot(clip ? { clip, fullPage: true } : { fullPage: false }),
  );
  console.log(file, ...page.errors);
  await page.close();
}

/** The box around some elements with a margin, in the page's coordinates. Runs in the page. */
function around(selectors) {
  const boxes = selectors.map((selector) =>
    document.querySelector(selector).getBoundingClientRect(),
  );
  const margin = 12;
  const left = Math.min(...boxes.map((box) => box.left)) - margin;
  const top = Math.min(...boxes.map((box) => box.top)) + scrollY - margin;
  return {
    x: Math.max(0, left),
    y: Math.max(0, top),
    width: Math.max(...boxes.map((box) => box.right)) + margin - Math.max(0, left),
    height: Math.max(...boxes.map((box) => box.bottom)) + scrollY + margin - Math.max(0, top),
  };
}
