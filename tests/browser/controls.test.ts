/** The switches of the explorer: each changes what is shown, is in the link, and can be taken back. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchChromium } from './harness/chromium.ts';
import type { TestBrowser, TestPage } from './harness/page.ts';
import { look, open, outcome, serveSite } from './harness/site.ts';

let server: Awaited<ReturnType<typeof serveSite>>;
let browser: TestBrowser<Page>;
let page: TestPage<Page>;

beforeAll(async () => {
  server = await serveSite();
  browser = await launchChromium();
  page = await browser.open(server.url);
  expect(await outcome(page)).toBe('ready');
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
});

beforeEach(async () => {
  await open(page, { text: "She didn't sing", layer: '3', head: '1', model: 'minilm-en' });
});

/** Tokens of the picture, and the sum of the first row of the head on the stage. */
const picture = () =>
  page.evaluate(() => {
    const stage = document.querySelector('hl-stage') as unknown as {
      picture: {
        tokens: { text: string }[];
        weights(choice: unknown): Float32Array;
        removed(choice: unknown): Float32Array | null;
      };
      choices: unknown[];
    };
    const { tokens } = stage.picture;
    const choice = stage.choices.at(-1);
    const row = [...stage.picture.weights(choice).slice(0, tokens.length)];
    return {
      tokens: tokens.map(({ text }) => text),
      sum: row.reduce((a, b) => a + b, 0),
      removed: stage.picture.removed(choice)?.[0] ?? null,
      choices: stage.choices,
    };
  });

const state = () => page.evaluate(() => window.headlights!.state);

describe('switches', () => {
  it('special tokens are hidden with their mass stated, and shown on request', async () => {
    const hidden = await picture();
    expect(hidden.tokens).toEqual(['She', 'didn', "'", 't', 'sing']);
    expect(hidden.sum).toBeCloseTo(1, 5);
    expect(hidden.removed).toBeGreaterThan(0);
    await page.click('input[name="specials"]');
    await outcome(page);
    const shown = await picture();
    expect(shown.tokens).toEqual(['[CLS]', 'She', 'didn', "'", 't', 'sing', '[SEP]']);
    expect(shown.sum).toBeCloseTo(1, 5);
    expect(shown.removed).toBeNull();
    await page.waitFor('the link', () => location.hash.includes('specials=1'));
    await page.click('input[name="specials"]');
    await outcome(page);
    expect((await picture()).tokens).toHaveLength(5);
  });

  it('pieces are merged into words, also under the sentence', async () => {
    await page.click('input[name="words"]');
    await outcome(page);
    const merged = await picture();
    expect(merged.tokens).toEqual(['She', "didn't", 'sing']);
    expect(merged.sum).toBeCloseTo(1, 5);
    expect((await look(page)).marks).toEqual(['She', "didn't", 'sing']);
    await page.click('input[name="words"]');
  });

  it.each([
    ['heads', { layer: 3, head: 'mean' }],
    ['layers', { layer: 'mean', head: 1 }],
    ['all', { layer: 'mean', head: 'mean' }],
  ] as const)('a mean over %s is shown, and one head again', async (mean, choice) => {
    const select = page.native.locator('hl-switches select');
    await select.selectOption(mean);
    await outcome(page);
    const seen = await picture();
    expect(seen.choices).toEqual([choice]);
    expect(seen.sum).toBeCloseTo(1, 5);
    expect(await state()).toMatchObject(choice);
    await select.selectOption('one');
    expect(await state()).toMatchObject({ layer: 3, head: 1 });
  });

  it('a second head is added with Shift, and taken away again', async () => {
    const cell = page.native.locator('hl-head-wall [data-index="29"]'); // L2·H5
    await cell.click({ modifiers: ['Shift'] });
    expect((await picture()).choices).toEqual([
      { layer: 3, head: 1 },
      { layer: 2, head: 5 },
    ]);
    await page.waitFor('the link', () => location.hash.includes('also=3.1'));
    await cell.click({ modifiers: ['Shift'] });
    expect((await picture()).choices).toEqual([{ layer: 3, head: 1 }]);
  });

  it('the theme is the reader’s, over the system’s', async () => {
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    await page.native.locator('hl-preferences select').selectOption('dark');
    expect(await ground()).not.toBe(light);
    await page.native.reload();
    await outcome(page);
    expect(await ground()).not.toBe(light);
    await page.native.locator('hl-preferences select').selectOption('auto');
    expect(await ground()).toBe(light);
  });
});

describe('aiming', () => {
  it('the pointer over a word lights it, and its mark pins it', async () => {
    const mark = page.native.locator('hl-sentence .mark', { hasText: 'sing' });
    await mark.scrollIntoViewIfNeeded();
    const box = (await mark.boundingBox())!;
    await page.native.mouse.move(box.x + box.width / 2, box.y + box.height / 3);
    await page.waitFor('the lamp', () =>
      document
        .querySelector('hl-sentence')!
        .shadowRoot!.querySelector('.lamp')
        ?.textContent?.includes('sing'),
    );
    expect((await state()).query).toBeNull();
    await mark.locator('.bar').click();
    expect((await state()).query).toBe(5);
    expect((await look(page)).hint).toContain('“sing” is pinned');
    await mark.locator('.bar').click();
    expect((await state()).query).toBeNull();
  });

  it('a pin follows its word while the text before it changes', async () => {
    await open(page, { text: 'dogs sing', query: '2', model: 'minilm-en' });
    await page.click('textarea');
    await page.press('Home');
    await page.type('Two ');
    await outcome(page);
    expect((await state()).query).toBe(3);
    expect((await look(page)).hint).toContain('sing');
  });

  it('a word read in pieces says so', async () => {
    const mark = page.native.locator('hl-sentence .mark', { hasText: 'didn' });
    await mark.locator('.bar').hover();
    await page.waitFor('the pieces', () =>
      document.querySelector('.hint')!.textContent!.includes('3 pieces'),
    );
    expect((await look(page)).hint).toContain("didn · ' · t");
  });
});
