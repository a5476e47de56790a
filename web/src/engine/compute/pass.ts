/**
 * One forward pass over one text: owns the WasmRun with all its buffers, computes layer by layer, and copies
 * out what is asked for. Waiting for weights and giving the thread back are the caller's business.
 */
import { HeadlightsError } from '../errors.ts';
import type { ModelSpec } from '../formats/spec.ts';
import type { AttentionSteps, HeadAdditions, HeadData } from '../types.ts';
import { Arena, allocate, copyFloats, outOfMemory, writeBytes, writeInts } from '../wasm/memory.ts';
import {
  ALGORITHMS,
  additionsSize,
  CODES,
  RUN_BUFFERS,
  type RunBufferName,
  stepsSize,
  type WasmModel,
  type WasmModule,
  type WasmRun,
} from '../wasm/module.ts';
import type { FittedInterventions } from './interventions.ts';
import { patternIndex } from './pattern.ts';
import { additionsFrom, stepsFrom } from './steps.ts';

/** Above this the weights of a run are not kept but computed again where they are asked for. */
const KEPT_BYTES = 2 ** 30;
/** Above this a whole map of one head is not given out (DESIGN: `too-long`, attentionRows instead). */
export const LONGEST_MAP = 2048;

export class Pass {
  readonly tokens: number;
  readonly keepsWeights: boolean;
  private readonly run: WasmRun;
  private readonly temperature: number;
  private disposed = false;
  /** Whether the last layer is there beyond its weights. */
  private complete = false;

  constructor(
    private readonly module: WasmModule,
    model: WasmModel,
    private readonly spec: ModelSpec,
    ids: Int32Array,
    typeIds: Int32Array,
    interventions: FittedInterventions,
  ) {
    const { layers, heads } = spec;
    const tokens = ids.length;
    this.tokens = tokens;
    this.temperature = interventions.temperature;
    this.keepsWeights =
      interventions.algorithm !== 'flash' &&
      tokens <= LONGEST_MAP &&
      4 * layers * heads * tokens * tokens <= KEPT_BYTES;
    const options = {
      pattern: patternIndex(interventions.pattern.kind),
      radius: interventions.pattern.radius,
      temperature: interventions.temperature,
      positions: interventions.positions,
      algorithm: ALGORITHMS.indexOf(interventions.algorithm),
      keepWeights: this.keepsWeights,
    };
    const run = module.createRun(model, tokens, options);
    if (run === null) {
      const code = CODES[module.checkRun(model, tokens, options)];
      if (code === 'ok' || code === 'out-of-memory')
        throw outOfMemory(this.estimate(), `a run over ${tokens} tokens`);
      throw new HeadlightsError('bad-argument', `The run cannot be computed (${code}).`, {
        reason: code,
        tokens,
      });
    }
    this.run = run;
    this.fill(ids, typeIds, interventions);
  }

  private estimate(): number {
    const { layers, heads, width } = this.spec;
    const weights = this.keepsWeights ? heads * this.tokens * this.tokens : 0;
    return 4 * layers * (5 * this.tokens * width + weights);
  }

  private fill(ids: Int32Array, typeIds: Int32Array, interventions: FittedInterventions): void {
    const { module } = this;
    writeInts(module, this.address('ids'), ids);
    writeInts(module, this.address('typeIds'), typeIds);
    for (const { layer, head, gain } of interventions.gains) {
      module.HEAPF32[this.address('gains') / 4 + layer * this.spec.heads + head] = gain;
    }
    if (interventions.keyMask !== null)
      writeBytes(module, this.address('keyMask'), interventions.keyMask);
    if (interventions.pattern.given !== null)
      writeBytes(module, this.address('pattern'), interventions.pattern.given);
  }

  private address(buffer: RunBufferName, layer = 0): number {
    const address = this.run.address(RUN_BUFFERS.indexOf(buffer), layer);
    if (address === 0) throw new Error(`the run has no buffer ${buffer} of layer ${layer}`);
    return address;
  }

  /** Takes over what another pass of the same model has computed and this one would compute alike: whole layers. */
  reuse(other: Pass): number {
    return other.disposed ? 0 : this.run.reuse(other.run);
  }

  /** Embeddings; needs the rows of all its words and positions. */
  begin(): void {
    this.expectOk(this.run.begin(), 'the embeddings');
  }

  /** A whole layer; the layer before must be done and all of its own weights there. */
  layer(layer: number): void {
    this.expectOk(this.run.layer(layer), `layer ${layer}`);
  }

  /** What is asked of the last layer beyond its weights: computed at the first such question. */
  private whole(layer: number): void {
    const last = this.spec.layers - 1;
    if (layer < last || this.complete) return;
    this.layer(last);
    this.complete = true;
  }

  /** Only as far as the attention weights, which need query and key alone. */
  layerWeights(layer: number): void {
    this.expectOk(this.run.layerWeights(layer), `the weights of layer ${layer}`);
  }

  private expectOk(code: number, what: string): void {
    if (code === 0) return;
    throw new Error(`${what} could not be computed: ${CODES[code] ?? code}`);
  }

  /** Weights [H*T*T] of a layer that has been computed. */
  weightsOfLayer(layer: number): Float32Array {
    const { heads } = this.spec;
    const cells = this.tokens * this.tokens;
    if (this.keepsWeights)
      return copyFloats(this.module, this.address('weights', layer), heads * cells);
    this.checkMap();
    const all = new Float32Array(heads * cells);
    for (let head = 0; head < heads; head++) {
      all.set(this.rows('weights', layer, head, 0, this.tokens), head * cells);
    }
    return all;
  }

  /** Bytes of the weights of all heads. */
  get attentionBytes(): number {
    return 4 * this.spec.layers * this.spec.heads * this.tokens ** 2;
  }

  attentions(): Float32Array {
    this.check();
    this.checkMap();
    if (this.attentionBytes > KEPT_BYTES) {
      throw new HeadlightsError(
        'too-long',
        `The weights of all heads would take ${Math.round(this.attentionBytes / 1e6)} MB; ask for single heads with attention() or for rows with attentionRows().`,
        { bytes: this.attentionBytes, instead: 'attentionRows' },
      );
    }
    const { layers, heads } = this.spec;
    const size = heads * this.tokens * this.tokens;
    const all = new Float32Array(layers * size);
    for (let layer = 0; layer < layers; layer++) {
      if (this.keepsWeights) {
        const start = this.address('weights', layer) / 4;
        all.set(this.module.HEAPF32.subarray(start, start + size), layer * size);
      } else all.set(this.weightsOfLayer(layer), layer * size);
    }
    return all;
  }

  attention(layer: number, head: number): Float32Array {
    this.check();
    this.checkMap();
    const cells = this.tokens * this.tokens;
    if (!this.keepsWeights) return this.rows('weights', layer, head, 0, this.tokens);
    return copyFloats(this.module, this.address('weights', layer) + 4 * head * cells, cells);
  }

  attentionRows(layer: number, head: number, from: number, to: number): Float32Array {
    this.check();
    return this.rows('weights', layer, head, from, to);
  }

  /** Scores or weights of some query rows, computed from the kept queries and keys. */
  private rows(
    what: 'scores' | 'weights',
    layer: number,
    head: number,
    from: number,
    to: number,
  ): Float32Array {
    const count = (to - from) * this.tokens;
    if (count === 0) return new Float32Array(0);
    const target = allocate(this.module, 4 * count, `rows of ${what}`);
    try {
      const code =
        what === 'scores'
          ? this.run.scoreRows(layer, head, from, to, target)
          : this.run.weightRows(layer, head, from, to, target);
      this.expectOk(code, `rows of ${what} of layer ${layer}`);
      return copyFloats(this.module, target, count);
    } finally {
      this.module.release(target);
    }
  }

  head(layer: number, head: number): HeadData {
    this.check();
    this.checkMap();
    this.whole(layer);
    const headSize = this.spec.width / this.spec.heads;
    return {
      queries: this.columns('queries', layer, head, headSize),
      keys: this.columns('keys', layer, head, headSize),
      values: this.columns('values', layer, head, headSize),
      scores: this.rows('scores', layer, head, 0, this.tokens),
      weights: this.attention(layer, head),
      context: this.columns('context', layer, head, headSize),
      queryLength: this.tokens,
      keyLength: this.tokens,
      headSize,
      valueSize: headSize,
      scale: 1 / Math.sqrt(headSize) / this.temperature,
    };
  }

  /** A head's columns of a [T*width] buffer, as [T*size]. */
  private columns(
    buffer: 'queries' | 'keys' | 'values' | 'context',
    layer: number,
    head: number,
    size: number,
  ): Float32Array {
    const { width } = this.spec;
    const result = new Float32Array(this.tokens * size);
    const { HEAPF32 } = this.module;
    for (let i = 0; i < this.tokens; i++) {
      const start = this.address(buffer, layer) / 4 + i * width + head * size;
      result.set(HEAPF32.subarray(start, start + size), i * size);
    }
    return result;
  }

  /** [T*width]; 0 = embeddings. */
  hidden(layer: number): Float32Array {
    this.check();
    this.whole(layer - 1);
    return copyFloats(this.module, this.address('hidden', layer), this.tokens * this.spec.width);
  }

  steps(layer: number, head: number, query: number, key: number): AttentionSteps {
    this.check();
    this.whole(layer);
    const headSize = this.spec.width / this.spec.heads;
    const size = stepsSize(headSize, this.tokens, headSize);
    const numbers = this.filled(size, size, 'the steps', (target) =>
      this.run.steps(layer, head, query, key, target),
    );
    const vector = (buffer: 'queries' | 'keys' | 'values', token: number) =>
      this.vector(buffer, layer, token, head * headSize, headSize);
    return stepsFrom(numbers, {
      headSize,
      valueSize: headSize,
      keyLength: this.tokens,
      scale: 1 / Math.sqrt(headSize) / this.temperature,
      queryVector: vector('queries', query),
      keyVector: vector('keys', key),
      valueVector: vector('values', key),
    });
  }

  additions(layer: number, token: number): HeadAdditions {
    this.check();
    this.whole(layer);
    const { heads, width } = this.spec;
    const size = additionsSize(heads + 1, width, width);
    const numbers = this.filled(size, size + heads * width, 'the additions', (target) =>
      this.run.additions(layer, token, target),
    );
    return additionsFrom(numbers, heads, width, /*bias=*/ true, width);
  }

  /** The first `size` of `room` floats that `fill` may write. */
  private filled(
    size: number,
    room: number,
    what: string,
    fill: (target: number) => number,
  ): Float32Array {
    const arena = new Arena(this.module);
    try {
      const target = arena.take(4 * room, what);
      this.expectOk(fill(target), what);
      return copyFloats(this.module, target, size);
    } finally {
      arena.release();
    }
  }

  /** Some columns of one token's row of a [T*width] buffer. */
  private vector(
    buffer: RunBufferName,
    layer: number,
    token: number,
    from: number,
    count: number,
  ): Float32Array {
    const start = this.address(buffer, layer) + 4 * (token * this.spec.width + from);
    return copyFloats(this.module, start, count);
  }

  private checkMap(): void {
    if (this.tokens <= LONGEST_MAP) return;
    throw new HeadlightsError(
      'too-long',
      `A map of ${this.tokens} × ${this.tokens} tokens is too large to give out whole (the limit is ${LONGEST_MAP}); ask for rows with attentionRows().`,
      { tokens: this.tokens, limit: LONGEST_MAP, instead: 'attentionRows' },
    );
  }

  private check(): void {
    if (this.disposed) throw new HeadlightsError('disposed', 'The run has been disposed.');
  }

  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    this.run.delete();
  }
}
