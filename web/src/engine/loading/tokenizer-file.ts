/** Brings a model's `tokenizer.json`, gzipped where a pack has it so, and makes the tokenizer of it. */
import { HeadlightsError } from '../errors.ts';
import { type ByteSource, type Folder, parseJson, readAll } from '../sources/byte-source.ts';
import { createTokenizer, type Tokenizer } from '../tokens/tokenizer.ts';
import type { Card } from './card.ts';

/** The largest in common use (a quarter of a million pieces) has 17 MB. */
const LIMIT = 64 << 20;

export interface LoadedTokenizer {
  tokenizer: Tokenizer;
  /** That came over the network. */
  bytes: number;
}

export async function loadTokenizer(
  folder: Folder,
  card: Card | null,
  signal: AbortSignal,
): Promise<LoadedTokenizer> {
  if (card?.files.has('tokenizer.json.gz') && typeof DecompressionStream === 'function') {
    const source = folder.file('tokenizer.json.gz');
    const packed = await readAll(source, LIMIT, { signal }).catch((error: unknown) => {
      if (error instanceof HeadlightsError && error.code === 'not-found') return null;
      throw error;
    });
    if (packed !== null) {
      const bytes = await unpack(packed, source, card);
      await checkDigest(bytes, source, card.files.get('tokenizer.json')?.sha256);
      return { tokenizer: make(bytes, source.name), bytes: packed.length };
    }
  }
  const source = folder.file('tokenizer.json');
  const bytes = await readAll(source, LIMIT, { signal });
  checkLength(bytes.length, source, card?.files.get('tokenizer.json')?.bytes);
  await checkDigest(bytes, source, card?.files.get('tokenizer.json')?.sha256);
  return { tokenizer: make(bytes, source.name), bytes: bytes.length };
}

function make(bytes: Uint8Array, name: string): Tokenizer {
  return createTokenizer(parseJson(bytes, name));
}

/** Some hosts unpack .gz files on the way; then there is nothing left to do. */
async function unpack(packed: Uint8Array, source: ByteSource, card: Card): Promise<Uint8Array> {
  if (packed[0] !== 0x1f || packed[1] !== 0x8b) return packed;
  checkLength(packed.length, source, card.files.get('tokenizer.json.gz')?.bytes);
  try {
    const stream = new Blob([packed as BlobPart])
      .stream()
      .pipeThrough(new DecompressionStream('gzip'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch (cause) {
    throw new HeadlightsError(
      'corrupt',
      `${source.name} is damaged: it cannot be unpacked.`,
      { file: source.name },
      { cause },
    );
  }
}

function checkLength(length: number, source: ByteSource, expected: number | undefined): void {
  if (expected === undefined || length === expected) return;
  throw new HeadlightsError(
    length < expected ? 'truncated' : 'corrupt',
    `${source.name} has ${length} bytes, but its card says ${expected}.`,
    { file: source.name, length, needed: expected },
  );
}

/** Pages without a secure address have no crypto.subtle; there gzip's own check sum has to do. */
async function checkDigest(
  bytes: Uint8Array,
  source: ByteSource,
  expected: string | null | undefined,
): Promise<void> {
  const subtle = globalThis.crypto?.subtle;
  if (!expected || subtle === undefined) return;
  const digest = new Uint8Array(await subtle.digest('SHA-256', bytes as BufferSource));
  const found = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  if (found === expected) return;
  throw new HeadlightsError(
    'corrupt',
    `${source.name} is damaged: it does not match the check sum on its card.`,
    { file: source.name },
  );
}
