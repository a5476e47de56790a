/**
 * A word or position table of which rows are wanted before the whole has arrived. It lies in wasm memory in
 * full length from the start; blocks of 16 rows fill it, from the stream or by Range, each checked as it
 * completes. A block counts as there only after its check.
 */
import type { Placement } from '../formats/spec.ts';
import { type ByteSource, readRange } from '../sources/byte-source.ts';
import { outOfMemory, writeBytes } from '../wasm/memory.ts';
import { ELEMENT_TYPES, TENSOR_ROLES, type WasmModel, type WasmModule } from '../wasm/module.ts';
import { BLOCK_ROWS, notFinite, wrongSum } from './checks.ts';

/** Neighbouring blocks come in one request even if one between them is there already. */
const JOIN = 1;
const PARALLEL = 6;

export class RowTable {
  private readonly address: number;
  private readonly role: number;
  private readonly rowBytes: number;
  private readonly here: Uint8Array;
  private readonly coming = new Map<number, Promise<void>>();
  private readonly closing = new AbortController();
  private blocksHere = 0;
  /** Where the block begins whose check failed last, in bytes of the table. */
  failedAt = 0;

  /** Allocates the table; `sums` has one check sum a block, or is null. */
  constructor(
    private readonly module: WasmModule,
    private readonly model: WasmModel,
    readonly source: ByteSource,
    private readonly place: Placement,
    private readonly sums: Uint32Array | null,
  ) {
    this.role = TENSOR_ROLES.indexOf(place.role);
    this.rowBytes = (place.end - place.begin) / place.rows;
    this.here = new Uint8Array(Math.ceil(place.rows / BLOCK_ROWS));
    this.address = model.allocate(this.role, 0, ELEMENT_TYPES.indexOf(place.type));
    if (this.address === 0) throw outOfMemory(place.end - place.begin, place.name);
    model.setReady(this.role, 0);
  }

  get complete(): boolean {
    return this.blocksHere === this.here.length;
  }

  has(block: number): boolean {
    return this.here[block] === 1;
  }

  /** The blocks, ascending, that these rows lie in and that are not there yet. */
  missing(rows: Iterable<number>): number[] {
    const blocks = new Set<number>();
    for (const row of rows) {
      const block = Math.floor(row / BLOCK_ROWS);
      if (this.here[block] === 0) blocks.add(block);
    }
    return [...blocks].sort((a, b) => a - b);
  }

  /**
   * Takes bytes of the stream that lie `offset` bytes into the table; they come in order. Blocks that have
   * passed their check are not written again.
   */
  write(offset: number, bytes: Uint8Array): void {
    const blockBytes = this.rowBytes * BLOCK_ROWS;
    const end = offset + bytes.length;
    for (let at = offset; at < end; ) {
      const block = Math.floor(at / blockBytes);
      const blockEnd = this.blockEnd(block) * this.rowBytes;
      const to = Math.min(end, blockEnd);
      if (this.here[block] === 0) {
        writeBytes(this.module, this.address + at, bytes.subarray(at - offset, to - offset));
        if (to === blockEnd) this.accept(block);
      }
      at = to;
    }
  }

  /** Fetches blocks by Range, several at once; what is already on its way is waited for, not asked again. */
  async fetch(blocks: readonly number[], onBytes: (count: number) => void): Promise<void> {
    const others = new Set(blocks.flatMap((block) => this.coming.get(block) ?? []));
    const mine = this.bring(
      blocks.filter((block) => !this.coming.has(block)),
      onBytes,
    );
    await Promise.all([mine, Promise.allSettled(others)]);
    const left = blocks.filter((block) => !this.has(block));
    // Somebody else's attempt failed; this one is newer and may do better.
    if (left.length > 0 && others.size > 0) await this.fetch(left, onBytes);
  }

  private async bring(blocks: readonly number[], onBytes: (count: number) => void): Promise<void> {
    const waiting = join(blocks);
    const worker = async () => {
      for (let stretch = waiting.shift(); stretch !== undefined; stretch = waiting.shift()) {
        await this.fetchStretch(stretch, onBytes);
      }
    };
    const all = Promise.all(Array.from({ length: Math.min(PARALLEL, waiting.length) }, worker));
    const done = all.then(() => {});
    for (const block of blocks) this.coming.set(block, done);
    try {
      await done;
    } finally {
      for (const block of blocks) this.coming.delete(block);
    }
  }

  private async fetchStretch(
    [from, to]: readonly [number, number],
    onBytes: (count: number) => void,
  ): Promise<void> {
    const first = from * BLOCK_ROWS * this.rowBytes;
    const end = this.blockEnd(to - 1) * this.rowBytes;
    const read = () =>
      readRange(this.source, this.place.begin + first, this.place.begin + end, {
        signal: this.closing.signal,
      });
    const store = (bytes: Uint8Array) => {
      if (this.closing.signal.aborted) return;
      onBytes(bytes.length);
      this.write(first, bytes);
    };
    const bytes = await read();
    try {
      store(bytes);
    } catch {
      this.source.doubt?.();
      store(await read()); // past the caches; a second failure is the caller's
    }
  }

  /** Checks a block whose bytes are all there. */
  private accept(block: number): void {
    const from = block * BLOCK_ROWS;
    this.failedAt = from * this.rowBytes;
    const to = this.blockEnd(block);
    const sum = this.sums?.[block];
    if (sum !== undefined) {
      const address = this.address + from * this.rowBytes;
      const found = this.module.crc32(address, (to - from) * this.rowBytes) >>> 0;
      if (found !== sum) throw wrongSum(this.source.name, this.place, [from, to]);
    }
    const bad = this.model.countNonFinite(this.role, 0, from, to);
    if (bad > 0) throw notFinite(this.source.name, this.place, bad);
    this.here[block] = 1;
    this.blocksHere += 1;
  }

  private blockEnd(block: number): number {
    return Math.min((block + 1) * BLOCK_ROWS, this.place.rows);
  }

  /** After this nothing is written any more: the memory belongs to somebody else. */
  close(): void {
    this.closing.abort();
  }
}

/** Runs of blocks [from, to), joined across gaps of at most JOIN blocks. */
function join(blocks: readonly number[]): [number, number][] {
  const stretches: [number, number][] = [];
  for (const block of blocks) {
    const last = stretches.at(-1);
    if (last !== undefined && block - last[1] <= JOIN) last[1] = block + 1;
    else stretches.push([block, block + 1]);
  }
  return stretches;
}
