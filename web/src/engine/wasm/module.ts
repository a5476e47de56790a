/**
 * What the compiled C++ gives to JavaScript (cpp/bindings registers exactly this with Embind).
 * Addresses are byte offsets into `HEAPU8`; every heap view is taken anew for each use, because memory
 * growth detaches old views. Functions that can fail return a `Code` (0 = ok) or address 0.
 */

/** cpp/core/error.hpp, in this order. */
export const CODES = [
  'ok',
  'bad-argument',
  'bad-shape',
  'too-long',
  'not-loaded',
  'out-of-memory',
] as const;
export type Code = number;

/** cpp/core/element_type.hpp, in this order. */
export const ELEMENT_TYPES = ['F32', 'F16', 'BF16', 'Q8_0'] as const;
export type ElementTypeName = (typeof ELEMENT_TYPES)[number];

/** cpp/model/weights.hpp (TensorRole), in this order. */
export const TENSOR_ROLES = [
  'wordEmbedding', // [vocabulary, width]
  'positionEmbedding', // [positions, width]
  'typeEmbedding', // [types, width]
  'embeddingNormWeight', // [width]
  'embeddingNormBias', // [width]
  'queryWeight', // per layer from here: [width, width] stored [out, in]
  'queryBias',
  'keyWeight',
  'keyBias',
  'valueWeight',
  'valueBias',
  'outputWeight', // [width, width]
  'outputBias',
  'attentionNormWeight',
  'attentionNormBias',
  'upWeight', // [feedForward, width]
  'upBias', // [feedForward]
  'downWeight', // [width, feedForward]
  'downBias',
  'layerNormWeight',
  'layerNormBias',
] as const;
export type TensorRoleName = (typeof TENSOR_ROLES)[number];

/** cpp/attention/mask.hpp (PatternKind), in this order. */
export const PATTERN_KINDS = ['none', 'causal', 'window', 'causalWindow', 'given'] as const;

/** cpp/attention/algorithms.hpp, in this order. */
export const ALGORITHMS = ['explained', 'flash', 'reference'] as const;

/** cpp/model/run.hpp (RunBuffer), in this order. */
export const RUN_BUFFERS = [
  'ids', // int32 [T], written by the caller before begin()
  'typeIds', // int32 [T], written by the caller before begin()
  'gains', // float [L*H], 1 unless the caller writes
  'keyMask', // uint8 [T], 1 unless the caller writes
  'pattern', // uint8 [T*T], 1 unless the caller writes
  'hidden', // float [T*width], `layer` 0..L
  'queries', // float [T*width] (head h at columns h*dk), `layer` 0..L-1 as all below
  'keys', // float [T*width]
  'values', // float [T*width]
  'context', // float [T*width], before gains and W_O
  'weights', // float [H*T*T]; 0 when keepWeights is false
] as const;
export type RunBufferName = (typeof RUN_BUFFERS)[number];

export interface WasmSpec {
  layers: number;
  heads: number;
  width: number;
  feedForward: number;
  vocabulary: number;
  positions: number;
  types: number;
  epsilon: number;
}

export interface WasmModel {
  /** Address of a tensor's bytes, allocated zeroed on first use with this element type; 0 = out of memory. */
  allocate(role: number, layer: number, elementType: number): number;
  /** How many bytes that tensor takes in that type; 0 where type or role do not fit. */
  byteLength(role: number, layer: number, elementType: number): number;
  /** Declares the tensor complete (for the tables: usable; rows are the caller's business). */
  setReady(role: number, layer: number): void;
  /** How many NaN or infinite numbers rows [from, to) of the tensor hold. */
  countNonFinite(role: number, layer: number, from: number, to: number): number;
  /** True when everything layer `layer` needs for its weights (all: for its output too) is ready. */
  layerReady(layer: number, all: boolean): boolean;
  memory(): number;
  delete(): void;
}

export interface WasmRunOptions {
  pattern: number; // PATTERN_KINDS
  radius: number;
  temperature: number;
  positions: boolean;
  algorithm: number; // ALGORITHMS
  keepWeights: boolean;
}

export interface WasmRun {
  /** Address of a buffer (see RUN_BUFFERS); 0 when it is not there. */
  address(buffer: number, layer: number): number;
  /**
   * Takes over the first layers of another run over the same tokens with the same options and masks, up to the
   * first layer whose gains differ; how many. Unless 0, begin() is not needed.
   */
  reuse(other: WasmRun): number;
  /** Checks ids and computes the embeddings into hidden 0. */
  begin(): Code;
  /** Computes layer `layer` (needs hidden `layer`): queries .. weights, and hidden `layer`+1. */
  layer(layer: number): Code;
  /** Like layer() but stops after the weights; layer() may be called later and gives the same. */
  layerWeights(layer: number): Code;
  /** Recomputes scaled scores before the mask [(to-from)*T] of one head into `target`. */
  scoreRows(layer: number, head: number, from: number, to: number, target: number): Code;
  /** Recomputes weights [(to-from)*T] of one head into `target`, equal to the kept ones. */
  weightRows(layer: number, head: number, from: number, to: number, target: number): Code;
  /** One row taken apart into stepsSize() floats at `target`; the layer must be computed whole. */
  steps(layer: number, head: number, query: number, key: number, target: number): Code;
  /** N = heads + 1 additions into `target`: additionsSize(N, width, width) floats, then heads*width of scratch. */
  additions(layer: number, token: number, target: number): Code;
  delete(): void;
}

/** cpp/attention/steps.hpp, steps_at: floats in this order. */
export function stepsSize(headSize: number, keyLength: number, valueSize: number): number {
  return headSize + 5 * keyLength + keyLength * valueSize + valueSize + 2;
}

/**
 * cpp/attention/additions.hpp, additions_at: parts [N*width], output [width], norms, shares [N], two norms,
 * contexts.
 */
export function additionsSize(parts: number, width: number, contexts: number): number {
  return parts * width + width + 2 * parts + 2 + contexts;
}

export interface WasmAttention {
  queries: number; // addresses
  keys: number;
  values: number;
  scores: number; // 0 = do not keep (flash)
  weights: number; // 0 = do not keep (flash)
  context: number;
  pattern: number; // address of uint8 [Tq*Tk], or 0
  keyMask: number; // address of uint8 [Tk], or 0
  heads: number;
  kvHeads: number;
  queryLength: number;
  keyLength: number;
  headSize: number;
  valueSize: number;
  scale: number;
  patternKind: number; // PATTERN_KINDS
  radius: number;
  algorithm: number; // ALGORITHMS
}

export interface WasmMultiHead {
  x: number; // addresses
  memory: number;
  wQ: number;
  wK: number;
  wV: number;
  wO: number;
  queries: number; // [Tq, H*dk]
  keys: number; // [Tk, Hkv*dk]
  values: number; // [Tk, Hkv*dv]
  scores: number;
  weights: number;
  concat: number;
  output: number;
  pattern: number; // or 0
  keyMask: number; // or 0
  heads: number;
  kvHeads: number;
  queryLength: number;
  keyLength: number;
  headSize: number;
  valueSize: number;
  width: number;
  outputWidth: number;
  scale: number;
  patternKind: number; // PATTERN_KINDS
  radius: number;
  looped: boolean;
}

export interface WasmModule {
  readonly HEAPU8: Uint8Array;
  readonly HEAPF32: Float32Array;
  readonly HEAP32: Int32Array;
  /** 16-byte aligned memory; 0 = out of memory. */
  allocate(bytes: number): number;
  release(address: number): void;
  /** CRC-32 (IEEE 802.3, as zlib) of bytes in wasm memory. */
  crc32(address: number, bytes: number): number;
  countNonFinite(address: number, count: number): number;
  variant(): string;
  createModel(spec: WasmSpec): WasmModel | null; // null: spec invalid (ask checkSpec) or out of memory
  checkSpec(spec: WasmSpec): Code;
  createRun(model: WasmModel, tokens: number, options: WasmRunOptions): WasmRun | null; // null: out of memory
  checkRun(model: WasmModel, tokens: number, options: WasmRunOptions): Code;
  attention(input: WasmAttention): Code;
  /** Of `input` only what attention reads; as WasmRun.steps. */
  attentionSteps(
    input: WasmAttention,
    head: number,
    query: number,
    key: number,
    target: number,
  ): Code;
  multiHead(input: WasmMultiHead): Code;
  /** N = heads: additionsSize(N, width, heads*valueSize) floats at `target`, then heads*heads*valueSize of scratch. */
  headAdditions(
    concat: number,
    heads: number,
    valueSize: number,
    wO: number,
    width: number,
    residual: number,
    residualSize: number,
    target: number,
  ): void;
  /** `count` doubles at `target`. */
  gaussians(seed: number, count: number, target: number): void;
  /** Bytes now held by allocations (models, runs, allocate()); flat over runs and loads. */
  bytesInUse(): number;
}

/** The Emscripten factory: `instantiateWasm` is given, so the glue never fetches anything by itself. */
export type WasmFactory = (options: {
  instantiateWasm: (
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ) => object;
}) => Promise<WasmModule>;
