/** Whatever is typed or linked: no crash, no stale picture, and what was left out is said. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from './harness/chromium.ts';
import type { TestBrowser, TestPage } from './harness/page.ts';
import { look, open, outcome, serveSite } from './harness/site.ts';

let server: Awaited<ReturnType<typeof serveSite>>;
let browser: TestBrowser;
let page: TestPage;

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

const WORDS = Array.from({ length: 3000 }, (_, i) => ['the', 'cat', 'sat', 'here'][i % 4]).join(
  ' ',
);

const CASES: readonly [name: string, text: string][] = [
  ['nothing', ''],
  ['only spaces', '   \n\t  '],
  ['emoji', '👩‍🚀 flies to the 🌙, 🏳️‍🌈!'],
  ['accents', 'Crème brûlée à la façade naïve'],
  ['combining marks', 'e\u0301 n\u0303 a\u030a\u0323 Z\u0351\u036b\u0343'],
  ['unpaired surrogates', 'a\ud800b \udc00 c\udfff'],
  ['control characters', 'a\u0000b\u0007c\u001bd\u007fe\u0085f\u200bg\ufeffh'],
  ['mixed scripts', 'Привет 世界, hello мир 안녕 สวัสดี'],
  ['right to left', 'שלום עולם and مرحبا بالعالم'],
  ['bidi controls', 'abc \u202eevil\u202c \u2067x\u2069'],
  ['one word of 10,000 characters', 'supercali'.repeat(1112).slice(0, 10_000)],
  ['10,000 characters that are not in the vocabulary', '\u16a0'.repeat(10_000)],
  ['3,000 words', WORDS],
  ['HTML', '<script>window.hurt = true</script><img src=x onerror="window.hurt = true">'],
  ['line breaks', 'one\ntwo\r\nthree\rfour\u2028five'],
];

describe.each(['minilm-en', 'bge-zh'])('%s', (model) => {
  it.each(CASES)('%s', async (_name, text) => {
    // Written into the field as an input event would bring it: links cannot say all of these.
    await open(page, { text: 'before', model });
    await page.evaluate((value: string) => {
      const area = document.querySelector('hl-sentence')!.shadowRoot!.querySelector('textarea')!;
      area.value = value;
      area.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
    }, text);
    expect(await outcome(page)).toBe('ready');
    const typed = text.replace(/\r\n?/g, '\n');
    const seen = await look(page);
    expect(seen.text).toBe(typed);
    expect(seen.drawn).toBe(typed);
    expect(seen.layersDrawn).toBe(model === 'minilm-en' ? 6 : 4);
    expect(await page.evaluate(() => window.headlights!.state.text)).toBe(typed);
    for (const mark of seen.marks) expect(typed).toContain(mark);
    expect(page.errors).toEqual([]);
    expect(await page.evaluate(() => 'hurt' in window)).toBe(false);
  });
});

describe('what is left out', () => {
  it('3,000 words are cut at 512 tokens, and the page says how many words were left out', async () => {
    await open(page, { text: WORDS, model: 'minilm-en' });
    const seen = await look(page);
    expect(seen.tokens).toBe(512);
    expect(seen.notes).toEqual(['Cut at 512 tokens; 2,490 words (2,490 tokens) left out.']);
    expect(seen.marks).toHaveLength(510);
  });

  it('an empty text is answered kindly', async () => {
    await open(page, { text: '' });
    const seen = await look(page);
    expect(seen.hint).toContain('Type something');
    expect(seen.notes).toEqual([]);
  });

  it('every one of these texts comes back from its link', async () => {
    for (const [, text] of CASES) {
      await open(page, { text: 'before' });
      await page.evaluate((value: string) => {
        const area = document.querySelector('hl-sentence')!.shadowRoot!.querySelector('textarea')!;
        area.value = value;
        area.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
      }, text);
      await outcome(page);
      await page.waitFor('the link', () => !location.hash.includes('text=before'));
      const hash = await page.evaluate(() => location.hash);
      await open(page, { text: 'between' });
      await page.evaluate((back: string) => {
        location.hash = back;
      }, hash);
      expect(await outcome(page)).toBe('ready');
      expect((await look(page)).text).toBe(text.replace(/\r\n?/g, '\n'));
    }
  });
});
