/**
 * The arrival of one model's weights: pulls the streams into wasm memory, knows which layers and rows are
 * there, lets runs wait for what they need, pauses, goes on, and takes up again after a failure. What has
 * passed its check is never asked for twice. Opening the files and reading headers is open-model's business.
 */
import { HeadlightsError, knownError } from '../errors.ts';
import type { ModelSpec, Placement } from '../formats/spec.ts';
import { abandonable, cancelled } from '../signals.ts';
import type { Feed } from '../sources/feed.ts';
import type { LoadProgress } from '../types.ts';
import type { WasmModel } from '../wasm/module.ts';
import { ProgressMeter } from './progress.ts';
import type { RowTable } from './row-table.ts';
import type { TensorWriter } from './tensor-writer.ts';

/** A stretch of a file that goes into the model. */
export interface Part {
  feed: Feed;
  writer: TensorWriter;
  /** Where the stretch ends; null for the end of the file. */
  to: number | null;
  /** Only word and position rows, which can also be had by Range: left out where data is precious. */
  optional: boolean;
}

export interface Arrival {
  spec: ModelSpec;
  model: WasmModel;
  placements: readonly Placement[];
  parts: readonly Part[];
  words: RowTable;
  positions: RowTable;
  /** Rows of the tables may be asked for by themselves. */
  onDemand: boolean;
  /** Fetch the optional parts too. */
  wholeTable: boolean;
  /** Bytes of all parts; null where the host does not say. */
  total: number | null;
  onProgress: (progress: LoadProgress) => void;
  onFatal: (error: unknown) => void;
}

interface Waiter {
  test: () => boolean;
  resolve: () => void;
  reject: (error: unknown) => void;
}

export class Loading {
  private part = 0;
  private running = false;
  private failure: unknown = null;
  private paused = false;
  private disposed = false;
  private openGate: (() => void) | null = null;
  private waiters = new Set<Waiter>();
  private finished = false;
  /** Bytes of small files and of rows asked for by themselves. */
  private beside: number;
  private readonly starts: readonly number[];
  private readonly meter: ProgressMeter;

  /** `beside`: bytes that arrived before (cards, tokenizers, headers). */
  constructor(
    private readonly arrival: Arrival,
    beside: number,
  ) {
    this.beside = beside;
    this.starts = arrival.parts.map(({ feed }) => feed.position);
    this.meter = new ProgressMeter(arrival.onProgress, () => this.progress());
  }

  /** Starts, or takes up again after a failure; harmless while it runs. */
  start(): void {
    if (this.running || this.finished || this.disposed) return;
    this.failure = null;
    this.running = true;
    this.pump().then(
      () => {
        this.running = false;
      },
      (error: unknown) => {
        this.running = false;
        this.fail(error);
      },
    );
  }

  private async pump(): Promise<void> {
    const { parts } = this.arrival;
    for (; this.part < parts.length; this.part++) {
      const part = parts[this.part]!;
      const { writer, optional } = part;
      if (writer.pending === undefined) continue;
      if (optional && !this.arrival.wholeTable && writer.source.ranges) break;
      await this.pull(part);
      if (this.disposed) return;
    }
    this.finished = true;
    this.changed();
  }

  /** One part to its end. */
  private async pull({ feed, writer, to }: Part): Promise<void> {
    for (;;) {
      if (this.paused) await this.gate();
      if (this.disposed) return;
      let chunk: Uint8Array | null;
      try {
        chunk = await feed.next();
      } catch (error) {
        if (this.disposed) return;
        if (this.paused && isCancelled(error)) continue;
        throw error;
      }
      if (this.disposed) return;
      if (chunk === null) break;
      try {
        writer.write(feed.position - chunk.length, chunk);
      } catch (error) {
        feed.rewind(writer.resumeAt);
        throw error;
      }
      this.changed();
      if (writer.pending === undefined) {
        feed.stop(); // what follows, if anything, is no part of this model
        return;
      }
    }
    const { pending, source } = writer;
    if (pending !== undefined && (to === null || feed.whole || pending.begin < to)) {
      const length = feed.position;
      feed.rewind(length);
      throw new HeadlightsError(
        'truncated',
        `${source.name} ends after ${length} bytes, inside or before ${pending.name}, which reaches to byte ${pending.end}.`,
        { file: source.name, length, needed: pending.end, tensor: pending.name },
      );
    }
  }

  private gate(): Promise<void> {
    return new Promise((resolve) => {
      this.openGate = resolve;
    });
  }

  pause(): void {
    if (this.paused || this.disposed) return;
    this.paused = true;
    const part = this.arrival.parts[this.part];
    // Without ranges the connection cannot be taken up again: it is left open and no longer read.
    if (part?.writer.source.ranges) part.feed.stop();
  }

  resume(): void {
    this.paused = false;
    this.openGate?.();
    this.openGate = null;
    if (this.failure !== null) this.start();
  }

  /** How many layers from the first on can give their weights now. */
  get layersReady(): number {
    const { model, spec } = this.arrival;
    if (!this.embeddingsReady) return 0;
    for (let layer = 0; layer < spec.layers; layer++) {
      if (!model.layerReady(layer, /*all=*/ false)) return layer;
      if (!model.layerReady(layer, /*all=*/ true)) return layer + 1;
    }
    return spec.layers;
  }

  /** Types and norms of the embeddings; rows of words and positions are waited for by themselves. */
  get embeddingsReady(): boolean {
    return this.arrival.parts.every(({ writer }) => writer.embeddingsReady);
  }

  get layersComplete(): boolean {
    const { model, spec } = this.arrival;
    if (!this.embeddingsReady) return false;
    for (let layer = 0; layer < spec.layers; layer++) {
      if (!model.layerReady(layer, /*all=*/ true)) return false;
    }
    return true;
  }

  /** Resolves when `test` holds; rejects when loading fails or the signal aborts. */
  waitFor(test: () => boolean, signal: AbortSignal | undefined, what: string): Promise<void> {
    if (test()) return Promise.resolve();
    if (this.disposed) return Promise.reject(disposedError());
    if (this.failure !== null) return Promise.reject(this.failure);
    let waiter: Waiter | null = null;
    const arrived = new Promise<void>((resolve, reject) => {
      waiter = { test, resolve, reject };
      this.waiters.add(waiter);
    });
    return abandonable(arrived, signal, what).finally(() => {
      if (waiter !== null) this.waiters.delete(waiter);
    });
  }

  /** Resolves when the rows of these words, and of as many positions as there are words, are there. */
  async rows(ids: Int32Array, signal: AbortSignal | undefined): Promise<void> {
    const { words, positions } = this.arrival;
    await Promise.all([
      this.tableRows(words, ids, signal),
      this.tableRows(positions, ids.keys(), signal),
    ]);
  }

  private async tableRows(
    table: RowTable,
    rows: Iterable<number>,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const blocks = table.missing(rows);
    if (blocks.length === 0) return;
    const what = 'The run';
    if (this.arrival.onDemand && table.source.ranges) {
      const arriving = table.fetch(blocks, (count) => {
        this.beside += count;
        this.meter.update();
      });
      await abandonable(arriving, signal, what);
      if (this.disposed) throw disposedError();
      this.changed();
    } else {
      await this.waitFor(() => blocks.every((block) => table.has(block)), signal, what);
    }
  }

  private changed(): void {
    for (const waiter of this.waiters) {
      if (waiter.test()) waiter.resolve();
    }
    this.meter.update();
  }

  private fail(error: unknown): void {
    if (this.disposed) return;
    const known = knownError(error);
    this.failure = known ?? error;
    for (const waiter of this.waiters) waiter.reject(this.failure);
    this.waiters.clear();
    if (known === null) this.arrival.onFatal(error);
  }

  progress(): LoadProgress {
    const { parts, total, spec, words, positions } = this.arrival;
    let loaded = this.beside;
    parts.forEach(({ feed }, index) => {
      loaded += feed.position - this.starts[index]!;
    });
    const complete = words.complete && positions.complete && this.layersComplete;
    let stage: LoadProgress['stage'] = 'layers';
    if (complete || this.finished) stage = 'done';
    else if (this.layersComplete) stage = 'words';
    return {
      loaded,
      total: complete ? loaded : total && Math.max(total + this.beside, loaded),
      stage,
      layersReady: this.layersReady,
      layers: spec.layers,
      complete,
    };
  }

  /** Stops everything and gives up the tables; the model itself is deleted by its owner. */
  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    this.openGate?.();
    for (const { feed, writer } of this.arrival.parts) {
      feed.stop();
      writer.close();
    }
    this.arrival.words.close();
    this.arrival.positions.close();
    for (const waiter of this.waiters) waiter.reject(disposedError());
    this.waiters.clear();
  }
}

function isCancelled(error: unknown): boolean {
  return error instanceof HeadlightsError && error.code === cancelled('').code;
}

function disposedError(): HeadlightsError {
  return new HeadlightsError('disposed', 'The model was disposed while it was being loaded.');
}
