/** The types of NumPy that are read: booleans, integers and floats of up to 64 bits, in either byte order. */
import { readTensor, type SafetensorsType } from '../engine/formats/safetensors.ts';
import { ArrayError, type ArrayErrorDetails } from './errors.ts';
import type { Numbers } from './fill.ts';
import type { PythonValue } from './python-literal.ts';
import { titleOf } from './shape.ts';

export interface NpyType {
  /** As the file writes it: '<f4'. */
  readonly descr: string;
  readonly size: number;
  /** Numbers out of bytes, which are changed when their order is the other one. */
  decode(bytes: Uint8Array): Numbers;
}

/** The same types under the names of safetensors, whose reader decodes them. */
const TYPES: Readonly<Record<string, SafetensorsType>> = {
  f2: 'F16',
  f4: 'F32',
  f8: 'F64',
  i1: 'I8',
  i2: 'I16',
  i4: 'I32',
  i8: 'I64',
  u1: 'U8',
  u2: 'U16',
  u4: 'U32',
  u8: 'U64',
  b1: 'BOOL',
};

const OTHERS: Readonly<Record<string, string>> = {
  O: 'Python objects',
  c: 'complex numbers',
  U: 'text',
  S: 'text',
  a: 'text',
  V: 'raw bytes or structures',
  M: 'dates',
  m: 'durations',
  f: 'floats of more than 64 bits',
  g: 'floats of more than 64 bits',
};

export function npyType(descr: PythonValue | undefined, where: ArrayErrorDetails): NpyType {
  if (typeof descr !== 'string') throw unsupported(written(descr), 'structures', where);
  const [, order, kind] = /^([<>|=]?)([?A-Za-z]\d*)$/.exec(descr) ?? [];
  const name = kind === '?' ? 'b1' : kind;
  if (name === undefined || !Object.hasOwn(TYPES, name))
    throw unsupported(descr, OTHERS[descr.replace(/^[<>|=]/, '')[0] ?? ''] ?? 'unknown', where);
  const type = TYPES[name]!;
  const size = Number(name.slice(1));
  return {
    descr,
    size,
    decode(bytes) {
      if (order === '>') reverseEach(bytes, size);
      const entry = {
        dtype: type,
        shape: [bytes.length / size],
        begin: 0,
        end: bytes.length,
      };
      const values = readTensor(bytes, entry);
      return type === 'BOOL' ? (values as Uint8Array).map((value) => (value ? 1 : 0)) : values;
    },
  };
}

function unsupported(descr: string, kind: string, where: ArrayErrorDetails): ArrayError {
  return new ArrayError(
    'unsupported-type',
    `${titleOf(where)} holds values of type ${descr} (${kind}); booleans, integers and floats of up to 64 bits are read.`,
    { ...where, dtype: descr, found: kind },
  );
}

function written(value: PythonValue | undefined): string {
  if (value instanceof Map) return '{…}';
  if (Array.isArray(value)) return `[${value.map(written).join(', ')}]`;
  return typeof value === 'string' ? `'${value}'` : String(value);
}

function reverseEach(bytes: Uint8Array, size: number): void {
  if (size === 1) return;
  for (let at = 0; at < bytes.length; at += size) bytes.subarray(at, at + size).reverse();
}
