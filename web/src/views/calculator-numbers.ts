/** Writes the calculator's numbers: short with a unit, or in full, in the page's language. */

import type { Unit } from '../calculator/counts.ts';
import { shorten } from '../calculator/units.ts';
import { LANGUAGE_TAGS, language } from '../i18n/index.ts';

const formatters = new Map<string, Intl.NumberFormat>();

/** All digits, in groups. */
export function inFull(value: bigint | number): string {
  const tag = LANGUAGE_TAGS[language.value];
  let formatter = formatters.get(tag);
  if (!formatter) {
    formatter = new Intl.NumberFormat(tag, { maximumFractionDigits: 20 });
    formatters.set(tag, formatter);
  }
  return formatter.format(value);
}

export const unitOf = (unit: Unit): string => ({ count: '', flop: 'FLOP', bytes: 'B' })[unit];

/** `2.36 M`, `1.21 GFLOP`, `128 KiB`; with `full` all digits. A no-break space keeps the unit at its number. */
export function write(value: bigint, unit: Unit, full = false): string {
  const short = shorten(value, unit);
  const [digits, sign] = full ? [inFull(value), unitOf(unit)] : [short.digits, short.unit];
  const grouped = /^\d{4}$/.test(digits) ? inFull(BigInt(digits)) : digits;
  return sign ? `${grouped}\u00a0${sign}` : grouped;
}

/** `F_qkv` in running text. */
export const plainSymbol = (symbol: string): string => symbol.replace('_', ' ');
