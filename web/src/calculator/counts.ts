/**
 * What attention costs: parameters, arithmetic and memory, as formulas. Batch of one; every head has
 * keys and values of width d_k; a multiply-add counts as two operations (FLOP). Norms, position
 * tables, rotations and residual additions are not counted.
 */

import { difference, type Expression, named, product, square, sum } from './expression.ts';
import type { Settings } from './settings.ts';

export type Unit = 'count' | 'flop' | 'bytes';

/** One result. Its name on the page is `calculator.count.<id>`. */
export interface Count {
  readonly id: string;
  readonly unit: Unit;
  readonly symbol: string;
  readonly of: Expression;
  /** A sum of what stands above it. */
  readonly total?: boolean;
}

/** Scale, subtract the maximum, exponential (counted as one), sum, divide: for each score. */
export const SOFTMAX_FLOP = 5;

/** FlashAttention-2 (Dao 2023, arXiv 2307.08691) keeps one number a row, in fp32: log of the sum of exponentials. */
export const ROW_STATISTIC_BYTES = 4;

export interface ParameterCounts {
  /** The query projection of all heads, as h matrices and as one. */
  readonly separate: Count;
  readonly joined: Count;
  readonly rows: readonly Count[];
  readonly layer: Count;
  readonly model: Count;
  readonly weights: Count;
}

export function parameterCounts({ bias, gated, ff, vocab, out }: Settings): ParameterCounts {
  const joined = count('joined', 'count', 'W_Q', product('d', product('h', 'dk')));
  const separate = count('separate', 'count', 'W_Q', product('h', product('d', 'dk')));
  const key = count('key', 'count', 'W_K', product('d', product('kv', 'dk')));
  const value = count('value', 'count', 'W_V', product('d', product('kv', 'dk')));
  const output = count('output', 'count', 'W_O', product(product('h', 'dk'), 'd'));
  const matrices = total('matrices', 'count', 'M', [joined, key, value, output]);
  const biases = count('biases', 'count', 'B', sum(product(sum('h', product(2, 'kv')), 'dk'), 'd'));
  const withBias = total('withBias', 'count', 'M_B', [matrices, biases]);
  const layer = bias ? withBias : matrices;
  const rows: Count[] = [joined, key, value, output, matrices, biases, withBias];
  const attention = count('attention', 'count', 'P_att', product('layers', part(layer)), true);
  rows.push(attention);
  const parts: Count[] = [attention];
  if (ff > 0) {
    const feed = product(gated ? 3 : 2, 'd', 'ff');
    const added = gated ? sum(product(2, 'ff'), 'd') : sum('ff', 'd');
    const one = count('feedForward', 'count', 'M_ff', bias ? sum(feed, added) : feed);
    const all = count('feedForwards', 'count', 'P_ff', product('layers', part(one)), true);
    rows.push(one, all);
    parts.push(all);
  }
  if (vocab > 0) {
    const table = out === 'own' ? product(2, 'vocab', 'd') : product('vocab', 'd');
    const words = count(out === 'own' ? 'wordsTwice' : 'words', 'count', 'P_V', table);
    rows.push(words);
    parts.push(words);
  }
  const model = parts.length > 1 ? total('model', 'count', 'P', parts) : attention;
  if (model !== attention) rows.push(model);
  const weights = count('weights', 'bytes', 'S', product(part(model), 'b'));
  return { separate, joined, rows, layer, model, weights };
}

/** For one token that looks at n tokens; a sequence costs n times as much. */
export interface WorkCounts {
  readonly rows: readonly Count[];
  readonly projections: readonly Count[];
  readonly scores: readonly Count[];
  readonly attention: Count;
  readonly feedForward: Count | null;
  readonly model: Count;
}

export function workCounts({ gated, ff, vocab, out }: Settings): WorkCounts {
  const project = product(2, 'd', sum('h', product(2, 'kv')), 'dk');
  const projection = count('project', 'flop', 'F_QKV', project);
  const scores = count('scores', 'flop', 'F_S', product(2, 'n', 'h', 'dk'));
  const softmax = count('softmax', 'flop', 'F_soft', product(SOFTMAX_FLOP, 'n', 'h'));
  const context = count('context', 'flop', 'F_C', product(2, 'n', 'h', 'dk'));
  const output = count('outputWork', 'flop', 'F_O', product(2, product('h', 'dk'), 'd'));
  const attention = total('attentionWork', 'flop', 'F_att', [
    ...[projection, scores, softmax, context, output],
  ]);
  const rows: Count[] = [projection, scores, softmax, context, output, attention];
  let feedForward: Count | null = null;
  if (ff > 0) {
    feedForward = count('feedForwardWork', 'flop', 'F_ff', product(2, gated ? 3 : 2, 'd', 'ff'));
    rows.push(feedForward);
  }
  const layer = feedForward ? sum(part(attention), part(feedForward)) : part(attention);
  const layers = count('layersWork', 'flop', 'F_L', product('layers', layer), true);
  rows.push(layers);
  let model = layers;
  if (vocab > 0 && out !== 'none') {
    const words = count('wordsWork', 'flop', 'F_V', product(2, 'd', 'vocab'));
    model = total('modelWork', 'flop', 'F', [layers, words]);
    rows.push(words, model);
  }
  return {
    ...{ rows, attention, feedForward, model },
    projections: [projection, output],
    scores: [scores, softmax, context],
  };
}

/** The same result for a whole sequence. */
export function ofSequence(token: Count): Count {
  return { ...token, of: product('n', part(token)) };
}

export interface MemoryCounts {
  readonly cache: readonly Count[];
  readonly cacheSequence: Count;
  readonly scores: readonly Count[];
  readonly scoresLayer: Count;
  readonly flashLayer: Count;
}

export function memoryCounts({ h, kv }: Settings): MemoryCounts {
  const tokenLayer = count('cacheTokenLayer', 'bytes', 'C_1', product(2, 'kv', 'dk', 'b'));
  const token = count('cacheToken', 'bytes', 'C_L', product('layers', part(tokenLayer)));
  const cacheSequence = count('cacheSequence', 'bytes', 'C', product('n', part(token)), true);
  const own = count('cacheOwn', 'bytes', 'C_h', product('n', 'layers', 2, 'h', 'dk', 'b'));
  const head = count('scoresHead', 'bytes', 'S_1', product(square('n'), 'b'));
  const scoresLayer = count('scoresLayer', 'bytes', 'S_h', product('h', square('n'), 'b'));
  const model = count('scoresModel', 'bytes', 'S_L', product('layers', part(scoresLayer)), true);
  const flash = product('h', 'n', ROW_STATISTIC_BYTES);
  const flashLayer = count('flashLayer', 'bytes', 'S_flash', flash);
  const saved = count('flashSaves', 'bytes', 'ΔS', difference(part(scoresLayer), part(flashLayer)));
  return {
    cache: [tokenLayer, token, cacheSequence, ...(kv < h ? [own] : [])],
    cacheSequence,
    scores: [head, scoresLayer, model, flashLayer, saved],
    ...{ scoresLayer, flashLayer },
  };
}

/** From this length on, scores and weighted sum cost more than the projections: 4·n·h·d_k = 4·d·(h + h_kv)·d_k. */
export function crossover({ d, h, kv }: Pick<Settings, 'd' | 'h' | 'kv'>): number {
  return (d * (h + kv)) / h;
}

export const part = (of: Count): Expression => named(of.symbol, of.of);

function count(id: string, unit: Unit, symbol: string, of: Expression, total = false): Count {
  return { id, unit, symbol, of, total };
}

function total(id: string, unit: Unit, symbol: string, of: readonly Count[]): Count {
  return count(id, unit, symbol, sum(...of.map(part)), true);
}
