/** How work and memory grow with the length of the text: lines of a chart with two logarithmic axes. */

import {
  type Count,
  memoryCounts,
  parameterCounts,
  part,
  type Unit,
  workCounts,
} from './counts.ts';
import { evaluate, product, sum } from './expression.ts';
import { type Settings, valuesOf } from './settings.ts';

export type LineId = 'projections' | 'scores' | 'feed' | 'weights' | 'cache' | 'matrix' | 'flash';

export interface Line {
  /** Its name on the page is `calculator.line.<id>`. */
  readonly id: LineId;
  /** One value for each length. */
  readonly values: readonly bigint[];
}

export interface Growth {
  readonly unit: Unit;
  readonly lengths: readonly bigint[];
  readonly lines: readonly Line[];
  /** The page's own length and the lines' values there. */
  readonly here: { readonly n: bigint; readonly values: readonly bigint[] };
}

/** Powers of two from 16 to 2^20, farther where the page's length lies outside. */
export function lengthsAround(n: number): bigint[] {
  const low = Math.min(4, Math.floor(Math.log2(n)));
  const high = Math.max(20, Math.ceil(Math.log2(n)));
  return Array.from({ length: high - low + 1 }, (_, i) => 2n ** BigInt(low + i));
}

/** Arithmetic for one sequence, all layers. */
export function workGrowth(settings: Settings): Growth {
  const { projections, scores, feedForward } = workCounts(settings);
  const all = (counts: readonly Count[]) => product('layers', 'n', sum(...counts.map(part)));
  return grow(settings, 'flop', {
    projections: all(projections),
    scores: all(scores),
    ...(feedForward ? { feed: all([feedForward]) } : {}),
  });
}

/** Bytes: attention's weights and the cache of all layers, scores of one layer. */
export function memoryGrowth(settings: Settings): Growth {
  const { cacheSequence, scoresLayer, flashLayer } = memoryCounts(settings);
  const { layer } = parameterCounts(settings);
  return grow(settings, 'bytes', {
    weights: product('layers', part(layer), 'b'),
    cache: cacheSequence.of,
    matrix: scoresLayer.of,
    flash: flashLayer.of,
  });
}

function grow(
  settings: Settings,
  unit: Unit,
  formulas: Partial<Record<LineId, Count['of']>>,
): Growth {
  const base = valuesOf(settings);
  const lengths = lengthsAround(settings.n);
  const entries = Object.entries(formulas) as [LineId, Count['of']][];
  return {
    unit,
    lengths,
    lines: entries.map(([id, of]) => ({
      id,
      values: lengths.map((n) => evaluate(of, { ...base, n })),
    })),
    here: { n: base.n, values: entries.map(([, of]) => evaluate(of, base)) },
  };
}
