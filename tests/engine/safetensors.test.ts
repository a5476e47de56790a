/** The safetensors reader: whole files are read, every kind of damage is named. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { HeadlightsError } from '../../web/src/engine/errors.ts';
import { parseSafetensorsHeader, readTensor } from '../../web/src/engine/formats/safetensors.ts';
import { goldenPath } from './tokens-helpers.ts';

/** A file of this header and so many bytes of data (0, 1, 2, ...). */
function fileOf(header: unknown, dataLength: number): Uint8Array {
  const text = new TextEncoder().encode(
    typeof header === 'string' ? header : JSON.stringify(header),
  );
  const bytes = new Uint8Array(8 + text.length + dataLength);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(text.length), true);
  bytes.set(text, 8);
  for (let i = 0; i < dataLength; i++) bytes[8 + text.length + i] = i;
  return bytes;
}

const entry = (dtype: string, shape: unknown, from: unknown, to: unknown) => ({
  dtype,
  shape,
  data_offsets: [from, to],
});

function refusal(bytes: Uint8Array, fileSize: number | null = bytes.length): HeadlightsError {
  try {
    parseSafetensorsHeader(bytes, 'x.safetensors', fileSize);
  } catch (error) {
    expect(error).toBeInstanceOf(HeadlightsError);
    return error as HeadlightsError;
  }
  throw new Error('was accepted');
}

describe('a safetensors file', () => {
  it('gives names, types, shapes, places and metadata', () => {
    const header = {
      __metadata__: { made: 'here' },
      b: entry('F32', [2, 3], 4, 28),
      a: entry('U8', [4], 0, 4),
      empty: entry('F32', [0, 7], 28, 28),
      one: entry('I64', [], 28, 36),
    };
    const bytes = fileOf(header, 36);
    const { tensors, metadata, dataStart } = parseSafetensorsHeader(bytes, 'x', bytes.length);
    expect(dataStart).toBe(bytes.length - 36);
    expect([...metadata]).toEqual([['made', 'here']]);
    expect([...tensors.keys()]).toEqual(['b', 'a', 'empty', 'one']);
    expect(tensors.get('b')).toEqual({
      dtype: 'F32',
      shape: [2, 3],
      begin: dataStart + 4,
      end: dataStart + 28,
    });
    expect([...readTensor(bytes, tensors.get('a')!)]).toEqual([0, 1, 2, 3]);
    expect(readTensor(bytes, tensors.get('empty')!)).toHaveLength(0);
    expect([...readTensor(bytes.slice(dataStart), tensors.get('a')!, dataStart)]).toEqual([
      0, 1, 2, 3,
    ]);
  });

  it('can be read when only its header is there', () => {
    const bytes = fileOf({ a: entry('F32', [1000], 0, 4000) }, 0);
    expect(parseSafetensorsHeader(bytes).tensors.get('a')!.end).toBe(bytes.length + 4000);
  });

  it('holds the golden weights of the tiny model', () => {
    const bytes = readFileSync(goldenPath('models-tiny/bert/model.safetensors'));
    const { tensors } = parseSafetensorsHeader(bytes, 'tiny', bytes.length);
    const words = tensors.get('bert.embeddings.word_embeddings.weight')!;
    expect(words).toMatchObject({ dtype: 'F32', shape: [480, 48] });
    const values = readTensor(bytes, words) as Float32Array;
    expect(values).toHaveLength(480 * 48);
    expect(values.every((value) => Number.isFinite(value) && Math.abs(value) < 10)).toBe(true);
  });

  it('of half-precision numbers is read exactly', () => {
    const header = {
      h: entry('F16', [4], 0, 8),
      b: entry('BF16', [2], 8, 12),
      d: entry('F64', [1], 12, 20),
    };
    const bytes = fileOf(header, 20);
    const { tensors, dataStart } = parseSafetensorsHeader(bytes);
    const view = new DataView(bytes.buffer, dataStart);
    const halves = [0x3c00, 0xc000, 0x0001, 0x7bff, 0x3f80, 0xc040];
    for (const [i, half] of halves.entries()) view.setUint16(2 * i, half, true);
    view.setFloat64(12, Math.PI, true);
    expect([...readTensor(bytes, tensors.get('h')!)]).toEqual([1, -2, 2 ** -24, 65504]);
    expect([...readTensor(bytes, tensors.get('b')!)]).toEqual([1, -3]);
    expect([...readTensor(bytes, tensors.get('d')!)]).toEqual([Math.PI]);
  });

  const whole = fileOf({ a: entry('F32', [2], 0, 8), b: entry('F32', [1], 8, 12) }, 12);

  it('that is whole is accepted', () => {
    expect(parseSafetensorsHeader(whole, 'x', whole.length).tensors.size).toBe(2);
  });

  it('is refused wherever it is cut off', () => {
    for (let length = 0; length < whole.length; length++) {
      const error = refusal(whole.subarray(0, length));
      expect([error.code, error.message], String(length)).toEqual([
        'truncated',
        expect.stringContaining('x.safetensors'),
      ]);
    }
  });

  it('that is cut off within a tensor names it', () => {
    expect(refusal(whole.subarray(0, whole.length - 1)).message).toContain('"b"');
    expect(refusal(whole.subarray(0, whole.length - 5)).details).toMatchObject({ tensor: 'a' });
  });

  it.each<[string, Uint8Array, RegExp]>([
    [
      'a header of 10^18 bytes',
      new Uint8Array([0, 0, 100, 167, 179, 182, 224, 13, 123]),
      /claims \d{18,}/,
    ],
    ['a header that is not JSON', fileOf('{"a": ', 0), /not JSON/],
    [
      'a header that is not UTF-8',
      fileOf('{}', 0).map((byte, i) => (i === 8 ? 0xff : byte)),
      /not JSON/,
    ],
    ['a header that is a list', fileOf([], 0), /not a table/],
    ['metadata that is text', fileOf({ __metadata__: 'x' }, 0), /metadata/],
    ['metadata of numbers', fileOf({ __metadata__: { k: 1 } }, 0), /"k"/],
    ['a tensor that is text', fileOf({ a: 'x' }, 0), /"a"/],
    [
      'a tensor without type',
      fileOf({ a: { shape: [], data_offsets: [0, 0] } }, 0),
      /"a" has no type/,
    ],
    ['a negative size', fileOf({ a: entry('U8', [-1], 0, 0) }, 0), /"a" has a broken shape/],
    ['a size that is a fraction', fileOf({ a: entry('U8', [1.5], 0, 1) }, 1), /broken shape/],
    ['a shape that is text', fileOf({ a: entry('U8', '4', 0, 4) }, 4), /broken shape/],
    [
      'an endless shape',
      fileOf({ a: entry('F32', [2 ** 40, 2 ** 40], 0, 4) }, 4),
      /larger than any file/,
    ],
    [
      'one offset',
      fileOf({ a: { dtype: 'U8', shape: [1], data_offsets: [0] } }, 1),
      /broken offsets/,
    ],
    ['an offset that is text', fileOf({ a: entry('U8', [1], '0', 1) }, 1), /broken offsets/],
    ['an end before the beginning', fileOf({ a: entry('U8', [1], 4, 3) }, 4), /before it begins/],
    [
      'too few bytes for a shape',
      fileOf({ a: entry('F32', [2], 0, 4) }, 4),
      /4 bytes where F32 \[2\] needs 8/,
    ],
    [
      'tensors that overlap',
      fileOf({ a: entry('U8', [4], 0, 4), b: entry('U8', [4], 2, 6) }, 6),
      /"b" overlaps/,
    ],
    [
      'a gap',
      fileOf({ a: entry('U8', [2], 0, 2), b: entry('U8', [2], 4, 6) }, 6),
      /"b" leaves a gap/,
    ],
    ['bytes after the last tensor', fileOf({ a: entry('U8', [2], 0, 2) }, 5), /3 bytes follow/],
  ])('with %s is corrupt', (_, bytes, message) => {
    const error = refusal(bytes);
    expect([error.code, error.message]).toEqual(['corrupt', expect.stringMatching(message)]);
  });

  it('with a type that is not known is unsupported', () => {
    const error = refusal(fileOf({ a: entry('F4', [2], 0, 1) }, 1));
    expect(error.code).toBe('unsupported');
    expect(error.message).toMatch(/"a" has the type "F4"/);
    expect(refusal(fileOf({ a: entry('toString', [2], 0, 1) }, 1)).code).toBe('unsupported');
  });

  it('never throws anything else, whatever byte is changed', () => {
    for (let at = 0; at < whole.length; at++) {
      for (const value of [0x00, 0x22, 0x30, 0x7d, 0xff]) {
        const bytes = whole.slice();
        bytes[at] = value;
        try {
          parseSafetensorsHeader(bytes, 'x', bytes.length);
        } catch (error) {
          expect(error).toBeInstanceOf(HeadlightsError);
        }
      }
    }
  });
});

describe('reading a tensor', () => {
  it('refuses bytes that are not there', () => {
    const bytes = fileOf({ a: entry('F32', [2], 0, 8) }, 8);
    const { tensors } = parseSafetensorsHeader(bytes);
    const tensor = tensors.get('a')!;
    expect(() => readTensor(bytes.subarray(0, bytes.length - 1), tensor)).toThrowError(/not among/);
    expect(() => readTensor(bytes, tensor, tensor.begin + 1)).toThrowError(/not among/);
  });
});
