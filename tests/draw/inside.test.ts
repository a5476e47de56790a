/** How the inspector writes numbers: rounded terms add up to rounded totals as the page says. */
import { expect, test } from 'vitest';
import { contrast, inkOn } from '../../web/src/draw/color-scale.ts';
import { DECIMALS, printed, roundingUnits } from '../../web/src/draw/inside.ts';
import { boundOf, signedColor } from '../../web/src/draw/signed-scale.ts';

const read = (text: string) => Number(text.replace('−', '-'));

test('numbers have a true minus sign, three decimals and no minus zero', () => {
  expect(printed(-1.23456)).toBe('−1.235');
  expect(printed(2)).toBe('2.000');
  expect(printed(-0.0001)).toBe('0.000');
  expect(printed(-0)).toBe('0.000');
  expect(printed(12345.6789)).toBe('12345.679');
  expect(printed(Number.NaN)).toBe('NaN');
  expect(printed(Number.POSITIVE_INFINITY)).toBe('∞');
  expect(printed(Number.NEGATIVE_INFINITY)).toBe('−∞');
});

test('printed terms add up to the printed total within the units that the page names', () => {
  const seed = Number(process.env.SEED ?? Date.now() % 1e9);
  console.info(`seed of the sums: ${seed} (SEED=${seed} repeats it)`);
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
  const unit = 10 ** -DECIMALS;
  let largest = 0;
  for (let round = 0; round < 500; round++) {
    const terms = Float32Array.from({ length: 1 + (round % 64) }, () => 3 * random());
    const total = terms.reduce((sum, term) => sum + term, 0);
    const sum = terms.reduce((so, term) => so + read(printed(term)), 0);
    const off = Math.abs(sum - read(printed(total))) / unit;
    expect(off).toBeLessThanOrEqual(roundingUnits(terms.length) + 1e-6);
    largest = Math.max(largest, off);
  }
  expect(largest).toBeGreaterThan(1); // rounding does show
});

test('colours tell sign and size, and every number on them can be read', () => {
  for (const theme of ['light', 'dark'] as const) {
    const zero = signedColor(0, 1, theme);
    expect(signedColor(Number.NaN, 1, theme)).toEqual(zero);
    expect(signedColor(5, 0, theme)).toEqual(zero);
    expect(signedColor(7, 1, theme)).toEqual(signedColor(1, 1, theme));
    expect(signedColor(-1, 1, theme)).not.toEqual(signedColor(1, 1, theme));
    let before = 1;
    for (let value = 0.25; value <= 1; value += 0.25) {
      for (const sign of [-1, 1]) {
        const color = signedColor(sign * value, 1, theme);
        expect(contrast(color, inkOn(color))).toBeGreaterThanOrEqual(4.5);
      }
      const apart = contrast(signedColor(-value, 1, theme), zero);
      expect(apart).toBeGreaterThan(before);
      before = apart;
    }
  }
});

test('the bound of a scale is the largest size that is a number', () => {
  expect(boundOf([1, -3, Number.NaN, Number.POSITIVE_INFINITY], [2])).toBe(3);
  expect(boundOf([])).toBe(0);
});
