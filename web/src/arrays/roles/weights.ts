/** Ready-made attention weights: where heads stand, and whether rows are what softmax gives. */
import { Count } from '../fill.ts';
import type { NamedArray } from '../types.ts';
import { missing } from './problems.ts';
import {
  dataOf,
  headsToFront,
  isTensor,
  normalised,
  type Tensor,
  tensorOf,
  transposed,
} from './tensor.ts';
import type {
  CheckOptions,
  Layout,
  Problem,
  Roles,
  WeightsArrays,
  WeightsReport,
} from './types.ts';

/** Allowed deviation of a row's sum by the type of the file; 1e-3 for wider ones. */
const TOLERANCES: Readonly<Record<string, number>> = {
  BF16: 0.02,
  F16: 2e-3,
  '<f2': 2e-3,
  '>f2': 2e-3,
  text: 0.02, // two decimals are often all that is written
};

export interface WeightsFit {
  readonly tensor: Tensor;
  readonly layout: Layout;
}

/** The ways that shape and options allow, the likeliest first. */
export function weightsFits(
  roles: Roles,
  options: CheckOptions,
): { fits: readonly WeightsFit[]; problems: readonly Problem[] } {
  const array = roles.weights;
  if (!array) return { fits: [], problems: [missing('weights')] };
  const tensor = normalised(tensorOf('weights', array), 3, options);
  if (!isTensor(tensor)) return { fits: [], problems: [tensor] };
  const turned = (one: Tensor) => (options.transposed?.includes('weights') ? transposed(one) : one);
  if (tensor.shape.length === 2)
    return { fits: [{ tensor: turned(tensor), layout: 'heads-first' }], problems: [] };
  const all: WeightsFit[] = [
    { tensor: turned(tensor), layout: 'heads-first' },
    { tensor: turned(headsToFront(tensor, 1)), layout: 'heads-second' },
    { tensor: turned(headsToFront(tensor, 2)), layout: 'heads-last' },
  ];
  if (options.layout)
    return { fits: all.filter(({ layout }) => layout === options.layout), problems: [] };
  const [first, ...others] = all as [WeightsFit, ...WeightsFit[]];
  const plausible = others.filter(
    ({ tensor: one }) => one.shape[1] === one.shape[2] && reportOf(one).report.rowsSumToOne,
  );
  const isSquare = first.tensor.shape[1] === first.tensor.shape[2];
  if (isSquare || reportOf(first.tensor).report.rowsSumToOne)
    return { fits: isSquare ? [first] : [first, ...plausible], problems: [] };
  return { fits: [...plausible, first], problems: [] };
}

export function reportOf(tensor: Tensor): { input: WeightsArrays; report: WeightsReport } {
  const weights = dataOf(tensor);
  const [heads, queryLength, keyLength] = sizesOf(tensor);
  const [zeroRows, negative, nonFinite] = [new Count(), new Count(), new Count()];
  let largestDeviation = 0;
  let largestRow = -1;
  for (let row = 0, at = 0; row < heads * queryLength; row++) {
    let sum = 0;
    let isZero = true;
    for (const end = at + keyLength; at < end; at++) {
      const weight = weights[at]!;
      sum += weight;
      if (weight !== 0) isZero = false;
      if (weight < 0) negative.at(at);
      if (!Number.isFinite(weight)) nonFinite.at(at);
    }
    if (isZero) zeroRows.at(row);
    else if (Math.abs(sum - 1) > largestDeviation) {
      largestDeviation = Math.abs(sum - 1);
      largestRow = row;
    }
  }
  const tolerance = TOLERANCES[tensor.array.dtype] ?? 1e-3;
  const shape = [heads, queryLength, keyLength];
  return {
    input: { weights, heads, queryLength, keyLength },
    report: {
      rowsSumToOne: largestDeviation <= tolerance && nonFinite.finding(shape).count === 0,
      tolerance,
      largestDeviation,
      largestAt:
        largestRow < 0
          ? null
          : { head: Math.floor(largestRow / queryLength), query: largestRow % queryLength },
      zeroRows: zeroRows.finding([heads, queryLength]),
      negative: negative.finding(shape),
      nonFinite: nonFinite.finding(shape),
    },
  };
}

function sizesOf({ shape }: Tensor): [number, number, number] {
  return shape.length === 2 ? [1, shape[0]!, shape[1]!] : [shape[0]!, shape[1]!, shape[2]!];
}

/** What is odd about weights, told and not repaired. */
export function weightsNotes(array: NamedArray, tensor: Tensor, report: WeightsReport): Problem[] {
  const notes: Problem[] = [];
  const title = `Attention weights "${array.name}"`;
  const note = (code: Problem['code'], what: string, details: Partial<Problem> = {}) =>
    notes.push({
      code,
      message: `${title}: ${what}.`,
      role: 'weights',
      array: array.name,
      suggestions: [],
      ...details,
    });
  if (report.negative.count > 0)
    note(
      'negative-weights',
      `${report.negative.count} are negative; these may be scores before softmax`,
      {
        position: report.negative.first!,
        found: report.negative.count,
      },
    );
  if (report.rowsSumToOne || !report.largestAt) return notes;
  const { head, query } = report.largestAt;
  const details = {
    position: [head, query],
    found: report.largestDeviation,
    expected: report.tolerance,
  };
  if (reportOf(transposed(tensor)).report.rowsSumToOne)
    note('columns-sum-to-one', 'columns sum to 1 and rows do not; queries may be in the columns', {
      ...details,
      suggestions: [{ message: 'Transpose them.', options: { transposed: ['weights'] } }],
    });
  else
    note(
      'rows-do-not-sum-to-one',
      `rows do not sum to 1; the furthest is off by ${report.largestDeviation.toPrecision(3)} (head ${head}, query ${query}, from 0)`,
      details,
    );
  return notes;
}
