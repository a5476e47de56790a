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

export interface Engine {
  readonly variant: Variant;
  /** Where the engine runs: a worker or the caller's own thread. */
  readonly thread: 'worker' | 'main';
  loadModel(source: string | URL | readonly File[], options?: LoadOptions): Promise<Model>;
  attention(input: AttentionInput): Promise<AttentionOutput>;
  dispose(): Promise<void>;
}
