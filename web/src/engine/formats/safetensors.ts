/**
 * Reads the header of a safetensors file: eight bytes of length, a JSON table of tensors, then the
 * data (https://github.com/huggingface/safetensors, "Format"). Every length is checked before it is
 * used, so that a shortened, changed or hostile file is refused with the tensor and the reason.
 * Reading the numbers of a tensor is at the end; fetching the bytes is not done here.
 */
import { HeadlightsError } from '../errors.ts';
import { widenHalf } from './half.ts';

const BYTES = {
  BOOL: 1,
  U8: 1,
  I8: 1,
  U16: 2,
  I16: 2,
  F16: 2,
  BF16: 2,
  U32: 4,
  I32: 4,
  F32: 4,
  U64: 8,
  I64: 8,
  F64: 8,
} as const;

export type SafetensorsType = keyof typeof BYTES;

export interface SafetensorsEntry {
  readonly dtype: SafetensorsType;
  readonly shape: readonly number[];
  /** Where its bytes lie in the file: [begin, end). */
  readonly begin: number;
  readonly end: number;
}

export interface SafetensorsHeader {
  readonly tensors: ReadonlyMap<string, SafetensorsEntry>;
  readonly metadata: ReadonlyMap<string, string>;
  /** First byte of the data; all before it is the header. */
  readonly dataStart: number;
}

/** The format's own limit for the table. */
const LARGEST_HEADER = 100_000_000;

/**
 * `bytes` holds at least the header. `file` is its name in messages. `fileSize` is the length of the
 * whole file where it is known: the tensors must then end exactly there.
 */
export function parseSafetensorsHeader(
  bytes: Uint8Array,
  file = 'The safetensors file',
  fileSize: number | null = null,
): SafetensorsHeader {
  const fail = failures(file);
  if (bytes.length < 8) {
    throw fail('truncated', `it ends after ${bytes.length} bytes, within the length of its header`);
  }
  const length = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true);
  if (length > LARGEST_HEADER) {
    throw fail('corrupt', `its header claims ${length} bytes; the format allows ${LARGEST_HEADER}`);
  }
  const dataStart = 8 + Number(length);
  if (dataStart > bytes.length) {
    throw fail('truncated', `its header needs ${dataStart} bytes, there are ${bytes.length}`, {
      needed: dataStart,
      found: bytes.length,
    });
  }
  const table = parseTable(bytes.subarray(8, dataStart), fail);

  const metadata = new Map<string, string>();
  const tensors = new Map<string, SafetensorsEntry>();
  for (const [name, value] of Object.entries(table)) {
    if (name !== '__metadata__') {
      tensors.set(name, readEntry(name, value, dataStart, fail));
      continue;
    }
    if (!isObject(value)) throw fail('corrupt', 'its metadata is not an object');
    for (const [key, text] of Object.entries(value)) {
      if (typeof text !== 'string') throw fail('corrupt', `its metadata "${key}" is not a string`);
      metadata.set(key, text);
    }
  }
  checkLayout(tensors, dataStart, fileSize, fail);
  return { tensors, metadata, dataStart };
}

/** The tensors must fill the data without gaps or overlaps: anything else is damage or deceit. */
function checkLayout(
  tensors: ReadonlyMap<string, SafetensorsEntry>,
  dataStart: number,
  fileSize: number | null,
  fail: Failures,
): void {
  const inOrder = [...tensors].sort(([, a], [, b]) => a.begin - b.begin || a.end - b.end);
  let position = dataStart;
  for (const [tensor, { begin, end }] of inOrder) {
    if (begin !== position) {
      const what = begin < position ? 'overlaps the tensor before it' : 'leaves a gap before it';
      throw fail('corrupt', `the tensor "${tensor}" ${what} (it begins at byte ${begin})`, {
        tensor,
      });
    }
    if (fileSize !== null && end > fileSize) {
      throw fail(
        'truncated',
        `the tensor "${tensor}" ends at byte ${end}, the file at byte ${fileSize}`,
        { tensor, needed: end, found: fileSize },
      );
    }
    position = end;
  }
  if (fileSize !== null && position < fileSize) {
    throw fail('corrupt', `${fileSize - position} bytes follow the last tensor`);
  }
}

function readEntry(
  tensor: string,
  value: unknown,
  dataStart: number,
  fail: Failures,
): SafetensorsEntry {
  const broken = (reason: string) =>
    fail('corrupt', `the tensor "${tensor}" ${reason}`, { tensor });
  if (!isObject(value)) throw broken('is not described by an object');
  const { dtype, shape, data_offsets: offsets } = value;
  if (typeof dtype !== 'string') throw broken('has no type');
  if (!Object.hasOwn(BYTES, dtype)) {
    const reason = `the tensor "${tensor}" has the type "${dtype}", which is not read here`;
    throw fail('unsupported', reason, { tensor, dtype });
  }
  if (!Array.isArray(shape) || !shape.every(isSize)) throw broken('has a broken shape');
  if (!Array.isArray(offsets) || offsets.length !== 2 || !offsets.every(isSize)) {
    throw broken('has broken offsets');
  }
  const [from, to] = offsets as [number, number];
  let size = BYTES[dtype as SafetensorsType] as number;
  for (const extent of shape) size *= extent;
  if (!Number.isSafeInteger(size)) throw broken(`is larger than any file (${shape.join(' x ')})`);
  if (to < from) throw broken(`ends (${to}) before it begins (${from})`);
  if (to - from !== size) {
    throw broken(`has ${to - from} bytes where ${dtype} [${shape.join(', ')}] needs ${size}`);
  }
  return {
    dtype: dtype as SafetensorsType,
    shape: [...shape],
    begin: dataStart + from,
    end: dataStart + to,
  };
}

function parseTable(bytes: Uint8Array, fail: Failures): Record<string, unknown> {
  let table: unknown;
  try {
    table = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch (cause) {
    throw fail('corrupt', `its header is not JSON (${(cause as Error).message})`);
  }
  if (!isObject(table)) throw fail('corrupt', 'its header is not a table of tensors');
  return table;
}

/**
 * The numbers of a tensor, as a copy: F32, F16 and BF16 as Float32Array, the others in the array of
 * their own type. `bytes` begins at byte `offset` of the file.
 */
export function readTensor(
  bytes: Uint8Array,
  entry: SafetensorsEntry,
  offset = 0,
):
  | Float32Array
  | Float64Array
  | Int32Array
  | Uint32Array
  | Int16Array
  | Uint16Array
  | Int8Array
  | Uint8Array
  | BigInt64Array
  | BigUint64Array {
  const from = entry.begin - offset;
  const to = entry.end - offset;
  if (from < 0 || to > bytes.length) {
    throw new HeadlightsError(
      'bad-argument',
      `Bytes ${entry.begin} to ${entry.end} of the file are not among those given.`,
    );
  }
  const copy = new Uint8Array(to - from); // not slice(): a Buffer's shares its memory
  copy.set(bytes.subarray(from, to));
  const { buffer } = copy;
  switch (entry.dtype) {
    case 'F32':
      return new Float32Array(buffer);
    case 'F16':
    case 'BF16':
      return widenHalf(copy, entry.dtype);
    case 'F64':
      return new Float64Array(buffer);
    case 'I8':
      return new Int8Array(buffer);
    case 'U8':
    case 'BOOL':
      return copy;
    case 'I16':
      return new Int16Array(buffer);
    case 'U16':
      return new Uint16Array(buffer);
    case 'I32':
      return new Int32Array(buffer);
    case 'U32':
      return new Uint32Array(buffer);
    case 'I64':
      return new BigInt64Array(buffer);
    case 'U64':
      return new BigUint64Array(buffer);
  }
}

type Failures = (
  code: 'truncated' | 'corrupt' | 'unsupported',
  reason: string,
  details?: Record<string, unknown>,
) => HeadlightsError;

function failures(file: string): Failures {
  const said = { truncated: 'is cut off', corrupt: 'is broken', unsupported: 'cannot be used' };
  return (code, reason, details = {}) =>
    new HeadlightsError(code, `${file} ${said[code]}: ${reason}.`, { file, ...details });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isSize(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
