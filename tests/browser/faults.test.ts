/** What can go wrong on the way is a sentence in the page, the text stays, and retry works. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { serve } from '../../tools/serve.mjs';
import { launchChromium } from './harness/chromium.ts';
import type { TestBrowser, TestPage } from './harness/page.ts';
import { look, outcome, retype, SITE, serveSite } from './harness/site.ts';

type Fault = NonNullable<
  ReturnType<NonNullable<NonNullable<Parameters<typeof serveSite>[0]>['fault']>>
>;

let browser: TestBrowser<Page>;
let server: Awaited<ReturnType<typeof serveSite>>;
let page: TestPage<Page> | undefined;
/** Spoils answers while it is set. */
let spoil: ((path: string) => Fault | undefined) | null = null;

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
});

beforeEach(async () => {
  server = await serveSite({ fault: (path) => spoil?.(path) });
});

afterEach(async () => {
  spoil = null;
  await page?.close();
  await server.close();
});

/** The site with weights that end early; `mend` puts the whole file there. */
function shortenedSite(bytes: number) {
  const root = mkdtempSync(join(tmpdir(), 'headlights-short-'));
  const link = (path: string) => symlinkSync(realpathSync(join(SITE, path)), join(root, path));
  for (const name of readdirSync(SITE)) if (name !== 'models') link(name);
  const pack = join('models', 'minilm-en');
  mkdirSync(join(root, pack), { recursive: true });
  for (const name of readdirSync(join(SITE, pack)))
    if (name !== 'model.gguf') link(join(pack, name));
  const file = join(pack, 'model.gguf');
  const whole = readFileSync(join(SITE, file));
  writeFileSync(join(root, file), whole.subarray(0, bytes));
  return {
    root,
    mend: () => writeFileSync(join(root, file), whole),
    remove: () => rmSync(root, { recursive: true }),
  };
}

const weights = (fault: Fault) => (path: string) =>
  path.endsWith('model.gguf') ? fault : undefined;

async function expectRetryToWork(own: TestPage<Page>): Promise<void> {
  spoil = null;
  // Not with the pointer: notes that come and go could move the button from under it.
  await own.evaluate(() => {
    const { shadowRoot } = document.querySelector('hl-notes')!;
    shadowRoot!.querySelector<HTMLButtonElement>('[data-note="failure"] button')!.click();
  });
  expect(await outcome(own)).toBe('ready');
  const seen = await look(own);
  expect(seen.layersDrawn).toBe(6);
  expect(seen.notes).toEqual([]);
}

describe('a pack', () => {
  it.each([
    ['that is missing', weights({ status: 404 }), 'not-found', 'not there'],
    ['whose bytes were altered', weights({ alter: 200_000 }), 'corrupt', 'contradicts'],
    ['whose host is failing', weights({ status: 503 }), 'network', 'connection'],
  ] as const)('%s is named, and retry works', async (_name, fault, code, words) => {
    spoil = fault;
    page = await browser.open(`${server.url}#text=Keep%20me`);
    expect(await outcome(page)).toMatch(new RegExp(`^${code}: .+`));
    const seen = await look(page);
    expect(seen.notes[0]).toContain(words);
    expect(seen.text).toBe('Keep me');
    await expectRetryToWork(page);
  });

  it('that ends too early is named, and retry works', async () => {
    const short = shortenedSite(2_000_000);
    const host = await serve({ root: short.root });
    page = await browser.open(`${host.url}#text=Keep%20me`);
    expect(await outcome(page)).toMatch(/^truncated: .+/);
    expect((await look(page)).notes[0]).toContain('shorter');
    short.mend();
    await expectRetryToWork(page);
    await host.close();
    short.remove();
  });

  it('without its tokenizer is named too', async () => {
    spoil = (path) => (path.includes('tokenizer') ? { status: 404 } : undefined);
    page = await browser.open(server.url);
    expect(await outcome(page)).toMatch(/^not-found: /);
    await expectRetryToWork(page);
  });
});

describe('a connection', () => {
  it('lost half-way leaves the heads that have arrived, and retry goes on from there', async () => {
    let asked = 0;
    spoil = (path) => {
      if (!path.endsWith('model.gguf')) return undefined;
      asked += 1;
      return asked > 3 ? { drop: true } : undefined;
    };
    page = await browser.open(server.url);
    expect(await outcome(page)).toMatch(/^network: /);
    expect(asked).toBeGreaterThan(3);
    expect((await look(page)).notes[0]).toContain('connection');
    await expectRetryToWork(page);
  });

  it('lost after the model is whole changes nothing', async () => {
    page = await browser.open(server.url);
    expect(await outcome(page)).toBe('ready');
    await page.waitFor('the whole table', () =>
      document
        .querySelector('hl-privacy')!
        .shadowRoot!.textContent!.includes('The whole table is here'),
    );
    await page.native.context().setOffline(true);
    await retype(page, 'Zebras quarrel offline');
    expect(await outcome(page)).toBe('ready');
    expect((await look(page)).notes).toEqual([]);
  });
});

describe('loading', () => {
  it('shows heads as they arrive, with bytes, and can be paused, resumed and cancelled', async () => {
    spoil = weights({ bytesPerSecond: 3_000_000 });
    page = await browser.open(server.url);
    await page.waitFor('the first layer', () => {
      const wall = document.querySelector('hl-head-wall') as unknown as {
        picture: { layersReady: number } | null;
      } | null;
      return (wall?.picture?.layersReady ?? 0) >= 1;
    });
    const seen = await look(page);
    expect(seen.layersDrawn).toBeLessThan(6);
    expect(seen.progress).toMatch(/Layers live: \d of 6 [\d.]+ (kB )?of 11\.6 MB/);

    const press = (label: string) =>
      page!.evaluate((wanted: string) => {
        const buttons = document
          .querySelector('hl-load-progress')!
          .shadowRoot!.querySelectorAll('button');
        [...buttons].find((button) => button.textContent!.trim() === wanted)!.click();
      }, label);
    await press('Pause');
    await page.waitFor('the pause', () =>
      document.querySelector('hl-load-progress')!.shadowRoot!.textContent!.includes('paused'),
    );
    const paused = await look(page);
    await new Promise((done) => setTimeout(done, 700));
    expect((await look(page)).progress).toBe(paused.progress);
    await press('Resume');
    await page.waitFor('more bytes', () =>
      document.querySelector('hl-load-progress')!.shadowRoot!.textContent!.includes('Layers'),
    );
    await press('Cancel');
    await page.waitFor('the end', () =>
      document.querySelector('hl-load-progress')!.shadowRoot!.textContent!.includes('cancelled'),
    );
    spoil = null;
    await press('Load 11.6 MB');
    expect(await outcome(page)).toBe('ready');
  });

  it('waits for a word when the browser asks to save data, and says the size first', async () => {
    page = await browser.open('about:blank');
    await page.native.addInitScript(() => {
      Object.defineProperty(navigator, 'connection', { value: { saveData: true } });
    });
    await page.goto(server.url);
    await page.waitFor('the question', () =>
      document.querySelector('hl-load-progress')?.shadowRoot?.textContent?.includes('save data'),
    );
    expect(page.requests.filter((url) => url.includes('/models/'))).toEqual([]);
    expect((await look(page)).progress).toContain('11.6 MB');
    await page.click('.button.first');
    expect(await outcome(page)).toBe('ready');
    const progress = await page.evaluate(() =>
      document.querySelector('hl-privacy')!.shadowRoot!.textContent!.includes('blocks of sixteen'),
    );
    expect(progress).toBe(true);
  });
});

describe('a browser without WebAssembly SIMD', () => {
  it('is told so', async () => {
    page = await browser.open('about:blank');
    // Without workers the engine asks in the page, where the test can answer for an old browser.
    await page.native.addInitScript(() => {
      Object.defineProperty(window, 'Worker', { value: undefined });
      WebAssembly.validate = () => false;
    });
    await page.goto(server.url);
    expect(await outcome(page)).toMatch(/^no-simd: /);
    expect((await look(page)).notes[0]).toContain('SIMD');
  });
});
