/** Any file that is dropped: told by its content, limited, and refused in words. */
import { describe, expect, it } from 'vitest';
import { ArrayError, listArrays, MOST_TEXT, readArrays } from '../../web/src/arrays/index.ts';
import {
  COUNT,
  type Data,
  fixture,
  npyData,
  npyFile,
  npyHeader,
  pick,
  refusal,
  SEED,
  seeded,
  utf8,
} from './support.ts';
import { zipFile } from './zip-writer.ts';

function safetensors(tensors: Record<string, [string, number[], Uint8Array]>): Data {
  const header: Record<string, unknown> = { __metadata__: { format: 'pt' } };
  let at = 0;
  for (const [name, [dtype, shape, data]] of Object.entries(tensors)) {
    header[name] = { dtype, shape, data_offsets: [at, at + data.length] };
    at += data.length;
  }
  const text = utf8(JSON.stringify(header));
  const length = new Uint8Array(8);
  new DataView(length.buffer).setUint32(0, text.length, true);
  return new Uint8Array(
    Buffer.concat([length, text, ...Object.values(tensors).map((one) => one[2])]),
  );
}

const MODEL = safetensors({
  'q_proj.weight': ['F32', [2, 3], npyData([1, 2, 3, 4, 5, 6], [6], 'f4')],
  'k_proj.weight': ['F16', [3], npyData([0.5, -2, 8], [3], 'f2')],
  ids: ['I64', [2], npyData([7, -7], [2], 'i8')],
  wide: ['F64', [1, 1], npyData([1e39], [1], 'f8')],
  mask: ['BOOL', [2], new Uint8Array([1, 0])],
  brain: ['BF16', [2], new Uint8Array([0x80, 0x3f, 0x40, 0xc0])],
});

describe('a safetensors file', () => {
  it('gives its tensors of every type', async () => {
    const { arrays } = await readArrays({ name: 'm', bytes: new Blob([MODEL]) });
    expect(arrays.map(({ name, dtype, shape, data }) => [name, dtype, shape, [...data]])).toEqual([
      ['q_proj.weight', 'F32', [2, 3], [1, 2, 3, 4, 5, 6]],
      ['k_proj.weight', 'F16', [3], [0.5, -2, 8]],
      ['ids', 'I64', [2], [7, -7]],
      ['wide', 'F64', [1, 1], [Number.POSITIVE_INFINITY]],
      ['mask', 'BOOL', [2], [1, 0]],
      ['brain', 'BF16', [2], [1, -3]],
    ]);
    expect(arrays.map(({ beyondSingle }) => beyondSingle.count)).toEqual([0, 0, 0, 1, 0, 0]);
  });

  it('of more than a piece is read whole', async () => {
    const values = Array.from({ length: 600_001 }, (_, i) => i);
    const bytes = safetensors({
      x: ['F32', [values.length], npyData(values, [values.length], 'f4')],
    });
    const { arrays } = await readArrays({ name: 'm', bytes });
    expect(arrays[0]!.data.every((value, i) => value === i)).toBe(true);
  });

  it('that is cut off says which tensor', async () => {
    const name = 'm.safetensors';
    const error = await refusal(readArrays({ name, bytes: MODEL.subarray(0, MODEL.length - 1) }));
    expect([error.code, error.details.array]).toEqual(['truncated', 'brain']);
    for (let length = 1; length < MODEL.length; length += 11) {
      const cut = await refusal(readArrays({ name, bytes: MODEL.subarray(0, length) }));
      expect(['truncated', 'unknown-format'], String(length)).toContain(cut.code);
    }
  });

  it('with a type that is not read says which', async () => {
    const error = await refusal(
      readArrays({ name: 'm', bytes: safetensors({ a: ['F8_E4M3', [1], new Uint8Array(1)] }) }),
    );
    expect([error.code, error.details]).toMatchObject([
      'unsupported-type',
      { file: 'm', array: 'a', dtype: 'F8_E4M3' },
    ]);
  });

  it('larger than the limit can be listed, and read in part', async () => {
    const large = 2 ** 26;
    const text = JSON.stringify({
      big: { dtype: 'U8', shape: [large], data_offsets: [0, large] },
      small: { dtype: 'F32', shape: [2], data_offsets: [large, large + 8] },
    });
    const length = new Uint8Array(8);
    length[0] = text.length;
    const bytes = new Blob([length, text, new Uint8Array(large), new Float32Array([3, 4])]);
    const input = { name: 'm.safetensors', bytes };
    const { entries } = await listArrays(input);
    expect(entries).toEqual([
      { name: 'big', shape: [large], dtype: 'U8' },
      { name: 'small', shape: [2], dtype: 'F32' },
    ]);
    const { arrays } = await readArrays(input, { pick: ({ name }) => name === 'small' });
    expect([...arrays[0]!.data]).toEqual([3, 4]);
    const error = await refusal(readArrays(input));
    expect(error.code).toBe('too-large');
    expect(error.details).toMatchObject({ limit: large, found: large + 2, size: bytes.size });
    expect(error.message).toContain(bytes.size.toLocaleString('en'));
  });
});

describe('a file is told by what it holds', () => {
  const matrix = npyFile(npyHeader('<f4', false, [2]), npyData([1, 2], [2], 'f4'));
  const utf16 = (text: string, little: boolean) =>
    new Uint8Array(
      [...`\uFEFF${text}`].flatMap((sign) => {
        const code = sign.charCodeAt(0);
        return little ? [code & 255, code >> 8] : [code >> 8, code & 255];
      }),
    );

  it.each<[string, string, Uint8Array, string[], number[][]]>([
    ['.npy', 'a.csv', matrix, ['a'], [[1, 2]]],
    ['.npz', 'a.csv', zipFile([{ name: 'q.npy', data: matrix }]), ['q'], [[1, 2]]],
    ['JSON', 'a.csv', utf8(' [[1, 2]]'), ['a'], [[1, 2]]],
    ['JSON after spaces', 'a', utf8('        {"q": [[1, 2]]}'), ['q'], [[1, 2]]],
    ['JSON by name', 'b.txt', utf8('\uFEFF{"q": [1], "k": [2]}'), ['q', 'k'], [[1], [2]]],
    ['a table', 'a', utf8('1,2'), ['a'], [[1, 2]]],
    ['a table in UTF-16', 'a.txt', utf16('1\t2\r\n', true), ['a'], [[1, 2]]],
    ['a table in UTF-16 of the other order', 'a.txt', utf16('1\t2\n', false), ['a'], [[1, 2]]],
  ])('%s', async (_, name, bytes, names, numbers) => {
    const { arrays } = await readArrays({ name, bytes });
    expect(arrays.map((one) => one.name)).toEqual(names);
    expect(arrays.map((one) => [...one.data])).toEqual(numbers);
  });

  it.each<[string, Uint8Array, string, string]>([
    ['a.h5', new Uint8Array([0x89, 0x48, 0x44, 0x46, 13]), 'unknown-format', 'an HDF5 file'],
    ['a.pkl', new Uint8Array([0x80, 4, 0x95]), 'unknown-format', 'a pickle'],
    ['a.npz', utf8('1,2\n'), 'unknown-format', 'named .npz but'],
    ['a.npy', utf8('1,2\n'), 'unknown-format', 'named .npy but'],
    ['a.csv', new Uint8Array([49, 44, 0, 1, 2]), 'unknown-format', 'not text'],
    ['a.csv', new Uint8Array([0xc3, 0xa8, 0xc8, 0x2c, 0x31]), 'encoding', 'UTF-8'],
    ['a.csv', new Uint8Array(0), 'empty', 'is empty'],
    ['a.npz', zipFile([]), 'empty', 'no array'],
  ])('%s that is none is refused in words', async (name, bytes, code, message) => {
    const error = await refusal(readArrays({ name, bytes }));
    expect([error.code, error.message]).toEqual([code, expect.stringContaining(message)]);
    expect(error.details.file).toBe(name);
  });

  it('text above the limit is refused by its size before it is read', async () => {
    const line = utf8(`${'1,'.repeat(2 ** 19 - 1)}1\n`);
    const bytes = new Blob(Array.from({ length: 257 }, () => line));
    let most = 0;
    const watched = new Proxy(bytes, {
      get(target, key) {
        if (key !== 'slice') return Reflect.get(target, key);
        return (from: number, to: number) => {
          most = Math.max(most, to - from);
          return target.slice(from, to);
        };
      },
    });
    const error = await refusal(readArrays({ name: 'a.csv', bytes: watched }));
    expect([error.code, error.details.limit]).toEqual(['too-large', MOST_TEXT]);
    expect(error.details.size).toBe(bytes.size);
    expect(most).toBeLessThan(10_000);
  });
});

it('one array that is broken does not hide the others', async () => {
  const data = npyFile(npyHeader('<f4', false, [2]), npyData([1, 2], [2], 'f4'));
  const bytes = zipFile([
    { name: 'q.npy', data, crc: 1 },
    { name: 'k.npy', data },
  ]);
  const { arrays, skipped } = await readArrays({ name: 'a.npz', bytes });
  expect(arrays.map(({ name }) => name)).toEqual(['k']);
  expect(skipped.map(({ message }) => message)).toEqual([
    'a.npz is broken: "q.npy" fails its checksum.',
  ]);
});

describe(`bytes that are drawn (FUZZ_SEED=${SEED})`, () => {
  it('are arrays or an ArrayError, whatever they are', async () => {
    const random = seeded(SEED);
    const starts = [
      [],
      [0x93, ...utf8('NUMPY'), 1, 0],
      [0x50, 0x4b, 3, 4],
      [40, 0, 0, 0, 0, 0, 0, 0, 0x7b],
      utf8('[[1,'),
      utf8('1,2\n'),
    ];
    for (let i = 0; i < COUNT * 5; i++) {
      const ascii = random(2) === 1;
      const bytes = Uint8Array.from({ length: random(300) }, () =>
        ascii ? 32 + random(95) : random(256),
      );
      bytes.set([...pick(random, starts)].slice(0, bytes.length));
      const outcome = await readArrays({ name: 'x', bytes }).catch((error) => error);
      if (!Array.isArray(outcome.arrays)) expect(outcome, String(i)).toBeInstanceOf(ArrayError);
    }
  });

  it('are arrays or an ArrayError when a sound file was damaged', async () => {
    const random = seeded(SEED + 1);
    const files = [
      MODEL,
      fixture('stored.npz'),
      fixture('f8-be-F.npy'),
      utf8('{"Q": [[1, 2], [3, 4]], "K": [[1, NaN]]}'),
      utf8(',a,b\nx,1,2\ny,3,4\n'),
    ];
    const codes = new Set<string>();
    for (let i = 0; i < COUNT * 5; i++) {
      const bytes = pick(random, files).slice();
      for (let n = 1 + random(4); n > 0; n--) bytes[random(bytes.length)] = random(256);
      const cut = random(3) === 0 ? bytes.subarray(0, random(bytes.length)) : bytes;
      const outcome = await readArrays({ name: 'x', bytes: cut }).catch((error) => error);
      if (Array.isArray(outcome.arrays)) continue;
      expect(outcome, String(i)).toBeInstanceOf(ArrayError);
      codes.add(outcome.code);
    }
    for (const code of ['truncated', 'corrupt', 'not-a-number', 'unknown-format', 'encoding'])
      expect(codes).toContain(code);
  });
});
