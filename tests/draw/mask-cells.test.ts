/** Which places of a mask are open, and strokes over them. */
import { expect, test } from 'vitest';
import { maskCells, stroke } from '../../web/src/draw/mask-cells.ts';

const rows = (open: Uint8Array, tokens: number) =>
  Array.from({ length: tokens }, (_, i) => open.slice(i * tokens, (i + 1) * tokens).join(''));
const none = new Uint8Array(16);

test('each shape opens what its name says', () => {
  expect(rows(maskCells('none', 3, 0, none, []), 3)).toEqual(['111', '111', '111']);
  expect(rows(maskCells('causal', 3, 0, none, []), 3)).toEqual(['100', '110', '111']);
  expect(rows(maskCells('window', 4, 1, none, []), 4)).toEqual(['1100', '1110', '0111', '0011']);
  const drawn = Uint8Array.of(1, 0, 0, 1);
  expect(rows(maskCells('drawn', 2, 0, drawn, []), 2)).toEqual(['10', '01']);
});

test('nobody may look at a hidden token, not even itself', () => {
  expect(rows(maskCells('causal', 3, 0, none, [1, 7]), 3)).toEqual(['100', '100', '101']);
});

test('a stroke leaves no gap', () => {
  for (const to of [
    { row: 5, column: 9 },
    { row: -3, column: 4 },
    { row: 0, column: 0 },
  ]) {
    const cells = stroke({ row: 0, column: 0 }, to);
    expect(cells[0]).toEqual({ row: 0, column: 0 });
    expect(cells.at(-1)).toEqual(to);
    cells.slice(1).forEach((cell, i) => {
      expect(Math.abs(cell.row - cells[i]!.row)).toBeLessThanOrEqual(1);
      expect(Math.abs(cell.column - cells[i]!.column)).toBeLessThanOrEqual(1);
    });
  }
});
