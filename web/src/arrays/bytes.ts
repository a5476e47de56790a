/** Bytes of a file: anywhere by slices, so that a large one is never read whole, or one after another. */
import { ArrayError } from './errors.ts';

const PIECE = 1 << 22;

export interface Bytes {
  readonly name: string;
  readonly size: number;
  /** Bytes [from, to), fewer at the end. */
  slice(from: number, to: number): Promise<Uint8Array>;
}

export function bytesOf(name: string, from: Uint8Array | Blob): Bytes {
  if (from instanceof Uint8Array)
    return { name, size: from.length, slice: async (a, b) => from.subarray(a, b) };
  return {
    name,
    size: from.size,
    async slice(a, b) {
      try {
        return new Uint8Array(await from.slice(a, b).arrayBuffer());
      } catch (cause) {
        const message = `${name} cannot be read: it changed or is no longer there.`;
        throw new ArrayError('unreadable', message, { file: name }, { cause });
      }
    },
  };
}

/** Bytes [from, to) piece by piece. */
export async function* pieces(bytes: Bytes, from = 0, to = bytes.size): AsyncGenerator<Uint8Array> {
  for (let at = from; at < to; at += PIECE) yield bytes.slice(at, Math.min(to, at + PIECE));
}

/** Takes bytes one after another out of pieces of any size. */
export class ByteStream {
  private piece: Uint8Array = new Uint8Array(0);
  private taken = 0;

  constructor(private readonly pieces: AsyncGenerator<Uint8Array>) {}

  /** As many bytes as were taken or passed so far. */
  get position(): number {
    return this.taken;
  }

  /** The next `count` bytes as a copy; fewer when the file ends before. */
  async take(count: number): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    let missing = count;
    while (missing > 0) {
      if (this.piece.length === 0) {
        const { value, done } = await this.pieces.next();
        if (done) break;
        this.piece = value;
      }
      const part = this.piece.subarray(0, missing);
      this.piece = this.piece.subarray(part.length);
      missing -= part.length;
      parts.push(part);
    }
    const result = new Uint8Array(count - missing);
    let at = 0;
    for (const part of parts) {
      result.set(part, at);
      at += part.length;
    }
    this.taken += result.length;
    return result;
  }

  /** Ends the source of the pieces, where not all was taken. */
  async close(): Promise<void> {
    await this.pieces.return(undefined);
  }
}
