/**
 * Turns the numbers of a file into a Float32Array in C order, and counts what is not finite or does not fit. A file may
 * hold them in C or in Fortran order (first index fastest).
 */
import type { ArrayEntry, Finding, NamedArray } from './types.ts';

export type Numbers = ArrayLike<number> | BigInt64Array | BigUint64Array;

/** Integers up to here are exact in double precision, the next is not. */
const EXACT = 2n ** 53n;

export class Fill {
  private readonly data: Float32Array;
  private readonly place: () => number;
  private readonly nonFinite = new Count();
  private readonly beyond = new Count();

  constructor(
    private readonly entry: ArrayEntry,
    fortran = false,
  ) {
    const { shape } = entry;
    this.data = new Float32Array(sizeOf(shape));
    this.place = fortran && shape.length > 1 ? fortranPlaces(shape) : counter();
  }

  /** The next numbers of the file, as many as there are. */
  add(values: Numbers): void {
    if (values instanceof BigInt64Array || values instanceof BigUint64Array) this.addBig(values);
    else for (let i = 0; i < values.length; i++) this.put(values[i]!, false);
  }

  private addBig(values: BigInt64Array | BigUint64Array): void {
    for (const value of values) this.put(Number(value), value > EXACT || value < -EXACT);
  }

  private put(value: number, inexact: boolean): void {
    const at = this.place();
    this.data[at] = value;
    if (inexact) this.beyond.at(at);
    else if (!Number.isFinite(value)) this.nonFinite.at(at);
    else if (!Number.isFinite(this.data[at])) this.beyond.at(at);
  }

  done(): NamedArray {
    const { name, shape, dtype } = this.entry;
    return {
      name,
      shape: [...shape],
      data: this.data,
      dtype,
      nonFinite: this.nonFinite.finding(shape),
      beyondSingle: this.beyond.finding(shape),
    };
  }
}

/** How often something was seen, and where first in reading order. */
export class Count {
  private count = 0;
  private first = Number.POSITIVE_INFINITY;

  at(index: number): void {
    this.count++;
    if (index < this.first) this.first = index;
  }

  finding(shape: readonly number[]): Finding {
    return {
      count: this.count,
      first: this.count > 0 ? positionOf(this.first, shape) : null,
    };
  }
}

export function sizeOf(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}

/** The indices of an element, from its place in C order. */
export function positionOf(index: number, shape: readonly number[]): number[] {
  const position: number[] = [];
  let rest = index;
  for (const size of shape.toReversed()) {
    position.unshift(rest % size);
    rest = Math.floor(rest / size);
  }
  return position;
}

function counter(): () => number {
  let next = 0;
  return () => next++;
}

/** Places in C order of elements that come in Fortran order. */
function fortranPlaces(shape: readonly number[]): () => number {
  const strides = shape.map((_, axis) => sizeOf(shape.slice(axis + 1)));
  const position = shape.map(() => 0);
  let next = 0;
  return () => {
    const current = next;
    for (let axis = 0; axis < shape.length; axis++) {
      next += strides[axis]!;
      position[axis]!++;
      if (position[axis]! < shape[axis]!) break;
      next -= strides[axis]! * shape[axis]!;
      position[axis] = 0;
    }
    return current;
  };
}
