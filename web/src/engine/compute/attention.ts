/**
 * Attention over matrices that the caller gives, without a model. `checkAttention` runs on the caller's side
 * (it copies the inputs at once, so they may change afterwards); `attend` runs beside the compiled code.
 */
import { HeadlightsError } from '../errors.ts';
import type { AttentionInput, AttentionKernel, AttentionOutput } from '../types.ts';
import { allocate, copyFloats, outOfMemory, writeBytes, writeFloats } from '../wasm/memory.ts';
import { ALGORITHMS, CODES, type WasmModule } from '../wasm/module.ts';
import { finite, floats, integer, mask, object, oneOf } from './arguments.ts';
import { type CheckedPattern, checkPattern, patternIndex } from './pattern.ts';

export interface CheckedAttention {
  queries: Float32Array;
  keys: Float32Array;
  values: Float32Array;
  heads: number;
  kvHeads: number;
  queryLength: number;
  keyLength: number;
  headSize: number;
  valueSize: number;
  scale: number;
  pattern: CheckedPattern;
  keyMask: Uint8Array | null;
  kernel: AttentionKernel;
}

/** Every argument checked, every default filled in, every array copied. Lengths may be 0. */
export function checkAttention(input: AttentionInput): CheckedAttention {
  object(input, 'The argument of attention');
  const heads = integer(input.heads, 'heads', 1);
  const queryLength = integer(input.queryLength, 'queryLength', 0);
  const headSize = integer(input.headSize, 'headSize', 1);
  const kvHeads = integer(input.kvHeads ?? heads, 'kvHeads', 1);
  const keyLength = integer(input.keyLength ?? queryLength, 'keyLength', 0);
  const valueSize = integer(input.valueSize ?? headSize, 'valueSize', 1);
  if (heads % kvHeads !== 0) {
    throw new HeadlightsError(
      'bad-shape',
      `${heads} query heads cannot share ${kvHeads} key/value heads equally.`,
      { heads, kvHeads },
    );
  }
  const meaning = (count: number, what: string, length: number, size: number) =>
    `${count} ${what} of ${length} × ${size}`;
  return {
    heads,
    kvHeads,
    queryLength,
    keyLength,
    headSize,
    valueSize,
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
    scale: finite(input.scale ?? 1 / Math.sqrt(headSize), 'scale'),
    pattern: checkPattern(input.mask, 'mask', queryLength, keyLength, ['none']),
    keyMask:
      input.keyMask === undefined
        ? null
        : mask(input.keyMask, 'keyMask', keyLength, `${keyLength} keys`),
    kernel: oneOf(input.kernel, 'kernel', ALGORITHMS, 'explained'),
  };
}

export function attend(module: WasmModule, input: CheckedAttention): AttentionOutput {
  const { heads, queryLength, keyLength, valueSize } = input;
  const keeps = input.kernel !== 'flash';
  const cells = heads * queryLength * keyLength;
  const outputs = heads * queryLength * valueSize;
  const held: number[] = [];
  const take = (bytes: number, what: string): number => {
    const address = allocate(module, Math.max(bytes, 16), what);
    held.push(address);
    return address;
  };
  const floatsIn = (numbers: Float32Array, what: string): number => {
    const address = take(numbers.byteLength, what);
    writeFloats(module, address, numbers);
    return address;
  };
  const bytesIn = (bytes: Uint8Array | null, what: string): number => {
    if (bytes === null) return 0;
    const address = take(bytes.length, what);
    writeBytes(module, address, bytes);
    return address;
  };
  try {
    const queries = floatsIn(input.queries, 'the queries');
    const keys = floatsIn(input.keys, 'the keys');
    const values = floatsIn(input.values, 'the values');
    const pattern = bytesIn(input.pattern.given, 'the mask');
    const keyMask = bytesIn(input.keyMask, 'the key mask');
    const scores = keeps ? take(4 * cells, 'the scores') : 0;
    const weights = keeps ? take(4 * cells, 'the weights') : 0;
    const context = take(4 * outputs, 'the context');
    const code = module.attention({
      queries,
      keys,
      values,
      scores,
      weights,
      context,
      pattern,
      keyMask,
      heads,
      kvHeads: input.kvHeads,
      queryLength,
      keyLength,
      headSize: input.headSize,
      valueSize,
      scale: input.scale,
      patternKind: patternIndex(input.pattern.kind),
      radius: input.pattern.radius,
      algorithm: ALGORITHMS.indexOf(input.kernel),
    });
    if (CODES[code] === 'out-of-memory') throw outOfMemory(4 * cells, 'the attention');
    if (code !== 0) {
      throw new HeadlightsError(
        'bad-argument',
        `The attention cannot be computed (${CODES[code]}).`,
        {
          reason: CODES[code],
        },
      );
    }
    return {
      scores: keeps ? copyFloats(module, scores, cells) : null,
      weights: keeps ? copyFloats(module, weights, cells) : null,
      context: copyFloats(module, context, outputs),
      nonFinite: module.countNonFinite(context, outputs),
    };
  } finally {
    for (const address of held) module.release(address);
  }
}
