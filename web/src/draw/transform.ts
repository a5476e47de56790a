/**
 * Makes a Picture from the weights of a run: averages over heads or layers, merges pieces into words, hides
 * special tokens. Lazy (a head costs nothing until somebody draws it) and cached. No drawing here.
 *
 * Order, the same for every head: first what is linear, last what is not.
 *   1. Mean over heads and layers, of the model's own weights.
 *   2. Pieces into words: a word is looked at as much as its pieces together (keys summed) and looks as its
 *      pieces do on average (queries averaged). Rows still sum to 1.
 *   3. Hidden tokens: their queries are left out; what a row gave to their keys is taken away, reported as
 *      `removed`, and the rest is divided by its sum, so that the row sums to 1 again.
 */

import type { Token } from '../engine/types.ts';
import type { HeadChoice, Picture, ShownToken } from './picture.ts';

export interface TokenSource {
  tokens: readonly Token[];
  /** What was typed: `start` and `end` of the tokens count in these. */
  typedText: string;
  typedPair?: string | undefined;
}

export interface PictureSource extends TokenSource {
  layers: number;
  heads: number;
  layersReady: number;
  /** Weights [H*T*T] of a layer that is ready. Not written to; kept by reference. */
  attentions(layer: number): Float32Array;
  /** Under a mask: [T*T], 1 where the query of a row may look at the key of a column. */
  open?: Uint8Array | null;
}

export interface PictureOptions {
  showSpecials: boolean;
  mergeWords: boolean;
  /** Of a pair: segment of the queries and of the keys that are shown; the other weights count as 0. */
  quadrant?: readonly [query: 0 | 1, key: 0 | 1] | null;
}

/**
 * A row that leaves less than this to the shown tokens gave everything away: it becomes zeros and its removed
 * mass 1. Below it a weight is rounding (fp32 arithmetic in another order moves a weight by up to 2e-5).
 */
export const NOTHING_LEFT = 2e-5;

export function makePicture(source: PictureSource, options: PictureOptions): Picture {
  const { layers, heads, layersReady } = source;
  const T = source.tokens.length;
  const groups = groupTokens(source.tokens, options.mergeWords);
  const shown = options.showSpecials
    ? groups
    : groups.filter((g) => !source.tokens[g[0]!]!.special);
  const tokens = shown.map((group) => describe(group, source));
  const n = shown.length;
  const quadrant = options.quadrant ?? null;
  const hides = n < groups.length;
  const merges = groups.length < T;
  const open = source.open ?? null;
  if (open && open.length !== T * T)
    throw new RangeError(`the mask has ${open.length} places, not ${T} x ${T}`);
  const reach = open && reachOf(open, T, shown, shown);
  // What an empty row lost is nothing: its query may look at no token at all.
  const sees = open && reachOf(open, T, shown, groups);
  const hidden = groups.filter((group) => !shown.includes(group));

  const cache = new Map<string, { weights: Float32Array; removed: Float32Array | null }>();

  function layerWeights(layer: number): Float32Array {
    if (!(layer >= 0 && layer < layers)) throw new RangeError(`no layer ${layer} of ${layers}`);
    if (layer >= layersReady) throw new RangeError(`layer ${layer} has not arrived`);
    const all = source.attentions(layer);
    if (all.length !== heads * T * T) {
      throw new RangeError(`layer ${layer} has ${all.length} weights, not ${heads} x ${T} x ${T}`);
    }
    return all;
  }

  function rawOf(choice: HeadChoice): Float32Array {
    const size = T * T;
    if (choice.layer !== 'mean' && choice.head !== 'mean') {
      return headOf(layerWeights(choice.layer), choice.head, heads, size);
    }
    const sum = new Float32Array(size);
    const from = choice.layer === 'mean' ? 0 : choice.layer;
    const to = choice.layer === 'mean' ? layersReady : choice.layer + 1;
    if (to === 0) throw new RangeError('no layer has arrived');
    let count = 0;
    for (let layer = from; layer < to; layer++) {
      const all = layerWeights(layer);
      for (let head = 0; head < heads; head++) {
        if (choice.head !== 'mean' && choice.head !== head) continue;
        const one = headOf(all, head, heads, size);
        for (let i = 0; i < size; i++) sum[i]! += one[i]!;
        count++;
      }
    }
    for (let i = 0; i < size; i++) sum[i]! /= count;
    return sum;
  }

  function compute(choice: HeadChoice) {
    const raw = rawOf(choice);
    if (!hides && !merges && !quadrant) return { weights: raw, removed: null };
    const kept = merges ? mergedRows(raw, T, shown) : pickedRows(raw, T, shown);
    const removed = hides ? renormalise(kept, n, sees) : null;
    return { weights: quadrant ? onlyQuadrant(kept, tokens, quadrant) : kept, removed };
  }

  function of(choice: HeadChoice) {
    const key = `${choice.layer}.${choice.head}`;
    let entry = cache.get(key);
    if (!entry) {
      entry = compute(choice);
      cache.set(key, entry);
    }
    return entry;
  }

  return {
    layers,
    heads,
    layersReady,
    tokens,
    weights: (choice) => of(choice).weights,
    removed: (choice) => of(choice).removed,
    reach,
    hidden: (query) => {
      const rows = query === null ? shown : shown.slice(query, query + 1);
      const seen = hidden.filter(
        (group) => !open || reachOf(open, T, rows, [group]).some((count) => count > 0),
      );
      return [...new Set(seen.map((group) => describe(group, source).text))];
    },
  };
}

/** How many of `others` each of `groups` may look at: those with a token that one of its tokens may look at. */
function reachOf(
  open: Uint8Array,
  T: number,
  groups: readonly number[][],
  others: readonly number[][],
): Uint32Array {
  const place = new Int32Array(T).fill(-1);
  others.forEach((group, index) => {
    for (const token of group) place[token] = index;
  });
  const met = new Int32Array(others.length).fill(-1);
  return Uint32Array.from(groups, (group, index) => {
    let count = 0;
    for (const query of group)
      for (let key = 0; key < T; key++) {
        const other = place[key]!;
        if (other < 0 || open[query * T + key] !== 1 || met[other] === index) continue;
        met[other] = index;
        count++;
      }
    return count;
  });
}

/** Weights from one text to one text; the others become 0, and rows are not made to sum to 1 again. */
function onlyQuadrant(
  weights: Float32Array,
  tokens: readonly ShownToken[],
  [query, key]: readonly [0 | 1, 0 | 1],
): Float32Array {
  const n = tokens.length;
  return weights.map((weight, at) => {
    const from = tokens[Math.floor(at / n)]!.segment;
    return from === query && tokens[at % n]!.segment === key ? weight : 0;
  });
}

/** Every token of a run by itself, special ones too. */
export function shownTokens(source: TokenSource): ShownToken[] {
  return source.tokens.map((_, index) => describe([index], source));
}

function headOf(all: Float32Array, head: number, heads: number, size: number): Float32Array {
  if (!(head >= 0 && head < heads)) throw new RangeError(`no head ${head} of ${heads}`);
  return all.subarray(head * size, (head + 1) * size);
}

/** Runs of token indices: one a token, or one a word when pieces are merged. */
function groupTokens(tokens: readonly Token[], mergeWords: boolean): number[][] {
  const groups: number[][] = [];
  tokens.forEach((_, index) => {
    if (mergeWords && continuesWord(tokens, index)) groups.at(-1)!.push(index);
    else groups.push([index]);
  });
  return groups;
}

/** Whether a token is a later piece of the word that the token before it belongs to. */
export function continuesWord(tokens: readonly Token[], index: number): boolean {
  const token = tokens[index];
  const before = tokens[index - 1];
  if (!token || !before || token.special || before.special) return false;
  if (token.segment !== before.segment) return false;
  if (token.word !== null || before.word !== null) return token.word === before.word;
  return token.text.startsWith('##');
}

function describe(group: readonly number[], source: TokenSource): ShownToken {
  const parts = group.map((index) => source.tokens[index]!);
  const first = parts[0]!;
  const last = parts.at(-1)!;
  const typed = first.segment === 1 ? (source.typedPair ?? '') : source.typedText;
  const known = first.start !== null && last.end !== null && last.end > first.start;
  const written = known ? typed.slice(first.start!, last.end!) : '';
  const spelled = parts.map((part) => part.text.replace(/^##(?=.)/, '')).join('');
  return {
    text: written.trim() === '' ? spelled : written,
    piece: parts.map((part) => part.text).join(' '),
    special: first.special,
    continuation: continuesWord(source.tokens, group[0]!),
    unknown: parts.some((part) => part.text === '[UNK]' && !part.special),
    start: first.start,
    end: last.end,
    segment: first.segment,
    sources: [...group],
  };
}

/** Rows and columns of the shown tokens, where each stands for one token. */
function pickedRows(raw: Float32Array, T: number, shown: readonly number[][]): Float32Array {
  const n = shown.length;
  const index = Int32Array.from(shown, (group) => group[0]!);
  const out = new Float32Array(n * n);
  const first = index[0] ?? 0;
  // Usually only both ends are hidden: then a row is one block.
  const block = n > 16 && index[n - 1] === first + n - 1;
  for (let i = 0, at = 0; i < n; i++) {
    const row = index[i]! * T;
    if (block) {
      out.set(raw.subarray(row + first, row + first + n), at);
      at += n;
    } else {
      for (let j = 0; j < n; j++) out[at++] = raw[row + index[j]!]!;
    }
  }
  return out;
}

/** Keys of a group summed, queries of a group averaged. */
function mergedRows(raw: Float32Array, T: number, shown: readonly number[][]): Float32Array {
  const n = shown.length;
  const column = new Int32Array(T).fill(-1);
  shown.forEach((group, j) => {
    for (const source of group) column[source] = j;
  });
  const out = new Float32Array(n * n);
  shown.forEach((group, i) => {
    const share = 1 / group.length;
    for (const query of group) {
      for (let key = 0; key < T; key++) {
        const j = column[key]!;
        if (j >= 0) out[i * n + j]! += share * raw[query * T + key]!;
      }
    }
  });
  return out;
}

/** Makes each row sum to 1 in place; returns what each row had lost. `sees`: how many tokens each may look at. */
function renormalise(weights: Float32Array, n: number, sees: Uint32Array | null): Float32Array {
  const removed = new Float32Array(n);
  for (let i = 0, start = 0; i < n; i++, start += n) {
    const end = start + n;
    const left = sumOf(weights, start, end);
    if (left < NOTHING_LEFT) {
      weights.fill(0, start, end);
      removed[i] = sees?.[i] === 0 ? 0 : 1;
      continue;
    }
    removed[i] = Math.min(1, Math.max(0, 1 - left));
    const factor = 1 / left;
    for (let at = start; at < end; at++) weights[at] = weights[at]! * factor;
  }
  return removed;
}

/** In four chains, so that an addition need not wait for the one before it. */
function sumOf(values: Float32Array, start: number, end: number): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let at = start;
  for (; at + 3 < end; at += 4) {
    a += values[at]!;
    b += values[at + 1]!;
    c += values[at + 2]!;
    d += values[at + 3]!;
  }
  for (; at < end; at++) a += values[at]!;
  return a + b + (c + d);
}
