/** What the compiled code writes in one stretch, as the objects that the library gives out. */
import type { AttentionSteps, HeadAdditions } from '../types.ts';

/** Cuts a stretch into pieces, in order. */
class Cutter {
  private at = 0;
  constructor(private readonly numbers: Float32Array) {}

  next(count: number): Float32Array {
    this.at += count;
    return this.numbers.slice(this.at - count, this.at);
  }

  one(): number {
    return this.numbers[this.at++]!;
  }
}

type Vectors = Pick<
  AttentionSteps,
  'headSize' | 'valueSize' | 'keyLength' | 'scale' | 'queryVector' | 'keyVector' | 'valueVector'
>;

/** cpp/attention/steps.hpp, steps_at. */
export function stepsFrom(numbers: Float32Array, vectors: Vectors): AttentionSteps {
  const { headSize, valueSize, keyLength } = vectors;
  const cut = new Cutter(numbers);
  const products = cut.next(headSize);
  const dots = cut.next(keyLength);
  const scores = cut.next(keyLength);
  const allowed = Uint8Array.from(cut.next(keyLength));
  const exponentials = cut.next(keyLength);
  const weights = cut.next(keyLength);
  const running = cut.next(keyLength * valueSize);
  const weighted = cut.next(valueSize);
  return {
    ...vectors,
    products,
    dots,
    scores,
    allowed,
    exponentials,
    weights,
    running,
    weighted,
    context: running.slice((keyLength - 1) * valueSize),
    maximum: cut.one(),
    sum: cut.one(),
  };
}

/** cpp/attention/additions.hpp, additions_at. */
export function additionsFrom(
  numbers: Float32Array,
  heads: number,
  width: number,
  bias: boolean,
  contexts: number,
): HeadAdditions {
  const count = heads + (bias ? 1 : 0);
  const cut = new Cutter(numbers);
  return {
    heads,
    width,
    bias,
    parts: cut.next(count * width),
    output: cut.next(width),
    norms: cut.next(count),
    shares: cut.next(count),
    outputNorm: cut.one(),
    residualNorm: cut.one(),
    concat: cut.next(contexts),
  };
}
