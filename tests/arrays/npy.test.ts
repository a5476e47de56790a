/** NumPy's .npy files: every version, type, byte order and layout; damage is named. */
import { describe, expect, it } from 'vitest';
import { bytesOf } from '../../web/src/arrays/bytes.ts';
import { ArrayError } from '../../web/src/arrays/errors.ts';
import { openNpy } from '../../web/src/arrays/npy.ts';
import { parsePythonLiteral } from '../../web/src/arrays/python-literal.ts';
import type { NamedArray } from '../../web/src/arrays/types.ts';
import {
  COUNT,
  fixture,
  NPY_TYPES,
  npyData,
  npyFile,
  npyHeader,
  pick,
  refusal,
  SEED,
  seeded,
  utf8,
} from './support.ts';

const open = async (bytes: Uint8Array | Blob, name = 'q.npy') =>
  (await openNpy(bytesOf(name, bytes))).arrays[0]!;
const read = async (bytes: Uint8Array | Blob): Promise<NamedArray> => (await open(bytes)).read();

/** What fixtures/make.py writes. */
const EXPECTED = Array.from({ length: 24 }, (_, i) => (i + 0.5) * (i % 2 === 0 ? 1 : -1));

describe('a .npy file that NumPy wrote', () => {
  const kinds = ['f2', 'f4', 'f8', 'i4', 'i8'];
  const files = kinds.flatMap((kind) =>
    ['le', 'be'].flatMap((order) => ['C', 'F'].map((layout) => `${kind}-${order}-${layout}`)),
  );

  it.each([...files, 'v1', 'v2', 'v3'])(
    '%s holds the numbers that NumPy put there',
    async (name) => {
      const array = await read(fixture(`${name}.npy`));
      const values = name.startsWith('i') ? EXPECTED.map(Math.trunc) : EXPECTED;
      expect(array.shape).toEqual([2, 3, 4]);
      expect([...array.data].map((value) => value + 0)).toEqual(values.map((value) => value + 0));
      expect(array.nonFinite).toEqual({ count: 0, first: null });
      expect(array.beyondSingle.count).toBe(0);
    },
  );

  it.each([1, 2, 3])('is of version %i.0 where the test says so', (version) => {
    expect(fixture(`v${version}.npy`)[6]).toBe(version);
  });

  it('of booleans holds ones and zeros', async () => {
    expect(await read(fixture('bool.npy'))).toMatchObject({ shape: [2, 2], dtype: '|b1' });
    expect([...(await read(fixture('bool.npy'))).data]).toEqual([1, 0, 0, 1]);
  });

  it('of a single number has no dimensions', async () => {
    const array = await read(fixture('scalar.npy'));
    expect([array.shape, [...array.data]]).toEqual([[], [2.5]]);
  });

  it('without rows is an array without numbers', async () => {
    const array = await read(fixture('empty.npy'));
    expect([array.shape, array.data.length]).toEqual([[0, 3], 0]);
  });

  it.each([
    ['complex', '<c8', 'complex numbers'],
    ['structured', "[['a', '<f4'], ['b', '<i4']]", 'structures'],
    ['text', '<U3', 'text'],
    ['object', '|O', 'Python objects'],
  ])('of %s values is refused by the name of its type', async (name, dtype, kind) => {
    const error = await refusal(open(fixture(`${name}.npy`)));
    expect(error.code).toBe('unsupported-type');
    expect(error.details).toMatchObject({ dtype, found: kind, file: 'q.npy' });
    expect(error.message).toContain(dtype);
  });

  it('is named after its file', async () => {
    expect((await open(fixture('v1.npy'), 'layer0/q.proj.NPY')).entry.name).toBe('q.proj');
  });

  it('can be a Blob, which is read by slices', async () => {
    expect([...(await read(new Blob([fixture('f8-be-F.npy')]))).data]).toEqual(EXPECTED);
  });
});

describe(`a .npy file that is drawn (FUZZ_SEED=${SEED})`, () => {
  it(`is read back whatever its type, order and shape (${COUNT} files)`, async () => {
    const random = seeded(SEED);
    for (let i = 0; i < COUNT; i++) {
      const kind = pick(random, Object.keys(NPY_TYPES));
      const shape = Array.from({ length: random(5) }, () => random(5));
      const count = shape.reduce((product, size) => product * size, 1);
      const draw = () => {
        if (kind === 'b1') return random(2);
        if (kind.startsWith('u')) return random(256);
        return kind.startsWith('f') ? (random(1024) - 512) / 4 : random(256) - 128;
      };
      const values = Array.from({ length: count }, draw);
      const mark = pick(random, ['<', '>', '|', '=']);
      const fortran = random(2) === 1;
      const data = npyData(values, shape, kind, mark !== '>', fortran);
      const file = npyFile(npyHeader(mark + kind, fortran, shape), data, 1 + random(3));
      const array = await read(file);
      const label = `${i}: ${mark}${kind} ${shape} ${fortran ? 'Fortran' : 'C'}`;
      expect([array.shape, [...array.data]], label).toEqual([shape, values]);
    }
  });

  it('is an array or an ArrayError whatever bytes are changed', async () => {
    const random = seeded(SEED + 1);
    const seen = new Set<string>();
    for (let i = 0; i < COUNT * 5; i++) {
      const file = fixture(
        pick(random, ['v1.npy', 'v2.npy', 'f8-be-F.npy', 'i8-le-C.npy']),
      ).slice();
      for (let n = 1 + random(3); n > 0; n--)
        file[random(random(2) ? 96 : file.length)] = random(256);
      const cut = random(4) === 0 ? file.subarray(0, random(file.length)) : file;
      try {
        await read(cut);
        seen.add('read');
      } catch (error) {
        expect(error, String(i)).toBeInstanceOf(ArrayError);
        seen.add((error as ArrayError).code);
      }
    }
    for (const one of ['read', 'corrupt', 'truncated', 'unsupported-type'])
      expect(seen).toContain(one);
  });
});

describe('the header of a .npy file', () => {
  const withHeader = (header: string, bytes = 24) => open(npyFile(header, new Uint8Array(bytes)));

  it.each([
    "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}",
    "{'shape': (2, 3), 'fortran_order': False, 'descr': '<f4'}",
    '{"descr":"<f4","fortran_order":False,"shape":(2,3)}',
    " { 'descr' : '<f4' , 'fortran_order' : False , 'shape' : ( 2 , 3 , ) , } \n",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (2L, 3L), }",
  ])('may be written %s', async (header) => {
    expect((await withHeader(header)).entry).toMatchObject({ shape: [2, 3], dtype: '<f4' });
  });

  it.each([
    ['', /no literal/],
    ['{', /no literal stands at character 2/],
    ["{'descr': '<f4'}", /no "fortran_order"/],
    ["{'descr': '<f4', 'fortran_order': False}", /no "shape"/],
    ["{'descr': '<f4', 'fortran_order': 0, 'shape': (6,)}", /neither True nor False/],
    ["{'descr': '<f4', 'fortran_order': False, 'shape': (6)}", /no tuple/],
    ["{'descr': '<f4', 'fortran_order': False, 'shape': (6,)} + {}", /something follows/],
    ["{'descr': __import__('os'), 'fortran_order': False, 'shape': (6,)}", /no literal/],
    ["{'descr': '<f4, 'fortran_order': False, 'shape': (6,)}", /is missing/],
    [`{'a': ${'('.repeat(99999)}`, /claims|nested too deeply/],
    ['(1, 2)', /no dictionary/],
  ])('%s is corrupt', async (header, message) => {
    const file = npyFile(header, new Uint8Array(24), 2);
    const error = await refusal(open(file));
    expect([error.code, error.message]).toEqual(['corrupt', expect.stringMatching(message)]);
  });

  it.each([
    ['(-1,)', /-1 is no number/],
    ['(2, True)', /true is no number/],
    ["('a',)", /a is no number/],
    ['(4294967296, 4294967296)', /no computer/],
    ['(0, 9007199254740991)', /no computer/],
    ['(99999999999999999999,)', /is no number/],
    [`(${'1, '.repeat(33)})`, /more than 32 dimensions/],
  ])('with the shape %s is refused', async (shape, message) => {
    const error = await refusal(
      withHeader(`{'descr': '<f4', 'fortran_order': False, 'shape': ${shape}}`),
    );
    expect([error.code, error.message]).toEqual(['bad-shape', expect.stringMatching(message)]);
  });

  it('of another version is refused', async () => {
    const file = npyFile(npyHeader('<f4', false, [6]), new Uint8Array(24)).slice();
    file[6] = 9;
    expect((await refusal(open(file))).message).toContain('version 9.0');
  });

  it('may not be longer than any header is', async () => {
    const file = npyFile('', new Uint8Array(0), 2);
    new DataView(file.buffer).setUint32(8, 2 ** 31, true);
    expect((await refusal(open(file))).code).toBe('corrupt');
  });

  it('is read as Python reads it', () => {
    expect(parsePythonLiteral(`[None, -3, (), (1,), 'it\\'s', {"a": [True]}]`)).toEqual([
      null,
      -3,
      [],
      [1],
      "it's",
      new Map([['a', [true]]]),
    ]);
  });
});

describe('the length of a .npy file', () => {
  const whole = fixture('v1.npy');

  it('that is too short is told wherever it is cut', async () => {
    for (let length = 0; length < whole.length; length++) {
      const error = await refusal(open(whole.subarray(0, length)));
      expect(error.code, String(length)).toBe('truncated');
    }
  });

  it('says how many bytes are needed and there', async () => {
    const { details } = await refusal(open(whole.subarray(0, 200)));
    expect(details).toMatchObject({ expected: 224, found: 200 });
  });

  it('that is too long is corrupt', async () => {
    const error = await refusal(open(new Uint8Array([...whole, 1, 2, 3])));
    expect([error.code, error.message]).toEqual(['corrupt', expect.stringContaining('3 bytes')]);
  });

  it('above the limit is refused before anything is reserved', async () => {
    const count = 2 ** 26 + 1;
    const header = npyFile(npyHeader('|u1', false, [count]), new Uint8Array(0));
    const array = await open(new Blob([header, new Uint8Array(count)]));
    const error = await refusal(array.read());
    expect(error.code).toBe('too-large');
    expect(error.details).toMatchObject({ limit: 2 ** 26, found: count });
    expect(error.message).toContain('67,108,865');
  });
});

describe('numbers of a .npy file', () => {
  const file = (kind: string, values: number[], shape: number[], fortran = false) =>
    npyFile(npyHeader(`<${kind}`, fortran, shape), npyData(values, shape, kind, true, fortran));

  it('that are NaN or infinite are counted, and the first is placed', async () => {
    const values = [0, 1, Number.NaN, Number.NEGATIVE_INFINITY, 4, Number.POSITIVE_INFINITY];
    for (const fortran of [false, true]) {
      const array = await read(file('f8', values, [2, 3], fortran));
      expect(array.nonFinite).toEqual({ count: 3, first: [0, 2] });
      expect(array.beyondSingle.count).toBe(0);
      expect([...array.data]).toEqual(values);
    }
  });

  it('that overflow single precision are counted apart from infinities', async () => {
    const array = await read(file('f8', [1, 3.4e38, 3.5e38, -1e300, 1e-300], [5]));
    expect(array.beyondSingle).toEqual({ count: 2, first: [2] });
    expect(array.nonFinite.count).toBe(0);
  });

  it('that are integers beyond 2^53 are counted', async () => {
    const bytes = file('i8', [0, 1, 2, 3], [2, 2]);
    const view = new DataView(bytes.buffer, bytes.length - 32);
    const integers = [2n ** 53n, 2n ** 53n + 1n, -(2n ** 63n), -(2n ** 53n)];
    for (const [i, value] of integers.entries()) view.setBigInt64(8 * i, value, true);
    expect((await read(bytes)).beyondSingle).toEqual({ count: 2, first: [0, 1] });
  });

  it('of a large Fortran array come to their places across pieces', async () => {
    const [rows, columns] = [513, 1025];
    const values = Array.from({ length: rows * columns }, (_, i) => i);
    const array = await read(file('f8', values, [rows, columns], true));
    expect(array.data.every((value, i) => value === i)).toBe(true);
  });
});

it('text that is named .npy is refused', async () => {
  expect((await refusal(open(utf8('1,2,3\n4,5,6\n')))).code).toBe('corrupt');
});
