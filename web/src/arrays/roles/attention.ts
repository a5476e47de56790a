/**
 * Own queries, keys and values: of all ways to read their shapes (heads first or second, heads side by side, transposed),
 * the most usual one that fits.
 */
import type { NamedArray } from '../types.ts';
import { misfit, missing, ROLE_NAMES } from './problems.ts';
import {
  dataOf,
  headsToFront,
  isTensor,
  normalised,
  splitHeads,
  type Tensor,
  tensorOf,
  transposed,
  withoutBatch,
} from './tensor.ts';
import type { AttentionArrays, CheckOptions, Layout, Problem, Role, Roles, Step } from './types.ts';

/** One way to read an array. `axes` are those of the array as it was given. */
export interface Reading {
  readonly tensor: Tensor;
  /** null: side by side in `size`. */
  readonly heads: number | null;
  readonly length: number;
  readonly size: number;
  readonly axes: { readonly heads: number; readonly length: number; readonly size: number };
  readonly layout: Layout | null;
  readonly cost: number;
}

export interface Fit {
  readonly readings: readonly [Reading, Reading, Reading];
  readonly cost: number;
  readonly heads: number;
  readonly kvHeads: number;
  readonly headSize: number;
  readonly valueSize: number;
}

/** The cost of transposing: only what fits in no other way is read so. */
export const TRANSPOSED = 10;

/** Ways to read one array, the most usual first. */
export function readingsOf(tensor: Tensor, options: CheckOptions): Reading[] {
  const { role, array, shape } = tensor;
  const skipped = array.shape.length - shape.length;
  const wanted = options.transposed?.includes(role);
  const chosen = options.layout === 'heads-last' ? undefined : options.layout; // of weights only
  const readings: Reading[] = [];
  const add = (
    changed: Tensor,
    [heads, length, size]: readonly [number | null, number, number],
    layout: Layout | null,
    cost: number,
  ) => {
    const isTransposed = cost >= TRANSPOSED;
    if (wanted !== undefined && wanted !== isTransposed) return;
    if (layout !== null && chosen !== undefined && chosen !== layout) return;
    const { shape: to } = changed;
    readings.push({
      tensor: changed,
      heads: heads === null ? null : to[0]!,
      length: to.at(-2)!,
      size: to.at(-1)!,
      axes: { heads: skipped + (heads ?? size), length: skipped + length, size: skipped + size },
      layout,
      cost,
    });
  };
  if (shape.length === 2) {
    add(tensor, [null, 0, 1], null, 0);
    add(transposed(tensor), [null, 1, 0], null, TRANSPOSED);
    return readings;
  }
  add(tensor, [0, 1, 2], 'heads-first', 0);
  add(headsToFront(tensor, 1), [1, 0, 2], 'heads-second', 1);
  add(transposed(tensor), [0, 2, 1], 'heads-first', TRANSPOSED);
  add(transposed(headsToFront(tensor, 1)), [1, 2, 0], 'heads-second', TRANSPOSED + 1);
  if (shape[0] === 1) {
    const dearer = chosen ? 2 : 0.5; // a batch of one, where a single head is not what is meant
    for (const reading of readingsOf(withoutBatch(tensor), options))
      readings.push({ ...reading, cost: reading.cost + dearer });
  }
  return readings;
}

/** All fits, the most usual first, or why there is none in the most usual reading. */
export function fitsOf(
  roles: Roles,
  options: CheckOptions,
): { fits: readonly Fit[]; problems: readonly Problem[] } {
  const tensors: Tensor[] = [];
  const problems: Problem[] = [];
  for (const role of ['queries', 'keys', 'values'] as const) {
    const array = roles[role];
    const tensor = array ? normalised(tensorOf(role, array), 3, options) : missing(role);
    if (isTensor(tensor)) tensors.push(tensor);
    else problems.push(tensor);
  }
  if (problems.length > 0) return { fits: [], problems };

  const [queries, keys, values] = tensors.map((tensor) => readingsOf(tensor, options));
  const fits: Fit[] = [];
  let first: Problem | null = null;
  for (const q of queries!)
    for (const k of keys!)
      for (const v of values!) {
        const layouts = new Set([q, k, v].map(({ layout }) => layout).filter(Boolean));
        if (layouts.size > 1) continue;
        const fit = fitOf(q, k, v, options);
        if ('cost' in fit) fits.push(fit);
        else first ??= fit;
      }
  fits.sort((a, b) => a.cost - b.cost);
  return { fits, problems: fits.length === 0 && first ? [first] : [] };
}

export function fitOf(q: Reading, k: Reading, v: Reading, options: CheckOptions): Fit | Problem {
  const { heads: wanted } = options;
  const of = ({ tensor }: Reading) => `${ROLE_NAMES[tensor.role]} "${tensor.array.name}"`;
  const fault = (
    code: 'size-mismatch' | 'length-mismatch' | 'heads-mismatch' | 'heads-do-not-divide',
    { tensor, axes }: Reading,
    axis: keyof Reading['axes'],
    expected: string | number,
    why: string,
  ) => misfit(code, tensor.role, tensor.array as NamedArray, axes[axis], expected, why);

  if (k.length !== v.length)
    return fault('length-mismatch', v, 'length', k.length, `the length of ${of(k)}`);
  if (q.heads !== null && wanted !== undefined && q.heads !== wanted)
    return fault('heads-mismatch', q, 'heads', wanted, 'the chosen number of heads');

  const headSize =
    q.heads !== null ? q.size : wanted ? q.size / wanted : k.heads !== null ? k.size : q.size;
  if (!Number.isInteger(headSize))
    return fault(
      'heads-do-not-divide',
      q,
      'size',
      `a multiple of ${wanted}`,
      'the chosen number of heads',
    );
  const heads = q.heads ?? q.size / headSize;
  const kvHeads = k.heads ?? k.size / headSize;
  if (k.heads !== null && k.size !== headSize)
    return fault('size-mismatch', k, 'size', headSize, `the size of a head of ${of(q)}`);
  if (!Number.isInteger(heads))
    return fault(
      'heads-do-not-divide',
      q,
      'size',
      `a multiple of ${headSize}`,
      `the size of a head of ${of(k)}`,
    );
  if (!Number.isInteger(kvHeads) || kvHeads > heads)
    return heads === 1
      ? fault('size-mismatch', k, 'size', headSize, `the size of ${of(q)}`)
      : fault(
          'heads-do-not-divide',
          k,
          'size',
          `${headSize} times a number of heads`,
          `the size of a head of ${of(q)}`,
        );
  if (heads % kvHeads !== 0)
    return fault('heads-mismatch', k, 'heads', `a divisor of ${heads}`, `the heads of ${of(q)}`);
  if (v.heads !== null && v.heads !== kvHeads)
    return fault('heads-mismatch', v, 'heads', kvHeads, `the heads of ${of(k)}`);
  const valueSize = v.heads !== null ? v.size : v.size / kvHeads;
  if (!Number.isInteger(valueSize))
    return fault(
      'heads-do-not-divide',
      v,
      'size',
      `a multiple of ${kvHeads}`,
      `the heads of ${of(k)}`,
    );
  const cost = q.cost + k.cost + v.cost;
  return { readings: [q, k, v], cost, heads, kvHeads, headSize, valueSize };
}

/** The numbers of a fit in the order that the engine takes, and how they came into it. */
export function arrange({ readings, ...sizes }: Fit): { input: AttentionArrays; steps: Step[] } {
  const { heads, kvHeads, headSize, valueSize } = sizes;
  const [q, k, v] = readings;
  const split = ({ tensor, heads: own }: Reading, count: number) =>
    own === null && count > 1 ? splitHeads(tensor, count) : tensor;
  const [queries, keys, values] = [split(q, heads), split(k, kvHeads), split(v, kvHeads)];
  return {
    input: {
      queries: dataOf(queries),
      keys: dataOf(keys),
      values: dataOf(values),
      heads,
      kvHeads,
      queryLength: q.length,
      keyLength: k.length,
      headSize,
      valueSize,
    },
    steps: [queries, keys, values].flatMap(({ steps }) => steps),
  };
}

/** The options that ask for just this reading. */
export function optionsOf({ readings }: Fit, options: CheckOptions): CheckOptions {
  const layout = readings.find((reading) => reading.layout)?.layout;
  const roles: Role[] = readings
    .filter(({ tensor }) => tensor.steps.some(({ code }) => code === 'transposed'))
    .map(({ tensor }) => tensor.role);
  return {
    ...options,
    ...(layout && { layout }),
    transposed: roles,
  };
}
