/** One array out of lists in lists: its shape is that of the first lists, and all others must agree. */
import type { ArrayError } from './errors.ts';
import { Growing } from './grow.ts';
import type { JsonText } from './json-text.ts';
import type { NamedArray } from './types.ts';

const DEEPEST = 4;

export class NestedLists {
  private readonly numbers: Growing;
  /** Lengths by depth, as far as lists of that depth have ended. */
  private readonly sizes: number[] = [];
  /** The depth of the numbers, once one was seen. */
  private rank = -1;
  private readonly indices: number[] = [];

  /** `already`: numbers of the arrays before. */
  constructor(
    private readonly text: JsonText,
    private readonly key: string | null,
    already: number,
  ) {
    this.numbers = new Growing(text.file, already);
  }

  read(name: string): NamedArray {
    this.value();
    return this.numbers.done(name, this.sizes);
  }

  private value(): void {
    const depth = this.indices.length;
    const sign = this.text.next();
    if (sign === '[') {
      if (depth === DEEPEST)
        throw this.fault('too-deep', `is a list inside ${DEEPEST} others in`, { limit: DEEPEST });
      if (depth === this.rank) throw this.mixed('a list', 'a number');
      this.list(depth);
      return;
    }
    const number = this.text.number();
    if (number === null) throw this.notNumber();
    if (this.rank === -1) this.rank = depth;
    if (depth !== this.rank) throw this.mixed('a number', 'a list');
    this.numbers.push(Number(number), !/[NI]/.test(number));
  }

  private list(depth: number): void {
    this.text.take('[');
    let count = 0;
    if (!this.text.take(']')) {
      for (;;) {
        this.indices.push(count++);
        this.value();
        this.indices.pop();
        if (this.text.take(',')) continue;
        this.text.expect(']', '"," or "]"');
        break;
      }
    }
    const expected = this.sizes[depth];
    if (expected !== undefined && expected !== count) {
      const what = `${depth + 1 === this.rank ? 'number' : 'list'}${count === 1 ? '' : 's'}`;
      throw this.fault('ragged', `has ${count} ${what}, those before it have ${expected}, in`, {
        found: count,
        expected,
      });
    }
    if (count === 0) throw this.fault('empty', 'is an empty list in', {});
    this.sizes[depth] = count;
  }

  private mixed(found: string, expected: string): ArrayError {
    return this.fault('ragged', `is ${found} where ${expected} was expected, in`, {
      found,
      expected,
    });
  }

  private notNumber(): ArrayError {
    const { path } = this;
    const found = this.text.other();
    if (found === '') return this.text.unexpected('a number or a list');
    return this.fault('not-a-number', `is ${found}, not a number, in`, { found }, path);
  }

  private get path(): string {
    return (this.key ?? '') + this.indices.map((index) => `[${index}]`).join('');
  }

  private fault(
    code: 'ragged' | 'empty' | 'too-deep' | 'not-a-number',
    what: string,
    details: { found?: string | number; expected?: string | number; limit?: number },
    path = this.path,
  ): ArrayError {
    const place = path === '' ? 'The whole list' : path;
    return this.text.fault(code, path, `${place} ${what}`, details);
  }
}
