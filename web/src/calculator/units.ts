/** Large whole numbers in three digits: K, M, G, T … in steps of 1000, KiB, MiB … in steps of 1024. */

import type { Unit } from './counts.ts';

const PREFIXES = ['', 'K', 'M', 'G', 'T', 'P', 'E', 'Z', 'Y', 'R', 'Q'] as const;

/** Below this a number is written in full. */
const SHORT = 10_000n;

export interface Short {
  /** `2.36`, or a whole number below 10,000. */
  readonly digits: string;
  /** `M`, `GFLOP`, `KiB`; empty for a plain number. */
  readonly unit: string;
}

/** Rounded half up. A number of bytes below 1024 stays in bytes. */
export function shorten(value: bigint, unit: Unit): Short {
  const step = unit === 'bytes' ? 1024n : 1000n;
  const size = value < 0n ? -value : value;
  if (size < (unit === 'bytes' ? step : SHORT))
    return { digits: String(value), unit: named('', unit) };
  let power = 0;
  let divisor = 1n;
  while (size >= divisor * step && power < PREFIXES.length - 1) {
    divisor *= step;
    power++;
  }
  let digits = threeDigits(size, divisor);
  if (digits === String(step) && power < PREFIXES.length - 1) {
    power++;
    digits = threeDigits(size, divisor * step);
  }
  return { digits: `${value < 0n ? '−' : ''}${digits}`, unit: named(PREFIXES[power]!, unit) };
}

function named(prefix: string, unit: Unit): string {
  if (unit === 'count') return prefix;
  if (unit === 'flop') return `${prefix}FLOP`;
  return prefix === '' ? 'B' : `${prefix}iB`;
}

/** Three digits of value / divisor, four where a step of 1024 needs them; no zeros at the end after a point. */
function threeDigits(value: bigint, divisor: bigint): string {
  for (const decimals of [2, 1, 0]) {
    const scale = 10n ** BigInt(decimals);
    const scaled = (value * scale * 2n + divisor) / (2n * divisor);
    if (decimals > 0 && scaled >= 1000n) continue;
    const whole = scaled / scale;
    const rest = String(scaled % scale)
      .padStart(decimals, '0')
      .replace(/0+$/, '');
    return decimals > 0 && rest ? `${whole}.${rest}` : String(whole);
  }
  return '';
}
