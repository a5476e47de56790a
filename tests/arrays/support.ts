/** A seeded generator, and writers of .npy files, for tests. */
import { readFileSync } from 'node:fs';
import { ArrayError } from '../../web/src/arrays/errors.ts';

export const SEED = Number(process.env.FUZZ_SEED ?? 20261);
export const COUNT = Number(process.env.FUZZ_COUNT ?? 400);

/** Marsaglia's xorshift32: an integer below its argument. */
export function seeded(seed: number): (below: number) => number {
  let state = seed | 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

export type Random = ReturnType<typeof seeded>;

export const pick = <T>(random: Random, list: readonly T[]): T => list[random(list.length)]!;

/** Bytes in memory of their own, as a Blob takes them. */
export type Data = Uint8Array<ArrayBuffer>;

export const fixture = (name: string): Data =>
  new Uint8Array(readFileSync(new URL(`fixtures/${name}`, import.meta.url)));

export const utf8 = (text: string): Data => new TextEncoder().encode(text);

/** The ArrayError that an attempt ends in. */
export async function refusal(attempt: Promise<unknown>): Promise<ArrayError> {
  try {
    await attempt;
  } catch (error) {
    if (error instanceof ArrayError) return error;
    throw error;
  }
  throw new Error('was accepted');
}

type Put = (view: DataView, at: number, value: number, little: boolean) => void;

/** Size and writer of every type of NumPy that is read. */
export const NPY_TYPES: Readonly<Record<string, { size: number; put: Put }>> = {
  f2: { size: 2, put: (view, at, value, little) => view.setUint16(at, halfOf(value), little) },
  f4: { size: 4, put: (view, at, value, little) => view.setFloat32(at, value, little) },
  f8: { size: 8, put: (view, at, value, little) => view.setFloat64(at, value, little) },
  i1: { size: 1, put: (view, at, value) => view.setInt8(at, value) },
  i2: { size: 2, put: (view, at, value, little) => view.setInt16(at, value, little) },
  i4: { size: 4, put: (view, at, value, little) => view.setInt32(at, value, little) },
  i8: { size: 8, put: (view, at, value, little) => view.setBigInt64(at, BigInt(value), little) },
  u1: { size: 1, put: (view, at, value) => view.setUint8(at, value) },
  u2: { size: 2, put: (view, at, value, little) => view.setUint16(at, value, little) },
  u4: { size: 4, put: (view, at, value, little) => view.setUint32(at, value, little) },
  u8: { size: 8, put: (view, at, value, little) => view.setBigUint64(at, BigInt(value), little) },
  b1: { size: 1, put: (view, at, value) => view.setUint8(at, value) },
};

/** Binary16 of small multiples of a quarter, which it holds exactly. */
function halfOf(value: number): number {
  if (value === 0) return 0;
  const exponent = Math.floor(Math.log2(Math.abs(value)));
  const fraction = (Math.abs(value) / 2 ** exponent - 1) * 1024;
  return (value < 0 ? 0x8000 : 0) | ((exponent + 15) << 10) | fraction;
}

/** `values` in C order. */
export function npyData(
  values: readonly number[],
  shape: readonly number[],
  kind: string,
  little = true,
  fortran = false,
): Data {
  const { size, put } = NPY_TYPES[kind]!;
  const bytes = new Uint8Array(values.length * size);
  const view = new DataView(bytes.buffer);
  for (const [i, value] of values.entries()) {
    let [rest, at, stride] = [i, i, 1];
    if (fortran) {
      const position = shape.map(() => 0);
      for (let axis = shape.length - 1; axis >= 0; axis--) {
        position[axis] = rest % shape[axis]!;
        rest = Math.floor(rest / shape[axis]!);
      }
      at = 0;
      for (const [axis, index] of position.entries()) {
        at += index * stride;
        stride *= shape[axis]!;
      }
    }
    put(view, at * size, value, little);
  }
  return bytes;
}

export function npyFile(header: string, data: Uint8Array, major = 1): Data {
  const text = utf8(header);
  const lengthSize = major === 1 ? 2 : 4;
  const file = new Uint8Array(8 + lengthSize + text.length + data.length);
  file.set([0x93, ...utf8('NUMPY'), major, 0]);
  const view = new DataView(file.buffer);
  if (major === 1) view.setUint16(8, text.length, true);
  else view.setUint32(8, text.length, true);
  file.set(text, 8 + lengthSize);
  file.set(data, 8 + lengthSize + text.length);
  return file;
}

export const tuple = (shape: readonly number[]) =>
  `(${shape.join(', ')}${shape.length === 1 ? ',' : ''})`;

export const npyHeader = (descr: string, fortran: boolean, shape: readonly number[]) =>
  `{'descr': '${descr}', 'fortran_order': ${fortran ? 'True' : 'False'}, 'shape': ${tuple(shape)}, }\n`;
