/**
 * One head taken apart for one query and one key: what the inspector shows, in the order of the arithmetic. All
 * numbers come from the engine; here they are only cut to pieces and written.
 */
import type { AttentionSteps, HeadAdditions } from '../engine/types.ts';

/** In the order in which a reader would compute; a link names them by these words. */
export const INSIDE_STEPS = [
  'words', // the hidden states that go in
  'vectors', // q and k
  'products', // q times k, number by number, and their sum
  'scale', // the sum divided by the square root of d_k
  'row', // every key's score, and the mask
  'softmax', // maximum, exponentials, their sum, weights
  'context', // weight times value, key after key
  'concat', // all heads' contexts side by side
  'output', // what each head adds to the block's output
] as const;
export type InsideStep = (typeof INSIDE_STEPS)[number];

export interface Inside {
  /** null where there are no layers: the reader's own matrices. */
  layer: number | null;
  head: number;
  query: number;
  key: number;
  queryTokens: readonly string[];
  keyTokens: readonly string[];
  /** What went into the layer at the query and at the key; null where it is not known. */
  queryInput: Float32Array | null;
  keyInput: Float32Array | null;
  steps: AttentionSteps;
  /** null where there is no W_O. */
  additions: HeadAdditions | null;
}

/** Steps that these numbers allow. */
export function stepsOf(inside: Inside): InsideStep[] {
  return INSIDE_STEPS.filter((step) => {
    if (step === 'words') return inside.queryInput !== null;
    if (step === 'concat' || step === 'output') return inside.additions !== null;
    return true;
  });
}

/** Decimals of all terms and sums: their roundings then add up as the page says. */
export const DECIMALS = 3;

/** With a true minus sign, and a width that does not jump: -0 is 0. */
export function printed(value: number, decimals = DECIMALS): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  const text = Math.abs(value).toFixed(decimals);
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
}

/** How far the printed total may lie from the sum of the printed terms, in units of the last digit. */
export function roundingUnits(terms: number): number {
  return (terms + 1) / 2;
}

/** Columns [from, to) of a head in what all heads have side by side. */
export function sliceOf(inside: Inside): { from: number; to: number } {
  const { valueSize } = inside.steps;
  return { from: inside.head * valueSize, to: (inside.head + 1) * valueSize };
}

/** The context after the keys before `key`; zeros before the first. */
export function runningBefore({ steps, key }: Inside): Float32Array {
  return key === 0 ? new Float32Array(steps.valueSize) : runningAfter(steps, key - 1);
}

export function runningAfter(steps: AttentionSteps, key: number): Float32Array {
  return steps.running.subarray(key * steps.valueSize, (key + 1) * steps.valueSize);
}

/** One head's addition, or the bias after the last head: [width]. */
export function partOf({ parts, width }: HeadAdditions, index: number): Float32Array {
  return parts.subarray(index * width, (index + 1) * width);
}

/** How large the block's output is beside what it is added to; null where that is 0. */
export function outputRatio({ outputNorm, residualNorm }: HeadAdditions): number | null {
  return residualNorm > 0 ? outputNorm / residualNorm : null;
}
