/**
 * One way to read bytes, wherever a file lives: at an address, in a dropped File, or on Node's disk. Loaders
 * know only this. A source says in its name what a reader of an error message would call the file.
 */
import { HeadlightsError } from '../errors.ts';

export interface OpenOptions {
  signal?: AbortSignal;
}

export interface OpenedStream {
  /** The host ignored the range: the bytes go on from `from` to the end of the file. */
  whole: boolean;
  /** Leaving the loop early closes the connection or the file. A chunk is never written to again. */
  chunks: AsyncGenerator<Uint8Array, void, void>;
}

export interface ByteSource {
  readonly name: string;
  /** Bytes in all; null until the source has said so. */
  readonly size: number | null;
  /** What came was wrong: no cache may answer for it again, in later loads neither. */
  doubt?(): void;
  /** False once the host has answered a range with the whole file. */
  readonly ranges: boolean;
  /** Bytes [from, to) (to the end when `to` is null) as they come; may end early when the file does. */
  open(from: number, to: number | null, options?: OpenOptions): Promise<OpenedStream>;
}

/** A place with several files: a pack, a Hugging Face folder, dropped files. */
export interface Folder {
  /** As in messages, for example `models/minilm-en/`. */
  readonly name: string;
  file(name: string): ByteSource;
}

/** Exactly the bytes [from, to); `truncated` when the file ends before. */
export async function readRange(
  source: ByteSource,
  from: number,
  to: number,
  options: OpenOptions = {},
): Promise<Uint8Array> {
  const bytes = new Uint8Array(to - from);
  let filled = 0;
  if (bytes.length === 0) return bytes;
  const { chunks } = await source.open(from, to, options);
  for await (const chunk of chunks) {
    const wanted = Math.min(chunk.length, bytes.length - filled);
    bytes.set(wanted === chunk.length ? chunk : chunk.subarray(0, wanted), filled);
    filled += wanted;
    if (filled === bytes.length) return bytes;
  }
  throw truncated(source, from + filled, to);
}

/** A whole small file; `corrupt` when it is larger than `limit`. */
export async function readAll(
  source: ByteSource,
  limit: number,
  options: OpenOptions = {},
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const { chunks } = await source.open(0, null, options);
  for await (const chunk of chunks) {
    parts.push(chunk);
    length += chunk.length;
    if (length > limit) {
      throw new HeadlightsError(
        'corrupt',
        `${source.name} is larger than the ${limit} bytes that such a file may take.`,
        { file: source.name, limit },
      );
    }
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}

/** A JSON file; `corrupt` when it is not valid UTF-8 or not JSON, naming the file. */
export async function readJson(
  source: ByteSource,
  limit: number,
  options: OpenOptions = {},
): Promise<unknown> {
  return parseJson(await readAll(source, limit, options), source.name);
}

export function parseJson(bytes: Uint8Array, name: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new HeadlightsError(
      'corrupt',
      `${name} is not valid JSON (${bytes.length} bytes).`,
      { file: name },
      { cause },
    );
  }
}

export function truncated(source: ByteSource, length: number, needed: number): HeadlightsError {
  return new HeadlightsError(
    'truncated',
    `${source.name} ends after ${length} bytes, but ${needed} are needed.`,
    { file: source.name, length, needed },
  );
}
