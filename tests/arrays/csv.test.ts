/** Tables of numbers as text: separators, decimal marks, names, stacks; every fault is named by row and column. */
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { rowsOf } from '../../web/src/arrays/csv-rows.ts';
import { type ArrayError, readArrays } from '../../web/src/arrays/index.ts';
import { COUNT, pick, refusal, SEED, seeded } from './support.ts';

const read = async (text: string, name = 'q.csv') => (await readArrays({ name, text })).arrays[0]!;
const fault = async (text: string): Promise<ArrayError> =>
  refusal(readArrays({ name: 'q.csv', text }));

describe('a table', () => {
  it.each([
    ['commas', '1,-2.5\n1e-3,4'],
    ['commas and spaces', ' 1 ,  -2.5\n 1e-3, 4\n'],
    ['semicolons', '1;-2.5\n.001;4.\n'],
    ['tabs', '1\t-2.5\n1E-03\t+4\n'],
    ['spaces', ' 1   -2.5 \n 1e-3    4\n'],
    ['tabs and spaces', '1 \t -2.5\n1e-3\t4\n'],
    ['quotes', '"1","-2.5"\n"1e-3",4\n'],
    ['quotes between spaces', '"1"  "-2.5"\n1e-3 "4"\n'],
    ['Windows line ends', '1,-2.5\r\n1e-3,4\r\n'],
    ['old line ends', '1,-2.5\r1e-3,4\r'],
    ['a byte order mark', '\uFEFF1,-2.5\n1e-3,4'],
    ['semicolons and decimal commas', '1;-2,5\n0,001;4'],
    ['tabs and decimal commas', '1\t-2,5\n0,001\t4'],
    ['spaces and decimal commas', '1 -2,5\n0,001 4'],
    ['a minus sign', '1,\u22122.5\n1e-3,4'],
    ['a delimiter at every end', '1,-2.5,\n1e-3,4,\n'],
    ['blank lines around it', '\n\n1,-2.5\n1e-3,4\n\n\n'],
    ['empty cells around it', ',\n1,-2.5\n1e-3,4\n,\n'],
    ["NumPy's comments", '# made by savetxt 1 2 3\n1 -2.5\n# New slice\n1e-3 4\n'],
  ])('with %s is read', async (_, text) => {
    const array = await read(text);
    expect([array.shape, [...array.data], array.labels]).toEqual([
      [2, 2],
      [1, -2.5, Math.fround(0.001), 4],
      undefined,
    ]);
  });

  it('of one number, one row or one column keeps two dimensions', async () => {
    expect((await read('7')).shape).toEqual([1, 1]);
    expect((await read('1,2,3')).shape).toEqual([1, 3]);
    expect((await read('1\n2\n3\n')).shape).toEqual([3, 1]);
  });

  it('may hold NaN and infinities, which are counted', async () => {
    const array = await read('1,nan,NaN\ninf,-inf,-Infinity\n');
    expect([...array.data]).toEqual([
      1,
      Number.NaN,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
    ]);
    expect(array.nonFinite).toEqual({ count: 5, first: [0, 1] });
    expect(array.beyondSingle.count).toBe(0);
  });

  it('may hold numbers beyond single precision, which are counted', async () => {
    const array = await read('1,2\n1e39,-1e400\n9007199254740994,3\n');
    expect(array.beyondSingle).toEqual({ count: 3, first: [1, 0] });
    expect(array.nonFinite.count).toBe(0);
  });

  it('is named after its file', async () => {
    expect((await read('1', 'data/W_Q.tsv')).name).toBe('W_Q');
    expect((await read('1', 'pasted')).name).toBe('pasted');
  });
});

describe('names in a table', () => {
  const cases: [string, string, string[] | undefined, string[] | undefined][] = [
    ['a header', 'the,cat\n1,2\n3,4', undefined, ['the', 'cat']],
    ['a first column of words', 'the,1,2\ncat,3,4', ['the', 'cat'], undefined],
    ['both', ',the,cat\nthe,1,2\ncat,3,4', ['the', 'cat'], ['the', 'cat']],
    ['both with a corner', 'token,a,b\nthe,1,2\ncat,3,4', ['the', 'cat'], ['a', 'b']],
    ["R's header", 'a,b\nthe,1,2\ncat,3,4', ['the', 'cat'], ['a', 'b']],
    ["R's header with spaces", '"a" "b"\n"the" 1 2\n"cat" 3 4', ['the', 'cat'], ['a', 'b']],
    ["pandas' numbers", ',0,1\n0,1,2\n1,3,4', ['0', '1'], ['0', '1']],
    ['commas and quotes', '"a, b","say ""x"""\n1,2\n3,4', undefined, ['a, b', 'say "x"']],
    ['line ends in quotes', '"a\nb",c\n1,2\n3,4', undefined, ['a\nb', 'c']],
    ['leading spaces in quotes', '" the",1,2\n" cat",3,4', [' the', ' cat'], undefined],
    ['pieces of words', '##ing,1,2\n#,3,4', ['##ing', '#'], undefined],
    ['spaces, in a TSV', 'New York\t1\t2\nthe cat\t3\t4', ['New York', 'the cat'], undefined],
    ['words with numbers, in a TSV', 'page 1\t1\t2\npage 2\t3\t4', ['page 1', 'page 2'], undefined],
    ['above decimal commas', 'a b\n1,0 2,0\n3 4', undefined, ['a', 'b']],
    ['Chinese', '词,猫,坐\n猫,1,2\n坐,3,4', ['猫', '坐'], ['猫', '坐']],
  ];
  it.each(cases)('may be %s', async (_, text, rows, columns) => {
    const { shape, data, labels } = await read(text);
    expect([shape, [...data]]).toEqual([
      [2, 2],
      [1, 2, 3, 4],
    ]);
    expect([labels?.rows, labels?.columns]).toEqual([rows, columns]);
  });

  it('do not swallow a first row with a slip in it', async () => {
    const { code, details } = await fault('0.1,O.2,0.3\n0.4,0.5,0.6');
    expect([code, details.row, details.column, details.found]).toEqual([
      'not-a-number',
      1,
      2,
      'O.2',
    ]);
  });
});

describe('blocks between blank lines', () => {
  it('are a stack of matrices', async () => {
    const { shape, data } = await read('1,2,3\n4,5,6\n\n\n7,8,9\n10,11,12\n');
    expect(shape).toEqual([2, 2, 3]);
    expect([...data]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });

  it('may repeat header and labels', async () => {
    const { shape, data, labels } = await read(',a,b\nx,1,2\ny,3,4\n\n,a,b\nx,5,6\ny,7,8\n');
    expect([shape, [...data], labels]).toEqual([
      [2, 2, 2],
      [1, 2, 3, 4, 5, 6, 7, 8],
      { rows: ['x', 'y'], columns: ['a', 'b'] },
    ]);
  });

  it('with labels of their own keep none', async () => {
    expect((await read('x,1\ny,2\n\nx,3\nz,4')).labels).toBeUndefined();
  });

  it('of another height are named by the row in which they begin', async () => {
    const { code, details } = await fault('1,2\n3,4\n\n5,6\n');
    expect([code, details]).toEqual(['ragged', { file: 'q.csv', row: 4, found: 1, expected: 2 }]);
  });
});

describe('a fault in a table is named', () => {
  const cases: [string, string, string, Record<string, unknown>][] = [
    ['a word', '1,2\n3,x', 'not-a-number', { row: 2, column: 2, found: 'x' }],
    ['a word below a header', 'a,b\n1,2\n3,x', 'not-a-number', { row: 3, column: 2, found: 'x' }],
    ['a word beside labels', 'a,1,2\nb,x,4', 'not-a-number', { row: 2, column: 2, found: 'x' }],
    ['a word after a blank line', '1,2\n\n\nx,4', 'not-a-number', { row: 4, column: 1 }],
    ['a word after a comment', '# c\n1,2\nx,4\n5,6', 'not-a-number', { row: 3, column: 1 }],
    ['a word after a quoted line end', '"a\nb",c\n1,2\nx,2\n5,6', 'not-a-number', { row: 4 }],
    ['an empty cell', '1,2,3\n4,,6', 'not-a-number', { row: 2, column: 2, found: '' }],
    ['an empty cell between tabs', '1\t2\t3\n4\t\t6', 'not-a-number', { row: 2, column: 2 }],
    ['a hexadecimal number', '1,0x10', 'not-a-number', { row: 1, column: 2 }],
    ['two points', '1,2\n1.2.3,4', 'not-a-number', { row: 2, column: 1 }],
    ['point and comma', '1,5;2\n1.234,5;2', 'not-a-number', { row: 2, column: 1 }],
    ['a short row', '1,2\n3,4\n5', 'ragged', { row: 3, found: 1, expected: 2 }],
    ['a long row', '1,2\n3,4,5', 'ragged', { row: 2, found: 3, expected: 2 }],
    ['a header of another length', 'a,b,c\n1,2\n3,4', 'ragged', { row: 2, found: 2, expected: 3 }],
    ['words alone', 'the cat\nsat on', 'not-a-number', { row: 2, column: 1, found: 'sat on' }],
    ['nothing', '', 'empty', {}],
    ['spaces', ' \n\t\n', 'empty', {}],
    ['a comment alone', '# nothing\n', 'empty', {}],
    ['an open quote', '1,2\n3,"4\n', 'bad-quotes', { row: 2, column: 2 }],
    ['text after a quote', '1,2\n"3"x,4\n', 'bad-quotes', { row: 2, column: 1 }],
    ['thousands or decimals', '1,234;5,678\n2,345;6,789', 'ambiguous', { row: 1, column: 1 }],
  ];
  it.each(cases)('%s', async (_, text, code, details) => {
    const error = await fault(text);
    expect(error.code).toBe(code);
    expect(error.details).toMatchObject({ file: 'q.csv', ...details });
    expect(error.message).toContain('q.csv');
  });

  it('in words that say where, what and what was expected', async () => {
    expect((await fault('1,2\n3,x')).message).toBe(
      'The cell in row 2, column 2 of q.csv holds "x"; expected a number.',
    );
    expect((await fault('1,2\n3,')).message).toBe(
      'The cell in row 2, column 2 of q.csv is empty; expected a number.',
    );
  });
});

describe(`tables that are drawn (FUZZ_SEED=${SEED})`, () => {
  it('are read back however they are written', async () => {
    const random = seeded(SEED);
    for (let i = 0; i < COUNT; i++) {
      const shape = [1 + random(3), 1 + random(6), 1 + random(6)];
      const [blocks, rows, columns] = shape as [number, number, number];
      const delimiter = pick(random, [',', ';', '\t', ' ', '   ', ', ']);
      const comma = delimiter !== ',' && delimiter !== ', ' && columns > 1 && random(3) === 0;
      const [header, labels] = [random(2) === 1, random(2) === 1];
      const end = pick(random, ['\n', '\r\n']);
      const numbers = Array.from({ length: blocks * rows * columns }, () =>
        Math.fround((random(2e6) - 1e6) / 997),
      );
      if (comma) numbers[0] = 0.5;
      const cells = numbers.map((number) =>
        comma ? String(number).replace('.', ',') : String(number),
      );
      const quoted = (cell: string) => (random(5) === 0 ? `"${cell}"` : cell);
      const line = (label: string | null, list: string[]) =>
        [...(label === null ? [] : [label]), ...list].map(quoted).join(delimiter);
      const names = Array.from({ length: columns }, (_, k) => `c${k}`);
      const lines: string[] = [];
      for (let block = 0; block < blocks; block++) {
        if (block > 0) lines.push('');
        if (header && block === 0) lines.push(line(labels ? 'token' : null, names));
        for (let row = 0; row < rows; row++) {
          const from = (block * rows + row) * columns;
          lines.push(line(labels ? `r${row}` : null, cells.slice(from, from + columns)));
        }
      }
      const text = lines.join(end);
      const label = `${i}: ${JSON.stringify(text)}`;
      const array = await read(text).catch(({ message }) => expect.fail(`${message} ${label}`));
      expect(array.shape, label).toEqual(blocks === 1 ? [rows, columns] : shape);
      expect([...array.data], label).toEqual(numbers);
      expect(array.labels?.columns, label).toEqual(header ? names : undefined);
      expect(array.labels?.rows?.length, label).toBe(labels ? rows : undefined);
    }
  });

  it('are split into the cells that Papa Parse finds', () => {
    const random = seeded(SEED + 1);
    let compared = 0;
    for (let i = 0; i < COUNT * 5; i++) {
      const delimiter = pick(random, [',', ';', '\t'] as const);
      const cell = () => {
        const text = Array.from({ length: random(4) }, () =>
          pick(random, ['a', '1', '.', delimiter, '"', '\n', '猫']),
        );
        return /["\n,;\t]/.test(text.join('')) || random(4) === 0
          ? `"${text.join('').replaceAll('"', '""')}"`
          : text.join('');
      };
      const text = Array.from({ length: 1 + random(4) }, () =>
        Array.from({ length: 1 + random(4) }, cell).join(delimiter),
      ).join('\n');
      const theirs = Papa.parse<string[]>(text, { delimiter, newline: '\n' });
      expect(theirs.errors, JSON.stringify(text)).toEqual([]);
      const ours = [...rowsOf(text, delimiter, 'x')].map(({ cells }) => cells);
      const all = text.endsWith('\n') || text === '' ? theirs.data.slice(0, -1) : theirs.data;
      expect(ours, JSON.stringify(text)).toEqual(all);
      compared += ours.length;
    }
    expect(compared).toBeGreaterThan(COUNT);
  });

  it('of nonsense are an array or an ArrayError', async () => {
    const random = seeded(SEED + 2);
    const signs = [...'0123456789.,;\t \n\r"-+eE#ax', 'nan', 'inf', '\u2212', '猫', '\uFEFF', '\0'];
    let [good, bad] = [0, 0];
    for (let i = 0; i < COUNT * 5; i++) {
      const text = Array.from({ length: random(40) }, () => pick(random, signs)).join('');
      const outcome = await readArrays({ name: 'q.csv', text }).catch((error) => error);
      if (outcome?.name === 'ArrayError') bad++;
      else {
        expect(outcome.arrays?.[0]?.data, JSON.stringify(text)).toBeInstanceOf(Float32Array);
        good++;
      }
    }
    expect(Math.min(good, bad)).toBeGreaterThan(10);
  });
});
