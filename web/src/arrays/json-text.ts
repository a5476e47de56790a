/** JSON read sign by sign, with the place for messages. */
import { ArrayError, type ArrayErrorCode, type ArrayErrorDetails, shown } from './errors.ts';

/** A number of JSON, or what Python's json writes for those that JSON has not. */
const NUMBER = /-?(?:(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|Infinity\b)|NaN\b/y;

export class JsonText {
  private at = 0;

  constructor(
    private readonly text: string,
    readonly file: string,
  ) {}

  /** The next sign that is no space; '' at the end. */
  next(): string {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break;
      this.at++;
    }
    return this.text.charAt(this.at);
  }

  take(sign: string): boolean {
    if (this.next() !== sign) return false;
    this.at++;
    return true;
  }

  expect(sign: string, expected = `"${sign}"`): void {
    if (!this.take(sign)) throw this.unexpected(expected);
  }

  end(): void {
    if (this.next() !== '') throw this.unexpected('the end');
  }

  /** The number that stands here, as it is written; null when none does. */
  number(): string | null {
    this.next();
    NUMBER.lastIndex = this.at;
    const found = NUMBER.exec(this.text);
    if (!found) return null;
    this.at += found[0].length;
    return found[0];
  }

  /** The string that begins here. */
  string(): string {
    let end = this.at + 1;
    while (end < this.text.length && this.text[end] !== '"') end += this.text[end] === '\\' ? 2 : 1;
    try {
      const value = JSON.parse(this.text.slice(this.at, end + 1)) as string;
      this.at = end + 1;
      return value;
    } catch {
      throw this.unexpected('a string that ends with a double quote');
    }
  }

  /** What stands here instead of a number, for a message. */
  other(): string {
    const sign = this.next();
    if (sign === '{') return 'an object';
    if (sign === '[') return 'a list';
    if (sign === '"') return shown(this.string());
    return /^(null|true|false)\b/.exec(this.text.slice(this.at, this.at + 6))?.[1] ?? '';
  }

  unexpected(expected: string): ArrayError {
    this.next();
    const rest = Array.from(this.text.slice(this.at, this.at + 20))
      .slice(0, 8)
      .join('');
    const found = rest === '' ? 'the end' : shown(rest);
    const before = this.text.slice(0, this.at).split(/\r\n|\n|\r/);
    const [row, column] = [before.length, before.at(-1)!.length + 1];
    return new ArrayError(
      'bad-json',
      `Line ${row}, character ${column} of ${this.file}: expected ${expected}, found ${found}.`,
      { file: this.file, row, column, expected, found },
    );
  }

  fault(code: ArrayErrorCode, path: string, what: string, details: ArrayErrorDetails): ArrayError {
    return new ArrayError(code, `${what} ${this.file}.`, {
      file: this.file,
      ...(path !== '' && { path }),
      ...details,
    });
  }
}
