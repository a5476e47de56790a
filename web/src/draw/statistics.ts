/**
 * Small facts about a matrix of weights that views write next to it: what a token looks at most, how spread a
 * head is. `weights` is [n*n], row = query. What a head does in general is measured elsewhere (roles.ts).
 */

import type { Direction, HeadChoice, Picture } from './picture.ts';

const MOST_ROWS = 128;

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
  counts: (query: number, key: number) => boolean = () => true,
): { query: number; key: number; weight: number } | null {
  let best: { query: number; key: number } | null = null;
  let weight = 0;
  for (let query = 0, at = 0; query < n; query++) {
    for (let key = 0; key < n; key++, at++) {
      if (weights[at]! > weight && counts(query, key)) {
        weight = weights[at]!;
        best = { query, key };
      }
    }
  }
  return best ? { ...best, weight } : null;
}

/**
 * How spread a head's rows are: the mean over rows of the row's entropy divided by ln n, so 0 = every row looks
 * at one token only and 1 = every row is uniform. Rows of zeros are left out; NaN when no row is left. With
 * n = 1 there is nothing to choose: 0. Of a text of more than 128 tokens every second, third, ... row is taken, so
 * that at most 128 are. Under a mask `reach` says how many tokens each row may look at: they stand for n, and rows
 * that have no choice are left out.
 */
export function spread(
  weights: Float32Array,
  n: number,
  reach: ArrayLike<number> | null = null,
): number {
  let total = 0;
  let rows = 0;
  const step = Math.ceil(n / MOST_ROWS);
  for (let i = 0; i < n; i += step) {
    let entropy = 0;
    let any = false;
    const choices = reach ? reach[i]! : n;
    if (reach && choices < 2) continue;
    for (let at = i * n; at < (i + 1) * n; at++) {
      const w = weights[at]!;
      if (w > 0) {
        entropy -= w * Math.log(w);
        any = true;
      }
    }
    if (any) {
      total += choices < 2 ? 0 : entropy / Math.log(choices);
      rows++;
    }
  }
  if (rows === 0) return Number.NaN;
  return total / rows;
}

/**
 * How far a head looks: the mean over rows of the sum of weight times |query - key|, in tokens. `columns` keys a row;
 * rows of zeros count as 0. NaN for no row.
 */
export function meanDistance(weights: ArrayLike<number>, columns: number): number {
  const rows = columns === 0 ? 0 : weights.length / columns;
  let total = 0;
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < columns; j++) total += weights[i * columns + j]! * Math.abs(i - j);
  return total / rows;
}

/** Median and the middle half of some measurements, in their unit; NaN for none. */
export function quartiles(values: ArrayLike<number>): {
  low: number;
  median: number;
  high: number;
} {
  const sorted = Array.from(values).sort((a, b) => a - b);
  const at = (share: number) => {
    const place = share * (sorted.length - 1);
    const below = sorted[Math.floor(place)]!;
    return below + (sorted[Math.ceil(place)]! - below) * (place - Math.floor(place));
  };
  return sorted.length === 0
    ? { low: Number.NaN, median: Number.NaN, high: Number.NaN }
    : { low: at(0.25), median: at(0.5), high: at(0.75) };
}

/** Whether a query may look at more than one of the shown tokens: else its weight says nothing about the head. */
export function hasChoice({ reach }: Picture, query: number): boolean {
  return reach === null || reach[query]! > 1;
}

/** The strongest weight between two words, where the query had a choice. */
export function strongestWords(
  picture: Picture,
  choice: HeadChoice,
): { query: number; key: number; weight: number } | null {
  const plain = (index: number) => !picture.tokens[index]!.special;
  return strongestPair(
    picture.weights(choice),
    picture.tokens.length,
    (query, key) => plain(query) && plain(key) && hasChoice(picture, query),
  );
}

/** The share of its attention that a query gives to the shown tokens: a weight times this is the model's own. */
export function shownPart(picture: Picture, choice: HeadChoice, query: number): number {
  return 1 - (picture.removed(choice)?.[query] ?? 0);
}

/**
 * A token worth showing before the reader has pointed at one: the query (or, for 'to', the key) of the largest
 * weight between two different tokens that are not special; else between any two; else the first. null for an
 * empty picture.
 */
export function suggestedToken(
  picture: Picture,
  choice: HeadChoice,
  direction: Direction,
): number | null {
  const { tokens } = picture;
  const n = tokens.length;
  if (n === 0) return null;
  const weights = picture.weights(choice);
  const plain = (i: number, j: number) => !tokens[i]!.special && !tokens[j]!.special;
  const pair =
    strongestPair(weights, n, (i, j) => i !== j && plain(i, j) && hasChoice(picture, i)) ??
    strongestPair(weights, n, (i, j) => i !== j && hasChoice(picture, i)) ??
    strongestPair(weights, n, (i, j) => i !== j);
  if (!pair) return 0;
  return direction === 'from' ? pair.query : pair.key;
}
