/** Where the built site must work: under a sub-path, without Range, under a strict policy, in a sandbox, in three browsers. */
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serve } from '../../tools/serve.mjs';
import { launchChromium } from './harness/chromium.ts';
import { LAUNCH } from './harness/launch.ts';
import { pause, poll, type TestBrowser } from './harness/page.ts';
import { look, open, outcome, serveSite } from './harness/site.ts';

const PAGES = fileURLToPath(new URL('pages', import.meta.url));

/** The policy of the promise, word for word: no blob workers. */
const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'";

describe('Chromium', () => {
  let browser: TestBrowser<Page>;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
  });

  it.each([
    ['a sub-path', { base: '/some/where/deep/' }],
    ['a host without Range', { range: false }],
    ['the strict policy without blob workers', { csp: POLICY }],
    ['no policy at all', { csp: null }],
  ] as const)('works under %s', async (_name, options) => {
    const server = await serveSite(options);
    const page = await browser.open(`${server.url}#text=The%20cat%20sat`);
    expect(await outcome(page, 90_000)).toBe('ready');
    const seen = await look(page);
    expect([seen.layersDrawn, seen.marks]).toEqual([6, ['The', 'cat', 'sat']]);
    expect(await page.evaluate(() => window.headlights!.engine!.thread)).toBe('worker');
    const { origin } = new URL(server.url);
    expect(page.requests.filter((url) => !url.startsWith(origin))).toEqual([]);
    expect(page.errors).toEqual([]);
    await page.close();
    await server.close();
  });

  it.each([
    ['with blob workers allowed', undefined, 'worker'],
    ['with the strict policy', POLICY, 'main'],
  ] as const)('works in a sandboxed frame, %s', async (_name, csp, thread) => {
    const server = await serveSite(csp === undefined ? {} : { csp });
    // The page around it comes from another origin of this machine; from elsewhere it may not embed it.
    const around = await serve({ root: PAGES, csp: null });
    const page = await browser.open(`${around.url}harness.html`);
    await page.native.setContent(
      `<iframe sandbox="allow-scripts" width="1200" height="900" src="${server.url}#text=The%20cat%20sat"></iframe>`,
    );
    const frame = page.native.frames()[1]!;
    await poll('the frame starts', () => frame.evaluate(() => window.headlights !== undefined));
    const facts = await frame.evaluate(async () => {
      await window.headlights!.ready;
      const { engine, run } = window.headlights!;
      return [self.origin, engine!.thread, run!.tokens.length];
    });
    expect(facts).toEqual(['null', thread, 5]);
    await frame.locator('hl-sentence textarea').fill('The cat sat on the mat');
    const tokens = await frame.evaluate(async () => {
      await window.headlights!.ready;
      return window.headlights!.run!.tokens.length;
    });
    expect(tokens).toBe(8);
    await page.close();
    await around.close();
    await server.close();
  });
});

describe.each(['firefox', 'webkit'] as const)('%s', (name) => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await LAUNCH[name]();
  });
  afterAll(async () => {
    await browser?.close();
  });

  it('starts and shows every head of a typed sentence', async () => {
    const server = await serveSite();
    const page = await browser.open(server.url);
    expect(await outcome(page, 90_000)).toBe('ready');
    expect((await look(page)).layersDrawn).toBe(6);
    const before = (await look(page)).wall;
    await open(page, { text: '' });
    await page.click('textarea');
    await page.type('The cat sat on the mat');
    await page.waitFor('the typed sentence', () => window.headlights!.run?.tokens.length === 8);
    expect(await outcome(page)).toBe('ready');
    const seen = await look(page);
    expect(seen.marks).toEqual(['The', 'cat', 'sat', 'on', 'the', 'mat']);
    expect(seen.drawn).toBe('The cat sat on the mat');
    expect(seen.wall).not.toBe(before);
    const variant = await page.evaluate(() => window.headlights!.engine!.variant);
    if (name === 'webkit') expect(variant).toBe('baseline');
    await page.close();
    await server.close();
  });

  it('pins the word that is clicked in the sentence, and releases it at the next click', async () => {
    const server = await serveSite();
    const page = await browser.open(`${server.url}#text=The%20cat%20sat`);
    expect(await outcome(page, 90_000)).toBe('ready');
    const query = () => page.evaluate(() => window.headlights!.state.query);
    await page.click('.mark');
    expect(await query()).toBe(1);
    await pause(700); // not a double-click
    await page.click('.mark');
    expect(await query()).toBeNull();
    await page.close();
    await server.close();
  });
});
