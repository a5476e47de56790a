/** The calculator page of the built site: typing, models, the link, bad input, both languages, no violation. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from './harness/chromium.ts';
import { LAUNCH } from './harness/launch.ts';
import type { PageOptions, TestBrowser, TestPage } from './harness/page.ts';
import { serveSite } from './harness/site.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let server: Awaited<ReturnType<typeof serveSite>>;
let browser: TestBrowser<Page>;

beforeAll(async () => {
  server = await serveSite();
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const address = (fragment = '') => `${server.url}calculator.html${fragment && `#${fragment}`}`;

async function open(fragment = '', options: PageOptions = {}): Promise<TestPage<Page>> {
  const page = await browser.open(address(fragment), options);
  await shown(page);
  return page;
}

const shown = (page: TestPage) =>
  page.waitFor(
    'results are there',
    () => document.querySelector('hl-calculator-figures')?.shadowRoot?.querySelector('dd') != null,
  );

const field = (page: TestPage<Page>, id: string) =>
  page.native.locator(`hl-calculator-field[field="${id}"] input`);
const fault = (page: TestPage<Page>, id: string) =>
  page.native.locator(`hl-calculator-field[field="${id}"] .fault`);
const figure = (page: TestPage<Page>, id: string) =>
  page.native.locator(`[data-figure="${id}"] .large`);

/** Its text, every run of spaces as one. */
const text = async (of: Locator) => ((await of.textContent()) ?? '').replace(/\s+/g, ' ').trim();

/** Name, value and formula of one result, as one line. */
const result = (page: TestPage<Page>, id: string) =>
  text(page.native.locator(`[data-count="${id}"]`));

/** All text of the results, through every shadow root. */
const everything = (page: TestPage) =>
  page.evaluate(() => {
    const read = (node: Node): string => {
      if (node instanceof HTMLStyleElement) return '';
      if (node instanceof Text) return node.data;
      const inside =
        node instanceof Element && node.shadowRoot ? [...node.shadowRoot.childNodes] : [];
      return [...inside, ...node.childNodes].map(read).join(' ');
    };
    return read(document.querySelector('#results')!);
  });

const hash = (page: TestPage) => page.evaluate(() => decodeURIComponent(location.hash));

const hashHas = (page: TestPage<Page>, part: string) =>
  page.native.waitForFunction((wanted) => location.hash.includes(wanted), part);

async function violations(page: TestPage<Page>): Promise<string[]> {
  await page.native.evaluate(AXE);
  const results = (await page.native.evaluate('axe.run()')) as AxeResults;
  return results.violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(' | ')}`,
  );
}

describe('typing', () => {
  it('changes every result at once, with the numbers in the formulas', async () => {
    const page = await open();
    expect(await text(figure(page, 'parameters'))).toBe('6.29 M');
    await field(page, 'layers').fill('12');
    expect(await text(figure(page, 'parameters'))).toBe('12.6 M');
    await field(page, 'n').fill('1,024');
    expect(await result(page, 'scoresLayer')).toMatch(/8 × 1,0242 × 4 = 33,554,432 B/);
    expect(await result(page, 'scores')).toMatch(/2 × 1,024 × 8 × 64 = 1,048,576 FLOP/);
    expect(page.errors).toEqual([]);
    await page.close();
  });

  it('a model fills the fields and is named; a change makes it one’s own', async () => {
    const page = await open();
    await page.native.getByRole('button', { name: 'Llama 3 8B' }).click();
    expect(await field(page, 'kv').inputValue()).toBe('8');
    expect(await result(page, 'cacheToken')).toContain('128 KiB');
    expect(await result(page, 'cacheToken')).toContain('131,072 B');
    const pressed = page.native.locator('button[aria-pressed="true"]');
    expect(await text(pressed)).toBe('Llama 3 8B');
    await field(page, 'layers').fill('33');
    expect(await pressed.count()).toBe(0);
    await page.close();
  });

  it('the number type, biases and full numbers are chosen by hand', async () => {
    const page = await open();
    const before = await text(figure(page, 'cache'));
    await page.native.locator('select[name="dtype"]').selectOption('int8');
    expect(await text(figure(page, 'cache'))).not.toBe(before);
    await page.native.locator('input[name="bias"]').check();
    await page.native.locator('input[name="full"]').check();
    expect(await text(figure(page, 'parameters'))).toBe('6,303,744');
    await hashHas(page, 'full=1');
    expect(await hash(page)).toContain('dtype=int8&bias=1');
    await page.close();
  });

  it('the slider and the table of the charts follow the length', async () => {
    const page = await open();
    const slider = page.native.locator('input[type="range"]');
    await slider.focus();
    await page.press('ArrowRight');
    expect(await field(page, 'n').inputValue()).toBe('1024');
    expect(await slider.getAttribute('aria-valuetext')).toBe('1,024 tokens');
    await page.native.locator('summary').click();
    const row = page.native.locator('table[data-growth="memory"] tr.here');
    const cells = await row.locator('th, td').allTextContents();
    expect(cells.map((cell) => cell.replace('\u00a0', ' '))).toEqual([
      ...['1,024', '24 MiB', '24 MiB', '32 MiB', '32 KiB'],
    ]);
    const chart = await page.native
      .locator('hl-calculator-chart svg')
      .nth(1)
      .getAttribute('aria-label');
    expect(chart).toContain('At 1,024 tokens: weights 24\u00a0MiB, cache 24\u00a0MiB');
    await page.close();
  });

  it('the comparison marks the layer that costs least', async () => {
    const page = await open();
    const row = (kind: string) => text(page.native.locator(`tr[data-layer="${kind}"]`));
    await field(page, 'n').fill('100');
    await field(page, 'r').fill('100');
    expect(await row('attention')).toMatch(/5\.12 M least/);
    await field(page, 'r').fill('20');
    expect(await row('restricted')).toMatch(/1\.02 M least/);
    expect(await row('recurrent')).toMatch(/26\.2 M/);
    await page.close();
  });
});

describe('what cannot be used', () => {
  it.each([
    ['d', '', 'Empty. Enter a whole number from 1 to 1,000,000.'],
    ['n', '-5', 'Too small: at least 1.'],
    ['layers', 'six', 'Not a number. Enter digits, from 1 to 10,000.'],
    ['n', '1e99', 'Too large: at most 100,000,000.'],
    ['ff', '2.5', 'Only whole numbers, from 1 to 10,000,000.'],
    [
      ...(['h', '7'] as const),
      '7 heads do not divide a width of 512. Take 4 or 8 or 16 heads, or enter the width of a head.',
    ],
    ['kv', '3', '8 heads cannot share 3 keys evenly. Take 2 or 4 or 8.'],
  ])('%s = “%s” is said at the field, and the last results stay', async (id, typed, message) => {
    const page = await open();
    const before = await text(figure(page, 'work'));
    await field(page, id).fill(typed);
    expect(await text(fault(page, id))).toBe(message);
    expect(await field(page, id).getAttribute('aria-invalid')).toBe('true');
    expect(await text(page.native.locator('.stale'))).toMatch(/^Below are the results of the last/);
    expect(await text(figure(page, 'work'))).toBe(before);
    await field(page, id).fill(id === 'h' || id === 'kv' ? '4' : '64');
    expect(await field(page, id).getAttribute('aria-invalid')).toBe('false');
    expect(await text(page.native.locator('.stale'))).toBe('');
    expect(page.errors).toEqual([]);
    await page.close();
  });

  it('the largest numbers of all fields are still shown with a unit', async () => {
    const page = await open(
      'd=1000000&h=10000&dk=100000&layers=10000&n=100000000&ff=10000000&vocab=100000000&out=own&gated=1',
    );
    expect(await text(figure(page, 'work'))).toMatch(/^\d{1,3}(\.\d+)? [RQ]FLOP$/);
    const all = await everything(page);
    expect(all.length).toBeGreaterThan(3000);
    expect(all).not.toMatch(/\de\+|NaN|Infinity|undefined|null/);
    await page.close();
  });
});

describe('the link', () => {
  it('holds the whole state, and opens it again', async () => {
    const page = await open();
    await page.native.getByRole('button', { name: 'GPT-3' }).click();
    await field(page, 'k').fill('5');
    await hashHas(page, 'k=5');
    const link = await hash(page);
    expect(link).toBe(
      '#d=12288&h=96&layers=96&n=2048&ff=49152&vocab=50257&k=5&dtype=fp16&bias=1&out=tied',
    );
    const work = await text(figure(page, 'work'));
    await page.close();
    const again = await open(link.slice(1));
    expect(await text(figure(again, 'work'))).toBe(work);
    expect(await field(again, 'k').inputValue()).toBe('5');
    await again.close();
  });

  it('with faults says what was taken instead', async () => {
    const page = await open('d=512&h=7&n=soon&other=1');
    const notes = await page.native.locator('hl-notes .text').allTextContents();
    expect(notes).toEqual([
      'The link says n = “soon”, which cannot be used. Taken: 512.',
      'The link says h = “7”, which cannot be used. Taken: 8.',
    ]);
    await page.native
      .getByRole('button', { name: /Dismiss/ })
      .first()
      .click();
    expect(await page.native.locator('hl-notes .text').count()).toBe(1);
    await page.close();
  });

  it('changed in the address bar is followed', async () => {
    const page = await open('d=512&h=8');
    await page.evaluate(() => {
      location.hash = '#d=1024&h=16&layers=2&lang=zh';
    });
    await page.waitFor('the new width is there', () => document.documentElement.lang === 'zh-Hans');
    expect(await field(page, 'd').inputValue()).toBe('1024');
    await page.close();
  });
});

describe('languages', () => {
  it('everything is Chinese after one press, and stays so', async () => {
    const page = await open('', { width: 1440 });
    await page.native.getByRole('button', { name: '中文' }).click();
    await page.waitFor('the title is Chinese', () => document.title.includes('注意力计算器'));
    expect(await text(page.native.locator('h1'))).toBe('注意力要花多少');
    await field(page, 'h').fill('7');
    expect(await text(fault(page, 'h'))).toBe(
      '宽度 512 不能被 7 个头整除。可取 4 或 8 或 16 个头，或填写每个头的宽度。',
    );
    await hashHas(page, 'lang=zh');
    await page.native.reload();
    await shown(page);
    expect(await text(page.native.locator('h1'))).toBe('注意力要花多少');
    await page.close();
  });
});

describe('axe finds nothing', () => {
  it.each([
    ['light, English, wide', { colorScheme: 'light', locale: 'en-US', width: 1440 }],
    ['dark, English, tablet', { colorScheme: 'dark', locale: 'en-US', width: 768 }],
    ['light, Chinese, phone', { colorScheme: 'light', locale: 'zh-CN', width: 390, mobile: true }],
    ['dark, Chinese, wide', { colorScheme: 'dark', locale: 'zh-CN', width: 1440 }],
  ] as const)('%s', async (_name, options) => {
    const page = await open('h=7', options);
    await page.native.locator('summary').click();
    expect(await violations(page)).toEqual([]);
    await field(page, 'd').fill('none');
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(
      true,
    );
    expect(page.errors).toEqual([]);
    await page.close();
  });
});

describe('the page', () => {
  it('needs no engine and nothing from elsewhere', async () => {
    const page = await open();
    for (const request of page.requests) expect(request).toMatch(new RegExp(`^${server.url}`));
    expect(
      page.requests.filter((request) => /wasm|worker|models|headlights\.js/.test(request)),
    ).toEqual([]);
    await page.close();
  });

  it('links to the explorer and marks itself', async () => {
    const page = await open('', { width: 1440 });
    const current = page.native.locator('hl-site-nav a[aria-current="page"]');
    expect(await text(current)).toBe('Calculator');
    expect(await page.native.locator('.brand a').getAttribute('href')).toBe('./index.html');
    await page.native.getByRole('button', { name: 'MiniLM' }).click();
    const to = await page.native
      .getByRole('link', { name: 'See its heads at work' })
      .getAttribute('href');
    expect(to).toBe('./index.html#model=minilm-en');
    await page.close();
  });

  it('the keyboard alone reaches models, fields, choices, slider and tables', async () => {
    const page = await open('', { width: 1440 });
    const seen = new Set<string>();
    for (let i = 0; i < 60; i++) {
      await page.press('Tab');
      seen.add(
        await page.evaluate(() => {
          let at = document.activeElement;
          while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
          return at?.getAttribute('name') ?? at?.localName ?? '';
        }),
      );
    }
    for (const needed of ['d', 'h', 'dk', 'kv', 'layers', 'n', 'ff', 'vocab', 'k', 'r'])
      expect(seen).toContain(needed);
    for (const needed of ['dtype', 'bias', 'out', 'gated', 'full', 'button', 'input', 'summary'])
      expect(seen).toContain(needed);
    await page.close();
  });

  it('skips to the results without changing the link', async () => {
    const page = await open('d=512&h=8');
    await page.press('Tab');
    await page.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('results');
    expect(await hash(page)).toBe('#d=512&h=8');
    await page.close();
  });

  it('tells a screen reader the results when typing has come to rest', async () => {
    const page = await open();
    await field(page, 'layers').fill('12');
    await page.waitFor('the results are said', () =>
      document.querySelector('#said')?.textContent?.startsWith('12.6\u00a0M attention parameters;'),
    );
    await page.close();
  });
});

describe.each(['firefox', 'webkit'] as const)('%s', (name) => {
  it('computes what is typed', async () => {
    const other = await LAUNCH[name]();
    try {
      const page = await other.open(address('d=768&h=12&layers=12&n=512&bias=1'), { width: 1280 });
      await shown(page);
      const parameters = () =>
        page.evaluate(() =>
          document
            .querySelector('hl-calculator-figures')!
            .shadowRoot!.querySelector('[data-figure="parameters"] .large')!
            .textContent!.replace('\u00a0', ' '),
        );
      expect(await parameters()).toBe('28.3 M');
      await page.click('input[name="layers"]');
      await page.press('Control+a');
      await page.type('1');
      expect(await parameters()).toBe('2.36 M');
      expect(page.errors).toEqual([]);
      await page.close();
    } finally {
      await other.close();
    }
  });
});
