/**
 * Reads a ZIP archive by its central directory (APPNOTE.TXT 6.3, sections 4.3 and 4.4): stored and deflated entries.
 * What a local header says of sizes is not used: NumPy writes a zip64 field there into the smallest file. Sizes and
 * CRC-32 of the directory are checked while an entry is unpacked.
 */
import { type Bytes, pieces } from './bytes.ts';
import { crc32 } from './crc32.ts';
import { ArrayError } from './errors.ts';
import { inflate } from './inflate.ts';

export const ZIP_MAGIC = [0x50, 0x4b, 0x03, 0x04];
export const EMPTY_ZIP_MAGIC = [0x50, 0x4b, 0x05, 0x06];

const END = 0x06054b50;
const END_SIZE = 22;
const ENTRY = 0x02014b50;
const ENTRY_SIZE = 46;
const LOCAL = 0x04034b50;
const LOCAL_SIZE = 30;
const LONGEST_COMMENT = 0xffff;
const MOST_ENTRIES = 4096;

export interface ZipEntry {
  readonly name: string;
  readonly encrypted: boolean;
  readonly method: number;
  readonly crc: number;
  /** Bytes in the file and unpacked. */
  readonly packed: number;
  readonly size: number;
  readonly offset: number;
}

export async function readZipDirectory(file: Bytes): Promise<ZipEntry[]> {
  const from = Math.max(0, file.size - END_SIZE - LONGEST_COMMENT);
  const tail = await file.slice(from, file.size);
  const view = viewOf(tail);
  let end = tail.length - END_SIZE;
  while (end >= 0 && !isEnd(view, end, tail.length)) end--;
  if (end < 0)
    throw new ArrayError(
      'truncated',
      `${file.name} is cut off: it has no directory of its entries.`,
      { file: file.name, found: file.size },
    );

  const count = view.getUint16(end + 10, true);
  const size = view.getUint32(end + 12, true);
  const start = view.getUint32(end + 16, true);
  if (count === 0xffff || size === 0xffffffff || start === 0xffffffff) throw zip64(file);
  if (view.getUint16(end + 4, true) !== 0 || view.getUint16(end + 8, true) !== count)
    throw corrupt(file, 'it is one part of several');
  if (count > MOST_ENTRIES)
    throw new ArrayError(
      'too-large',
      `${file.name} has ${count} entries; at most ${MOST_ENTRIES} are read.`,
      { file: file.name, found: count, limit: MOST_ENTRIES },
    );
  if (start + size > from + end) throw corrupt(file, 'its directory lies outside of it');
  return parseDirectory(file, await file.slice(start, start + size), count);
}

/** The end record, and its comment fills the rest: the same four bytes may stand in a comment. */
const isEnd = (view: DataView, at: number, length: number) =>
  view.getUint32(at, true) === END && at + END_SIZE + view.getUint16(at + 20, true) === length;

function parseDirectory(file: Bytes, bytes: Uint8Array, count: number): ZipEntry[] {
  const view = viewOf(bytes);
  const entries: ZipEntry[] = [];
  let at = 0;
  for (let i = 0; i < count; i++) {
    if (at + ENTRY_SIZE > bytes.length || view.getUint32(at, true) !== ENTRY)
      throw corrupt(file, `entry ${i + 1} of its directory is broken`);
    const lengths = [28, 30, 32].map((field) => view.getUint16(at + field, true));
    const [nameLength, extraLength, commentLength] = lengths as [number, number, number];
    const nameStart = at + ENTRY_SIZE;
    at = nameStart + nameLength + extraLength + commentLength;
    if (at > bytes.length) throw corrupt(file, `entry ${i + 1} of its directory is broken`);
    const field = (offset: number) => view.getUint32(nameStart - ENTRY_SIZE + offset, true);
    const [packed, size, offset] = [field(20), field(24), field(42)];
    if (packed === 0xffffffff || size === 0xffffffff || offset === 0xffffffff) throw zip64(file);
    entries.push({
      name: new TextDecoder().decode(bytes.subarray(nameStart, nameStart + nameLength)),
      encrypted: (view.getUint16(nameStart - ENTRY_SIZE + 8, true) & 0x2041) !== 0,
      method: view.getUint16(nameStart - ENTRY_SIZE + 10, true),
      crc: field(16),
      packed,
      size,
      offset,
    });
  }
  return entries;
}

/** The unpacked bytes of an entry. At their end size and checksum were compared. */
export async function* unpack(file: Bytes, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  const { name, method } = entry;
  const details = { file: file.name, array: name };
  if (entry.encrypted)
    throw new ArrayError('unsupported-zip', `"${name}" of ${file.name} is encrypted.`, {
      ...details,
      found: 'encryption',
    });
  if (method !== 0 && method !== 8)
    throw new ArrayError(
      'unsupported-zip',
      `"${name}" of ${file.name} is packed by method ${method}; stored and deflated entries are read.`,
      { ...details, found: `method ${method}` },
    );
  const packed = await packedBytes(file, entry);
  let size = 0;
  let sum = 0;
  try {
    for await (const piece of method === 0 ? packed : inflate(packed)) {
      size += piece.length;
      sum = crc32(piece, sum);
      if (size > entry.size) break;
      yield piece;
    }
  } catch (cause) {
    if (cause instanceof ArrayError) throw cause;
    throw corrupt(file, `"${name}" cannot be unpacked`, name, cause);
  }
  if (size > entry.size) throw corrupt(file, `"${name}" is longer than it says`, name);
  if (size < entry.size) throw corrupt(file, `"${name}" is shorter than it says`, name);
  if (sum !== entry.crc) throw corrupt(file, `"${name}" fails its checksum`, name);
}

async function packedBytes(
  file: Bytes,
  { name, offset, packed }: ZipEntry,
): Promise<AsyncGenerator<Uint8Array<ArrayBuffer>>> {
  const local = await file.slice(offset, offset + LOCAL_SIZE);
  const view = viewOf(local);
  if (local.length < LOCAL_SIZE || view.getUint32(0, true) !== LOCAL)
    throw corrupt(file, `"${name}" is not where the directory says`, name);
  const start = offset + LOCAL_SIZE + view.getUint16(26, true) + view.getUint16(28, true);
  if (start + packed > file.size) throw corrupt(file, `"${name}" ends outside of it`, name);
  return pieces(file, start, start + packed) as AsyncGenerator<Uint8Array<ArrayBuffer>>;
}

const viewOf = (bytes: Uint8Array) =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function corrupt(file: Bytes, what: string, array?: string, cause?: unknown): ArrayError {
  const details = { file: file.name, ...(array !== undefined && { array }) };
  return new ArrayError('corrupt', `${file.name} is broken: ${what}.`, details, { cause });
}

function zip64(file: Bytes): ArrayError {
  return new ArrayError(
    'unsupported-zip',
    `${file.name} is a zip64 archive, as only files above 4 GB or of 65,535 entries need.`,
    { file: file.name, found: 'zip64' },
  );
}
