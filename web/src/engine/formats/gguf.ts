/**
 * Reads the header of a GGUF file (version 3, little-endian): its metadata and where its tensors lie. The
 * values come one by one from a stream, every length is bounded before it is believed, and every contradiction
 * is an error that names the key or tensor. The tensors' bytes are the loader's business.
 * Format: github.com/ggml-org/ggml, docs/gguf.md.
 */
import { HeadlightsError } from '../errors.ts';
import type { ElementTypeName } from '../wasm/module.ts';
import type { Cursor } from './cursor.ts';
import { checkSpec, type ModelSpec, rowBytes, type StoredTensor } from './spec.ts';

export const GGUF_HEADER_LIMIT = 64 * 1024 * 1024;

export type GgufValue = string | number | boolean | readonly (string | number | boolean)[];

export interface GgufHeader {
  /** Arrays longer than 64 values (vocabularies) are skipped: they are here as empty arrays. */
  metadata: Map<string, GgufValue>;
  tensors: Map<string, StoredTensor>;
  /** Where the tensors' bytes begin. */
  dataStart: number;
}

const LIMITS = { keys: 4096, tensors: 65_536, name: 512, text: 4 << 20, array: 16 << 20, kept: 64 };

/** ggml's numbers of the element types that can be computed with here. */
const ELEMENT_TYPES: Record<number, ElementTypeName> = {
  0: 'F32',
  1: 'F16',
  8: 'Q8_0',
  30: 'BF16',
};

/** Names of the others, for messages. */
const OTHER_TYPES: Record<number, string> = {
  2: 'Q4_0',
  3: 'Q4_1',
  6: 'Q5_0',
  7: 'Q5_1',
  9: 'Q8_1',
  10: 'Q2_K',
  11: 'Q3_K',
  12: 'Q4_K',
  13: 'Q5_K',
  14: 'Q6_K',
  15: 'Q8_K',
  16: 'IQ2_XXS',
  17: 'IQ2_XS',
  18: 'IQ3_XXS',
  19: 'IQ1_S',
  20: 'IQ4_NL',
  21: 'IQ3_S',
  22: 'IQ2_S',
  23: 'IQ4_XS',
  24: 'I8',
  25: 'I16',
  26: 'I32',
  27: 'I64',
  28: 'F64',
  29: 'IQ1_M',
  34: 'TQ1_0',
  35: 'TQ2_0',
  39: 'MXFP4',
};

const STRING = 8;
const ARRAY = 9;

type Scalar = { size: number; read: (view: DataView, offset: number) => number | boolean | null };

/** By ggml's number of the value type; 7 is a boolean, which must be 0 or 1. */
const SCALARS: Record<number, Scalar> = {
  0: { size: 1, read: (view, at) => view.getUint8(at) },
  1: { size: 1, read: (view, at) => view.getInt8(at) },
  2: { size: 2, read: (view, at) => view.getUint16(at, true) },
  3: { size: 2, read: (view, at) => view.getInt16(at, true) },
  4: { size: 4, read: (view, at) => view.getUint32(at, true) },
  5: { size: 4, read: (view, at) => view.getInt32(at, true) },
  6: { size: 4, read: (view, at) => view.getFloat32(at, true) },
  7: { size: 1, read: (view, at) => [false, true][view.getUint8(at)] ?? null },
  10: { size: 8, read: (view, at) => Number(view.getBigUint64(at, true)) },
  11: { size: 8, read: (view, at) => Number(view.getBigInt64(at, true)) },
  12: { size: 8, read: (view, at) => view.getFloat64(at, true) },
};

/** Leaves the cursor at the end of the header. `size`: the file's length where it is known. */
export async function readGgufHeader(cursor: Cursor, size: number | null): Promise<GgufHeader> {
  await readMagic(cursor);
  const tensorCount = await boundedCount(cursor, 'the number of tensors', LIMITS.tensors);
  const keyCount = await boundedCount(cursor, 'the number of metadata keys', LIMITS.keys);
  const metadata = new Map<string, GgufValue>();
  for (let i = 0; i < keyCount; i++) {
    const key = await readString(cursor, `metadata key ${i}`, LIMITS.name);
    if (metadata.has(key)) throw corrupt(cursor, `the metadata key ${key} twice`, { key });
    metadata.set(key, await readValue(cursor, key));
  }
  const entries: TensorEntry[] = [];
  for (let i = 0; i < tensorCount; i++) entries.push(await readTensorEntry(cursor, i));
  const alignment = alignmentOf(cursor, metadata);
  const dataStart = Math.ceil(cursor.position / alignment) * alignment;
  const tensors = layOut(cursor, entries, dataStart, alignment, size);
  return { metadata, tensors, dataStart };
}

async function readMagic(cursor: Cursor): Promise<void> {
  const magic = await cursor.bytes(4, 'its first four bytes');
  if (String.fromCharCode(...magic) !== 'GGUF') {
    throw new HeadlightsError(
      'corrupt',
      `${cursor.name} is not a GGUF file: it does not begin with "GGUF".`,
      {
        file: cursor.name,
      },
    );
  }
  const version = await cursor.u32('its version');
  if (version === 3) return;
  const swapped = ((version >>> 24) | ((version >>> 8) & 0xff00) | (version << 8)) >>> 0;
  throw new HeadlightsError(
    version === 0 || (version > 0xffff && swapped > 0xffff) ? 'corrupt' : 'unsupported',
    version > 0xffff
      ? `${cursor.name} is a big-endian GGUF file; only little-endian ones can be read.`
      : `${cursor.name} is GGUF version ${version}; only version 3 can be read.`,
    { file: cursor.name, version },
  );
}

async function boundedCount(cursor: Cursor, what: string, limit: number): Promise<number> {
  const count = await cursor.u64(what);
  if (count > limit)
    throw corrupt(cursor, `${count} as ${what}, where at most ${limit} are believable`, {
      at: what,
    });
  return count;
}

async function readString(cursor: Cursor, what: string, limit: number): Promise<string> {
  const length = await cursor.u64(`the length of ${what}`);
  if (length > limit) {
    throw corrupt(
      cursor,
      `${length} bytes as the length of ${what}, where at most ${limit} are believable`,
      {
        at: what,
      },
    );
  }
  const bytes = await cursor.bytes(length, what);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw corrupt(cursor, `${what} in invalid UTF-8`, { at: what });
  }
}

async function readValue(cursor: Cursor, key: string): Promise<GgufValue> {
  const type = await cursor.u32(`the type of ${key}`);
  if (type !== ARRAY) return readScalar(cursor, type, key);
  const itemType = await cursor.u32(`the type of the values of ${key}`);
  const count = await boundedCount(cursor, `the number of values of ${key}`, LIMITS.array);
  if (itemType === ARRAY) throw corrupt(cursor, `an array of arrays for ${key}`, { key });
  const kept: (string | number | boolean)[] = [];
  for (let i = 0; i < count; i++) {
    const value = await readScalar(cursor, itemType, key);
    if (count <= LIMITS.kept) kept.push(value);
  }
  return kept;
}

async function readScalar(
  cursor: Cursor,
  type: number,
  key: string,
): Promise<string | number | boolean> {
  if (type === STRING) return readString(cursor, key, LIMITS.text);
  const scalar = SCALARS[type];
  if (scalar === undefined)
    throw corrupt(cursor, `the unknown value type ${type} for ${key}`, { key, type });
  const value = await cursor.value(scalar.size, key, scalar.read);
  if (value === null) throw corrupt(cursor, `neither 0 nor 1 for the boolean ${key}`, { key });
  return value;
}

interface TensorEntry {
  name: string;
  type: ElementTypeName;
  shape: number[];
  offset: number;
  bytes: number;
}

async function readTensorEntry(cursor: Cursor, index: number): Promise<TensorEntry> {
  const name = await readString(cursor, `the name of tensor ${index}`, LIMITS.name);
  const dimensions = await cursor.u32(`the dimensions of ${name}`);
  if (dimensions < 1 || dimensions > 4)
    throw corrupt(cursor, `${dimensions} dimensions for ${name}, where 1 to 4 are possible`, {
      tensor: name,
    });
  const shape: number[] = [];
  let elements = 1;
  for (let i = 0; i < dimensions; i++) {
    const extent = await cursor.u64(`dimension ${i} of ${name}`);
    elements *= extent;
    if (extent < 1 || elements > Number.MAX_SAFE_INTEGER / 8)
      throw corrupt(cursor, `the impossible dimension ${extent} for ${name}`, { tensor: name });
    shape.unshift(extent); // the file has the innermost first
  }
  const typeNumber = await cursor.u32(`the type of ${name}`);
  const type = ELEMENT_TYPES[typeNumber];
  if (type === undefined) {
    const other = OTHER_TYPES[typeNumber];
    if (other === undefined)
      throw corrupt(cursor, `the unknown type ${typeNumber} for ${name}`, {
        tensor: name,
        type: typeNumber,
      });
    throw new HeadlightsError(
      'unsupported',
      `${name} in ${cursor.name} is stored as ${other}; F32, F16, BF16 and Q8_0 can be read.`,
      { file: cursor.name, tensor: name, type: other },
    );
  }
  const row = rowBytes(type, shape[shape.length - 1]!);
  if (row === null)
    throw corrupt(
      cursor,
      `rows of ${shape[shape.length - 1]} numbers for ${name}, which is not a multiple of 32`,
      { tensor: name },
    );
  const offset = await cursor.u64(`the offset of ${name}`);
  return { name, type, shape, offset, bytes: row * (elements / shape[shape.length - 1]!) };
}

function alignmentOf(cursor: Cursor, metadata: ReadonlyMap<string, GgufValue>): number {
  const alignment = metadata.get('general.alignment') ?? 32;
  if (typeof alignment !== 'number' || alignment < 8 || alignment > 65_536 || alignment % 8 !== 0)
    throw corrupt(cursor, `${String(alignment)} as general.alignment`, {
      key: 'general.alignment',
    });
  return alignment;
}

/** Absolute places; nothing may overlap or reach beyond the file's end. */
function layOut(
  cursor: Cursor,
  entries: readonly TensorEntry[],
  dataStart: number,
  alignment: number,
  size: number | null,
): Map<string, StoredTensor> {
  const tensors = new Map<string, StoredTensor>();
  let previous: TensorEntry | null = null;
  let longest = 0;
  for (const entry of [...entries].sort((a, b) => a.offset - b.offset)) {
    const { name, type, shape, offset, bytes } = entry;
    if (tensors.has(name)) throw corrupt(cursor, `the tensor ${name} twice`, { tensor: name });
    if (offset % alignment !== 0)
      throw corrupt(
        cursor,
        `${offset} as the offset of ${name}, which is not a multiple of ${alignment}`,
        {
          tensor: name,
        },
      );
    if (previous !== null && previous.offset + previous.bytes > offset)
      throw corrupt(cursor, `overlapping places for ${previous.name} and ${name}`, {
        tensor: name,
      });
    const begin = dataStart + offset;
    if (!Number.isSafeInteger(begin + bytes))
      throw corrupt(cursor, `an absurd offset for ${name}`, { tensor: name });
    tensors.set(name, { name, type, shape, begin, end: begin + bytes });
    longest = begin + bytes;
    previous = entry;
  }
  if (size !== null && size < longest) {
    throw new HeadlightsError(
      'truncated',
      `${cursor.name} has ${size} bytes, but its tensors reach to byte ${longest} (${previous?.name}).`,
      { file: cursor.name, length: size, needed: longest, tensor: previous?.name },
    );
  }
  return tensors;
}

function corrupt(cursor: Cursor, what: string, details: Record<string, unknown>): HeadlightsError {
  return new HeadlightsError('corrupt', `The header of ${cursor.name} gives ${what}.`, {
    file: cursor.name,
    ...details,
  });
}

/** The sizes of a model of architecture `bert`; `unsupported` for any other. */
export function specFromGguf(header: GgufHeader, file: string): ModelSpec {
  const { metadata, tensors } = header;
  const architecture = metadata.get('general.architecture');
  if (architecture !== 'bert') {
    throw new HeadlightsError(
      'unsupported',
      `${file} holds a model of architecture ${JSON.stringify(architecture ?? null)}; only "bert" can be read.`,
      { file, architecture },
    );
  }
  if (metadata.get('bert.attention.causal') === true) {
    throw new HeadlightsError(
      'unsupported',
      `${file} holds a causal model; only encoders can be read.`,
      {
        file,
        key: 'bert.attention.causal',
      },
    );
  }
  const number = (key: string): number => {
    const value = metadata.get(key);
    if (typeof value !== 'number') {
      throw new HeadlightsError('corrupt', `${file} does not give the number ${key}.`, {
        file,
        key,
      });
    }
    return value;
  };
  const rows = (name: string): number => {
    const tensor = tensors.get(name);
    if (tensor === undefined)
      throw new HeadlightsError('corrupt', `${file} has no tensor ${name}.`, {
        file,
        tensor: name,
      });
    return tensor.shape.length === 2 ? tensor.shape[0]! : 1;
  };
  const spec: ModelSpec = {
    family: 'bert',
    layers: number('bert.block_count'),
    heads: number('bert.attention.head_count'),
    width: number('bert.embedding_length'),
    feedForward: number('bert.feed_forward_length'),
    vocabulary: rows('token_embd.weight'),
    positions: rows('position_embd.weight'),
    maxTokens: metadata.has('bert.context_length')
      ? number('bert.context_length')
      : rows('position_embd.weight'),
    types: rows('token_types.weight'),
    epsilon: number('bert.attention.layer_norm_epsilon'),
  };
  if (spec.maxTokens > spec.positions) {
    throw new HeadlightsError(
      'corrupt',
      `${file} gives a context of ${spec.maxTokens} tokens but has only ${spec.positions} positions.`,
      { file, key: 'bert.context_length', value: spec.maxTokens, positions: spec.positions },
    );
  }
  checkSpec(spec, file);
  return spec;
}
