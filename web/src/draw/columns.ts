/**
 * Lines from a column of looking tokens (left) to the column of what they look at (right), as in BertViz (J. Vig
 * 2019, arXiv 1906.05714), as SVG paths. Lines of about the same weight share one path, so that a long text is some
 * twenty paths and not a quarter of a million.
 */

export interface ColumnOptions {
  /** x of the two ends, y of the first row's centre, distance between rows. */
  left: number;
  right: number;
  top: number;
  rowHeight: number;
  /** Smaller weights are not drawn. */
  threshold: number;
  /** Only lines of this query or key; null = all. */
  only: { token: number; side: 'query' | 'key' } | null;
}

export interface LineBundle {
  /** Mean of the bundle's range of weights. */
  weight: number;
  width: number;
  path: string;
  count: number;
}

const BUNDLES = 20;
const THINNEST = 0.6;
const FULL_WIDTH = 9;

/** Faint bundles first, so that strong lines lie on top. */
export function layoutColumnLines(
  weights: ArrayLike<number>,
  n: number,
  options: ColumnOptions,
): LineBundle[] {
  const paths: string[][] = Array.from({ length: BUNDLES }, () => []);
  const { only } = options;
  const queries = only?.side === 'query' ? [only.token] : range(n);
  const keys = only?.side === 'key' ? [only.token] : range(n);
  for (const i of queries) {
    for (const j of keys) {
      const weight = weights[i * n + j]!;
      if (!(weight >= options.threshold) || weight <= 0) continue;
      const bundle = Math.min(BUNDLES - 1, Math.floor(weight * BUNDLES));
      paths[bundle]!.push(line(i, j, options));
    }
  }
  return paths.flatMap((list, bundle) => {
    if (list.length === 0) return [];
    const weight = (bundle + 0.5) / BUNDLES;
    const width = Math.max(THINNEST, weight * FULL_WIDTH);
    return [{ weight, width, path: list.join(''), count: list.length }];
  });
}

/**
 * The threshold with which at most `most` lines are drawn: `least`, or the weight of the first line that is too
 * many, made a round number upwards.
 */
export function lineThreshold(weights: ArrayLike<number>, least: number, most: number): number {
  const counts = new Uint32Array(101);
  for (let i = 0; i < weights.length; i++) {
    const weight = weights[i]!;
    if (weight >= least) counts[Math.min(100, Math.floor(weight * 100))]!++;
  }
  let total = 0;
  for (let hundredth = 100; hundredth >= 0; hundredth--) {
    total += counts[hundredth]!;
    if (total > most) return Math.max(least, (hundredth + 1) / 100);
  }
  return least;
}

function line(i: number, j: number, { left, right, top, rowHeight }: ColumnOptions): string {
  const y0 = round(top + i * rowHeight);
  const y1 = round(top + j * rowHeight);
  const bend = round((left + right) / 2);
  return `M${left} ${y0}C${bend} ${y0} ${bend} ${y1} ${right} ${y1}`;
}

function range(n: number): number[] {
  return Array.from({ length: n }, (_, i) => i);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
