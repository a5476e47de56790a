/** The lab: own numbers pasted or dropped, computed as on paper; what does not fit is said where it stands. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchChromium } from './harness/chromium.ts';
import type { TestBrowser, TestPage } from './harness/page.ts';
import { serveSite } from './harness/site.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const fixture = (name: string) =>
  readFileSync(new URL(`../arrays/fixtures/${name}`, import.meta.url));

let server: Awaited<ReturnType<typeof serveSite>>;
let browser: TestBrowser<Page>;
let page: TestPage<Page>;

beforeAll(async () => {
  server = await serveSite();
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
});

beforeEach(async () => {
  page = await browser.open(`${server.url}lab.html`, { locale: 'en-US' });
});

afterEach(async () => {
  expect(page.errors).toEqual([]);
  expect(page.requests.filter((url) => !url.startsWith(server.url))).toEqual([]);
  await page.close();
});

/** Waits for what was given last to be on screen. */
const settled = (on = page) =>
  on.evaluate(async () => {
    const element = document.querySelector('hl-lab') as unknown as {
      ready: { value: Promise<void> };
      updateComplete: Promise<unknown>;
    };
    await new Promise((done) => setTimeout(done));
    for (let last: unknown = null; last !== element.ready.value; ) {
      last = element.ready.value;
      await last;
    }
    await element.updateComplete;
  });

async function paste(text: string): Promise<void> {
  await page.click('#numbers');
  await page.press('Control+a');
  await page.native.keyboard.insertText(text);
  await settled();
}

/** Files by name; the bytes travel as numbers. */
async function drop(files: Record<string, Uint8Array | string>): Promise<void> {
  const sent = Object.entries(files).map(
    ([name, bytes]) => [name, [...Buffer.from(bytes as string)]] as const,
  );
  await page.evaluate(
    (given: [string, number[]][]) => {
      const data = new DataTransfer();
      for (const [name, bytes] of given) data.items.add(new File([new Uint8Array(bytes)], name));
      const zone = document.querySelector('hl-lab-input')!.shadowRoot!.querySelector('.zone')!;
      for (const type of ['dragover', 'drop'])
        zone.dispatchEvent(
          new DragEvent(type, {
            dataTransfer: data,
            bubbles: true,
            composed: true,
            cancelable: true,
          }),
        );
    },
    sent as unknown as [string, number[]][],
  );
  await settled();
}

interface Seen {
  caption: string;
  rows: string[];
  columns: string[];
  values: number[][];
}

const tables = (): Promise<Seen[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('hl-heat-table')].map(({ shadowRoot }) => {
      const texts = (selector: string, of: ParentNode = shadowRoot!) =>
        [...of.querySelectorAll(selector)].map((cell) => cell.textContent!.trim());
      return {
        caption: texts('caption')[0]!,
        rows: texts('tbody th'),
        columns: texts('thead th'),
        values: [...shadowRoot!.querySelectorAll('tbody tr')].map((row) =>
          texts('td', row).map((cell) => (cell === 'NaN' ? -9 : Number(cell.replace('−', '-')))),
        ),
      };
    }),
  );

const inLab = (host: string, selector: string): Promise<string[]> =>
  page.evaluate(
    (name: string, query: string) => {
      const found = document.querySelector(name);
      return [...(found?.shadowRoot ?? found)!.querySelectorAll(query)].map((one) =>
        one.textContent!.replace(/\s+/g, ' ').trim(),
      );
    },
    host,
    selector,
  );

const faults = () => inLab('hl-lab-input', '.faults li');
const remarks = () => inLab('hl-lab-arrays', '.remark > span');
const suggestions = () => inLab('hl-lab-arrays', '[data-suggestion]');
const link = () => page.evaluate(() => location.hash);

/** All that the inspector says. */
const deepText = () =>
  page.evaluate(() => {
    const deep = (root: ParentNode): string =>
      [...root.querySelectorAll('*')]
        .map((one) =>
          one.shadowRoot ? deep(one.shadowRoot) : one.children.length ? '' : one.textContent,
        )
        .join(' ');
    return deep(document.querySelector('hl-inspector')!.shadowRoot!);
  });

/** softmax(Q Kᵀ · scale), written out a second time. */
function onPaper(
  q: number[][],
  k: number[][],
  scale = 1 / Math.sqrt(q[0]!.length),
  may: (query: number, key: number) => boolean = () => true,
): number[][] {
  return q.map((query, i) => {
    const powers = k.map((key, j) =>
      may(i, j) ? Math.exp(scale * query.reduce((sum, x, d) => sum + x * key[d]!, 0)) : 0,
    );
    const sum = powers.reduce((a, b) => a + b, 0);
    return powers.map((power) => power / sum);
  });
}

function expectPrinted(actual: number[][] | undefined, expected: number[][]): void {
  expect(actual?.map((row) => row.length)).toEqual(expected.map((row) => row.length));
  expected.forEach((row, i) => {
    row.forEach((value, j) => {
      expect(Math.abs(actual![i]![j]! - value)).toBeLessThanOrEqual(5.01e-4);
    });
  });
}

const Q = [
  [1, 0],
  [0, 2],
  [1, 1],
];
const K = [
  [2, 0],
  [0, 1],
];
const rowsOf = (matrix: number[][]) => matrix.map((row) => row.join(',')).join('\n');
const QKV = `Q:\n${rowsOf(Q)}\n\nK:\n${rowsOf(K)}\n\nV:\n1,0,0\n0,1,5`;

describe('own queries, keys and values', () => {
  it('pasted as CSV under their names give the weights of a calculation on paper', async () => {
    await paste(QKV);
    const [seen] = await tables();
    expectPrinted(seen!.values, onPaper(Q, K));
    expect(seen!.rows).toEqual(['1', '2', '3']);
    expect(seen!.columns).toEqual(['1', '2']);
    expect((await inLab('hl-lab', '#sizes'))[0]).toContain('3 queries look at 2 keys; scale 0.707');
  });

  it('pasted as a JSON object, or written as Python lists, give the same', async () => {
    await paste(JSON.stringify({ Q, K, V: K }));
    expectPrinted((await tables())[0]!.values, onPaper(Q, K));
    await paste(`Q = ${JSON.stringify(Q)}\nK = ${JSON.stringify(K)}\nV = ${JSON.stringify(K)}`);
    expectPrinted((await tables())[0]!.values, onPaper(Q, K));
  });

  it('dropped as .npy, TSV and JSON files are put together by their names', async () => {
    await drop({
      'Q.tsv': Q.map((row) => row.join('\t')).join('\n'),
      'K.json': JSON.stringify(K),
      'V.npy': fixture('f4-le-C.npy').subarray(0),
    });
    // The fixture has a shape of its own; the message names it, and nothing is drawn yet.
    expect((await remarks()).join()).toMatch(/expected 2/);
    expect(await tables()).toEqual([]);
    await drop({ 'V.csv': rowsOf(K) });
    expectPrinted((await tables())[0]!.values, onPaper(Q, K));
  });

  it('of an .npz are listed with name, shape and type', async () => {
    await drop({ 'own.npz': fixture('stored.npz') });
    const rows = await inLab('hl-lab-arrays', 'tbody tr:not(.remarks)');
    expect(rows.length).toBeGreaterThan(1);
    expect(rows.join()).toMatch(/\[\d+(, \d+)*\] *<?[fi]\d/);
  });

  it('may be chosen as files', async () => {
    await page.native.locator('hl-lab-input #picker').setInputFiles([
      { name: 'q.csv', mimeType: 'text/csv', buffer: Buffer.from(rowsOf(Q)) },
      { name: 'k.csv', mimeType: 'text/csv', buffer: Buffer.from(rowsOf(K)) },
      { name: 'v.csv', mimeType: 'text/csv', buffer: Buffer.from(rowsOf(K)) },
    ]);
    await page.waitFor('the table', () => document.querySelector('hl-heat-table'));
    expectPrinted((await tables())[0]!.values, onPaper(Q, K));
  });

  it('give the context of a calculation on paper in the inspector', async () => {
    await paste(QKV);
    await page.evaluate(() => {
      location.hash += `${location.hash ? '&' : ''}cell=1.1&step=context`;
    });
    await settled();
    const weights = onPaper(Q, K)[1]!;
    const text = await deepText();
    for (const value of [weights[0]!, weights[1]!, 5 * weights[1]!])
      expect(text).toContain(value.toFixed(3));
  });
});

describe('the page', () => {
  it('reads nothing of the readers of files before there is something to read', async () => {
    const readers = () => page.requests.filter((url) => /assets\/arrays-/.test(url)).length;
    expect(readers()).toBe(0);
    await paste(QKV);
    expect(readers()).toBe(1);
  });

  it('takes a file that is dropped beside the field', async () => {
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.items.add(new File(['0.5,0.5'], 'weights.csv'));
      for (const type of ['dragover', 'drop'])
        document.body.dispatchEvent(
          new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }),
        );
    });
    await settled();
    expect((await tables())[0]!.values).toEqual([[0.5, 0.5]]);
  });

  it('forgets everything when it is emptied', async () => {
    await page.click('#example-translation');
    await settled();
    await page.click('#clear');
    await settled();
    expect(await tables()).toEqual([]);
    expect(await link()).toBe('');
    expect(await inLab('hl-lab', '.empty')).toHaveLength(1);
  });
});

describe('cross-attention of the example', () => {
  it('has words of two languages at rows and columns, and two heads', async () => {
    await page.click('#example-translation');
    await settled();
    const [first, second] = await tables();
    expect(first!.rows).toEqual(['le', 'chat', 'dort']);
    expect(first!.columns).toEqual(['the', 'cat', 'is', 'sleeping']);
    const q = [
      [2, 0],
      [0, 2],
      [-2, -1],
    ];
    const k = [
      [2, 0],
      [0, 2],
      [-2, 0],
      [-2, -2],
    ];
    expectPrinted(first!.values, onPaper(q, k));
    expectPrinted(
      second!.values,
      onPaper(
        [
          [0, 1],
          [1, 0],
          [0, 1],
        ],
        [
          [1, 0],
          [0, 3],
          [0, 0],
          [1, 1],
        ],
      ),
    );
    expect(await inLab('hl-lab', '.steps li')).toContain(
      'Q: split into heads, [3, 4] became [2, 3, 2].',
    );
    expect(await link()).toBe('#example=translation');
  });

  it('takes other names for rows and columns, and says when they are too few', async () => {
    await page.click('#example-translation');
    await settled();
    await page.click('#names-columns');
    await page.type('le chat est');
    await settled();
    expect((await inLab('hl-lab', '.names .wrong'))[0]).toBe('3 names for 4.');
    expect((await tables())[0]!.columns[0]).toBe('the');
    await page.press('Control+a');
    await page.type('El, gato, está, durmiendo ya');
    await settled();
    expect((await tables())[0]!.columns).toEqual(['El', 'gato', 'está', 'durmiendo ya']);
    expect(await link()).not.toContain('gato');
  });

  it('can be edited: the picture follows', async () => {
    await page.click('#example-translation');
    await settled();
    const before = await tables();
    await paste(
      'Q:\nle, 0, 0, 0, 0\n\nK:\nthe, 1, 1, 1, 1\ncat, 2, 2, 2, 2\n\nV:\na, 1, 1, 1, 1\nb, 1, 1, 1, 1',
    );
    expect(await tables()).not.toEqual(before);
    expectPrinted((await tables())[0]!.values, [[0.5, 0.5]]);
  });
});

describe('the explorer’s views of own numbers', () => {
  /** What the stage draws: names, and the weights of the head that is chosen. */
  const stage = () =>
    page.evaluate(async () => {
      const element = document.querySelector('hl-lab-stage') as unknown as {
        updateComplete: Promise<unknown>;
      } | null;
      await element?.updateComplete;
      const drawn = document.querySelector('hl-lab-stage hl-stage') as unknown as {
        view: string;
        choices: { layer: number; head: number }[];
        picture: {
          tokens: { text: string; segment: number }[];
          weights(choice: unknown): Float32Array;
        };
      } | null;
      if (!drawn) return null;
      return {
        view: drawn.view,
        tokens: drawn.picture.tokens.map(({ text }) => text),
        weights: [...drawn.picture.weights(drawn.choices[0])],
      };
    });
  const choose = (view: string) =>
    page.evaluate((id: string) => {
      document
        .querySelector('hl-lab-stage hl-stage')!
        .shadowRoot!.querySelector<HTMLElement>(`#tab-${id}`)!
        .click();
    }, view);

  it('are beams, matrix, columns and one token, of one text that looks at itself', async () => {
    await paste('Q:\n1, 0\n0, 2\n\nK:\n1, 0\n0, 2\n\nV:\n1, 0\n0, 1');
    for (const view of ['matrix', 'columns', 'token', 'beams']) {
      await choose(view);
      const seen = await stage();
      expect(seen!.view).toBe(view);
      expect(seen!.tokens).toHaveLength(2);
      const expected = onPaper(
        [
          [1, 0],
          [0, 2],
        ],
        [
          [1, 0],
          [0, 2],
        ],
      ).flat();
      seen!.weights.forEach((weight, index) => {
        expect(weight).toBeCloseTo(expected[index]!, 5);
      });
    }
    expect(page.errors).toEqual([]);
  });

  it('put the words of a cross-attention in one line, and lose no weight', async () => {
    await page.click('#example-translation');
    await settled();
    const seen = (await stage())!;
    expect(seen.tokens).toEqual(['le', 'chat', 'dort', 'the', 'cat', 'is', 'sleeping']);
    const [first] = await tables();
    first!.values.forEach((row, i) => {
      row.forEach((value, j) => {
        expect(Math.abs(seen.weights[i * 7 + 3 + j]! - value)).toBeLessThanOrEqual(5.01e-4);
      });
    });
    expect(seen.weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(3, 5);
    for (const view of ['matrix', 'columns', 'token', 'beams']) await choose(view);
    expect(page.errors).toEqual([]);
  });
});

describe('settings', () => {
  it('of one query and one key are said in the singular', async () => {
    await paste('Q:\n1\n\nK:\n1\n\nV:\n1');
    expect((await inLab('hl-lab', '#sizes'))[0]).toBe(
      '1 head, 1 for K and V; 1 query looks at 1 key; scale 1.000.',
    );
  });

  it('heads, scale, mask and keys left out change the numbers and the link', async () => {
    await paste(QKV);
    await page.click('#scale');
    await page.type('1');
    await settled();
    expectPrinted((await tables())[0]!.values, onPaper(Q, K, 1));
    await page.native.locator('#mask').selectOption('causal');
    await settled();
    expectPrinted(
      (await tables())[0]!.values,
      onPaper(Q, K, 1, (i, j) => j <= i - 1).map((row) => row.map((weight) => weight || 0)),
    );
    // Three queries and two keys: the last stands at the last, and the first sees nothing.
    expect((await inLab('hl-lab', '#aligned'))[0]).toContain(
      'the last query stands at the last key',
    );
    await page.native.locator('#mask').selectOption('none');
    await page.click('#out');
    await page.type('2');
    await settled();
    expectPrinted(
      (await tables())[0]!.values,
      onPaper(Q, K, 1, (_, j) => j === 0),
    );
    await page.press('Backspace');
    await page.click('#heads');
    await page.type('2');
    await settled();
    // V is 3 wide and cannot be cut in two.
    expect((await remarks()).join()).toContain('expected a multiple of 2: heads are equally wide');
    await paste(QKV.replace('1,0,0', '1,0').replace('0,1,5', '0,1'));
    const [first, second] = await tables();
    expectPrinted(
      first!.values,
      onPaper(
        Q.map(([x]) => [x!]),
        K.map(([x]) => [x!]),
        1,
      ),
    );
    expectPrinted(
      second!.values,
      onPaper(
        Q.map(([, x]) => [x!]),
        K.map(([, x]) => [x!]),
        1,
      ),
    );
    expect(await link()).toBe('#heads=2&scale=1');
  });

  it('a window hides what is further away', async () => {
    await paste(QKV.replace('K:\n2,0\n0,1', 'K:\n2,0\n0,1\n1,1').replace('0,1,5', '0,1,5\n1,1,1'));
    await page.native.locator('#mask').selectOption('window');
    await settled();
    const expected = onPaper(Q, [...K, [1, 1]], undefined, (i, j) => Math.abs(i - j) <= 1);
    expectPrinted((await tables())[0]!.values, expected);
  });

  it('wrong ones are named at their field and the last picture stays', async () => {
    await paste(QKV);
    const before = await tables();
    await page.click('#scale');
    await page.type('-1');
    await settled();
    expect((await inLab('hl-setting-fields', '#scale-error'))[0]).toContain('A number above 0');
    expect(await tables()).toEqual(before);
    expect(await inLab('hl-lab', '#last')).toHaveLength(1);
    await page.click('#kv');
    await page.type('3');
    await settled();
    expect((await inLab('hl-setting-fields', '#kv-error'))[0]).toBe(
      'The shape of K gives 1 K/V head.',
    );
  });
});

describe('roles', () => {
  it('are changed by hand, and a problem stands at its array with buttons that solve it', async () => {
    await drop({ 'one.csv': rowsOf(K), 'two.csv': rowsOf(Q), 'three.csv': rowsOf(K) });
    // By order: one Q, two K, three V; K and V are not as many.
    expect((await remarks())[0]).toBe('Dimension 1 is 2, expected 3: keys and values are as many.');
    const role = (name: string) =>
      page.native.locator(`hl-lab-arrays tr[data-array="${name}"] select`);
    await role('two').selectOption('queries');
    await settled();
    expect((await remarks())[0]).toBe('Nothing is used as K, keys yet.');
    await role('one').selectOption('keys');
    await settled();
    expectPrinted((await tables())[0]!.values, onPaper(Q, K));
  });

  it('a suggestion that is pressed is taken', async () => {
    const text = `Q:\n1,0,1,0,1,0,1,1\n\nK:\n1,0,1,0\n0,1,0,1\n\nV:\n1,2\n3,4`;
    await paste(text);
    expect(await tables()).toEqual([]);
    const offered = await suggestions();
    expect(offered).toContain('Read as 4 heads');
    await page.evaluate((index: number) => {
      [
        ...document
          .querySelector('hl-lab-arrays')!
          .shadowRoot!.querySelectorAll<HTMLElement>('[data-suggestion]'),
      ][index]!.click();
    }, offered.indexOf('Read as 4 heads'));
    await settled();
    expect(await tables()).toHaveLength(4);
    expect(await link()).toContain('heads=4');
    expect((await inLab('hl-lab', '#sizes'))[0]).toContain('4 heads, 2 for K and V');
  });
});

describe('own words and weights', () => {
  it('are projected, and each head says what it adds to the output', async () => {
    await page.click('#example-projections');
    await settled();
    expect(await tables()).toHaveLength(2);
    const x = [
      [1, 0, 1, 0],
      [0, 1, 0, 1],
      [1, 1, 0, 0],
    ];
    const wQ = [
      [2, 0],
      [0, 2],
      [0, 1],
      [1, 0],
    ];
    const wK = [
      [1, 0],
      [0, 1],
      [1, 0],
      [0, 1],
    ];
    const times = (a: number[][], b: number[][]) =>
      a.map((row) =>
        b[0]!.map((_, j) => row.reduce((sum, value, i) => sum + value * b[i]![j]!, 0)),
      );
    expectPrinted((await tables())[0]!.values, onPaper(times(x, wQ), times(x, wK)));
    expect(await inLab('hl-inspector', '[role=tab]')).toHaveLength(9);
    // All heads side by side, times W_O, for the first word.
    const both = [
      [times(x, wQ), times(x, wK), x.map(([a, b]) => [a!, b!])],
      [
        times(x, [
          [0, 1],
          [1, 0],
          [1, 0],
          [0, 1],
        ]),
        times(x, [
          [0, 1],
          [1, 0],
          [1, 0],
          [0, 1],
        ]),
        x.map(([, , c, d]) => [c!, d!]),
      ],
    ] as const;
    const concat = both.flatMap(([q, k, v]) => times(onPaper(q, k), v)[0]!);
    await page.evaluate(() => {
      location.hash += '&step=concat';
    });
    await settled();
    const seen = await deepText();
    for (const value of concat.slice(0, 2)) expect(seen).toContain(value.toFixed(3));
    await page.evaluate(() => {
      location.hash = location.hash.replace('concat', 'output');
    });
    await settled();
    const wO = [
      [1, 0, 0, 1],
      [0, 1, 1, 0],
      [1, 0, -1, 0],
      [0, 1, 0, -1],
    ];
    const output = times([concat], wO)[0]!;
    const summed = await deepText();
    for (const value of output) expect(summed).toContain(Math.abs(value).toFixed(3));
  });
});

describe('ready-made weights', () => {
  it('are shown as a table alone, with the largest deviation of a row', async () => {
    await page.click('#example-ratings');
    await settled();
    const [seen] = await tables();
    expect(seen!.rows).toEqual(['Ana', 'Bruno', 'Chen', 'Dilek']);
    expect(seen!.values[0]).toEqual([0.5, 0, 0.25, 0.25, 0]);
    expect(await inLab('hl-lab', '#sums')).toEqual([
      'Every row sums to 1; the largest deviation is 0.',
    ]);
    expect(await page.evaluate(() => document.querySelector('hl-inspector'))).toBeNull();
  });

  it('are divided by their sums only when asked', async () => {
    await paste('weights:\n1, 3\n1, 1');
    expect((await inLab('hl-lab', '#sums'))[0]).toContain('head 0, row 1 is off by 3');
    expect((await tables())[0]!.values).toEqual([
      [1, 3],
      [1, 1],
    ]);
    await page.click('#normalise');
    await settled();
    expect((await tables())[0]!.values).toEqual([
      [0.25, 0.75],
      [0.5, 0.5],
    ]);
  });

  it('of many heads and tokens are shown by a chooser and a window that moves', async () => {
    const n = 40;
    const heads = Array.from({ length: 4 }, (_, head) =>
      Array.from({ length: n }, (_, i) =>
        Array.from({ length: n }, (_, j) => +(j === (i + head) % n)),
      ),
    );
    await paste(JSON.stringify({ attention: heads }));
    const cells = (seen: Seen[]) => seen.reduce((sum, { values }) => sum + values.flat().length, 0);
    const first = await tables();
    expect(cells(first)).toBeLessThanOrEqual(3000);
    expect((await inLab('hl-lab', '#window'))[0]).toContain(
      'Rows 1 to 32 of 40, columns 1 to 32 of 40',
    );
    await page.native.locator('#head').selectOption('3');
    await settled();
    expect((await tables()).map(({ caption }) => caption)).toContain('Head 3');
    await page.click('#window-row-after');
    await settled();
    const moved = (await tables()).find(({ caption }) => caption === 'Head 3')!;
    expect(moved.rows[0]).toBe('9');
    expect(moved.values[0]![11]).toBe(1); // row 9 looks at column 12
    expect(await link()).toContain('head=3');
  });
});

describe('NaN and infinity', () => {
  it('are named and computed only when the reader asks', async () => {
    await paste(QKV);
    const before = await tables();
    await paste(QKV.replace('0,2', '0,nan'));
    expect((await inLab('hl-lab', '.asking p'))[0]).toBe(
      'Q holds 1 NaN or infinite number, the first at row 2, column 2.',
    );
    expect(await tables()).toEqual(before);
    await page.click('#anyway');
    await settled();
    const [seen] = await tables();
    expect(seen!.values[1]).toEqual([-9, -9]);
    expectPrinted([seen!.values[0]!], [onPaper(Q, K)[0]!]);
    expect((await inLab('hl-lab', '.strong')).join()).toContain(
      '2 weights of the heads below are NaN',
    );
  });

  it('in ready-made weights are shown as they are', async () => {
    await paste('weights:\n0.5, 0.5\nnan, 1');
    expect((await inLab('hl-lab', '#sums'))[0]).toBe(
      'All other rows sum to 1; the largest deviation is 0.',
    );
    expect((await tables())[0]!.values).toEqual([
      [0.5, 0.5],
      [-9, 1],
    ]);
    expect((await remarks()).join()).toContain('1 NaN or infinite, the first at row 2, column 1.');
  });
});

describe('what cannot be read', () => {
  it.each([
    ['a word among numbers', 'Q:\n1, 2\n3, four', '“Q”, row 3, column 2: “four” is not a number.'],
    [
      'an empty cell',
      'Q:\n1, 2\n3, ',
      '“Q”, row 3, column 2: the cell is empty; a number was expected.',
    ],
    [
      'ragged rows',
      'Q:\n1, 2\n3, 4, 5',
      '“Q”, row 3: 3 cells where 2 were expected, as in the rows before.',
    ],
    [
      'ragged lists',
      '{"Q": [[1, 2], [3]]}',
      '“text”, Q[1]: 1 cells where 2 were expected, as in the rows before.',
    ],
    [
      'broken JSON',
      '[[1, 2], [3, 4}',
      '“text”, line 1, character 15: expected “,” or “]”, found “}”.',
    ],
    ['one name twice', 'Q:\n1, 2\n\nQ:\n1, 2', '“Q”: two arrays have the name “Q”.'],
    ['a name without numbers', 'Q:\n\nK:\n1, 2', '“Q”: there is no number in it.'],
  ])('%s in the text: the place is named, and the last picture stays', async (_, text, message) => {
    await paste(QKV);
    const before = await tables();
    await paste(text);
    expect(await faults()).toContain(message);
    expect(await tables()).toEqual(before);
    expect(await inLab('hl-lab', '#last')).toHaveLength(1);
    await paste(QKV);
    expect(await faults()).toEqual([]);
  });

  it.each([
    ['empty.csv', '', '“empty.csv”: there is no number in it.'],
    ['object.npy', fixture('object.npy'), /^“object\.npy”: values of type \|O cannot be read/],
    ['complex.npy', fixture('complex.npy'), /^“complex\.npy”: values of type <c\d+ cannot be read/],
    [
      'cut.npy',
      fixture('f4-le-C.npy').subarray(0, 140),
      /^“cut\.npy”: the file is cut off: \d+ bytes/,
    ],
    ['model.gguf', 'GGUF1234', /^“model\.gguf”: this is a GGUF model\./],
    ['latin.csv', Buffer.from([0x31, 0x2c, 0xe9]), /^“latin\.csv”: this is not text in UTF-8/],
  ])('the file %s is refused with the reason', async (name, bytes, message) => {
    await drop({ [name]: bytes });
    const [said] = await faults();
    if (typeof message === 'string') expect(said).toBe(message);
    else expect(said).toMatch(message);
  });

  it('a file of 1 GB is refused without being read', async () => {
    const taken = await page.evaluate(async () => {
      let bytes = 0;
      const file = new File(['1,2\n'.repeat(2000)], 'large.csv');
      const slice = file.slice.bind(file);
      Object.defineProperty(file, 'size', { value: 2 ** 30 });
      file.slice = (from, to) => {
        bytes += Number(to) - Number(from);
        return slice(from, to);
      };
      document.querySelector('hl-lab-input')!.dispatchEvent(
        new CustomEvent('hl-lab-files', {
          detail: { files: [file] },
          bubbles: true,
          composed: true,
        }),
      );
      await (document.querySelector('hl-lab') as unknown as { ready: { value: Promise<void> } })
        .ready.value;
      return bytes;
    });
    await settled();
    expect((await faults())[0]).toBe(
      '“large.csv”: 1,073.7 MB of text; at most 268.4 MB are read. As .npy or safetensors it would be smaller.',
    );
    expect(taken).toBeLessThan(100_000);
  });

  it('is said in Chinese on the Chinese page', async () => {
    const own = await browser.open(`${server.url}lab.html`, { locale: 'zh-CN' });
    await own.click('#numbers');
    await own.native.keyboard.insertText('Q:\n1, 2\n3, four');
    await settled(own);
    const said = await own.evaluate(
      () =>
        document.querySelector('hl-lab-input')!.shadowRoot!.querySelector('.faults li')!
          .textContent,
    );
    expect(said).toBe('“Q”第 3 行第 2 列：“four”不是数。');
    await own.close();
  });
});

describe('the link', () => {
  it('brings example, head, cell and step back', async () => {
    const own = await browser.open(
      `${server.url}lab.html#example=translation&head=1&cell=1.2&step=softmax&mask=causal`,
    );
    await settled(own);
    const seen = await own.evaluate(() => {
      const root = document.querySelector('hl-inspector')!.shadowRoot!;
      return [
        root.querySelector('h2')!.textContent!.trim(),
        ...[...root.querySelectorAll('select')].map((one) => one.selectedOptions[0]!.textContent),
        root.querySelector('[aria-selected=true]')!.id,
      ];
    });
    expect(seen).toEqual(['Inside head 1', 'chat', 'is', 'step-softmax']);
    await own.close();
  });

  it('says what of it cannot be read', async () => {
    await page.evaluate(() => {
      location.hash = 'mask=sideways';
    });
    await settled();
    expect((await inLab('hl-lab', '.strong'))[0]).toBe(
      '“mask” in the link could not be read and was left out.',
    );
  });
});

describe('with the keyboard alone', () => {
  it('an example is opened, a cell chosen and its steps walked', async () => {
    const focused = () =>
      page.evaluate(() => {
        let at = document.activeElement;
        while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
        return at?.id || at?.getAttribute('role') || at?.tagName;
      });
    const tabTo = async (wanted: string) => {
      for (let presses = 0; presses < 60; presses++) {
        if ((await focused()) === wanted) return;
        await page.press('Tab');
      }
      throw new Error(`the Tab key does not reach ${wanted}`);
    };
    await tabTo('numbers');
    await tabTo('files');
    await tabTo('example-translation');
    await page.press('Enter');
    await settled();
    await tabTo('heads');
    await tabTo('mask');
    await tabTo('gridcell');
    await page.press('ArrowLeft');
    await settled();
    expect(await link()).toContain('cell=2.2');
    await tabTo('step-vectors');
    await page.press('ArrowRight');
    expect(await link()).toContain('step=products');
  });
});

describe('axe finds nothing', () => {
  it.each([
    ['light', 'en-US', 1440, false],
    ['dark', 'zh-CN', 390, true],
  ] as const)('%s, %s', async (colorScheme, locale, width, mobile) => {
    const own = await browser.open(`${server.url}lab.html`, { colorScheme, locale, width, mobile });
    const check = async (what: string) => {
      await settled(own);
      await own.native.evaluate(AXE);
      const { violations } = (await own.native.evaluate('axe.run()')) as AxeResults;
      const found = violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(' | ')}`,
      );
      expect(found, what).toEqual([]);
    };
    await check('empty');
    for (const example of ['translation', 'ratings', 'projections']) {
      await own.click(`#example-${example}`);
      await check(example);
    }
    const width_ = await own.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(width_).toBeLessThanOrEqual(0);
    await own.click('#numbers');
    await own.press('Control+a');
    await own.native.keyboard.insertText('Q:\n1, nan\n\nK:\n1, 2, 3\n\nV:\n1, x');
    await check('faults');
    expect(own.errors).toEqual([]);
    await own.close();
  });
});
