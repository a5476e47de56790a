/** The demos page: the numbers of the tutorials on screen, settings in the link, errors at their fields. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from './harness/chromium.ts';
import type { TestBrowser, TestPage } from './harness/page.ts';
import { serveSite } from './harness/site.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const golden = (name: string) =>
  JSON.parse(readFileSync(new URL(`../golden/demos/${name}.json`, import.meta.url), 'utf8'));

let server: Awaited<ReturnType<typeof serveSite>>;
let browser: TestBrowser<Page>;
let page: TestPage<Page>;

beforeAll(async () => {
  server = await serveSite();
  browser = await launchChromium();
  page = await browser.open(`${server.url}demos.html`, { locale: 'en-US' });
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
});

async function open(fragment: string): Promise<void> {
  await page.evaluate((hash: string) => {
    location.hash = hash;
  }, fragment);
  await settled();
}

/** Waits for the numbers of what the link says. */
const settled = () =>
  page.evaluate(async () => {
    await new Promise((done) => setTimeout(done)); // hashchange
    const element = document.querySelector('hl-demos') as unknown as {
      ready: { value: Promise<void> };
      updateComplete: Promise<unknown>;
    };
    await element.ready.value;
    await element.updateComplete;
  });

/** The numbers of every table by its caption, as printed. */
const tables = () =>
  page.evaluate(() => {
    const found: Record<string, number[][]> = {};
    for (const table of document.querySelectorAll('hl-heat-table')) {
      const root = table.shadowRoot!;
      found[root.querySelector('caption')!.textContent!] = [
        ...root.querySelectorAll('tbody tr, tfoot tr'),
      ].map((row) =>
        [...row.querySelectorAll('td')].map((cell) => Number(cell.textContent!.replace('−', '-'))),
      );
    }
    return found;
  });

function expectPrinted(actual: number[][] | undefined, expected: number[][]): void {
  expect(actual?.length).toBe(expected.length);
  expected.forEach((row, i) => {
    row.forEach((value, j) => {
      expect(Math.abs(actual![i]![j]! - value)).toBeLessThanOrEqual(5.01e-4);
    });
  });
}

describe('the demonstrations', () => {
  it('shows the weights of each head', async () => {
    await open('demo=heads');
    const seen = await tables();
    const { attention } = golden('demo1_per_head');
    expectPrinted(seen['head 0'], attention[0]);
    expectPrinted(seen['head 1'], attention[1]);
  });

  it('shows concatenation, W_O and output, and paths that add up to the output', async () => {
    await open('demo=fusion');
    const seen = await tables();
    const { concat, fused, W_O } = golden('demo2_fusion');
    expectPrinted(seen['Contexts side by side (concat)'], concat);
    expectPrinted(seen.Wₒ, W_O);
    expectPrinted(seen['concat × Wₒ (fused)'], fused);
    for (const token of [0, 2]) {
      await open(`demo=fusion&token=${token}`);
      const paths = (await tables()).Contributions!;
      const foot = paths.pop()!;
      expectPrinted([foot], [fused[token]]);
      foot.forEach((total, column) => {
        const sum = paths.reduce((so, row) => so + row[column]!, 0);
        expect(Math.abs(sum - total)).toBeLessThanOrEqual(((paths.length + 1) / 2) * 1e-3 + 1e-9);
        paths.forEach((row, from) => {
          const product = concat[token][from] * W_O[from][column];
          expect(Math.abs(row[column]! - product)).toBeLessThanOrEqual(5.01e-4);
        });
      });
    }
  });

  it('times loop and batch on request, with ratio and spread', async () => {
    await open('demo=batched');
    const { attention_head0_row0 } = golden('demo3_batched');
    expectPrinted([(await tables())['head 0']![0]!], [attention_head0_row0]);
    await page.click('.button.first');
    await page.waitFor('the times', () => document.querySelector('.times'));
    const text = await page.evaluate(() => document.querySelector('#demo')!.textContent!);
    expect(text).toMatch(/The loop takes [\d.]+ times as long .* 21 samples each/);
    expect(text).toMatch(/Largest difference of the two outputs: (0|\de-\d+|\d\.\de-\d+)\./);
  });

  it('says that random heads do not specialise, and leads to the trained model', async () => {
    await open('demo=heads');
    const link = await page.evaluate(
      () => document.querySelector<HTMLAnchorElement>('a.button')!.href,
    );
    expect(decodeURIComponent(link)).toContain('index.html#text=我爱自然语言处理&model=bge-zh');
    const text = await page.evaluate(() => document.querySelector('#demo')!.textContent!);
    expect(text).toContain('These weights are random');
    expect(text).toMatch(/Entropy of a row 1\.609 \(everywhere alike: 1\.609\)/);
  });
});

describe('the settings', () => {
  it('change numbers and link as they are typed', async () => {
    await open('demo=heads');
    const before = await tables();
    await page.click('#seed');
    await page.press('Control+a');
    await page.type('7');
    await page.waitFor('the link', () => location.hash.includes('seed=7'));
    await settled();
    expect(await tables()).not.toEqual(before);
    await page.click('#tokens');
    await page.press('Control+a');
    await page.type('one two three');
    await page.waitFor('the words', () => location.hash.includes('three'));
    await settled();
    expect((await tables())['head 0']).toHaveLength(3);
    const note = await page.evaluate(() => document.querySelector('#demo')!.textContent!);
    expect(note).toContain('RandomState(7).randn(3, 8)');
  });

  it('name what is wrong at its field and keep the last good numbers', async () => {
    await open('demo=heads');
    const before = await tables();
    await page.click('#h');
    await page.press('Control+a');
    await page.type('3');
    const error = await page.evaluate(
      () =>
        document.querySelector('hl-setting-fields')!.shadowRoot!.querySelector('#h-error')!
          .textContent,
    );
    expect(error).toBe('h must divide d = 8.');
    expect(await tables()).toEqual(before);
    await page.press('Backspace');
    await page.type('4');
    await page.waitFor('the link', () => location.hash.includes('h=4'));
    await settled();
    expect(Object.keys(await tables())).toHaveLength(4);
  });

  it.each([
    ['heads', 'd=512&h=64&n=256', /first 32 of 256 words.*first 8 of 64 heads/],
    ['fusion', 'd=512&h=8&n=256', /first 32 of 256 words.*first 32 of 512 dimensions/],
    ['batched', 'd=512&h=8&n=256', /first 32 of 256 words/],
  ] as const)(
    'at their largest (%s) the page writes out a part and says so',
    async (demo, link, said) => {
      await open(`demo=${demo}&${link}`);
      const seen = await page.evaluate(() => {
        const all = [...document.querySelectorAll('hl-heat-table')];
        return {
          cells: all.reduce((sum, one) => sum + one.shadowRoot!.querySelectorAll('td').length, 0),
          text: document.querySelector('#demo')!.textContent!.replace(/\s+/g, ' '),
        };
      });
      expect(seen.cells).toBeGreaterThan(1000);
      expect(seen.cells).toBeLessThan(10_000);
      expect(seen.text).toMatch(said);
      expect(page.errors).toEqual([]);
    },
  );

  it('in a wrong link are replaced, and the page says so', async () => {
    await open('demo=heads&seed=abc');
    const text = await page.evaluate(() => document.querySelector('#demo')!.textContent!);
    expect(text).toContain('“seed” could not be read');
  });
});

describe('the inspector of a demonstration', () => {
  it('opens the pair of a pressed cell, and arrow keys go on from there', async () => {
    await open('demo=heads');
    const pair = () =>
      page.evaluate(() =>
        [...document.querySelector('hl-inspector')!.shadowRoot!.querySelectorAll('select')].map(
          (select) => select.selectedOptions[0]!.textContent,
        ),
      );
    await page.evaluate(() => {
      document
        .querySelector('hl-heat-table[data-head="1"]')!
        .shadowRoot!.querySelector<HTMLElement>('[data-row="2"][data-column="3"]')!
        .click();
    });
    await page.waitFor('the pair', () =>
      document
        .querySelector('hl-inspector')!
        .shadowRoot!.querySelector('h2')!
        .textContent!.includes('head 1'),
    );
    expect(await pair()).toEqual(['自然', '语言']);
    await page.evaluate(() => {
      document
        .querySelector('hl-heat-table[data-head="1"]')!
        .shadowRoot!.querySelector<HTMLElement>('[data-row="2"][data-column="3"]')!
        .focus();
    });
    await page.press('ArrowDown');
    await page.waitFor(
      'the next row',
      () =>
        document
          .querySelector('hl-inspector')!
          .shadowRoot!.querySelector<HTMLSelectElement>('select')!.value === '3',
    );
    expect(await pair()).toEqual(['语言', '语言']);
  });
});

describe('axe finds nothing', () => {
  it.each([
    ['light', 'en-US', 1440, false],
    ['dark', 'zh-CN', 390, true],
  ] as const)('%s, %s', async (colorScheme, locale, width, mobile) => {
    const own = await browser.open(`${server.url}demos.html`, {
      colorScheme,
      locale,
      width,
      mobile,
    });
    for (const demo of ['heads', 'fusion', 'batched']) {
      await own.evaluate(async (id: string) => {
        location.hash = `demo=${id}`;
        await new Promise((done) => setTimeout(done));
        const element = document.querySelector('hl-demos') as unknown as {
          ready: { value: Promise<void> };
        };
        await element.ready.value;
      }, demo);
      await own.native.evaluate(AXE);
      const { violations } = (await own.native.evaluate('axe.run()')) as AxeResults;
      const found = violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(' | ')}`,
      );
      expect(found, demo).toEqual([]);
    }
    expect(own.errors).toEqual([]);
    await own.close();
  });
});
