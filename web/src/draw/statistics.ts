/**
 * Small facts about a matrix of weights that views write next to it: what a token looks at most, how spread a
 * head is. `weights` is [n*n], row = query. What a head does in general is measured elsewhere (roles.ts).
 */

import type { Direction } from './picture.ts';

export interface Weighted {
  index: number;
  weight: number;
}

/** What one token gives to each token ('from'), or gets from each ('to'): [n]. */
export function weightsOf(
  weights: Float32Array,
  n: number,
  token: number,
  direction: Direction,
): Float32Array {
  if (direction === 'from') return weights.slice(token * n, (token + 1) * n);
  return Float32Array.from({ length: n }, (_, i) => weights[i * n + token]!);
}

/** The largest entries, largest first; ties in reading order. Zeros are left out. */
export function strongest(values: ArrayLike<number>, count: number): Weighted[] {
  const all: Weighted[] = [];
  for (let index = 0; index < values.length; index++) {
    const weight = values[index]!;
    if (weight > 0) all.push({ index, weight });
  }
  return all.sort((a, b) => b.weight - a.weight || a.index - b.index).slice(0, count);
}

/** Query, key and weight of the largest weight of a head; null when it has none above zero. */
export function strongestPair(
  weights: Float32Array,
  n: number,
): { query: number; key: number; weight: number } | null {
  let best = -1;
  let weight = 0;
  for (let at = 0; at < n * n; at++) {
    if (weights[at]! > weight) {
      weight = weights[at]!;
      best = at;
    }
  }
  return best < 0 ? null : { query: Math.floor(best / n), key: best % n, weight };
}

/**
 * How spread a head's rows are: the mean over rows of the row's entropy divided by ln n, so 0 = every row looks
 * at one token only and 1 = every row is uniform. Rows of zeros are left out; NaN when no row is left. With
 * n = 1 there is nothing to choose: 0.
 */
export function spread(weights: Float32Array, n: number): number {
  let total = 0;
  let rows = 0;
  for (let i = 0; i < n; i++) {
    let entropy = 0;
    let any = false;
    for (let at = i * n; at < (i + 1) * n; at++) {
      const w = weights[at]!;
      if (w > 0) {
        entropy -= w * Math.log(w);
        any = true;
      }
    }
    if (any) {
      total += entropy;
      rows++;
    }
  }
  if (rows === 0) return Number.NaN;
  return n === 1 ? 0 : total / rows / Math.log(n);
}

/**
 * A token worth showing before the reader has pointed at one: the query (or, for 'to', the key) of the largest
 * weight that a token does not give to itself. null for an empty picture.
 */
export function suggestedToken(
  weights: Float32Array,
  n: number,
  direction: Direction,
): number | null {
  if (n === 0) return null;
  let best = 0;
  let largest = -1;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      if (i !== j && weights[i * n + j]! > largest) {
        largest = weights[i * n + j]!;
        best = direction === 'from' ? i : j;
      }
    }
  }
  return best;
}
