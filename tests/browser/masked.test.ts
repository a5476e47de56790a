/** What the page says of a head is true of the picture under it: under a mask, and while special tokens are hidden. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from './harness/chromium.ts';
import type { TestBrowser, TestPage } from './harness/page.ts';
import { open, outcome, serveSite } from './harness/site.ts';

const CAT = { text: 'The cat sat on the mat', layer: '1', head: '8', model: 'minilm-en' };

let server: Awaited<ReturnType<typeof serveSite>>;
let browser: TestBrowser<Page>;
let page: TestPage<Page>;

beforeAll(async () => {
  server = await serveSite();
  browser = await launchChromium();
  page = await browser.open(server.url, { locale: 'en-US' });
  expect(await outcome(page)).toBe('ready');
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
});

/** All text of the stage, hidden share and role label included. */
const said = () =>
  page.evaluate(() => {
    const texts: string[] = [];
    const walk = (node: Node): void => {
      if (node instanceof Element && node.localName === 'style') return;
      if (node.nodeType === Node.TEXT_NODE) texts.push(node.textContent ?? '');
      const root = (node as Element).shadowRoot;
      for (const child of [...(root?.childNodes ?? []), ...node.childNodes]) walk(child);
    };
    walk(document.querySelector('hl-stage')!);
    return texts.join(' ').replace(/\s+/g, ' ');
  });

/** What screen readers hear of every head, once it has been written. */
async function headNames(): Promise<string[]> {
  await page.native.waitForTimeout(400);
  return page.evaluate(() =>
    [
      ...document
        .querySelector('hl-head-wall')!
        .shadowRoot!.querySelectorAll<HTMLElement>('[role=gridcell]'),
    ].map((cell) => cell.ariaLabel ?? cell.getAttribute('aria-label') ?? ''),
  );
}

describe('under a causal mask', () => {
  it('only [CLS] is named as taking attention: no word sees the [SEP] at the end', async () => {
    await open(page, { ...CAT, query: '3' });
    expect(await said()).toMatch(/% of its attention to \[CLS\] and \[SEP\], hidden here/);
    await open(page, { ...CAT, query: '3', mask: 'causal' });
    const text = await said();
    expect(text).toMatch(/“sat” gives \S+ of its attention to \[CLS\], hidden here/);
    expect(text).not.toContain('[SEP]');
  });

  it('the view of one token in all heads names [CLS] alone too', async () => {
    await open(page, { ...CAT, query: '3', mask: 'causal', view: 'token' });
    expect(await said()).toContain('Hidden here: [CLS].');
  });

  it('the first word, which sees no other, is never what a head shows most', async () => {
    await open(page, { ...CAT, mask: 'causal' });
    const names = await headNames();
    expect(names).toHaveLength(72);
    for (const name of names) expect(name).not.toContain('here most “The”');
    for (const name of names) expect(name).toContain('focus ');
  });

  it('the first word’s own number is said to mean nothing', async () => {
    await open(page, { ...CAT, query: '1', mask: 'causal' });
    expect(await said()).toContain('The mask lets “The” look at one shown word only');
  });

  it('what was measured without a mask says so, and what is usual without one is not said', async () => {
    await open(page, { ...CAT, query: '3' });
    expect(await said()).toContain('tends to look at the next piece');
    await open(page, { ...CAT, query: '3', mask: 'causal' });
    expect(await said()).toContain('unchanged, it tends to look at the next piece');
    const names = await headNames();
    expect(names.filter((name) => name.includes('; unchanged it tends'))).not.toHaveLength(0);
    expect(names.filter((name) => /; tends/.test(name))).toHaveLength(0);
    // A head that gives [CLS] most of what it has: the usual figures are of the model without a mask.
    const sink = { ...CAT, layer: '4', head: '0', query: '3' };
    await open(page, sink);
    expect(await said()).toContain('Usual here');
    await open(page, { ...sink, mask: 'causal' });
    expect(await said()).not.toContain('Usual here');
  });
});

it('under a window a word beyond both ends is said to see neither special token', async () => {
  await open(page, { ...CAT, query: '3', mask: 'window', radius: '1' });
  expect(await said()).toContain('the mask lets “sat” look at neither');
});

it('a hidden token is not named: it takes nothing', async () => {
  await open(page, { ...CAT, query: '3', off: '7' });
  expect(await said()).toMatch(/of its attention to \[CLS\], hidden here/);
});

it.each(['', 'causal'])(
  'in brackets stands the weight that the model gives (mask “%s”)',
  async (mask) => {
    await open(page, { ...CAT, layer: '4', head: '0', query: '3', ...(mask ? { mask } : {}) });
    const text = await said();
    const [, key, share, weight] = /“sat” looks at “(.+?)” (\.\d\d) \((\.\d\d)\)/.exec(text) ?? [];
    expect(text).toMatch(/Shares of the other \d+%; in brackets, of the whole row/);
    const own = await page.evaluate(async () => {
      const run = window.headlights!.run!;
      const all = await run.attentions();
      const T = run.queryLength;
      const row = ((4 * run.heads + 0) * T + 3) * T;
      return [...all.slice(row, row + T)];
    });
    const at = ['[CLS]', ...CAT.text.split(' '), '[SEP]'].indexOf(key!);
    const words = own.slice(1, -1).reduce((a, b) => a + b, 0);
    expect(Number(weight)).toBeCloseTo(own[at]!, 2);
    expect(Number(share)).toBeCloseTo(own[at]! / words, 2);
    expect(Number(share)).toBeGreaterThan(Number(weight));
  },
);

it.each([390, 768, 1280])('nothing below moves from word to word, %i px wide', async (width) => {
  const wide = await browser.open(
    `${server.url}#text=${encodeURIComponent("The animal didn't cross the street because it was too tired.")}&layer=0&head=5&model=minilm-en`,
    { width, height: 900, locale: 'en-US', mobile: width < 500 },
  );
  expect(await outcome(wide)).toBe('ready');
  const places = await wide.evaluate(async () => {
    const stage = document.querySelector('hl-stage') as unknown as {
      picture: { tokens: unknown[] };
      query: number | null;
      updateComplete: Promise<unknown>;
      shadowRoot: ShadowRoot;
    };
    const seen: number[] = [];
    for (let token = 0; token < stage.picture.tokens.length; token++) {
      stage.query = token;
      await stage.updateComplete;
      await new Promise((done) => requestAnimationFrame(done));
      const foot = stage.shadowRoot.querySelector('.foot')!.getBoundingClientRect();
      seen.push(Math.round(foot.top + scrollY));
    }
    return seen;
  });
  await wide.close();
  expect(places).toHaveLength(14);
  expect(new Set(places).size, places.join(' ')).toBe(1);
});
