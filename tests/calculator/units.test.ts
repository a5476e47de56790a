/** Large numbers in three digits with a unit. */
import { expect, test } from 'vitest';
import type { Unit } from '../../web/src/calculator/counts.ts';
import { shorten } from '../../web/src/calculator/units.ts';

const short = (value: bigint, unit: Unit) => {
  const { digits, unit: sign } = shorten(value, unit);
  return `${digits} ${sign}`.trim();
};

test.each<[bigint, Unit, string]>([
  [0n, 'count', '0'],
  [9_999n, 'count', '9999'],
  [10_000n, 'count', '10 K'],
  [10_499n, 'count', '10.5 K'],
  [262_144n, 'count', '262 K'],
  [999_499n, 'count', '999 K'],
  [999_500n, 'count', '1 M'],
  [2_359_296n, 'count', '2.36 M'],
  [8_029_995_008n, 'count', '8.03 G'],
  [174_597_734_400n, 'count', '175 G'],
  [805_306_368n, 'flop', '805 MFLOP'],
  [4n * 10n ** 29n, 'flop', '400 RFLOP'],
  [512n, 'bytes', '512 B'],
  [1023n, 'bytes', '1023 B'],
  [1024n, 'bytes', '1 KiB'],
  [131_072n, 'bytes', '128 KiB'],
  [1_048_575n, 'bytes', '1 MiB'],
  [1_047_552n, 'bytes', '1023 KiB'],
  [2n ** 30n, 'bytes', '1 GiB'],
  [-28n, 'bytes', '-28 B'],
])('%i of %s is %s', (value, unit, text) => {
  expect(short(value, unit)).toBe(text);
});

test('never more than four digits, and never off by more than half of the last', () => {
  for (let value = 10_000n; value < 10n ** 30n; value = (value * 137n) / 100n) {
    for (const unit of ['count', 'bytes'] as const) {
      const { digits, unit: sign } = shorten(value, unit);
      expect(digits.replace('.', '').length).toBeLessThanOrEqual(4);
      const step = unit === 'bytes' ? 1024 : 1000;
      const power = ['', 'K', 'M', 'G', 'T', 'P', 'E', 'Z', 'Y', 'R', 'Q'].indexOf(
        sign.replace('iB', ''),
      );
      expect(Math.abs((Number(digits) * step ** power) / Number(value) - 1)).toBeLessThan(0.00501);
    }
  }
});
