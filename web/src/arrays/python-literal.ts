/**
 * The literals of Python that a .npy header is made of: strings, integers, True, False, None, tuples, lists and
 * dictionaries. Nothing is evaluated; what is no literal is refused.
 */

export type PythonValue =
  | string
  | number
  | boolean
  | null
  | PythonValue[]
  | Map<PythonValue, PythonValue>;

const DEEPEST = 16;

/** Throws a SyntaxError that says what stands where. */
export function parsePythonLiteral(text: string): PythonValue {
  const reader = new Reader(text);
  const value = reader.value(0);
  reader.end();
  return value;
}

class Reader {
  private at = 0;

  constructor(private readonly text: string) {}

  value(depth: number): PythonValue {
    if (depth > DEEPEST) throw this.fault('it is nested too deeply');
    this.space();
    const sign = this.text[this.at];
    if (sign === "'" || sign === '"') return this.string(sign);
    if (sign === '(') return this.sequence(')', depth);
    if (sign === '[') return this.sequence(']', depth);
    if (sign === '{') return this.dictionary(depth);
    const word = this.match(/[A-Za-z]+/y);
    if (word === 'True') return true;
    if (word === 'False') return false;
    if (word === 'None') return null;
    const digits = word === null ? this.match(/[+-]?\d+(?![\w.])|[+-]?\d+(?=L\b)/y) : null;
    if (digits === null) throw this.fault('no literal stands');
    this.match(/L/y); // Python 2 wrote long integers so
    return Number(digits);
  }

  end(): void {
    this.space();
    if (this.at < this.text.length) throw this.fault('something follows');
  }

  /** Items between brackets; a value in parentheses without a comma is the value itself. */
  private sequence(close: string, depth: number): PythonValue {
    const items: PythonValue[] = [];
    this.at++;
    for (;;) {
      if (this.take(close)) return items;
      items.push(this.value(depth + 1));
      if (this.take(',')) continue;
      if (!this.take(close)) throw this.fault(`"," or "${close}" is missing`);
      return close === ')' && items.length === 1 ? items[0]! : items;
    }
  }

  private dictionary(depth: number): PythonValue {
    const entries = new Map<PythonValue, PythonValue>();
    this.at++;
    for (;;) {
      if (this.take('}')) return entries;
      const key = this.value(depth + 1);
      if (!this.take(':')) throw this.fault('":" is missing');
      entries.set(key, this.value(depth + 1));
      if (this.take(',')) continue;
      if (!this.take('}')) throw this.fault('"," or "}" is missing');
      return entries;
    }
  }

  private string(quote: string): string {
    let result = '';
    for (this.at++; this.at < this.text.length; this.at++) {
      const sign = this.text[this.at]!;
      if (sign === '\n') break;
      if (sign === '\\') result += this.text[++this.at] ?? '';
      else if (sign !== quote) result += sign;
      else {
        this.at++;
        return result;
      }
    }
    throw this.fault('a string is not closed');
  }

  private space(): void {
    this.match(/[ \t\r\n\f]*/y);
  }

  private take(sign: string): boolean {
    this.space();
    if (this.text[this.at] !== sign) return false;
    this.at++;
    return true;
  }

  private match(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found) this.at += found[0].length;
    return found ? found[0] : null;
  }

  private fault(what: string): SyntaxError {
    return new SyntaxError(`${what} at character ${this.at + 1}`);
  }
}
