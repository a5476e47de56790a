/**
 * Geometry of the matrix view: room for the tokens' names, size of a cell, which cells a window shows. Numbers
 * are CSS pixels. Cells below one pixel do not exist: then the map is drawn downsampled (heat-pixels.ts).
 */

export interface MatrixLayout {
  /** Room for names left of and above the cells; 0 where names do not fit. */
  left: number;
  top: number;
  cell: number;
  /** Whether a cell has room for its number, and a row for its name. */
  numbers: boolean;
  names: boolean;
  /** Whether the names of the columns fit across a cell; else they stand upright. */
  across: boolean;
  width: number;
  height: number;
}

export interface MatrixOptions {
  tokens: number;
  /** Width to fit into. */
  room: number;
  /** Widest name. */
  nameWidth: number;
  /** Side of a cell; null = as large as fits. */
  cell: number | null;
}

const LARGEST_CELL = 56;
const NUMBER_CELL = 27;
const NAME_CELL = 9;
const LONGEST_NAME = 112;
const FRAME = 4;
const ACROSS_HEIGHT = 26;
const CELLS = [4, 10, 16, 28, 40];

export function layoutMatrix({ tokens, room, nameWidth, cell }: MatrixOptions): MatrixLayout {
  const named = Math.min(LONGEST_NAME, nameWidth) + 10;
  const fit = (left: number) =>
    Math.min(LARGEST_CELL, Math.max(0, room - left - FRAME) / Math.max(1, tokens));
  const names = (cell ?? fit(named)) >= NAME_CELL;
  const left = names ? named : FRAME;
  const wanted = cell ?? fit(left);
  const side = wanted >= 2 ? Math.floor(wanted) : wanted;
  const across = names && nameWidth <= side - 4;
  const top = across ? ACROSS_HEIGHT : left;
  return {
    left,
    top,
    cell: side,
    numbers: side >= NUMBER_CELL,
    names,
    across,
    width: left + side * tokens + FRAME,
    height: top + side * tokens + FRAME,
  };
}

/** Sides of a cell that the reader can choose: as fits first, then larger until numbers fit well. */
export function zoomSteps(options: Omit<MatrixOptions, 'cell'>): (number | null)[] {
  const fit = layoutMatrix({ ...options, cell: null }).cell;
  return [null, ...CELLS.filter((cell) => cell > fit * 1.2)];
}

/** First and last (excluded) index of the cells that a window of the map shows. */
export function visibleCells(
  scroll: number,
  viewport: number,
  offset: number,
  cell: number,
  tokens: number,
): [from: number, to: number] {
  if (cell <= 0) return [0, 0];
  const from = Math.max(0, Math.floor((scroll - offset) / cell));
  const to = Math.min(tokens, Math.ceil((scroll + viewport - offset) / cell));
  return [Math.min(from, tokens), Math.max(from, to)];
}
