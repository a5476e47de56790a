/** Tensors of a safetensors file; the engine's own reader checks the header. */
import { HeadlightsError } from '../engine/errors.ts';
import {
  parseSafetensorsHeader,
  readTensor,
  type SafetensorsEntry,
} from '../engine/formats/safetensors.ts';
import type { Bytes } from './bytes.ts';
import { ArrayError, type ArrayErrorCode } from './errors.ts';
import { Fill, sizeOf } from './fill.ts';
import type { OpenFile } from './open-file.ts';
import { checkLimit, checkShape } from './shape.ts';
import type { ArrayEntry, NamedArray } from './types.ts';

/** Numbers that are read at a time. */
const PIECE = 1 << 18;
const LONGEST_HEADER = 100_000_000;

export async function openSafetensors(bytes: Bytes): Promise<OpenFile> {
  const start = await bytes.slice(0, 8);
  const length =
    start.length === 8
      ? Number(new DataView(start.buffer, start.byteOffset).getBigUint64(0, true))
      : 0;
  const header = await bytes.slice(0, 8 + Math.min(length, LONGEST_HEADER));
  const { tensors } = translated(bytes.name, () =>
    parseSafetensorsHeader(header, bytes.name, bytes.size),
  );
  return {
    arrays: [...tensors].map(([name, tensor]) => {
      const shape = checkShape(tensor.shape, { file: bytes.name, array: name });
      const entry = { name, shape, dtype: tensor.dtype };
      return { entry, read: () => readOne(bytes, entry, tensor) };
    }),
    skipped: [],
  };
}

async function readOne(
  bytes: Bytes,
  entry: ArrayEntry,
  { begin, end, dtype }: SafetensorsEntry,
): Promise<NamedArray> {
  const where = { file: bytes.name, array: entry.name };
  const count = sizeOf(entry.shape);
  checkLimit(count, where);
  const fill = new Fill(entry);
  const step = (count > 0 ? (end - begin) / count : 1) * PIECE;
  for (let from = begin; from < end; from += step) {
    const to = Math.min(end, from + step);
    const piece = await bytes.slice(from, to);
    const part: SafetensorsEntry = { dtype, shape: [], begin: from, end: to };
    const values = translated(bytes.name, () => readTensor(piece, part, from));
    fill.add(dtype === 'BOOL' ? (values as Uint8Array).map((value) => (value ? 1 : 0)) : values);
  }
  return fill.done();
}

const CODES: Readonly<Record<string, ArrayErrorCode>> = {
  truncated: 'truncated',
  unsupported: 'unsupported-type',
};

function translated<T>(file: string, attempt: () => T): T {
  try {
    return attempt();
  } catch (error) {
    if (!(error instanceof HeadlightsError)) throw error;
    const { tensor, dtype, needed, found } = error.details as Record<string, never>;
    throw new ArrayError(
      CODES[error.code] ?? 'corrupt',
      error.message,
      {
        file,
        ...(tensor !== undefined && { array: tensor }),
        ...(dtype !== undefined && { dtype }),
        ...(needed !== undefined && { expected: needed, found }),
      },
      { cause: error },
    );
  }
}
