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
  width: number;
  height: number;
}

export interface MatrixOptions {
  tokens: number;
  /** Width to fit into. */
  room: number;
  /** Widest name. */
  nameWidth: number;
  /** 1 = fit; above it cells grow. */
  zoom: number;
}

const LARGEST_CELL = 56;
const NUMBER_CELL = 27;
const NAME_CELL = 9;
const LONGEST_NAME = 112;
const FRAME = 4;

export function layoutMatrix({ tokens, room, nameWidth, zoom }: MatrixOptions): MatrixLayout {
  const named = Math.min(LONGEST_NAME, nameWidth) + 10;
  const fit = (left: number) => Math.max(0, room - left - FRAME) / Math.max(1, tokens);
  const withNames = Math.min(LARGEST_CELL, fit(named)) * zoom;
  const names = withNames >= NAME_CELL;
  const left = names ? named : FRAME;
  const size = Math.min(LARGEST_CELL, fit(left)) * zoom;
  const cell = size >= 2 ? Math.floor(size) : Math.max(size, 0);
  return {
    left,
    top: left,
    cell,
    numbers: cell >= NUMBER_CELL,
    names,
    width: left + cell * tokens + FRAME,
    height: left + cell * tokens + FRAME,
  };
}

/** Zoom steps at which whole cells grow until numbers fit; 1 first. */
export function zoomSteps(options: Omit<MatrixOptions, 'zoom'>): number[] {
  const fit = layoutMatrix({ ...options, zoom: 1 }).cell;
  const steps = [1];
  for (const cell of [4, 10, 16, 28, 40]) if (cell > fit * 1.2) steps.push(cell / fit);
  return steps.slice(0, 5);
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
