/**
 * Long or unpaired-surrogate texts for the link's `z`: JSON (which keeps every UTF-16 unit), raw
 * deflate, base64url. Unpacking is bounded, since a link comes from anybody.
 */

const MOST_BYTES = 4_000_000;

export interface PackedTexts {
  text: string;
  pair: string | null;
}

export function canPack(): boolean {
  try {
    new CompressionStream('deflate-raw');
    return true;
  } catch {
    return false;
  }
}

export async function packTexts({ text, pair }: PackedTexts): Promise<string> {
  const json = JSON.stringify(pair === null ? [text] : [text, pair]);
  const bytes = await through(
    new TextEncoder().encode(json),
    new CompressionStream('deflate-raw'),
    Number.POSITIVE_INFINITY,
  );
  return toBase64Url(bytes);
}

/** null when the value is not what `packTexts` makes, or would unpack to an unreasonable size. */
export async function unpackTexts(value: string): Promise<PackedTexts | null> {
  try {
    const stream = new DecompressionStream('deflate-raw');
    const bytes = await through(fromBase64Url(value), stream, MOST_BYTES);
    const parts: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (!Array.isArray(parts) || parts.length < 1 || parts.length > 2) return null;
    const [text, pair = null] = parts as unknown[];
    if (typeof text !== 'string' || (pair !== null && typeof pair !== 'string')) return null;
    return { text, pair };
  } catch {
    return null;
  }
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
  most: number,
): Promise<Uint8Array> {
  const writer = stream.writable.getWriter();
  // Failures of the writing side show on the reading side too; one report is enough.
  const written = writer.write(bytes).then(() => writer.close());
  written.catch(() => {});
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = stream.readable.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > most) {
      await reader.cancel();
      throw new RangeError('unpacks to too much');
    }
    chunks.push(value);
  }
  await written;
  const all = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.byteLength;
  }
  return all;
}

function toBase64Url(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function fromBase64Url(value: string): Uint8Array<ArrayBuffer> {
  if (!/^[\w-]+$/.test(value)) throw new SyntaxError('not base64url');
  const binary = atob(value.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
