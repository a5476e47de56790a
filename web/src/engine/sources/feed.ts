/**
 * One pass over a stretch of a source that can be stopped, taken up again where it stopped, and set back.
 * Loaders pull chunks from it; it opens the source when bytes are wanted and not before.
 */
import type { ByteSource } from './byte-source.ts';

export class Feed {
  /** The host sends the file to its end, whatever was asked for. */
  whole = false;
  private stream: AsyncGenerator<Uint8Array, void, void> | null = null;
  private controller = new AbortController();
  private unreadBytes: Uint8Array | null = null;
  private ended = false;

  /** Bytes [position, to) of the source; to its end when `to` is null. */
  constructor(
    readonly source: ByteSource,
    /** Of the byte that comes next. */
    public position: number,
    private readonly to: number | null,
  ) {}

  /** The next bytes, or null at the end. Rejects with `cancelled` when stop() comes between. */
  async next(): Promise<Uint8Array | null> {
    if (this.unreadBytes !== null) {
      const bytes = this.unreadBytes;
      this.unreadBytes = null;
      this.position += bytes.length;
      return bytes;
    }
    if (this.ended || (!this.whole && this.to !== null && this.position >= this.to)) return null;
    const { signal } = this.controller;
    try {
      if (this.stream === null) {
        const opened = await this.source.open(this.position, this.whole ? null : this.to, {
          signal,
        });
        this.whole ||= opened.whole;
        this.stream = opened.chunks;
      }
      const { done, value } = await this.stream.next();
      if (done) {
        this.ended = true;
        this.stream = null;
        return null;
      }
      this.position += value.length;
      return value;
    } catch (error) {
      this.stream = null;
      throw error;
    }
  }

  /** Gives bytes back that next() gave and nobody used; they come again. */
  unread(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.unreadBytes = bytes;
    this.position -= bytes.length;
  }

  /** Closes the connection; next() takes it up again at `position`. */
  stop(): void {
    this.controller.abort();
    this.controller = new AbortController();
    this.stream?.return().catch(() => {}); // lets it close its file
    this.stream = null;
  }

  /** Goes back to read again what turned out wrong, past every cache. */
  rewind(position: number): void {
    this.stop();
    this.unreadBytes = null;
    this.ended = false;
    this.source.doubt?.();
    this.position = position;
  }
}
