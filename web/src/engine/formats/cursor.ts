/**
 * Reads a file's header value by value out of a stream that arrives in chunks. It keeps what it has read (up
 * to a limit), so that the header can be checked as a whole, and gives the rest back to the stream.
 */
import { HeadlightsError } from '../errors.ts';
import type { Feed } from '../sources/feed.ts';

export class Cursor {
  private buffer = new Uint8Array(16_384);
  private view = new DataView(this.buffer.buffer);
  private filled = 0;
  private offset = 0;

  /** `feed` must stand at byte 0. A header may take `limit` bytes. */
  constructor(
    private readonly feed: Feed,
    private readonly limit: number,
  ) {}

  get name(): string {
    return this.feed.source.name;
  }

  get position(): number {
    return this.offset;
  }

  /** Waits until `count` more bytes are there; `what` is named when the file ends before. */
  async need(count: number, what: string): Promise<void> {
    while (this.filled - this.offset < count) {
      if (this.offset + count > this.limit) {
        throw new HeadlightsError(
          'corrupt',
          `The header of ${this.name} is longer than ${this.limit} bytes at ${what}.`,
          { file: this.name, at: what },
        );
      }
      const chunk = await this.feed.next();
      if (chunk === null) {
        throw new HeadlightsError(
          'truncated',
          `${this.name} ends after ${this.filled} bytes, inside its header, at ${what}.`,
          { file: this.name, length: this.filled, at: what },
        );
      }
      this.append(chunk);
    }
  }

  private append(chunk: Uint8Array): void {
    if (this.filled + chunk.length > this.buffer.length) {
      const larger = new Uint8Array(Math.max(this.buffer.length * 2, this.filled + chunk.length));
      larger.set(this.buffer.subarray(0, this.filled));
      this.buffer = larger;
      this.view = new DataView(larger.buffer);
    }
    this.buffer.set(chunk, this.filled);
    this.filled += chunk.length;
  }

  /** A view of the next bytes, valid until the next await. */
  async bytes(count: number, what: string): Promise<Uint8Array> {
    await this.need(count, what);
    this.offset += count;
    return this.buffer.subarray(this.offset - count, this.offset);
  }

  async u32(what: string): Promise<number> {
    await this.need(4, what);
    this.offset += 4;
    return this.view.getUint32(this.offset - 4, true);
  }

  /** A count or offset; `corrupt` beyond 2^53. */
  async u64(what: string): Promise<number> {
    await this.need(8, what);
    this.offset += 8;
    const value = this.view.getBigUint64(this.offset - 8, true);
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) {
      throw new HeadlightsError(
        'corrupt',
        `${this.name} gives the absurd number ${value} for ${what}.`,
        {
          file: this.name,
          at: what,
        },
      );
    }
    return Number(value);
  }

  /** Any fixed-size value, read by `read` from the view at its place. */
  async value<T>(
    size: number,
    what: string,
    read: (view: DataView, offset: number) => T,
  ): Promise<T> {
    await this.need(size, what);
    this.offset += size;
    return read(this.view, this.offset - size);
  }

  /** Everything up to the current place; the bytes after it go back to the stream. */
  finish(): Uint8Array {
    this.feed.unread(this.buffer.slice(this.offset, this.filled));
    return this.buffer.subarray(0, this.offset);
  }
}
