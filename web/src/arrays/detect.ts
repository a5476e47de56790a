/** What a file is: by its first bytes, and where those are text, by its first sign and its name. */
import type { Bytes } from './bytes.ts';
import { ArrayError } from './errors.ts';
import { NPY_MAGIC } from './npy.ts';
import { EMPTY_ZIP_MAGIC, ZIP_MAGIC } from './zip.ts';

export type Format = 'npy' | 'npz' | 'safetensors' | 'text';

/** Files that are often dropped by mistake, and what they are called. */
const OTHERS: readonly (readonly [readonly number[], string])[] = [
  [[0x89, 0x48, 0x44, 0x46], 'an HDF5 file'],
  [[0x47, 0x47, 0x55, 0x46], 'a GGUF model'],
  [[0x50, 0x41, 0x52, 0x31], 'a Parquet file'],
  [[0x4d, 0x41, 0x54, 0x4c, 0x41, 0x42], 'a MATLAB file'],
  [[0x1f, 0x8b], 'packed by gzip'],
  [[0x80, 0x02], 'a pickle'],
  [[0x80, 0x03], 'a pickle'],
  [[0x80, 0x04], 'a pickle'],
  [[0x80, 0x05], 'a pickle'],
  [[0x25, 0x50, 0x44, 0x46], 'a PDF'],
  [[0x89, 0x50, 0x4e, 0x47], 'a picture'],
  [[0xff, 0xd8, 0xff], 'a picture'],
];

export async function detect(bytes: Bytes): Promise<Format> {
  if (bytes.size === 0) throw empty(bytes.name);
  const start = await bytes.slice(0, 4096);
  const begins = (magic: readonly number[]) => magic.every((byte, i) => start[i] === byte);
  if (begins(NPY_MAGIC)) return 'npy';
  if (begins(ZIP_MAGIC) || begins(EMPTY_ZIP_MAGIC)) return 'npz';
  if (isSafetensors(start, bytes)) return 'safetensors';
  for (const [magic, what] of OTHERS) if (begins(magic)) throw unknown(bytes.name, what);
  const [, named] = /\.(npy|npz|safetensors)$/i.exec(bytes.name) ?? [];
  if (named !== undefined)
    throw unknown(
      bytes.name,
      `named .${named.toLowerCase()} but does not begin as such a file does`,
    );
  const marked = begins([0xff, 0xfe]) || begins([0xfe, 0xff]);
  if (!marked && start.some((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27)))
    throw unknown(bytes.name, 'not text');
  return 'text';
}

/** A length that a header can have, and the header's first sign; what is cut off keeps its name. */
function isSafetensors(start: Uint8Array, { name, size }: Bytes): boolean {
  if (start.length < 9 || start[8] !== 0x7b) return false;
  const length = new DataView(start.buffer, start.byteOffset).getBigUint64(0, true);
  return length <= BigInt(size) || /\.safetensors$/i.test(name);
}

function unknown(file: string, found: string): ArrayError {
  return new ArrayError(
    'unknown-format',
    `${file} is ${found}. CSV, TSV, JSON, .npy, .npz and safetensors are read.`,
    { file, found },
  );
}

export function empty(file: string): ArrayError {
  return new ArrayError('empty', `${file} is empty.`, { file });
}
