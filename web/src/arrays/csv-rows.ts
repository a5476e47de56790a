/** Splits the text of a table into cells. A row knows its line, so that a message says what an editor shows. */
import { ArrayError } from './errors.ts';

/** ' ' is any run of spaces and tabs. */
export type Delimiter = '\t' | ';' | ',' | ' ';

export interface Row {
  /** The line in which it begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** All rows, blank ones too. Cells are trimmed unless they are quoted. */
export function* rowsOf(text: string, delimiter: Delimiter, file: string): Generator<Row> {
  const lineEnd = /\r\n|\n|\r/g;
  let line = 1;
  for (let at = 0; at < text.length; ) {
    lineEnd.lastIndex = at;
    const end = lineEnd.exec(text);
    const content = text.slice(at, end?.index ?? text.length);
    if (!content.includes('"')) {
      yield { line, cells: plainCells(content, delimiter) };
      at = end ? lineEnd.lastIndex : text.length;
      line++;
      continue;
    }
    const quoted = new QuotedRow(text, at, delimiter, file, line);
    yield { line, cells: quoted.read() };
    line += quoted.lines;
    at = quoted.at;
  }
}

function plainCells(content: string, delimiter: Delimiter): string[] {
  if (delimiter !== ' ') return content.split(delimiter).map((cell) => cell.trim());
  const trimmed = content.trim();
  return trimmed === '' ? [] : trimmed.split(/[ \t]+/);
}

/** A row with quotes in it (RFC 4180): a quoted cell may hold delimiters, line ends and doubled quotes. */
class QuotedRow {
  lines = 1;
  private readonly cells: string[] = [];

  constructor(
    private readonly text: string,
    public at: number,
    private readonly delimiter: Delimiter,
    private readonly file: string,
    private readonly line: number,
  ) {}

  read(): string[] {
    for (;;) {
      this.spaces();
      if (this.delimiter === ' ' && this.cells.length > 0 && this.atLineEnd()) break;
      this.cells.push(this.text[this.at] === '"' ? this.quoted() : this.plain());
      if (this.delimiter !== ' ' && this.text[this.at] === this.delimiter) this.at++;
      else if (this.atLineEnd()) break;
    }
    if (this.text[this.at] === '\r' && this.text[this.at + 1] === '\n') this.at++;
    this.at++;
    return this.cells;
  }

  private spaces(): void {
    while (this.isSpace(this.text[this.at])) this.at++;
  }

  private isSpace(sign: string | undefined): boolean {
    return sign === ' ' || (sign === '\t' && this.delimiter !== '\t');
  }

  private atLineEnd(): boolean {
    const sign = this.text[this.at];
    return sign === undefined || sign === '\n' || sign === '\r';
  }

  private plain(): string {
    const start = this.at;
    while (!this.atLineEnd()) {
      const sign = this.text[this.at];
      if (sign === this.delimiter || (this.delimiter === ' ' && sign === '\t')) break;
      this.at++;
    }
    return this.text.slice(start, this.at).trim();
  }

  private quoted(): string {
    let value = '';
    let start = ++this.at;
    for (;;) {
      const end = this.text.indexOf('"', start);
      if (end < 0) throw this.fault('is opened by a quote that is not closed');
      value += this.text.slice(start, end);
      this.at = start = end + 1;
      if (this.text[start] !== '"') break;
      value += '"';
      start++;
    }
    this.lines += value.match(/\r\n|\n|\r/g)?.length ?? 0;
    const before = this.at;
    this.spaces();
    const separated = this.delimiter === ' ' && this.at > before;
    if (!separated && !this.atLineEnd() && this.text[this.at] !== this.delimiter)
      throw this.fault('goes on after its closing quote');
    return value;
  }

  private fault(what: string): ArrayError {
    const [row, column] = [this.line, this.cells.length + 1];
    return new ArrayError(
      'bad-quotes',
      `The cell in row ${row}, column ${column} of ${this.file} ${what}.`,
      { file: this.file, row, column },
    );
  }
}

export const isBlank = ({ cells }: Row) => cells.every((cell) => cell === '');
