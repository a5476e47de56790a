/** Numbers of a text, of which it is not known beforehand how many there are. */
import { Count, sizeOf } from './fill.ts';
import { checkLimit } from './shape.ts';
import type { NamedArray } from './types.ts';

export class Growing {
  private data = new Float32Array(1024);
  private readonly nonFinite = new Count();
  private readonly beyond = new Count();
  private filled = 0;

  /** `already`: numbers that came out of the same text before. */
  constructor(
    private readonly file: string,
    private readonly already = 0,
  ) {}

  get length(): number {
    return this.filled;
  }

  /** `written` is false for NaN and infinities that stand in the text as such. */
  push(value: number, written: boolean): void {
    const at = this.filled++;
    if (at === this.data.length) this.grow();
    this.data[at] = value;
    if (Number.isFinite(this.data[at])) {
      if (Number.isInteger(value) && Math.abs(value) > 2 ** 53) this.beyond.at(at);
    } else if (written) this.beyond.at(at);
    else this.nonFinite.at(at);
  }

  private grow(): void {
    checkLimit(this.filled, { file: this.file }, this.already);
    const larger = new Float32Array(2 * this.data.length);
    larger.set(this.data);
    this.data = larger;
  }

  done(name: string, shape: number[], labels?: NamedArray['labels']): NamedArray {
    checkLimit(this.filled, { file: this.file }, this.already);
    if (sizeOf(shape) !== this.filled) throw new Error(`${this.filled} numbers for ${shape}`);
    return {
      name,
      shape,
      data: this.data.slice(0, this.filled),
      dtype: 'text',
      ...(labels && { labels }),
      nonFinite: this.nonFinite.finding(shape),
      beyondSingle: this.beyond.finding(shape),
    };
  }
}
