/**
 * Self-attention beside a recurrent and a convolutional layer of the same width: the growth terms of
 * Vaswani et al. 2017 (arXiv 1706.03762), table 1, for given sizes. They are orders of growth: factors
 * that do not grow are left out, so they tell how costs grow, not which program is faster.
 */

import { type Expression, evaluate, product, square } from './expression.ts';
import { type Settings, valuesOf } from './settings.ts';

export const LAYER_KINDS = ['attention', 'recurrent', 'convolutional', 'restricted'] as const;
export type LayerKind = (typeof LAYER_KINDS)[number];

export interface LayerCost {
  readonly kind: LayerKind;
  readonly complexity: Expression;
  readonly operations: bigint;
  /** Steps that can only follow one another. */
  readonly sequential: bigint;
  /** Layers, or steps, between the two positions that lie farthest apart. */
  readonly path: bigint;
  /** The complexity is the smallest of the four. */
  readonly least: boolean;
}

export function compareLayers(settings: Settings): LayerCost[] {
  const n = BigInt(settings.n);
  // A neighbourhood cannot be larger than the sequence.
  const r = BigInt(Math.min(settings.r, settings.n));
  const values = { ...valuesOf(settings), r };
  const costs: Omit<LayerCost, 'operations' | 'least'>[] = [
    { kind: 'attention', complexity: product(square('n'), 'd'), sequential: 1n, path: 1n },
    { kind: 'recurrent', complexity: product('n', square('d')), sequential: n, path: n },
    {
      kind: 'convolutional',
      complexity: product('k', 'n', square('d')),
      sequential: 1n,
      path: stackHeight(n, BigInt(settings.k)),
    },
    {
      kind: 'restricted',
      complexity: product('r', 'n', 'd'),
      sequential: 1n,
      path: (n + r - 1n) / r,
    },
  ];
  const operations = costs.map(({ complexity }) => evaluate(complexity, values));
  const [smallest] = [...operations].sort((a, b) => (a < b ? -1 : 1));
  return costs.map((cost, i) => ({
    ...cost,
    operations: operations[i]!,
    least: operations[i] === smallest,
  }));
}

/** log_k(n), rounded up to whole layers; at least one. */
export function stackHeight(n: bigint, k: bigint): bigint {
  let layers = 1n;
  for (let reach = k; reach < n; reach *= k) layers++;
  return layers;
}
