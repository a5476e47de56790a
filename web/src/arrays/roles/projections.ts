/** Own words and weights: X times W_Q, W_K, W_V. W may be [in, out] or [out, in], of all heads or [H, in, d] of each. */
import { type Fit, fitOf, type Reading } from './attention.ts';
import { isOutInName } from './names.ts';
import { misfit, missing, ROLE_NAMES } from './problems.ts';
import {
  dataOf,
  isTensor,
  joinHeads,
  normalised,
  type Tensor,
  tensorOf,
  transposed,
} from './tensor.ts';
import type { CheckOptions, Problem, ProjectionArrays, Role, Roles, Step } from './types.ts';

type Order = 'in-out' | 'out-in';

interface WeightReading extends Reading {
  /** null: of single heads, which say it by their shape. */
  readonly order: Order | null;
}

export interface ProjectionFit {
  readonly x: Tensor;
  readonly memory: Tensor | null;
  readonly fit: Fit;
  readonly output: WeightReading | null;
  readonly order: Order | null;
  readonly cost: number;
}

/** Orders that differ from one matrix to the next are possible and rare. */
const MIXED = 5;

export function projectionFits(
  roles: Roles,
  options: CheckOptions,
): { fits: readonly ProjectionFit[]; problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const take = (role: Role, most: number): Tensor | null => {
    const array = roles[role];
    const tensor = array ? normalised(tensorOf(role, array), most, options) : missing(role);
    if (isTensor(tensor)) return tensor;
    problems.push(tensor);
    return null;
  };
  const x = take('x', 2);
  const memory = roles.memory ? take('memory', 2) : null;
  const matrices = (['wQ', 'wK', 'wV'] as const).map((role) => take(role, 3));
  const wO = roles.wO ? take('wO', 3) : null;
  if (problems.length > 0) return { fits: [], problems };

  const width = x!.shape[1]!;
  const size = `the width of X "${x!.array.name}"`;
  if (memory && memory.shape[1] !== width) {
    const axis = memory.array.shape.length - 1;
    return {
      fits: [],
      problems: [misfit('size-mismatch', 'memory', memory.array, axis, width, size)],
    };
  }
  const usual = usualOrder([...matrices, wO]);
  const readings = matrices.map((matrix) => {
    const found = inputReadings(matrix!, width, options);
    if (found.length === 0) {
      const axis = matrix!.array.shape.length - (usual === 'out-in' ? 1 : 2);
      problems.push(misfit('size-mismatch', matrix!.role, matrix!.array, axis, width, size));
    }
    return found;
  });
  if (problems.length > 0) return { fits: [], problems };
  return combine(x!, memory, readings, wO, usual, options);
}

function combine(
  x: Tensor,
  memory: Tensor | null,
  [queries, keys, values]: readonly WeightReading[][],
  wO: Tensor | null,
  usual: Order,
  options: CheckOptions,
): { fits: readonly ProjectionFit[]; problems: readonly Problem[] } {
  const fits: ProjectionFit[] = [];
  const problems: { cost: number; problem: Problem }[] = [];
  for (const q of queries!)
    for (const k of keys!)
      for (const v of values!) {
        const fit = fitOf(q, k, v, options);
        const cost = costOf([q, k, v], usual);
        if (!('cost' in fit)) {
          problems.push({ cost, problem: fit });
          continue;
        }
        const outputs = wO ? outputReadings(wO, fit.heads, fit.valueSize, options) : [null];
        if (outputs.length === 0) problems.push({ cost, problem: outputFault(wO!, fit, usual) });
        for (const output of outputs) {
          const all = output ? [q, k, v, output] : [q, k, v];
          const order = all.find((reading) => reading.order)?.order ?? null;
          fits.push({ x, memory, fit, output, order, cost: costOf(all, usual) });
        }
      }
  const byCost = (a: { cost: number }, b: { cost: number }) => a.cost - b.cost;
  fits.sort(byCost);
  problems.sort(byCost);
  return { fits, problems: fits.length === 0 ? [problems[0]!.problem] : [] };
}

function outputFault(wO: Tensor, { heads, valueSize }: Fit, usual: Order): Problem {
  const axis = usual === 'out-in' && wO.shape.length === 2 ? 1 : 0;
  const skipped = wO.array.shape.length - wO.shape.length;
  const why = `${heads} heads of ${valueSize}`;
  return misfit('size-mismatch', 'wO', wO.array, skipped + axis, heads * valueSize, why);
}

/** What most names say; only a square matrix leaves it open. */
function usualOrder(matrices: readonly (Tensor | null)[]): Order {
  return matrices.some((matrix) => matrix && isOutInName(matrix.array.name)) ? 'out-in' : 'in-out';
}

function costOf(readings: readonly WeightReading[], usual: Order): number {
  const orders = readings.map(({ order }) => order).filter((order) => order !== null);
  const mixed = new Set(orders).size > 1 ? MIXED : 0;
  return mixed + orders.filter((order) => order !== usual).length;
}

/** Ways to read W so that it takes `width` in. */
function inputReadings(tensor: Tensor, width: number, options: CheckOptions): WeightReading[] {
  const { shape } = tensor;
  const readings: WeightReading[] = [];
  const add = (changed: Tensor, order: Order | null, heads: number | null, outAxis: number) => {
    if (!isWanted(tensor, order, options)) return;
    const skipped = tensor.array.shape.length - shape.length;
    const size = changed.shape[1]! / (heads ?? 1);
    const axes = { heads: skipped + outAxis, length: skipped, size: skipped + outAxis };
    readings.push({
      tensor: changed,
      heads,
      length: width,
      size,
      axes,
      layout: null,
      cost: 0,
      order,
    });
  };
  if (shape.length === 2) {
    if (shape[0] === width) add(tensor, 'in-out', null, 1);
    if (shape[1] === width) add(transposed(tensor), 'out-in', null, 0);
    return readings;
  }
  if (shape[1] === width) add(joinHeads(tensor, [1, 0, 2]), null, shape[0]!, 2);
  if (shape[2] === width) add(joinHeads(tensor, [2, 0, 1]), null, shape[0]!, 1);
  if (shape[0] === width) add(joinHeads(tensor, [0, 1, 2]), null, shape[1]!, 2);
  return readings;
}

/** Ways to read W_O so that it takes the contexts of all heads in. */
function outputReadings(
  tensor: Tensor,
  heads: number,
  valueSize: number,
  options: CheckOptions,
): WeightReading[] {
  const { shape } = tensor;
  const readings: WeightReading[] = [];
  const add = (changed: Tensor, order: Order | null) => {
    if (!isWanted(tensor, order, options)) return;
    const [length, size] = changed.shape as [number, number];
    const axes = { heads: 0, length: 0, size: 1 };
    readings.push({
      tensor: changed,
      heads: null,
      length,
      size,
      axes,
      layout: null,
      cost: 0,
      order,
    });
  };
  if (shape.length === 2) {
    if (shape[0] === heads * valueSize) add(tensor, 'in-out');
    if (shape[1] === heads * valueSize) add(transposed(tensor), 'out-in');
    return readings;
  }
  if (shape[0] === heads && shape[1] === valueSize) add(joinHeads(tensor, [0, 1, 2], true), null);
  if (shape[1] === heads && shape[2] === valueSize) add(joinHeads(tensor, [1, 2, 0], true), null);
  return readings;
}

function isWanted({ role }: Tensor, order: Order | null, options: CheckOptions): boolean {
  if (order === null) return true;
  if (options.transposed?.includes(role)) return order === 'out-in';
  return options.weightOrder === undefined || order === options.weightOrder;
}

export function arrangeProjections({ x, memory, fit, output }: ProjectionFit): {
  input: ProjectionArrays;
  steps: Step[];
} {
  const { readings, heads, kvHeads, headSize, valueSize } = fit;
  const [wQ, wK, wV] = readings.map(({ tensor }) => tensor) as [Tensor, Tensor, Tensor];
  const tensors = [x, memory, wQ, wK, wV, output?.tensor].filter((one) => one != null);
  const [queryLength, width] = x.shape as [number, number];
  return {
    input: {
      x: dataOf(x),
      memory: memory && dataOf(memory),
      wQ: dataOf(wQ),
      wK: dataOf(wK),
      wV: dataOf(wV),
      wO: output && dataOf(output.tensor),
      width,
      heads,
      kvHeads,
      queryLength,
      keyLength: (memory ?? x).shape[0]!,
      headSize,
      valueSize,
      outputWidth: output?.tensor.shape[1] ?? heads * valueSize,
    },
    steps: tensors.flatMap(({ steps }) => steps),
  };
}

/** Why another order of the same sizes fits too. */
export const orderText = (order: Order) =>
  `${ROLE_NAMES.wQ} and the others are ${order === 'in-out' ? '[in, out]' : '[out, in], as PyTorch keeps them'}.`;
