/** Numbers as tables hold them. */

export type DecimalMark = '.' | ',';

const WITH_POINT = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const WITH_COMMA = /^[+-]?(?:\d+,?\d*|,\d+)(?:[eE][+-]?\d+)?$/;
const NOT_FINITE = /^([+-]?)(?:(nan)|inf|infinity)$/i;

/** Both "one and 234 thousandths" and "one thousand two hundred thirty-four". */
export const THOUSANDS = /^[+-]?[1-9]\d{0,2}(?:,\d{3})+$/;

/** null when the cell is no number. A minus sign (U+2212) is a hyphen to us. */
export function numberOf(
  cell: string,
  mark: DecimalMark,
): { value: number; written: boolean } | null {
  const text = (cell.charCodeAt(0) === 0x2212 ? `-${cell.slice(1)}` : cell).trim();
  if (mark === '.' ? WITH_POINT.test(text) : WITH_COMMA.test(text))
    return { value: Number(mark === '.' ? text : text.replace(',', '.')), written: true };
  const special = NOT_FINITE.exec(text);
  if (!special) return null;
  const size = special[2] ? Number.NaN : Number.POSITIVE_INFINITY;
  return { value: special[1] === '-' ? -size : size, written: false };
}
