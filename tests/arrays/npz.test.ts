/** NumPy's .npz archives: stored and deflated, several arrays, damage and traps. */
import { deflateRawSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bytesOf } from '../../web/src/arrays/bytes.ts';
import { ArrayError } from '../../web/src/arrays/errors.ts';
import { inflate } from '../../web/src/arrays/inflate.ts';
import { openNpz } from '../../web/src/arrays/npz.ts';
import {
  COUNT,
  fixture,
  npyData,
  npyFile,
  npyHeader,
  refusal,
  SEED,
  seeded,
  utf8,
} from './support.ts';
import { type ZipPart, zipFile } from './zip-writer.ts';

const open = (bytes: Uint8Array | Blob) => openNpz(bytesOf('a.npz', bytes));

async function readAll(bytes: Uint8Array | Blob) {
  const { arrays, skipped } = await open(bytes);
  const read = [];
  for (const array of arrays) read.push(await array.read());
  return { read, skipped };
}

const numbers = (values: number[]) =>
  npyFile(npyHeader('<f4', false, [values.length]), npyData(values, [values.length], 'f4'));

describe.each(['stored', 'compressed'])('a .npz file that NumPy wrote %s', (name) => {
  const expected = Array.from({ length: 24 }, (_, i) => (i + 0.5) * (i % 2 === 0 ? 1 : -1));

  it('gives its arrays by their names, and names the one that is text', async () => {
    const { read, skipped } = await readAll(fixture(`${name}.npz`));
    expect(read.map((one) => [one.name, one.dtype, one.shape])).toEqual([
      ['Q', '<f4', [2, 3, 4]],
      ['K', '<f4', [2, 3, 4]],
      ['V', '>f8', [2, 3, 4]],
    ]);
    for (const [i, one] of read.entries())
      expect([...one.data]).toEqual(expected.map((value) => value * (i + 1)));
    expect(skipped.map(({ code, details }) => [code, details.array])).toEqual([
      ['unsupported-type', 'tokens'],
    ]);
  });

  it('is an array, skipped or an ArrayError whatever byte is changed', async () => {
    const random = seeded(SEED);
    const whole = fixture(`${name}.npz`);
    const codes = new Set<string>();
    for (let i = 0; i < COUNT; i++) {
      const file = whole.slice();
      file[random(file.length)] = random(256);
      try {
        for (const error of (await readAll(file)).skipped) codes.add(error.code);
      } catch (error) {
        expect(error, `FUZZ_SEED=${SEED}, ${i}`).toBeInstanceOf(ArrayError);
        codes.add((error as ArrayError).code);
      }
    }
    expect(codes).toContain('corrupt');
  });

  it('never gives other numbers than it had, whatever byte of its entries is changed', async () => {
    const random = seeded(SEED + 1);
    const whole = fixture(`${name}.npz`);
    const sound = (await readAll(whole)).read;
    for (let i = 0; i < COUNT; i++) {
      const file = whole.slice();
      const at = random(whole.length - 300); // before the directory, which holds the checksums
      file[at] = file[at]! ^ (1 + random(255));
      const { arrays } = await open(file).catch(() => ({ arrays: [] }));
      for (const array of arrays) {
        const read = await array.read().catch(() => null);
        const before = sound.find((one) => one.name === array.entry.name);
        if (read) expect(read, `FUZZ_SEED=${SEED}, ${i}, byte ${at}`).toEqual(before);
      }
    }
  });
});

describe('a .npz file', () => {
  it.each([false, true])('may name its entries without .npy (deflated: %s)', async (deflated) => {
    const file = zipFile([
      { name: 'q', data: numbers([1, 2]), deflated },
      { name: 'folder/', data: new Uint8Array(0) },
      { name: 'folder/k.npy', data: numbers([3]), deflated },
    ]);
    const { read, skipped } = await readAll(new Blob([file]));
    expect(read.map((one) => [one.name, [...one.data]])).toEqual([
      ['q', [1, 2]],
      ['folder/k', [3]],
    ]);
    expect(skipped).toEqual([]);
  });

  it('may have a comment, even one that looks like its end', async () => {
    const data = numbers([1]);
    const comment = `PK\u0005\u0006${'\0'.repeat(30)}`;
    expect((await readAll(zipFile([{ name: 'q.npy', data }], comment))).read).toHaveLength(1);
  });

  it('with large deflated entries is read across pieces', async () => {
    const values = Array.from({ length: 600_000 }, (_, i) => (i * 7919) % 10007);
    const { read } = await readAll(zipFile([{ name: 'q', data: numbers(values), deflated: true }]));
    expect(read[0]!.data.every((value, i) => value === values[i])).toBe(true);
  });

  const data = numbers([1, 2, 3]);
  it.each<[string, Partial<ZipPart>, string, RegExp]>([
    ['encrypted', { flags: 1 }, 'unsupported-zip', /"q.npy" of a.npz is encrypted/],
    ['packed by another method', { method: 14 }, 'unsupported-zip', /method 14/],
    ['not a .npy file', { data: utf8('hello, world') }, 'corrupt', /does not begin/],
    ['empty', { data: new Uint8Array(0) }, 'truncated', /needs 8 bytes/],
    [
      'no deflated data',
      { method: 8, data: new Uint8Array(90).fill(255) },
      'corrupt',
      /cannot be unpacked/,
    ],
    ['longer than it says', { size: data.length - 4 }, 'corrupt', /is longer than it says/],
    ['shorter than it says', { size: data.length + 4 }, 'corrupt', /4 bytes follow/],
  ])('names an entry that is %s', async (_, fault, code, message) => {
    const good = { name: 'k.npy', data };
    const { arrays, skipped } = await open(zipFile([{ name: 'q.npy', data, ...fault }, good]));
    expect(arrays.map(({ entry }) => entry.name)).toEqual(['k']);
    expect(skipped.map((error) => [error.code, error.message])).toEqual([
      [code, expect.stringMatching(message)],
    ]);
  });

  it('whose numbers were changed fails its checksum', async () => {
    for (const deflated of [false, true]) {
      const file = zipFile([{ name: 'q.npy', data, deflated, crc: 1 }]);
      const error = await refusal(readAll(file));
      expect([error.code, error.message]).toEqual(['corrupt', expect.stringContaining('checksum')]);
    }
  });

  it('that unpacks to more than its array stops there', async () => {
    const bomb = new Uint8Array(data.length + 50_000_000);
    bomb.set(data);
    const file = zipFile([{ name: 'q.npy', data: bomb, deflated: true, size: data.length }]);
    expect(file.length).toBeLessThan(100_000);
    const { read, skipped } = await readAll(file);
    expect(read).toEqual([]);
    expect(skipped[0]!.message).toContain('longer than it says');
  });

  it('whose array is above the limit is refused before it is unpacked', async () => {
    const count = 2 ** 26 + 1;
    const header = npyFile(npyHeader('|u1', false, [count]), new Uint8Array(0));
    const file = zipFile([{ name: 'q', data: header, size: header.length + count }]);
    const error = await refusal(readAll(file));
    expect([error.code, error.details.limit]).toEqual(['too-large', 2 ** 26]);
  });

  it('with two arrays of one name says so', async () => {
    const file = zipFile([
      { name: 'q.npy', data },
      { name: 'q', data },
    ]);
    const { arrays, skipped } = await open(file);
    expect([arrays.length, skipped[0]!.code]).toEqual([1, 'duplicate-name']);
  });

  it.each([
    ['a PyTorch checkpoint', 'archive/data.pkl'],
    ['an Office document', '[Content_Types].xml'],
  ])('that is %s is refused as such', async (found, name) => {
    const error = await refusal(open(zipFile([{ name, data }])));
    expect([error.code, error.details.found]).toEqual(['unknown-format', found]);
  });

  it('of the zip64 kind is refused as such', async () => {
    const error = await refusal(open(zipFile([{ name: 'q', data, packed: 0xffffffff }])));
    expect([error.code, error.details.found]).toEqual(['unsupported-zip', 'zip64']);
  });

  it('is refused wherever it is cut off', async () => {
    const whole = fixture('stored.npz');
    for (let length = 0; length < whole.length; length += 7)
      expect((await refusal(open(whole.subarray(0, length)))).code).toBe('truncated');
  });

  it('is an ArrayError when it is anything', async () => {
    const random = seeded(SEED + 2);
    for (let i = 0; i < COUNT; i++) {
      const bytes = Uint8Array.from({ length: random(200) }, () => random(256));
      bytes.set([0x50, 0x4b, 5, 6, 0, 0, 0, 0, 1, 0, 1, 0].slice(0, bytes.length));
      await refusal(open(bytes));
    }
  });
});

it('a file that goes away while it is read is told as that', async () => {
  const blob = new Blob([zipFile([{ name: 'q.npy', data: numbers([1, 2]), deflated: true }])]);
  let slices = 0;
  const leaving = new Proxy(blob, {
    get(target, key) {
      if (key !== 'slice') return Reflect.get(target, key);
      return (from: number, to: number) =>
        slices++ < 3 ? target.slice(from, to) : { arrayBuffer: () => Promise.reject(new Error()) };
    },
  });
  const { arrays, skipped } = await open(leaving);
  expect([arrays.length, skipped.map((error) => error.code)]).toEqual([0, ['unreadable']]);
});

it('deflated bytes that are broken further on are told to who reads on, and to nobody else', async () => {
  const strays: unknown[] = [];
  const note = (error: unknown) => strays.push(error);
  process.on('unhandledRejection', note);
  onTestFinished(() => void process.off('unhandledRejection', note));
  const random = seeded(SEED);
  const noise = Uint8Array.from({ length: 400_000 }, () => random(256));
  const packed = new Uint8Array(deflateRawSync(noise));
  packed.fill(255, 200_000);
  async function* pieces() {
    for (let at = 0; at < packed.length; at += 50_000) yield packed.slice(at, at + 50_000);
  }
  const unpacked = inflate(pieces());
  let size = (await unpacked.next()).value!.length;
  await new Promise((resolve) => setTimeout(resolve, 50));
  await expect(
    (async () => {
      for await (const piece of unpacked) {
        size += piece.length;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    })(),
  ).rejects.toThrow();
  expect(size).toBeLessThan(noise.length);
  expect(strays).toEqual([]);
});
