/**
 * The public types of the library: what `createEngine`, `loadModel` and `run` take and give.
 * Layers and heads count from 0. All tensors are row-major Float32Array copies owned by the caller.
 * Nothing here knows WebAssembly, workers or the DOM.
 */

export type Variant = 'baseline' | 'relaxed';

export interface EngineOptions {
  /** Which WebAssembly module: 'auto' takes relaxed SIMD where the runtime has it. */
  variant?: 'auto' | Variant;
  /**
   * Whether the engine lives in a worker: 'auto' tries, and falls back to this thread; in Node 'auto' is this
   * thread, since a script has no page to keep live. `true` fails with `blocked` where none can be started.
   */
  worker?: 'auto' | boolean;
  /** Where shipped model ids resolve; default `models/` beside the entry file. */
  base?: string | URL;
}

export interface LoadProgress {
  /** Bytes that have arrived so far, and bytes in all (null when the source does not say). */
  loaded: number;
  total: number | null;
  /** What is arriving now; 'done' when nothing more comes by itself. */
  stage: 'header' | 'tokenizer' | 'layers' | 'words' | 'done';
  /** Layers whose heads can be computed now, of `layers`. */
  layersReady: number;
  layers: number;
  /** True once nothing more will be asked of the network for this model. */
  complete: boolean;
}

export interface LoadOptions {
  /** Goes on being called after loadModel has resolved, as long as something arrives. */
  onProgress?: (progress: LoadProgress) => void;
  /** Cancels until loadModel has resolved; after that `dispose` and `pauseLoading` do. */
  signal?: AbortSignal;
  quantise?: false | true | 'ask';
  /**
   * Resolve as soon as the header and the tokenizer are there; runs then wait for each layer as it
   * arrives (`onLayer` of `RunOptions` tells). Default false: resolve when every layer is there.
   */
  stream?: boolean;
  /**
   * Fetch the whole word table in the background once all layers are there. Default true; never where the
   * browser asks to save data. Without it the host sees which blocks of 16 words a text needs.
   */
  wholeTable?: boolean;
}

export interface AttentionError {
  /** Largest, 99.9 % and mean absolute difference of an attention weight from the fp32 original. */
  largest: number;
  p999: number;
  mean: number;
  sentences: number;
}

export interface ModelInfo {
  id: string;
  family: string;
  layers: number;
  heads: number;
  kvHeads: number;
  headSize: number;
  width: number;
  vocabulary: number;
  maxTokens: number;
  /** For example 'gguf Q8_0' or 'safetensors F32'. */
  format: string;
  licence: string | null;
  /** null where the weights are the original ones. */
  attentionError: AttentionError | null;
  /** Bytes of wasm memory that the weights take. */
  memory: number;
}

export interface Token {
  /** As in the vocabulary, for example '##ing'. */
  text: string;
  id: number;
  /** [start, end) in UTF-16 units of its own text; null for special tokens and for `ids` input. */
  start: number | null;
  end: number | null;
  special: boolean;
  /** Index of the word-like Intl.Segmenter segment that holds `start`, else null. */
  word: number | null;
  /** 0 = first text, 1 = second text. */
  segment: 0 | 1;
}

export type Pattern =
  | 'model'
  | 'full'
  | 'causal'
  | { window: number; causal?: boolean }
  | Uint8Array;

export interface Interventions {
  /** Multiplies a head's context before W_O; 0 switches the head off. */
  gains?: { layer: number; head: number; gain: number }[];
  /** [T], 1 = may be looked at. */
  keyMask?: Uint8Array;
  /** ANDed with the model's own mask unless 'full'. */
  pattern?: Pattern;
  /** Divides the scores; default 1, must be > 0. */
  temperature?: number;
  /** false leaves the learned positions out. */
  positions?: boolean;
  algorithm?: AttentionKernel;
}

export interface RunOptions {
  pair?: string;
  interventions?: Interventions;
  signal?: AbortSignal;
  /**
   * Called with each layer's weights [H*Tq*Tk] and all tokens while the run goes on, in order; while a model
   * streams already before the rest of the layer has arrived. Not called above 2,048 tokens.
   */
  onLayer?: (layer: number, weights: Float32Array, tokens: Token[]) => void;
}

export type RunInput = string | { ids: ArrayLike<number>; typeIds?: ArrayLike<number> };

export interface Truncation {
  tokens: number;
  words: number;
}

export interface HeadData {
  queries: Float32Array; // [Tq*dk]
  keys: Float32Array; // [Tk*dk]
  values: Float32Array; // [Tk*dv]
  scores: Float32Array; // [Tq*Tk], scaled, before the mask
  weights: Float32Array; // [Tq*Tk]
  context: Float32Array; // [Tq*dv], before the gain and W_O
  queryLength: number;
  keyLength: number;
  headSize: number;
  valueSize: number;
  scale: number;
}

/**
 * One query's row of one head taken apart, every number between the vectors and the head's context (Vaswani et
 * al. 2017, equation 1). Scores, weights and context are those of the run, to the last bit.
 */
export interface AttentionSteps {
  headSize: number;
  valueSize: number;
  keyLength: number;
  queryVector: Float32Array; // [dk] of the query
  keyVector: Float32Array; // [dk] of the one key
  valueVector: Float32Array; // [dv] of the one key
  products: Float32Array; // [dk], queryVector times keyVector, number by number
  dots: Float32Array; // [Tk], query · key for every key, before the scale
  scale: number; // usually 1 / sqrt(dk); a temperature divides it
  scores: Float32Array; // [Tk], scaled, before the mask
  allowed: Uint8Array; // [Tk], 1 where the mask lets the query look
  maximum: number; // of the allowed scores; -Infinity where there is none
  exponentials: Float32Array; // [Tk], e^(score - maximum), 0 where masked
  sum: number; // of the exponentials; 0 where nothing is allowed
  weights: Float32Array; // [Tk]
  running: Float32Array; // [Tk*dv], the context after the keys 0..j
  weighted: Float32Array; // [dv], what the one key adds: its weight times valueVector
  context: Float32Array; // [dv]
}

/**
 * What each head adds to a block's output for one token. A share is the projection of an addition on the output
 * divided by the output's squared norm; all shares sum to 1 (to 0 where the output is 0).
 */
export interface HeadAdditions {
  heads: number;
  width: number;
  /** Whether a bias stands after the heads. */
  bias: boolean;
  parts: Float32Array; // [N*width], N = heads + 1 with a bias, else heads
  output: Float32Array; // [width], their sum
  norms: Float32Array; // [N], Euclidean
  shares: Float32Array; // [N]
  outputNorm: number;
  residualNorm: number; // of what the output is added to
  concat: Float32Array; // [H*dv], the contexts side by side, gains included
}

export interface Run {
  readonly tokens: Token[];
  readonly layers: number;
  readonly heads: number;
  readonly queryLength: number;
  readonly keyLength: number;
  /** What was left out, or null. */
  readonly truncated: Truncation | null;
  attentions(): Promise<Float32Array>; // [L*H*Tq*Tk]
  attention(layer: number, head: number): Promise<Float32Array>; // [Tq*Tk], row = query
  head(layer: number, head: number): Promise<HeadData>;
  /** At any length: query rows from (included) to `to` (excluded) of one head: [(to-from)*Tk]. */
  attentionRows(layer: number, head: number, from: number, to: number): Promise<Float32Array>;
  hidden(layer: number): Promise<Float32Array>; // [T*width], 0 = embeddings
  /** How query `query` came to look at key `key` and what the head made of it. */
  steps(layer: number, head: number, query: number, key: number): Promise<AttentionSteps>;
  /** What the heads of a layer, after their gains, and the output's bias add to a token. */
  additions(layer: number, token: number): Promise<HeadAdditions>;
  dispose(): Promise<void>;
}

export interface Model {
  readonly info: ModelInfo;
  run(input: RunInput, options?: RunOptions): Promise<Run>;
  /** Tokens without running the network (same cut at the model's limit). */
  tokenize(text: string, pair?: string): Promise<{ tokens: Token[]; truncated: Truncation | null }>;
  /** Stops and goes on with what is still arriving; nothing that has arrived is lost. */
  pauseLoading(): Promise<void>;
  resumeLoading(): Promise<void>;
  dispose(): Promise<void>;
}

export type AttentionKernel = 'explained' | 'flash' | 'reference';

export interface AttentionInput {
  queries: Float32Array; // [H*Tq*dk]
  keys: Float32Array; // [Hkv*Tk*dk]
  values: Float32Array; // [Hkv*Tk*dv]
  heads: number;
  queryLength: number;
  headSize: number;
  kvHeads?: number;
  keyLength?: number;
  valueSize?: number;
  scale?: number;
  mask?: 'none' | 'causal' | { window: number; causal?: boolean } | Uint8Array;
  keyMask?: Uint8Array;
  kernel?: AttentionKernel;
}

export interface AttentionOutput {
  scores: Float32Array | null; // [H*Tq*Tk]
  weights: Float32Array | null; // [H*Tq*Tk]
  context: Float32Array; // [H*Tq*dv]
  /** How many numbers of the context are NaN or infinite. */
  nonFinite: number;
}

/**
 * Multi-head attention from the words up, without biases. Weights are [in, out]: head h reads columns
 * h*dk..(h+1)*dk of W_Q, and rows h*dv.. of W_O (Vaswani et al. 2017, section 3.2.2).
 */
export interface MultiHeadInput {
  x: Float32Array; // [Tq*width], asks
  memory?: Float32Array; // [Tk*width], is looked at; default x
  wQ: Float32Array; // [width * H*dk]
  wK: Float32Array; // [width * Hkv*dk]
  wV: Float32Array; // [width * Hkv*dv]
  wO: Float32Array; // [H*dv * outputWidth]
  width: number;
  heads: number;
  headSize: number;
  queryLength: number;
  kvHeads?: number; // default heads
  keyLength?: number; // default queryLength
  valueSize?: number; // default headSize
  outputWidth?: number; // default width
  scale?: number; // default 1 / sqrt(headSize)
  mask?: AttentionInput['mask'];
  keyMask?: Uint8Array;
  /** One product for all heads, or one for each, as many a tutorial writes it; equal up to rounding. */
  projection?: 'batched' | 'looped';
}

export interface MultiHeadOutput {
  queries: Float32Array; // [H*Tq*dk], as engine.attention takes them
  keys: Float32Array; // [Hkv*Tk*dk]
  values: Float32Array; // [Hkv*Tk*dv]
  scores: Float32Array; // [H*Tq*Tk], scaled, before the mask
  weights: Float32Array; // [H*Tq*Tk]
  concat: Float32Array; // [Tq * H*dv], the heads' contexts side by side
  output: Float32Array; // [Tq * outputWidth], concat times W_O
  /** How many numbers of the output are NaN or infinite. */
  nonFinite: number;
}

export interface AdditionsInput {
  context: Float32Array; // [H*dv], one token's row of concat
  heads: number;
  wO: Float32Array; // [H*dv * outputWidth]
  residual: Float32Array; // what the output is added to, for its norm
}

/** Milliseconds a pass, one number a sample, taken in turns. */
export interface MultiHeadTimes {
  batched: Float64Array;
  looped: Float64Array;
}

export interface Engine {
  readonly variant: Variant;
  /** Where the engine runs: a worker or the caller's own thread. */
  readonly thread: 'worker' | 'main';
  loadModel(source: string | URL | readonly File[], options?: LoadOptions): Promise<Model>;
  attention(input: AttentionInput): Promise<AttentionOutput>;
  /** One row of such an attention taken apart. `kernel` plays no part. */
  attentionSteps(
    input: AttentionInput,
    head: number,
    query: number,
    key: number,
  ): Promise<AttentionSteps>;
  multiHead(input: MultiHeadInput): Promise<MultiHeadOutput>;
  additions(input: AdditionsInput): Promise<HeadAdditions>;
  /** Both ways to project, timed here and now: `samples` of each (default 15), each of at least 5 ms. */
  timeMultiHead(input: MultiHeadInput, samples?: number): Promise<MultiHeadTimes>;
  /** The first `count` numbers of numpy.random.RandomState(seed).randn(); seed from 0 to 2^32 - 1. */
  gaussians(seed: number, count: number): Promise<Float64Array>;
  dispose(): Promise<void>;
}
