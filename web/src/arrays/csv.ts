/**
 * A table of numbers as text: CSV, TSV, semicolons or spaces. A first row of words names the columns, a first column of
 * words the rows. Blank lines between blocks of the same size make a stack: [blocks, rows, columns], such as one
 * matrix a head. Rows are split here and not by a library: none of them tells the line of a cell after a quoted line end
 * or a comment, or takes runs of spaces; Papa Parse is the tests' second opinion.
 */
import { numberOf } from './csv-numbers.ts';
import { isBlank, type Row, rowsOf } from './csv-rows.ts';
import { isComment, styleOf, type TableStyle } from './csv-style.ts';
import { ArrayError, shown } from './errors.ts';
import { Growing } from './grow.ts';
import type { NamedArray } from './types.ts';

export function parseTable(text: string, file: string, name: string): NamedArray {
  const style = styleOf(text, file);
  const table = new Table(style, file);
  for (const row of rowsOf(text, style.delimiter, file)) table.add(row);
  return table.done(name);
}

class Table {
  private readonly numbers: Growing;
  private header: readonly string[] | null = null;
  /** Cells a row, labels included; 0 before the first. */
  private width = 0;
  private readonly labels: string[] = [];
  private blocks = 0;
  /** Rows of the first block and of the current one. */
  private height = 0;
  private rows = 0;
  private blockLine = 0;
  private sameLabels = true;

  constructor(
    private readonly style: TableStyle,
    private readonly file: string,
  ) {
    this.numbers = new Growing(file);
  }

  add(row: Row): void {
    if (isBlank(row)) {
      this.endBlock();
      return;
    }
    if (isComment(row, this.numbers.length === 0 && this.header === null)) return;
    const cells =
      this.style.trailing && row.cells.at(-1) === '' ? row.cells.slice(0, -1) : row.cells;
    if (this.rows === 0) {
      this.blockLine = row.line;
      if (this.takeHeader(cells)) return;
    }
    this.checkWidth(row.line, cells.length);
    this.addNumbers(row.line, cells);
    if (this.rows++ === 0) this.blocks++;
  }

  /** The header of the first block, or its repetition above another. */
  private takeHeader(cells: readonly string[]): boolean {
    if (!this.style.header) return false;
    if (this.header === null) {
      this.header = cells;
      return true;
    }
    return (
      cells.length === this.header.length && cells.every((cell, i) => cell === this.header![i])
    );
  }

  private checkWidth(row: number, found: number): void {
    if (this.width === 0) {
      this.width = found;
      const heads = this.header?.length ?? found;
      if (heads === found || (this.style.labels && heads === found - 1)) return;
      this.width = heads;
    }
    if (found === this.width) return;
    throw new ArrayError(
      'ragged',
      `Row ${row} of ${this.file} has ${found} cells, the rows above it have ${this.width}.`,
      { file: this.file, row, found, expected: this.width },
    );
  }

  private addNumbers(row: number, cells: readonly string[]): void {
    const first = this.style.labels ? 1 : 0;
    if (first > 0) this.addLabel(cells[0]!);
    for (let i = first; i < cells.length; i++) {
      const number = numberOf(cells[i]!, this.style.mark);
      if (!number) throw this.notNumber(row, i + 1, cells[i]!);
      this.numbers.push(number.value, number.written);
    }
  }

  private addLabel(label: string): void {
    if (this.blocks === 0 || (this.blocks === 1 && this.rows > 0)) this.labels.push(label);
    else if (this.labels[this.rows] !== label) this.sameLabels = false;
  }

  private notNumber(row: number, column: number, found: string): ArrayError {
    const place = `row ${row}, column ${column} of ${this.file}`;
    const mark = this.style.mark === ',' ? ' with a decimal comma' : '';
    return new ArrayError(
      'not-a-number',
      found === ''
        ? `The cell in ${place} is empty; expected a number.`
        : `The cell in ${place} holds ${shown(found)}; expected a number${mark}.`,
      { file: this.file, row, column, found, expected: `a number${mark}` },
    );
  }

  private endBlock(): void {
    if (this.rows === 0) return;
    if (this.blocks === 1) this.height = this.rows;
    else if (this.rows !== this.height)
      throw new ArrayError(
        'ragged',
        `The block from row ${this.blockLine} of ${this.file} has ${this.rows} rows, the first block has ${this.height}.`,
        { file: this.file, row: this.blockLine, found: this.rows, expected: this.height },
      );
    this.rows = 0;
  }

  done(name: string): NamedArray {
    this.endBlock();
    const columns = this.width - (this.style.labels ? 1 : 0);
    if (this.numbers.length === 0)
      throw new ArrayError('empty', `${this.file} holds no numbers.`, { file: this.file });
    const matrix = [this.height, columns];
    const labels = {
      ...(this.style.labels && this.sameLabels && { rows: this.labels }),
      ...(this.header && { columns: this.header.slice(this.header.length - columns) }),
    };
    return this.numbers.done(
      name,
      this.blocks === 1 ? matrix : [this.blocks, ...matrix],
      labels.rows || labels.columns ? labels : undefined,
    );
  }
}
