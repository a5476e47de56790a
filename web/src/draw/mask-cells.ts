/** Which places of a mask are open, whatever says so: for its picture and for drawing on it. */

export type MaskShape = 'none' | 'causal' | 'window' | 'drawn';

/** [tokens * tokens], 1 = may look. `drawn` is read for 'drawn' alone. */
export function maskCells(
  shape: MaskShape,
  tokens: number,
  radius: number,
  drawn: Uint8Array,
  off: readonly number[],
): Uint8Array {
  const open = new Uint8Array(tokens * tokens);
  const hidden = new Set(off);
  for (let query = 0; query < tokens; query++)
    for (let key = 0; key < tokens; key++) {
      const at = query * tokens + key;
      const allowed =
        shape === 'none' ||
        (shape === 'causal' && key <= query) ||
        (shape === 'window' && Math.abs(query - key) <= radius) ||
        (shape === 'drawn' && drawn[at] === 1);
      open[at] = allowed && !hidden.has(key) ? 1 : 0;
    }
  return open;
}

/** The cells that a straight stroke from one to another meets, both ends included. */
export function stroke(
  from: { row: number; column: number },
  to: { row: number; column: number },
): { row: number; column: number }[] {
  const steps = Math.max(Math.abs(to.row - from.row), Math.abs(to.column - from.column), 1);
  return Array.from({ length: steps + 1 }, (_, i) => ({
    row: Math.round(from.row + ((to.row - from.row) * i) / steps),
    column: Math.round(from.column + ((to.column - from.column) * i) / steps),
  }));
}
