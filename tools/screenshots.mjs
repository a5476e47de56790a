// Pictures of the built page at three widths, light and dark, in English and Chinese, in build/screenshots: for eyes.
// node tools/screenshots.mjs ['text=…&view=matrix'] [--name=matrix] [--width=390] [--theme=dark] [--lang=zh] [--full]
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runnerImport } from 'vite';
import { BUILD, DIST, inRoot } from './lib/paths.mjs';
import { serve } from './serve.mjs';

const HEIGHTS = { 390: 844, 768: 1024, 1440: 900 };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    page: { type: 'string', default: '' }, // 'demos.html'
    name: { type: 'string', default: 'start' },
    width: { type: 'string', multiple: true, default: Object.keys(HEIGHTS) },
    theme: { type: 'string', multiple: true, default: ['light', 'dark'] },
    lang: { type: 'string', multiple: true, default: ['en', 'zh'] },
    full: { type: 'boolean', default: false }, // the whole page, not only the first screen
  },
});
const fragment = positionals[0] ?? '';
const folder = join(BUILD, 'screenshots');
mkdirSync(folder, { recursive: true });

const { module } = await runnerImport(inRoot('tests/browser/harness/chromium.ts'));
const server = await serve({ root: DIST });
const browser = await module.launchChromium();
try {
  for (const width of values.width.map(Number))
    for (const theme of values.theme)
      for (const lang of values.lang) await shoot(width, theme, lang);
} finally {
  await browser.close();
  await server.close();
}

async function shoot(width, theme, lang) {
  const parts = [fragment, `lang=${lang}`, `theme=${theme}`].filter(Boolean);
  const page = await browser.open(`${server.url}${values.page}#${parts.join('&')}`, {
    width,
    height: HEIGHTS[width] ?? 900,
    colorScheme: theme,
    locale: lang === 'zh' ? 'zh-CN' : 'en-US',
    mobile: width < 500,
  });
  const problem = await page.evaluate(async () => {
    const late = new Promise((done) => setTimeout(() => done('not ready after 60 s'), 60_000));
    const ready = Promise.resolve(window.headlights?.ready).then(() => null, String);
    return Promise.race([ready, late]);
  });
  await new Promise((done) => setTimeout(done, 500)); // captions follow when typing has come to rest
  const file = join(folder, `${values.name}-${width}-${theme}-${lang}.png`);
  writeFileSync(file, await page.native.screenshot({ fullPage: values.full }));
  console.log(file);
  for (const line of [problem, ...page.errors].filter(Boolean)) console.log(`  ${line}`);
  await page.close();
}
