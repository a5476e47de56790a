/**
 * Computes what own arrays say: weights head by head, and one pair of tokens taken apart. Small results are computed
 * whole; of large ones a head at a time, when it is looked at.
 */

import type { AttentionInput, Engine, MultiHeadOutput } from 'headlights';
import type { CheckResult, ProjectionArrays } from '../arrays/index.ts';
import type { Inside } from '../draw/inside.ts';

/** Weights that are computed at a time: 64 MB. */
export const MOST_WEIGHTS = 2 ** 24;

export interface LabSettings {
  /** null: 1 / sqrt(d_k). */
  scale: number | null;
  mask: 'none' | 'causal' | 'window';
  radius: number;
  /** Keys that nobody may look at, from 0. */
  out: readonly number[];
}

export type Checked = Extract<CheckResult, { ok: true }>;

export interface Projected {
  input: ProjectionArrays;
  output: MultiHeadOutput;
}

export interface LabResult {
  checked: Checked;
  heads: number;
  kvHeads: number;
  queryLength: number;
  keyLength: number;
  /** [Tq*Tk] of each head that was computed so far. */
  weights: Map<number, Float32Array>;
  /** null for weights that came ready-made. */
  attention: AttentionInput | null;
  projected: Projected | null;
  scale: number | null;
}

export class TooMany extends Error {
  constructor(readonly found: number) {
    super(`${found} weights`);
  }
}

export async function computeLab(
  engine: () => Promise<Engine>,
  checked: Checked,
  settings: LabSettings,
  isNormalised: boolean,
): Promise<LabResult> {
  const { queryLength, keyLength, heads } = checked.input;
  const base = { checked, heads, kvHeads: heads, queryLength, keyLength, weights: new Map() };
  if (checked.kind === 'weights') {
    const { weights } = checked.input;
    const all = isNormalised ? normalised(weights, keyLength) : weights;
    keep(base.weights, all, heads);
    return { ...base, attention: null, projected: null, scale: null };
  }
  const each = queryLength * keyLength;
  const isWhole = each * heads <= MOST_WEIGHTS;
  if (each > MOST_WEIGHTS || (checked.kind === 'projections' && !isWhole))
    throw new TooMany(checked.kind === 'projections' ? each * heads : each);
  const how = {
    scale: settings.scale ?? 1 / Math.sqrt(checked.input.headSize),
    mask: settings.mask === 'window' ? { window: settings.radius } : settings.mask,
    ...(settings.out.length > 0 && { keyMask: keyMaskOf(settings.out, keyLength) }),
  };
  const { kvHeads, headSize, valueSize } = checked.input;
  const sizes = { heads, kvHeads, headSize, valueSize, queryLength, keyLength };
  if (checked.kind === 'projections') {
    const projected = await project(await engine(), checked.input, how);
    const { queries, keys, values } = projected.output;
    keep(base.weights, projected.output.weights, heads);
    const attention = { queries, keys, values, ...sizes, ...how };
    return { ...base, kvHeads, attention, projected, scale: how.scale };
  }
  const { queries, keys, values } = checked.input;
  const attention: AttentionInput = { queries, keys, values, ...sizes, ...how };
  if (isWhole) {
    const { weights } = await (await engine()).attention(attention);
    keep(base.weights, weights!, heads);
  }
  return { ...base, kvHeads, attention, projected: null, scale: how.scale };
}

/** Sees to it that the weights of these heads are there. */
export async function loadHeads(
  engine: () => Promise<Engine>,
  result: LabResult,
  heads: readonly number[],
): Promise<void> {
  for (const head of heads) {
    if (result.weights.has(head) || !result.attention) continue;
    const { weights } = await (await engine()).attention(oneHead(result.attention, head));
    result.weights.set(head, weights!);
  }
}

function project(
  engine: Engine,
  input: ProjectionArrays,
  how: Pick<AttentionInput, 'scale' | 'mask' | 'keyMask'>,
): Promise<Projected> {
  const { memory, wO, outputWidth, ...rest } = input;
  // Without W_O there is no output: one column of zeros stands for it and is not shown.
  const output = wO
    ? { wO, outputWidth }
    : { wO: new Float32Array(rest.heads * rest.valueSize), outputWidth: 1 };
  return engine
    .multiHead({ ...rest, ...output, ...how, ...(memory && { memory }) })
    .then((result) => ({ input, output: result }));
}

function keep(into: Map<number, Float32Array>, all: Float32Array, heads: number): void {
  const size = all.length / heads;
  for (let head = 0; head < heads; head++)
    into.set(head, all.subarray(head * size, (head + 1) * size));
}

function keyMaskOf(out: readonly number[], length: number): Uint8Array {
  const mask = new Uint8Array(length).fill(1);
  for (const key of out) mask[key] = 0;
  return mask;
}

/** Rows divided by their sums; rows without a positive, finite sum stay. */
function normalised(weights: Float32Array, columns: number): Float32Array {
  const result = weights.slice();
  for (let from = 0; from < result.length; from += columns) {
    const row = result.subarray(from, from + columns);
    const sum = row.reduce((total, weight) => total + weight, 0);
    if (sum > 0 && Number.isFinite(sum)) row.set(row.map((weight) => weight / sum));
  }
  return result;
}

/** A head by itself, with the keys and values that it shares with others. */
function oneHead(input: AttentionInput, head: number): AttentionInput {
  const kvHeads = input.kvHeads ?? input.heads;
  const group = Math.floor(head / (input.heads / kvHeads));
  const part = (all: Float32Array, count: number, index: number) => {
    const size = all.length / count;
    return all.slice(index * size, (index + 1) * size);
  };
  return {
    ...input,
    heads: 1,
    kvHeads: 1,
    queries: part(input.queries, input.heads, head),
    keys: part(input.keys, kvHeads, group),
    values: part(input.values, kvHeads, group),
  };
}

export interface Measure {
  /** Mean entropy of a head's rows in nats; NaN where no row is a distribution. */
  entropy: number;
  /** How many weights are NaN or infinite. */
  nonFinite: number;
}

const measures = new WeakMap<Float32Array, Measure>();

/** Taken once of each head, however often it is drawn. */
export function measureOf(weights: Float32Array, columns: number): Measure {
  const known = measures.get(weights) ?? measured(weights, columns);
  measures.set(weights, known);
  return known;
}

function measured(weights: Float32Array, columns: number): Measure {
  let total = 0;
  let rows = 0;
  let nonFinite = 0;
  for (let from = 0; from < weights.length; from += columns) {
    let entropy = 0;
    let sum = 0;
    for (let at = from; at < from + columns; at++) {
      const weight = weights[at]!;
      sum += weight;
      if (weight > 0) entropy -= weight * Math.log(weight);
      if (!Number.isFinite(weight)) nonFinite++;
    }
    if (!(sum > 0) || !Number.isFinite(entropy)) continue;
    total += entropy;
    rows++;
  }
  return { entropy: total / rows, nonFinite };
}

/** One head and one pair of tokens, for the inspector; null for weights that came ready-made. */
export async function insideLab(
  engine: () => Promise<Engine>,
  { attention, projected }: LabResult,
  [head, query, key]: readonly [number, number, number],
  labels: { queries: readonly string[]; keys: readonly string[] },
): Promise<Inside | null> {
  if (!attention) return null;
  const running = await engine();
  const steps = await running.attentionSteps(oneHead(attention, head), 0, query, key);
  const row = (matrix: Float32Array, width: number, index: number) =>
    matrix.slice(index * width, (index + 1) * width);
  const { input, output } = projected ?? {};
  const wO = input?.wO;
  return {
    layer: null,
    head,
    query,
    key,
    queryTokens: labels.queries,
    keyTokens: labels.keys,
    queryInput: input ? row(input.x, input.width, query) : null,
    keyInput: input ? row(input.memory ?? input.x, input.width, key) : null,
    steps,
    additions:
      input && output && wO
        ? await running.additions({
            context: row(output.concat, input.heads * input.valueSize, query),
            heads: input.heads,
            wO,
            residual: row(input.x, input.width, query),
          })
        : null,
  };
}
