/** How a table is written, judged by its first rows: what separates cells, the decimal mark, header, labels. */
import { type DecimalMark, numberOf, THOUSANDS } from './csv-numbers.ts';
import { type Delimiter, isBlank, type Row, rowsOf } from './csv-rows.ts';
import { ArrayError } from './errors.ts';

export interface TableStyle {
  readonly delimiter: Delimiter;
  readonly mark: DecimalMark;
  /** The first row names the columns. */
  readonly header: boolean;
  /** The first column names the rows. */
  readonly labels: boolean;
  /** Every row ends with a delimiter. */
  readonly trailing: boolean;
}

const SAMPLE = 64;
/** More than the numbers of a sample. */
const REGULAR = 1e9;

/** In order of preference: the later one must split into more numbers. */
const WAYS: readonly (readonly [Delimiter, DecimalMark])[] = [
  ['\t', '.'],
  [';', '.'],
  [',', '.'],
  [' ', '.'],
  ['\t', ','],
  [';', ','],
  [' ', ','],
];

export function styleOf(text: string, file: string): TableStyle {
  let best: readonly [Delimiter, DecimalMark] = [',', '.'];
  let most = Number.NEGATIVE_INFINITY;
  for (const [delimiter, mark] of WAYS) {
    const { rows, fault } = sample(text, delimiter, file);
    const score =
      scoreOf(rows, mark) + (isRegular(rows, delimiter) ? REGULAR : 0) - (fault ? 0.5 : 0);
    if (score <= most) continue;
    best = [delimiter, mark];
    most = score;
  }
  const [delimiter, mark] = best;
  const { rows, fault } = sample(text, delimiter, file);
  if (fault) throw fault;
  if (mark === ',') refuseThousands(rows, file);
  const trailing =
    delimiter !== ' ' && rows.every(({ cells }) => cells.length > 1 && cells.at(-1) === '');
  const cells = rows.map((row) => (trailing ? row.cells.slice(0, -1) : row.cells));
  return { delimiter, mark, trailing, ...namesOf(cells, mark) };
}

/** The first rows that are neither blank nor comments, up to where quotes are wrong. */
function sample(
  text: string,
  delimiter: Delimiter,
  file: string,
): { rows: Row[]; fault: ArrayError | null } {
  const rows: Row[] = [];
  try {
    for (const row of rowsOf(text, delimiter, file)) {
      if (isBlank(row) || isComment(row, rows.length === 0)) continue;
      if (rows.push(row) === SAMPLE) break;
    }
    return { rows, fault: null };
  } catch (error) {
    if (!(error instanceof ArrayError)) throw error;
    return { rows, fault: error };
  }
}

/**
 * Comments as NumPy's savetxt writes them: "# " and text. Within the table a row that begins so and holds a number is
 * a row (a token can be "#").
 */
export function isComment({ cells }: Row, first: boolean): boolean {
  const [start = '', ...others] = cells;
  if (!/^#(\s|$)/.test(start)) return false;
  return start !== '#' || first || others.every((cell) => numberOf(cell, '.') === null);
}

/**
 * As many as there are numbers, less what is a word where only a number can be; of two ways to the same numbers, the one
 * with fewer names.
 */
function scoreOf(rows: readonly Row[], mark: DecimalMark): number {
  let [numbers, names, faults] = [0, 0, 0];
  for (const [row, { cells }] of rows.entries())
    for (const [column, cell] of cells.entries()) {
      if (cell === '') continue;
      if (numberOf(cell, mark)) numbers++;
      else if (row === 0 || column === 0) names++;
      else faults++;
    }
  return numbers - faults - names / 1e6;
}

/** Tabs or semicolons that make columns separate them, whatever a cell holds ("page 2"). */
function isRegular(rows: readonly Row[], delimiter: Delimiter): boolean {
  if (delimiter !== '\t' && delimiter !== ';') return false;
  const widths = new Set(rows.slice(rows.length > 1 ? 1 : 0).map(({ cells }) => cells.length));
  return widths.size === 1 && !widths.has(1);
}

/** A decimal comma is believed when a number has it that cannot be thousands. */
function refuseThousands(rows: readonly Row[], file: string): void {
  let doubtful: { row: number; column: number; found: string } | null = null;
  for (const { line, cells } of rows)
    for (const [i, cell] of cells.entries()) {
      if (!cell.includes(',')) continue;
      if (!THOUSANDS.test(cell) && numberOf(cell, ',')) return;
      doubtful ??= { row: line, column: i + 1, found: cell };
    }
  if (!doubtful) return;
  const { row, column, found } = doubtful;
  throw new ArrayError(
    'ambiguous',
    `Row ${row}, column ${column} of ${file}: "${found}" may have a decimal comma or mean thousands; write numbers with a point.`,
    { file, ...doubtful, expected: 'a decimal point' },
  );
}

/** Header and labels of rows without comments and blank rows. */
function namesOf(
  rows: readonly (readonly string[])[],
  mark: DecimalMark,
): { header: boolean; labels: boolean } {
  const [first = [], ...rest] = rows;
  const isWord = (cell: string | undefined) =>
    cell !== undefined && cell !== '' && !numberOf(cell, mark);
  if (rest.length > 0 && hasEmptyCorner(first, mark)) return { header: true, labels: true };
  const haveLabels = (body: readonly (readonly string[])[]) =>
    body.filter((cells) => cells.length > 1 && isWord(cells[0])).length > body.length / 2;
  const labelsBelow = haveLabels(rest);
  // A row one shorter than the others names the columns only, as R writes it.
  const heads = labelsBelow && first.length === rest[0]?.length ? first.slice(1) : first;
  const header = rest.length > 0 && heads.filter(isWord).length > heads.length / 2;
  return { header, labels: header ? labelsBelow : haveLabels(rows) };
}

/** Nothing above the labels, and beside it names, or the numbers 0, 1, 2 that pandas writes for want of names. */
function hasEmptyCorner([corner, ...heads]: readonly string[], mark: DecimalMark): boolean {
  if (corner !== '' || heads.length === 0 || heads.includes('')) return false;
  return (
    heads.every((head, i) => head === String(i)) ||
    heads.filter((head) => !numberOf(head, mark)).length >= heads.length / 2
  );
}
