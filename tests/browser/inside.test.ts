/** Inside a head: what is printed adds up, every step is a link, keys walk, and it follows the text. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from './harness/chromium.ts';
import type { TestBrowser, TestPage } from './harness/page.ts';
import { open, outcome, retype, serveSite } from './harness/site.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const STEPS = [
  'words',
  'vectors',
  'products',
  'scale',
  'row',
  'softmax',
  'context',
  'concat',
  'output',
];
const TIRED = "The animal didn't cross the street because it was too tired";

let server: Awaited<ReturnType<typeof serveSite>>;
let browser: TestBrowser<Page>;
let page: TestPage<Page>;

beforeAll(async () => {
  server = await serveSite();
  browser = await launchChromium();
  page = await browser.open(server.url, { locale: 'en-US', reducedMotion: true });
  expect(await outcome(page)).toBe('ready');
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
});

/** Opens a link and waits for the numbers of its step. */
async function inside(link: Record<string, string>): Promise<Printed> {
  expect(await open(page, link)).toBe('ready');
  await page.waitFor('the numbers', () =>
    document.querySelector('hl-inspector')?.shadowRoot?.querySelector('[role="tabpanel"]'),
  );
  return printed();
}

interface Printed {
  title: string;
  step: string;
  text: string;
  pair: string[];
  /** Rows of every group table, joined over the groups, by the row's name. */
  rows: Record<string, string[]>;
  outputs: string[];
  /** Cells of the plain tables, foot included. */
  table: string[][];
  strips: number;
}

/** What the reader reads: texts, not data. */
function printed(): Promise<Printed> {
  return page.evaluate(async () => {
    const element = document.querySelector('hl-inspector')! as Element & {
      updateComplete: Promise<unknown>;
    };
    await element.updateComplete;
    const root = element.shadowRoot!;
    const all = <T extends Element>(from: ParentNode, selector: string) => [
      ...from.querySelectorAll<T>(selector),
    ];
    const rows: Record<string, string[]> = {};
    for (const groups of all(root, 'hl-number-groups'))
      for (const row of all(groups.shadowRoot!, 'tbody tr')) {
        const name = row.querySelector('th .hidden')!.textContent!;
        rows[name] ??= [];
        rows[name].push(...all(row, 'td').map((cell) => cell.textContent!.trim()));
      }
    const tables = all(root, 'hl-row-table, hl-share-table');
    return {
      title: root.querySelector('h2')!.textContent!.trim(),
      step: root.querySelector('[role="tab"][aria-selected="true"]')?.id.slice(5) ?? '',
      text: root.querySelector('[role="tabpanel"]')?.textContent ?? root.textContent!,
      pair: all<HTMLSelectElement>(root, 'select').map(
        (select) => select.selectedOptions[0]!.textContent!,
      ),
      rows,
      outputs: all(root, 'output').map((output) => output.textContent!.trim()),
      table: tables.flatMap((table) =>
        all(table.shadowRoot!, 'tbody tr, tfoot tr').map((row) =>
          all(row, 'th, td').map((cell) => cell.textContent!.trim()),
        ),
      ),
      strips: all(root, 'hl-number-strip').length,
    };
  });
}

/** A condition for the page, which knows nothing of this file. */
const linkSays = (step: string) =>
  new Function(`return location.hash.includes('step=${step}')`) as () => boolean;

const number = (text: string | undefined) => {
  const value = Number(text?.replace('max', '').replace('−', '-').trim());
  expect(value, text).not.toBeNaN();
  return value;
};
const numbers = (texts: readonly string[] | undefined) => texts!.map(number);
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** (terms + 1) / 2 units of the third decimal. */
function expectToAddUp(terms: readonly number[], total: number): void {
  expect(terms.length).toBeGreaterThan(0);
  const units = Math.abs(sum(terms) - total) / 1e-3;
  expect(units).toBeLessThanOrEqual((terms.length + 1) / 2 + 1e-6);
}

const PAIRS = [
  [
    'English, a verb and its object',
    { model: 'minilm-en', text: TIRED, layer: '3', head: '1', query: '6', key: '8' },
  ],
  [
    'English, the first layer and special tokens',
    { model: 'minilm-en', text: 'Hi', layer: '0', head: '0', query: '0', key: '2' },
  ],
  [
    'Chinese, another head size',
    { model: 'bge-zh', text: '我爱自然语言处理', layer: '2', head: '5', query: '1', key: '4' },
  ],
] as const;

describe.each(PAIRS)('what is printed adds up: %s', (_name, link) => {
  it('products to the dot product', async () => {
    const { rows, outputs } = await inside({ ...link, step: 'products' });
    const product = numbers(rows.product);
    expect(product.length).toBe(link.model === 'bge-zh' ? 64 : 32);
    expectToAddUp(product, number(outputs[0]));
    // Each product is of the two numbers above it, as far as their rounding says.
    const names = Object.keys(rows);
    const query = numbers(rows[names.find((name) => name.startsWith('query'))!]);
    const key = numbers(rows[names.find((name) => name.startsWith('key'))!]);
    product.forEach((value, i) => {
      const room = 6e-4 * (Math.abs(query[i]!) + Math.abs(key[i]!) + 1);
      expect(Math.abs(query[i]! * key[i]! - value)).toBeLessThanOrEqual(room);
    });
  });

  it('the score to the sum over the root, and the same in the row', async () => {
    const { outputs, text } = await inside({ ...link, step: 'scale' });
    const dot = number(/([−\d.]+) ÷ √/.exec(text)![1]);
    const size = link.model === 'bge-zh' ? 64 : 32;
    expect(Math.abs(dot / Math.sqrt(size) - number(outputs[0]))).toBeLessThanOrEqual(1e-3);
    const row = await inside({ ...link, step: 'row' });
    const line = row.table[Number(link.key)]!;
    expect(line.slice(1, 3)).toEqual([expect.stringMatching(/^[−\d.]+$/), outputs[0]]);
    expect(row.table.every((cells) => cells[3] === 'open')).toBe(true);
  });

  it('exponentials to their sum, weights to one', async () => {
    const { table, outputs } = await inside({ ...link, step: 'softmax' });
    const lines = table.slice(0, -1);
    const foot = table.at(-1)!;
    const column = (index: number) => lines.map((cells) => number(cells[index]));
    expect(Math.max(...column(1))).toBe(number(foot[1]));
    expectToAddUp(column(3), number(foot[3]));
    expectToAddUp(column(4), number(foot[4]));
    expect(number(foot[4])).toBe(1);
    expect(lines[Number(link.key)]![4]).toBe(outputs[0]);
  });

  it('weighted values to the context, token after token', async () => {
    const count = (await inside({ ...link, step: 'softmax' })).table.length - 1;
    let before: number[] | null = null;
    for (let key = 0; key < count; key++) {
      const { rows } = await inside({ ...link, step: 'context', key: String(key) });
      const start = numbers(rows['sum before']);
      const added = numbers(rows['plus weight times value']);
      const after = numbers(rows['sum after']);
      start.forEach((value, i) => {
        expectToAddUp([value, added[i]!], after[i]!);
      });
      if (before) expect(start).toEqual(before);
      else expect(start.every((value) => value === 0)).toBe(true);
      before = after;
    }
    const { rows } = await inside({ ...link, step: 'concat' });
    expect(numbers(Object.values(rows)[0])).toEqual(before);
  });

  it('shares of all heads and of the bias to one', async () => {
    const { table, strips } = await inside({ ...link, step: 'output' });
    const parts = table.slice(0, -1);
    expect(parts.length).toBe(link.model === 'bge-zh' ? 9 : 13);
    expectToAddUp(
      parts.map((cells) => number(cells[2])),
      number(table.at(-1)![2]),
    );
    expect(number(table.at(-1)![2])).toBe(1);
    expect(strips).toBe(2);
  });
});

describe('the reader', () => {
  it('opens a head by a button, walks its steps by arrow keys, and closes it', async () => {
    await open(page, { text: 'The cat sat', model: 'minilm-en' });
    expect(await page.evaluate(() => document.querySelector('hl-inspector'))).toBeNull();
    await page.click('.open-inside');
    await page.waitFor('the numbers', () =>
      document.querySelector('hl-inspector')?.shadowRoot?.querySelector('[role="tabpanel"]'),
    );
    const walked = [];
    for (let i = 0; i < STEPS.length; i++) {
      walked.push((await printed()).step);
      await page.waitFor('the link', linkSays(walked.at(-1)!));
      await page.press('ArrowRight');
    }
    expect(walked).toEqual(STEPS);
    expect((await printed()).step).toBe('output'); // the last one stays
    await page.press('ArrowLeft');
    expect((await printed()).step).toBe('concat');
    await page.click('.close');
    await page.waitFor('the end', () => document.querySelector('hl-inspector') === null);
    await page.waitFor('the link', () => !location.hash.includes('step='));
    const focus = await page.evaluate(() => document.activeElement?.className);
    expect(focus).toBe('open-inside');
  });

  it('comes to the same step, head and pair by a link', async () => {
    const link = { ...PAIRS[0][1], step: 'context' };
    const seen = await inside(link);
    expect(seen.step).toBe('context');
    expect(seen.title).toBe('Inside L3·H1');
    expect(seen.pair).toEqual(['cross', 'street']);
  });

  it('chooses another token in the row and another head in the shares', async () => {
    await inside({ ...PAIRS[0][1], step: 'row' });
    await page.evaluate(() => {
      const table = document
        .querySelector('hl-inspector')!
        .shadowRoot!.querySelector('hl-row-table');
      table!.shadowRoot!.querySelectorAll('button')[1]!.click();
    });
    await page.waitFor('the other token', () => location.hash.includes('key=1'));
    await inside({ ...PAIRS[0][1], step: 'output' });
    await page.evaluate(() => {
      const table = document
        .querySelector('hl-inspector')!
        .shadowRoot!.querySelector('hl-share-table');
      table!.shadowRoot!.querySelectorAll('button')[4]!.click();
    });
    await page.waitFor('the other head', () => location.hash.includes('head=4'));
    await page.waitFor('its numbers', () =>
      document
        .querySelector('hl-inspector')!
        .shadowRoot!.querySelector('hl-share-table')!
        .shadowRoot!.querySelector('tr.own')!
        .textContent!.includes('head 4'),
    );
  });

  it('types on while a head is open, and the numbers follow', async () => {
    await inside({ text: 'The dog', model: 'minilm-en', layer: '1', head: '2', step: 'row' });
    await retype(page, 'Birds sing in the morning');
    await page.waitFor('the new row', () => {
      const table = document
        .querySelector('hl-inspector')
        ?.shadowRoot?.querySelector('hl-row-table')?.shadowRoot;
      return table?.querySelectorAll('tbody tr').length === 7;
    });
    const { table } = await printed();
    expect(table.map(([token]) => token)).toEqual([
      '[CLS]',
      'Birds',
      'sing',
      'in',
      'the',
      'morning',
      '[SEP]',
    ]);
  });

  it('reaches every step with the pointer on a scrolled page: nothing lies over the numbers', async () => {
    const wide = await browser.open(
      `${server.url}#text=The%20cat%20sat&model=minilm-en&layer=4&head=3&step=softmax`,
      { locale: 'en-US', width: 1440, height: 900, reducedMotion: true },
    );
    expect(await outcome(wide)).toBe('ready');
    const over = await wide.evaluate(async (steps: string[]) => {
      const inspector = document.querySelector('hl-inspector')!;
      const wrong: string[] = [];
      for (const place of ['start', 'center', 'end'] as const)
        for (const step of steps) {
          const tab = inspector.shadowRoot!.querySelector(`#step-${step}`)!;
          tab.scrollIntoView({ block: place });
          await new Promise((done) => requestAnimationFrame(done));
          const { left, top, width, height } = tab.getBoundingClientRect();
          const hit = document.elementFromPoint(left + width / 2, top + height / 2);
          if (hit !== inspector) wrong.push(`${step} ${place}: ${hit?.localName}`);
        }
      return wrong;
    }, STEPS);
    expect(over).toEqual([]);
    await wide.close();
  });

  it('is told why a mean cannot be taken apart', async () => {
    await open(page, { text: 'The dog', layer: 'mean', head: 'mean', step: 'row' });
    await page.waitFor('the reason', () =>
      document.querySelector('hl-inspector')?.shadowRoot?.textContent?.includes('A mean of heads'),
    );
  });

  it('survives an emptied text', async () => {
    await inside({ text: 'The dog', model: 'minilm-en', layer: '1', head: '2', step: 'row' });
    await retype(page, '');
    expect(await outcome(page)).toBe('ready');
    await retype(page, 'ok');
    expect(await outcome(page)).toBe('ready');
    expect(page.errors).toEqual([]);
  });
});

describe('axe finds nothing inside', () => {
  it.each([
    ['light', 'en-US', 1440, false],
    ['dark', 'zh-CN', 390, true],
  ] as const)('%s, %s', async (colorScheme, locale, width, mobile) => {
    const own = await browser.open(server.url, { colorScheme, locale, width, mobile });
    expect(await outcome(own)).toBe('ready');
    for (const step of STEPS) {
      await open(own, { text: 'The cat sat', model: 'minilm-en', layer: '2', head: '4', step });
      await own.waitFor('the numbers', () =>
        document.querySelector('hl-inspector')?.shadowRoot?.querySelector('[role="tabpanel"]'),
      );
      await own.native.evaluate(AXE);
      const { violations } = (await own.native.evaluate('axe.run()')) as AxeResults;
      const found = violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(' | ')}`,
      );
      expect(found, step).toEqual([]);
    }
    expect(own.errors).toEqual([]);
    await own.close();
  });
});
