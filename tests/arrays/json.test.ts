/** Nested lists as JSON: any depth to four, several by name, Python's NaN; faults are named by their path. */
import { describe, expect, it } from 'vitest';
import { ArrayError, readArrays } from '../../web/src/arrays/index.ts';
import { COUNT, pick, type Random, refusal, SEED, seeded } from './support.ts';

const readAll = async (text: string) => (await readArrays({ name: 'a.json', text })).arrays;
const fault = (text: string) => refusal(readArrays({ name: 'a.json', text }));

describe('nested lists', () => {
  it.each([
    ['[1, 2, 3]', [3]],
    ['[[1, 2, 3]]', [1, 3]],
    ['[[[1], [2]], [[3], [4]], [[5], [6]]]', [3, 2, 1]],
    ['[[[[1, 2]]], [[[3, 4]]]]', [2, 1, 1, 2]],
  ])('%s are an array of their shape', async (text, shape) => {
    const [array] = await readAll(text);
    expect([array!.name, array!.shape, array!.dtype]).toEqual(['a', shape, 'text']);
    expect([...array!.data]).toEqual(Array.from(array!.data, (_, i) => i + 1));
  });

  it('by name are several arrays', async () => {
    const arrays = await readAll('\n{"Q": [[1, 2]], "K\\u0031": [[3], [4]], "scale": 0.5}\n');
    expect(arrays.map(({ name, shape, data }) => [name, shape, [...data]])).toEqual([
      ['Q', [1, 2], [1, 2]],
      ['K1', [2, 1], [3, 4]],
      ['scale', [], [0.5]],
    ]);
  });

  it('may hold NaN and infinities as Python writes them, and numbers beyond single precision', async () => {
    const [array] = await readAll('[[1, NaN, Infinity], [-Infinity, 1e39, 9007199254740994]]');
    expect([...array!.data]).toEqual([
      1,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
      Number.POSITIVE_INFINITY,
      2 ** 53,
    ]);
    expect(array!.nonFinite).toEqual({ count: 3, first: [0, 1] });
    expect(array!.beyondSingle).toEqual({ count: 2, first: [1, 1] });
  });
});

describe('a fault in nested lists is named by its path', () => {
  const cases: [string, string, Record<string, unknown>, string][] = [
    [
      '[[[1,2,3,4]],[[1,2,3,4]],[[1,2,3]]]',
      'ragged',
      { path: '[2][0]', found: 3, expected: 4 },
      '[2][0] has 3 numbers, those before it have 4, in a.json.',
    ],
    [
      '{"K": [[[1],[2]],[[3]]]}',
      'ragged',
      { path: 'K[1]', found: 1, expected: 2 },
      'K[1] has 1 list, those before it have 2, in a.json.',
    ],
    [
      '[[1], 2]',
      'ragged',
      { path: '[1]', found: 'a number', expected: 'a list' },
      '[1] is a number where a list was expected, in a.json.',
    ],
    ['[1, [2]]', 'ragged', { path: '[1]', found: 'a list', expected: 'a number' }, '[1] is a list'],
    ['[[1, null]]', 'not-a-number', { path: '[0][1]', found: 'null' }, '[0][1] is null, not'],
    ['[["a b"]]', 'not-a-number', { path: '[0][0]', found: '"a b"' }, '[0][0] is "a b", not'],
    ['[true]', 'not-a-number', { path: '[0]', found: 'true' }, '[0] is true'],
    ['[{"a": 1}]', 'not-a-number', { path: '[0]', found: 'an object' }, '[0] is an object'],
    ['{"heads": "four"}', 'not-a-number', { path: 'heads', found: '"four"' }, 'heads is "four"'],
    ['[[[[[1]]]]]', 'too-deep', { path: '[0][0][0][0]', limit: 4 }, '[0][0][0][0] is a list'],
    [`${'['.repeat(100_000)}`, 'too-deep', { limit: 4 }, 'is a list inside 4 others'],
    ['[]', 'empty', {}, 'The whole list is an empty list in a.json.'],
    ['{"Q": [[]]}', 'empty', { path: 'Q[0]' }, 'Q[0] is an empty list'],
    ['[[1], []]', 'ragged', { path: '[1]', found: 0, expected: 1 }, '[1] has 0 numbers'],
    ['{}', 'empty', {}, 'There is no array in a.json.'],
    ['{"Q": [1], "Q": [2]}', 'duplicate-name', { array: 'Q' }, '"Q" stands twice'],
  ];
  it.each(cases)('%s', async (text, code, details, message) => {
    const error = await fault(text);
    expect(error.code).toBe(code);
    expect(error.details).toMatchObject({ file: 'a.json', ...details });
    expect(error.message).toContain(message);
  });

  it.each([
    ['[1 2]', 1, 4, '"," or "]"', '"2]"'],
    ['[[1,\n  2,]]', 2, 5, 'a number or a list', '"]]"'],
    ['[1', 1, 3, '"," or "]"', 'the end'],
    ['[01]', 1, 3, '"," or "]"', '"1]"'],
    ['[.5]', 1, 2, 'a number or a list', '".5]"'],
    ['[1] x', 1, 5, 'the end', '"x"'],
    ['{Q: [1]}', 1, 2, 'a name in double quotes', '"Q: [1]}"'],
    ['{"Q" [1]}', 1, 6, '":"', '"[1]}"'],
    ['{"Q', 1, 2, 'a string that ends with a double quote', '""Q"'],
    ['"text"', 1, 1, '"[" or "{"', '""text""'],
  ])(
    'or, where %s is no JSON, by line and character',
    async (text, row, column, expected, found) => {
      const error = await fault(text);
      expect([error.code, error.details]).toEqual([
        'bad-json',
        { file: 'a.json', row, column, expected, found },
      ]);
    },
  );
});

describe(`JSON that is drawn (FUZZ_SEED=${SEED})`, () => {
  /** What JSON.parse makes of a text: the shape, the numbers, or null for what is no regular array. */
  function reference(text: string): { shape: number[]; numbers: number[] } | null {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return null;
    }
    const shape: number[] = [];
    for (let list = value; Array.isArray(list); list = list[0]) shape.push(list.length);
    const numbers: number[] = [];
    const fits = (item: unknown, depth: number): boolean => {
      if (depth < shape.length)
        return (
          Array.isArray(item) &&
          item.length === shape[depth] &&
          item.every((one) => fits(one, depth + 1))
        );
      numbers.push(item as number);
      return typeof item === 'number';
    };
    const regular = shape.length > 0 && shape.length <= 4 && !shape.includes(0) && fits(value, 0);
    return regular ? { shape, numbers } : null;
  }

  const drawn = (random: Random, shape: readonly number[]): unknown =>
    shape.length === 0
      ? pick(random, [random(100), -random(1000) / 7, random(9) * 1e-9, random(9) * 1e20])
      : Array.from({ length: shape[0]! }, () => drawn(random, shape.slice(1)));

  it('is what JSON.parse reads, and refused when that refuses it', async () => {
    const random = seeded(SEED);
    let [read, refused] = [0, 0];
    for (let i = 0; i < COUNT * 5; i++) {
      const shape = Array.from({ length: 1 + random(4) }, () => 1 + random(3));
      let text = JSON.stringify(drawn(random, shape), null, random(3));
      for (let n = random(3); n > 0; n--) {
        const at = random(text.length);
        text =
          text.slice(0, at) +
          pick(random, ['', '[', ']', ',', '1', '-', '.', 'e', ' ', '"', 'null']) +
          text.slice(at + random(2));
      }
      const expected = reference(text);
      const found = await readAll(text).catch((error) => error);
      if (expected === null) {
        refused++;
        expect(found, JSON.stringify(text)).toBeInstanceOf(ArrayError);
      } else {
        read++;
        expect(found[0]?.shape, JSON.stringify(text)).toEqual(expected.shape);
        expect([...found[0].data]).toEqual(expected.numbers.map(Math.fround));
      }
    }
    expect(Math.min(read, refused)).toBeGreaterThan(COUNT / 2);
  });
});
