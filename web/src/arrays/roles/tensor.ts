/**
 * An array on its way to the layout that the engine wants: every change of shape is a step that is told, and the numbers
 * are moved at the end, for the reading that was chosen.
 */
import { sizeOf } from '../fill.ts';
import type { NamedArray } from '../types.ts';
import { describe, problem, shapeText } from './problems.ts';
import type { CheckOptions, Problem, Role, Step, StepCode } from './types.ts';

export interface Tensor {
  readonly role: Role;
  readonly array: NamedArray;
  readonly shape: readonly number[];
  readonly steps: readonly Step[];
  readonly moves: readonly Move[];
}

/** Numbers [from, from + size of view), seen as `view`, with its axes in another order. */
interface Move {
  readonly from: number;
  readonly view: readonly number[];
  readonly axes: readonly number[] | null;
}

export const tensorOf = (role: Role, array: NamedArray): Tensor => ({
  role,
  array,
  shape: array.shape,
  steps: [],
  moves: [],
});

const SAID: Readonly<Record<StepCode, string>> = {
  'removed-batch': 'took the only one of the batch',
  'picked-batch': 'took one of several',
  transposed: 'transposed',
  'moved-heads': 'moved heads to the front',
  'split-heads': 'split into heads',
  'joined-heads': 'put heads side by side',
};

function moved(tensor: Tensor, code: StepCode, to: readonly number[], move: Move): Tensor {
  const { role, array, shape: from } = tensor;
  const message = `${describe(role, array)}: ${SAID[code]}, ${shapeText(from)} became ${shapeText(to)}.`;
  const step: Step = { code, role, array: array.name, from, to, message };
  return { ...tensor, shape: to, steps: [...tensor.steps, step], moves: [...tensor.moves, move] };
}

/** Same numbers in the order `axes` of `view`. */
const reordered = (
  tensor: Tensor,
  code: StepCode,
  to: readonly number[],
  axes: readonly number[],
  view = tensor.shape,
) => moved(tensor, code, to, { from: 0, view, axes });

export function withoutBatch(tensor: Tensor): Tensor {
  const to = tensor.shape.slice(1);
  return moved(tensor, 'removed-batch', to, { from: 0, view: to, axes: null });
}

function picked(tensor: Tensor, index: number): Tensor {
  const to = tensor.shape.slice(1);
  return moved(tensor, 'picked-batch', to, { from: index * sizeOf(to), view: to, axes: null });
}

/** The last two dimensions change places. */
export function transposed(tensor: Tensor): Tensor {
  const axes = tensor.shape.map((_, axis) => axis);
  axes.push(...axes.splice(-2).reverse());
  return reordered(
    tensor,
    'transposed',
    axes.map((axis) => tensor.shape[axis]!),
    axes,
  );
}

/** [T, H, d] to [H, T, d], or with `axis` 2 [Tq, Tk, H] to [H, Tq, Tk]. */
export function headsToFront(tensor: Tensor, axis: 1 | 2): Tensor {
  const axes = axis === 1 ? [1, 0, 2] : [2, 0, 1];
  return reordered(
    tensor,
    'moved-heads',
    axes.map((one) => tensor.shape[one]!),
    axes,
  );
}

/** [T, H*d] to [H, T, d]. */
export function splitHeads(tensor: Tensor, heads: number): Tensor {
  const [length, width] = tensor.shape as [number, number];
  const size = width / heads;
  return reordered(tensor, 'split-heads', [heads, length, size], [1, 0, 2], [length, heads, size]);
}

/** Three dimensions to two: those of `axes` in their order, the last two (or, `early`, the first two) as one. */
export function joinHeads(tensor: Tensor, axes: readonly number[], early = false): Tensor {
  const [a, b, c] = axes.map((axis) => tensor.shape[axis]!) as [number, number, number];
  return reordered(tensor, 'joined-heads', early ? [a * b, c] : [a, b * c], axes);
}

/** At most `most` dimensions, at least two, and numbers in it; leading dimensions of one or a chosen batch are taken off. */
export function normalised(tensor: Tensor, most: number, options: CheckOptions): Tensor | Problem {
  const { role, array } = tensor;
  const { shape } = array;
  if (sizeOf(shape) === 0) return problem('empty-array', role, array, 'it holds no numbers');
  if (shape.length < 2)
    return problem('too-few-dimensions', role, array, `expected 2 to ${most + 1} dimensions`, {
      found: shape.length,
      expected: 2,
    });
  let current = tensor;
  let chosen = false;
  while (current.shape.length > most) {
    const count = current.shape[0]!;
    if (count === 1) current = withoutBatch(current);
    else if (chosen)
      return problem('too-many-dimensions', role, array, 'it has too many dimensions', {
        found: shape.length,
        expected: most + 1,
      });
    else if (options.batch === undefined || !(options.batch >= 0 && options.batch < count))
      return severalInBatch(role, array, count);
    else {
      current = picked(current, options.batch);
      chosen = true;
    }
  }
  return current;
}

function severalInBatch(role: Role, array: NamedArray, count: number): Problem {
  const what = `it holds ${count} of them; choose one, from 0 to ${count - 1}`;
  return problem('several-in-batch', role, array, what, {
    axis: array.shape.findIndex((size) => size > 1),
    found: count,
    expected: 1,
    suggestions: [{ message: 'Take the first one.', options: { batch: 0 } }],
  });
}

/** The numbers in the order of the last step; those of the array itself when nothing was moved. */
export function dataOf(tensor: Tensor): Float32Array {
  let { data } = tensor.array;
  for (const { from, view, axes } of tensor.moves) {
    data = data.subarray(from, from + sizeOf(view));
    if (axes) data = permuted(data, view, axes);
  }
  return data;
}

function permuted(
  data: Float32Array,
  shape: readonly number[],
  axes: readonly number[],
): Float32Array {
  const sizes = axes.map((axis) => shape[axis]!);
  const strides = axes.map((axis) => sizeOf(shape.slice(axis + 1)));
  const position = axes.map(() => 0);
  const result = new Float32Array(data.length);
  let from = 0;
  for (let at = 0; at < result.length; at++) {
    result[at] = data[from]!;
    for (let axis = axes.length - 1; axis >= 0; axis--) {
      from += strides[axis]!;
      position[axis]!++;
      if (position[axis]! < sizes[axis]!) break;
      from -= strides[axis]! * sizes[axis]!;
      position[axis] = 0;
    }
  }
  return result;
}

export const isTensor = (value: Tensor | Problem): value is Tensor => 'moves' in value;
