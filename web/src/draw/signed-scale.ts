/**
 * Colours of numbers with a sign: 0 is the page's faint grey, +bound one hue, -bound another, and lightness alone
 * tells the size. The hues are the page's accent and its second colour (OKLab, B. Ottosson 2020, mixed straight).
 */
import { colorRamp, type Rgb, type Theme } from './color-scale.ts';

const NEGATIVE: Readonly<Record<Theme, Rgb>> = { light: [35, 99, 181], dark: [134, 180, 255] };

/** The colour of `value` where ±bound are the ends of the scale. Not a number is grey, like 0. */
export function signedColor(value: number, bound: number, theme: Theme): Rgb {
  const ramp = colorRamp(theme);
  const zero = ramp[0]!;
  if (!(bound > 0) || !Number.isFinite(value)) return zero;
  const share = Math.min(1, Math.abs(value) / bound);
  if (value >= 0) return ramp[Math.round(share * (ramp.length - 1))]!;
  const end = NEGATIVE[theme];
  return [0, 1, 2].map((i) =>
    Math.round(zero[i]! + (end[i]! - zero[i]!) * share),
  ) as unknown as Rgb;
}

/** The largest absolute value that is a number; 0 for none. */
export function boundOf(...lists: readonly ArrayLike<number>[]): number {
  let bound = 0;
  for (const list of lists)
    for (let i = 0; i < list.length; i++) {
      const size = Math.abs(list[i]!);
      if (size > bound && Number.isFinite(size)) bound = size;
    }
  return bound;
}
