/** Writes GGUF headers and files for tests, valid or wrong in a chosen way. */

export interface TensorInput {
  name: string;
  /** Outermost first. */
  shape: number[];
  /** ggml's number: 0 F32, 1 F16, 8 Q8_0, 30 BF16. */
  type: number;
  data: Uint8Array;
  /** Instead of the next free place. */
  offset?: number;
}

export type Value =
  | { type: 'string'; value: string }
  | { type: 'u32'; value: number }
  | { type: 'f32'; value: number }
  | { type: 'bool'; value: number }
  | { type: 'strings'; value: string[] }
  | { type: 'unknown'; value: number };

export interface GgufInput {
  magic?: string;
  version?: number;
  keys: [string, Value][];
  tensors: TensorInput[];
  /** Instead of the real numbers. */
  tensorCount?: bigint;
  keyCount?: bigint;
  alignment?: number;
}

class Bytes {
  private readonly parts: Uint8Array[] = [];
  length = 0;

  add(bytes: Uint8Array): this {
    this.parts.push(bytes);
    this.length += bytes.length;
    return this;
  }
  private number(size: number, write: (view: DataView) => void): this {
    const bytes = new Uint8Array(size);
    write(new DataView(bytes.buffer));
    return this.add(bytes);
  }
  u8 = (value: number) => this.number(1, (view) => view.setUint8(0, value));
  u32 = (value: number) => this.number(4, (view) => view.setUint32(0, value, true));
  f32 = (value: number) => this.number(4, (view) => view.setFloat32(0, value, true));
  u64 = (value: number | bigint) =>
    this.number(8, (view) => view.setBigUint64(0, BigInt(value), true));
  text(value: string): this {
    const bytes = new TextEncoder().encode(value);
    return this.u64(bytes.length).add(bytes);
  }
  all(): Uint8Array {
    const result = new Uint8Array(this.length);
    let offset = 0;
    for (const part of this.parts) {
      result.set(part, offset);
      offset += part.length;
    }
    return result;
  }
}

export function writeGguf(input: GgufInput): Uint8Array {
  const { magic = 'GGUF', version = 3, keys, tensors, alignment = 32 } = input;
  const out = new Bytes().add(new TextEncoder().encode(magic)).u32(version);
  out.u64(input.tensorCount ?? tensors.length).u64(input.keyCount ?? keys.length);
  for (const [key, entry] of keys) {
    out.text(key);
    if (entry.type === 'string') out.u32(8).text(entry.value);
    else if (entry.type === 'u32') out.u32(4).u32(entry.value);
    else if (entry.type === 'f32') out.u32(6).f32(entry.value);
    else if (entry.type === 'bool') out.u32(7).u8(entry.value);
    else if (entry.type === 'unknown') out.u32(entry.value);
    else {
      out.u32(9).u32(8).u64(entry.value.length);
      for (const item of entry.value) out.text(item);
    }
  }
  let next = 0;
  const placed = tensors.map((tensor) => {
    const offset = tensor.offset ?? next;
    next = Math.ceil((offset + tensor.data.length) / alignment) * alignment;
    return { ...tensor, offset };
  });
  for (const { name, shape, type, offset } of placed) {
    out.text(name).u32(shape.length);
    for (const extent of [...shape].reverse()) out.u64(extent);
    out.u32(type).u64(offset);
  }
  const padded = Math.ceil(out.length / alignment) * alignment;
  const end = placed.reduce((most, { offset, data }) => Math.max(most, offset + data.length), 0);
  const file = new Uint8Array(padded + end);
  file.set(out.all());
  for (const { offset, data } of placed) file.set(data, padded + offset);
  return file;
}
