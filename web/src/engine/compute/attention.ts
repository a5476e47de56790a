/**
 * Attention over matrices that the caller gives, without a model. `checkAttention` runs on the caller's side
 * (it copies the inputs at once, so they may change afterwards); `attend` runs beside the compiled code.
 */
import { HeadlightsError } from '../errors.ts';
import type { AttentionInput, AttentionKernel, AttentionOutput, AttentionSteps } from '../types.ts';
import { Arena, copyFloats, outOfMemory } from '../wasm/memory.ts';
import {
  ALGORITHMS,
  CODES,
  stepsSize,
  type WasmAttention,
  type WasmModule,
} from '../wasm/module.ts';
import { floats, object, oneOf } from './arguments.ts';
import { checkGeometry, type Geometry } from './geometry.ts';
import { patternIndex } from './pattern.ts';
import { stepsFrom } from './steps.ts';

export interface CheckedAttention extends Geometry {
  queries: Float32Array;
  keys: Float32Array;
  values: Float32Array;
  kernel: AttentionKernel;
}

/** Every argument checked, every default filled in, every array copied. Lengths may be 0. */
export function checkAttention(input: AttentionInput): CheckedAttention {
  object(input, 'The argument of attention');
  const geometry = checkGeometry(input);
  const { heads, kvHeads, queryLength, keyLength, headSize, valueSize } = geometry;
  const meaning = (count: number, what: string, length: number, size: number) =>
    `${count} ${what} of ${length} × ${size}`;
  return {
    ...geometry,
    queries: floats(
      input.queries,
      'queries',
      heads * queryLength * headSize,
      meaning(heads, 'heads', queryLength, headSize),
    ),
    keys: floats(
      input.keys,
      'keys',
      kvHeads * keyLength * headSize,
      meaning(kvHeads, 'key/value heads', keyLength, headSize),
    ),
    values: floats(
      input.values,
      'values',
      kvHeads * keyLength * valueSize,
      meaning(kvHeads, 'key/value heads', keyLength, valueSize),
    ),
    kernel: oneOf(input.kernel, 'kernel', ALGORITHMS, 'explained'),
  };
}

export function attend(module: WasmModule, input: CheckedAttention): AttentionOutput {
  const { heads, queryLength, keyLength, valueSize } = input;
  const keeps = input.kernel !== 'flash';
  const cells = heads * queryLength * keyLength;
  const outputs = heads * queryLength * valueSize;
  const arena = new Arena(module);
  try {
    const placed = place(arena, input);
    const scores = keeps ? arena.take(4 * cells, 'the scores') : 0;
    const weights = keeps ? arena.take(4 * cells, 'the weights') : 0;
    const context = arena.take(4 * outputs, 'the context');
    expectOk(module.attention({ ...placed, scores, weights, context }), 4 * cells);
    return {
      scores: keeps ? copyFloats(module, scores, cells) : null,
      weights: keeps ? copyFloats(module, weights, cells) : null,
      context: copyFloats(module, context, outputs),
      nonFinite: module.countNonFinite(context, outputs),
    };
  } finally {
    arena.release();
  }
}

export function attendSteps(
  module: WasmModule,
  input: CheckedAttention,
  { head, query, key }: { head: number; query: number; key: number },
): AttentionSteps {
  const { queryLength, keyLength, headSize, valueSize } = input;
  const size = stepsSize(headSize, keyLength, valueSize);
  const arena = new Arena(module);
  try {
    const placed = place(arena, input);
    const target = arena.take(4 * size, 'the steps');
    expectOk(module.attentionSteps(placed, head, query, key, target), 4 * size);
    const kvHead = Math.floor(head / (input.heads / input.kvHeads));
    const row = (matrix: Float32Array, index: number, columns: number) =>
      matrix.slice(index * columns, (index + 1) * columns);
    return stepsFrom(copyFloats(module, target, size), {
      headSize,
      valueSize,
      keyLength,
      scale: input.scale,
      queryVector: row(input.queries, head * queryLength + query, headSize),
      keyVector: row(input.keys, kvHead * keyLength + key, headSize),
      valueVector: row(input.values, kvHead * keyLength + key, valueSize),
    });
  } finally {
    arena.release();
  }
}

/** The inputs in wasm memory; no place for results yet. */
function place(arena: Arena, input: CheckedAttention): WasmAttention {
  return {
    queries: arena.floats(input.queries, 'the queries'),
    keys: arena.floats(input.keys, 'the keys'),
    values: arena.floats(input.values, 'the values'),
    pattern: arena.bytes(input.pattern.given, 'the mask'),
    keyMask: arena.bytes(input.keyMask, 'the key mask'),
    scores: 0,
    weights: 0,
    context: 0,
    heads: input.heads,
    kvHeads: input.kvHeads,
    queryLength: input.queryLength,
    keyLength: input.keyLength,
    headSize: input.headSize,
    valueSize: input.valueSize,
    scale: input.scale,
    patternKind: patternIndex(input.pattern.kind),
    radius: input.pattern.radius,
    algorithm: ALGORITHMS.indexOf(input.kernel),
  };
}

/** `bytes`: of the largest thing that the computation may need. */
export function expectOk(code: number, bytes: number): void {
  if (CODES[code] === 'out-of-memory') throw outOfMemory(bytes, 'the attention');
  if (code !== 0) {
    throw new HeadlightsError(
      'bad-argument',
      `The attention cannot be computed (${CODES[code]}).`,
      { reason: CODES[code] },
    );
  }
}
