/** Writes ZIP files, also such as no good program writes: every field can be given a false value. */
import { deflateRawSync, crc32 as sumOf } from 'node:zlib';
import { type Data, utf8 } from './support.ts';

export interface ZipPart {
  name: string;
  data: Uint8Array;
  deflated?: boolean;
  flags?: number;
  method?: number;
  crc?: number;
  size?: number;
  packed?: number;
}

export function zipFile(parts: readonly ZipPart[], comment = ''): Data {
  const files: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const part of parts) {
    const name = utf8(part.name);
    const data = part.deflated ? deflateRawSync(part.data) : part.data;
    const common = new Uint8Array(26);
    const view = new DataView(common.buffer);
    view.setUint16(0, 20, true);
    view.setUint16(2, part.flags ?? 0, true);
    view.setUint16(4, part.method ?? (part.deflated ? 8 : 0), true);
    view.setUint32(10, part.crc ?? sumOf(part.data), true);
    view.setUint32(14, part.packed ?? data.length, true);
    view.setUint32(18, part.size ?? part.data.length, true);
    view.setUint16(22, name.length, true);
    files.push(new Uint8Array([0x50, 0x4b, 3, 4]), common, name, data);
    const place = new Uint8Array(14);
    new DataView(place.buffer).setUint32(10, offset, true);
    directory.push(new Uint8Array([0x50, 0x4b, 1, 2, 20, 0]), common, place, name);
    offset += 30 + name.length + data.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const end = new Uint8Array(22);
  const view = new DataView(end.buffer);
  end.set([0x50, 0x4b, 5, 6]);
  view.setUint16(8, parts.length, true);
  view.setUint16(10, parts.length, true);
  view.setUint32(12, size, true);
  view.setUint32(16, offset, true);
  const note = utf8(comment);
  view.setUint16(20, note.length, true);
  return new Uint8Array(Buffer.concat([...files, ...directory, end, note]));
}
