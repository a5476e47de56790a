/**
 * Multi-head attention from words and weights that the caller gives, what each head adds, both ways to project
 * timed, and NumPy's legacy Gaussian numbers to draw such weights from. The checks run on the caller's side.
 */
import { HeadlightsError } from '../errors.ts';
import type {
  AdditionsInput,
  HeadAdditions,
  MultiHeadInput,
  MultiHeadOutput,
  MultiHeadTimes,
} from '../types.ts';
import { Arena, copyDoubles, copyFloats } from '../wasm/memory.ts';
import { additionsSize, type WasmModule, type WasmMultiHead } from '../wasm/module.ts';
import { floats, integer, object, oneOf } from './arguments.ts';
import { expectOk } from './attention.ts';
import { checkGeometry, type Geometry } from './geometry.ts';
import { patternIndex } from './pattern.ts';
import { additionsFrom } from './steps.ts';

export interface CheckedMultiHead extends Geometry {
  x: Float32Array;
  memory: Float32Array;
  wQ: Float32Array;
  wK: Float32Array;
  wV: Float32Array;
  wO: Float32Array;
  width: number;
  outputWidth: number;
  looped: boolean;
}

/** Every argument checked, every default filled in, every array copied. */
export function checkMultiHead(input: MultiHeadInput): CheckedMultiHead {
  object(input, 'The argument of multiHead');
  const geometry = checkGeometry(input);
  const { heads, kvHeads, queryLength, keyLength, headSize, valueSize } = geometry;
  const width = integer(input.width, 'width', 1);
  const outputWidth = integer(input.outputWidth ?? width, 'outputWidth', 1);
  if (input.memory === undefined && keyLength !== queryLength) {
    throw new HeadlightsError(
      'bad-shape',
      `Without memory the words look at themselves, so keyLength must be ${queryLength}, not ${keyLength}.`,
      { keyLength, expected: queryLength },
    );
  }
  const matrix = (value: unknown, name: string, rows: number, columns: number) =>
    floats(value, name, rows * columns, `${rows} × ${columns}`);
  const x = matrix(input.x, 'x', queryLength, width);
  return {
    ...geometry,
    x,
    memory: input.memory === undefined ? x : matrix(input.memory, 'memory', keyLength, width),
    wQ: matrix(input.wQ, 'wQ', width, heads * headSize),
    wK: matrix(input.wK, 'wK', width, kvHeads * headSize),
    wV: matrix(input.wV, 'wV', width, kvHeads * valueSize),
    wO: matrix(input.wO, 'wO', heads * valueSize, outputWidth),
    width,
    outputWidth,
    looped: oneOf(input.projection, 'projection', ['batched', 'looped'], 'batched') === 'looped',
  };
}

export function multiHead(module: WasmModule, input: CheckedMultiHead): MultiHeadOutput {
  const arena = new Arena(module);
  try {
    const placed = place(arena, input);
    run(module, input, placed);
    const { heads, kvHeads, queryLength, keyLength, headSize, valueSize } = input;
    const copy = (address: number, count: number) => copyFloats(module, address, count);
    const cells = heads * queryLength * keyLength;
    const outputs = queryLength * input.outputWidth;
    return {
      queries: byHeads(
        copy(placed.queries, queryLength * heads * headSize),
        heads,
        queryLength,
        headSize,
      ),
      keys: byHeads(
        copy(placed.keys, keyLength * kvHeads * headSize),
        kvHeads,
        keyLength,
        headSize,
      ),
      values: byHeads(
        copy(placed.values, keyLength * kvHeads * valueSize),
        kvHeads,
        keyLength,
        valueSize,
      ),
      scores: copy(placed.scores, cells),
      weights: copy(placed.weights, cells),
      concat: copy(placed.concat, queryLength * heads * valueSize),
      output: copy(placed.output, outputs),
      nonFinite: module.countNonFinite(placed.output, outputs),
    };
  } finally {
    arena.release();
  }
}

/** From heads side by side, [T, H*size], to head after head, [H, T, size]. */
function byHeads(columns: Float32Array, heads: number, rows: number, size: number): Float32Array {
  const result = new Float32Array(columns.length);
  for (let head = 0; head < heads; head++)
    for (let row = 0; row < rows; row++) {
      const from = (row * heads + head) * size;
      result.set(columns.subarray(from, from + size), (head * rows + row) * size);
    }
  return result;
}

function place(arena: Arena, input: CheckedMultiHead): WasmMultiHead {
  const { heads, kvHeads, queryLength, keyLength, headSize, valueSize } = input;
  const cells = 4 * heads * queryLength * keyLength;
  const x = arena.floats(input.x, 'x');
  return {
    x,
    memory: input.memory === input.x ? x : arena.floats(input.memory, 'memory'),
    wQ: arena.floats(input.wQ, 'W_Q'),
    wK: arena.floats(input.wK, 'W_K'),
    wV: arena.floats(input.wV, 'W_V'),
    wO: arena.floats(input.wO, 'W_O'),
    pattern: arena.bytes(input.pattern.given, 'the mask'),
    keyMask: arena.bytes(input.keyMask, 'the key mask'),
    queries: arena.take(4 * queryLength * heads * headSize, 'the queries'),
    keys: arena.take(4 * keyLength * kvHeads * headSize, 'the keys'),
    values: arena.take(4 * keyLength * kvHeads * valueSize, 'the values'),
    scores: arena.take(cells, 'the scores'),
    weights: arena.take(cells, 'the weights'),
    concat: arena.take(4 * queryLength * heads * valueSize, 'the contexts'),
    output: arena.take(4 * queryLength * input.outputWidth, 'the output'),
    heads,
    kvHeads,
    queryLength,
    keyLength,
    headSize,
    valueSize,
    width: input.width,
    outputWidth: input.outputWidth,
    scale: input.scale,
    patternKind: patternIndex(input.pattern.kind),
    radius: input.pattern.radius,
    looped: input.looped,
  };
}

function run(module: WasmModule, input: CheckedMultiHead, placed: WasmMultiHead): void {
  const cells = 4 * input.heads * input.queryLength * input.keyLength;
  expectOk(module.multiHead(placed), cells);
}

/** A sample repeats the pass until clocks of 0.1 ms can tell it. */
const SAMPLE_MS = 5;

export function timeMultiHead(
  module: WasmModule,
  input: CheckedMultiHead,
  samples: number,
): MultiHeadTimes {
  const arena = new Arena(module);
  try {
    const placed = place(arena, input);
    const once = (looped: boolean) => run(module, input, { ...placed, looped });
    const elapsed = (looped: boolean, passes: number) => {
      const start = performance.now();
      for (let pass = 0; pass < passes; pass++) once(looped);
      return performance.now() - start;
    };
    let passes = 1;
    while (elapsed(false, passes) < SAMPLE_MS && passes < 1 << 20) passes *= 2;
    elapsed(true, passes);
    const times = { batched: new Float64Array(samples), looped: new Float64Array(samples) };
    for (let sample = 0; sample < samples; sample++) {
      // In turns, each first as often as the other.
      const order =
        sample % 2 === 0 ? (['batched', 'looped'] as const) : (['looped', 'batched'] as const);
      for (const way of order) times[way][sample] = elapsed(way === 'looped', passes) / passes;
    }
    return times;
  } finally {
    arena.release();
  }
}

export interface CheckedAdditions {
  context: Float32Array;
  heads: number;
  wO: Float32Array;
  width: number;
  residual: Float32Array;
}

export function checkAdditions(input: AdditionsInput): CheckedAdditions {
  object(input, 'The argument of additions');
  const heads = integer(input.heads, 'heads', 1);
  const length = input.context?.length ?? 0;
  if (length === 0 || length % heads !== 0) {
    throw new HeadlightsError(
      'bad-shape',
      `context has ${length} entries, which ${heads} heads cannot share equally.`,
      { argument: 'context', length, heads },
    );
  }
  const width = Math.floor((input.wO?.length ?? 0) / length);
  return {
    context: floats(input.context, 'context', length, `${heads} heads`),
    heads,
    wO: floats(input.wO, 'wO', length * Math.max(width, 1), `${length} rows of ${width}`),
    width,
    residual: floats(input.residual, 'residual', input.residual?.length, 'a token'),
  };
}

export function headAdditions(module: WasmModule, input: CheckedAdditions): HeadAdditions {
  const { heads, width, context } = input;
  const valueSize = context.length / heads;
  const size = additionsSize(heads, width, context.length);
  const arena = new Arena(module);
  try {
    const target = arena.take(4 * (size + heads * context.length), 'the additions');
    module.headAdditions(
      arena.floats(context, 'the context'),
      heads,
      valueSize,
      arena.floats(input.wO, 'W_O'),
      width,
      arena.floats(input.residual, 'the residual'),
      input.residual.length,
      target,
    );
    return additionsFrom(
      copyFloats(module, target, size),
      heads,
      width,
      /*bias=*/ false,
      context.length,
    );
  } finally {
    arena.release();
  }
}

/** 128 MB of doubles. */
const MOST_DRAWS = 1 << 24;

export function checkDraws(seed: unknown, count: unknown): { seed: number; count: number } {
  return {
    seed: integer(seed, 'seed', 0),
    count: integer(count, 'count', 0, MOST_DRAWS),
  };
}

export function gaussians(module: WasmModule, seed: number, count: number): Float64Array {
  const arena = new Arena(module);
  try {
    const target = arena.take(8 * count, 'the random numbers');
    module.gaussians(seed, count, target);
    return copyDoubles(module, target, count);
  } finally {
    arena.release();
  }
}
