/** Makes tokens, weights and seeded random numbers for the tests of draw. */

import type { Token } from '../../web/src/engine/types.ts';

export function token(text: string, more: Partial<Token> = {}): Token {
  const special = /^\[(CLS|SEP)\]$/.test(text);
  return { text, id: 0, start: null, end: null, special, word: null, segment: 0, ...more };
}

/** A small repeatable random generator (mulberry32), 0 <= x < 1. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 15), z | 1);
    z ^= z + Math.imul(z ^ (z >>> 7), z | 61);
    return ((z ^ (z >>> 14)) >>> 0) / 4294967296;
  };
}

/** Weights [heads*T*T] whose rows sum to one; sharp rows when `power` is large. */
export function softmaxRows(heads: number, T: number, seed: number, power = 3): Float32Array {
  const random = seeded(seed);
  const out = new Float32Array(heads * T * T);
  for (let row = 0; row < heads * T; row++) {
    let sum = 0;
    for (let j = 0; j < T; j++) {
      const value = random() ** power;
      out[row * T + j] = value;
      sum += value;
    }
    for (let j = 0; j < T; j++) out[row * T + j]! /= sum;
  }
  return out;
}

export function rowSums(weights: Float32Array, n: number): number[] {
  return Array.from({ length: n }, (_, i) =>
    weights.subarray(i * n, (i + 1) * n).reduce((sum, w) => sum + w, 0),
  );
}
