import { describe, expect, it } from 'vitest';
import {
  colorRamp,
  contrast,
  inkOn,
  luminance,
  oklab,
  pixelRamp,
  RAMP_ENTRIES,
  type Rgb,
  STEPS,
  scalePosition,
  type Theme,
  weightColor,
} from '../../web/src/draw/color-scale.ts';

const THEMES: Theme[] = ['light', 'dark'];

/**
 * What somebody without one kind of cone sees: Machado, Oliveira, Fernandes 2009 (doi 10.1109/TVCG.2009.113),
 * severity 1, on linear RGB.
 */
const BLINDNESS: Record<string, number[]> = {
  protanopia: [
    0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998,
  ],
  deuteranopia: [
    0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881,
  ],
  tritanopia: [
    1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039,
  ],
};

function seenBy(color: Rgb, m: number[]): Rgb {
  const linear = color.map((v) => {
    const x = v / 255;
    return x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
  });
  const out = [0, 1, 2].map((row) => {
    const sum = [0, 1, 2].reduce((s, k) => s + m[row * 3 + k]! * linear[k]!, 0);
    const cut = Math.min(1, Math.max(0, sum));
    return (cut <= 0.0031308 ? cut * 12.92 : 1.055 * cut ** (1 / 2.4) - 0.055) * 255;
  });
  return [out[0]!, out[1]!, out[2]!];
}

const lightness = (color: Rgb) => oklab(color)[0];

describe.each(THEMES)('the %s scale', (theme) => {
  const ramp = colorRamp(theme);
  const sign = theme === 'dark' ? 1 : -1;

  it('changes lightness in one direction only', () => {
    // A byte of a channel is the finest step that a screen shows: 0.002 of lightness.
    for (let i = 1; i < STEPS; i++) {
      expect(sign * (lightness(ramp[i]!) - lightness(ramp[i - 1]!))).toBeGreaterThan(-0.002);
    }
    for (let i = 8; i < STEPS; i += 8) {
      expect(sign * (lightness(ramp[i]!) - lightness(ramp[i - 8]!))).toBeGreaterThan(0.005);
    }
  });

  it('changes lightness by the same amount for the same weight', () => {
    const whole = lightness(ramp[STEPS - 1]!) - lightness(ramp[0]!);
    for (let i = 0; i < STEPS; i++) {
      const even = lightness(ramp[0]!) + (whole * i) / (STEPS - 1);
      expect(Math.abs(lightness(ramp[i]!) - even)).toBeLessThan(0.006);
    }
  });

  it('is about as even in colour distance as in lightness', () => {
    const parts = 8;
    const distances = Array.from({ length: parts }, (_, part) => {
      const a = oklab(ramp[Math.round((part * 255) / parts)]!);
      const b = oklab(ramp[Math.round(((part + 1) * 255) / parts)]!);
      return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
    });
    expect(Math.max(...distances) / Math.min(...distances)).toBeLessThan(1.35);
  });

  it.each(Object.keys(BLINDNESS))('stays in order with %s', (kind) => {
    const seen = ramp.map((color) => lightness(seenBy(color, BLINDNESS[kind]!)));
    for (let i = 8; i < STEPS; i += 8) {
      expect(sign * (seen[i]! - seen[i - 8]!)).toBeGreaterThan(0.004);
    }
    expect(Math.abs(seen[255]! - seen[0]!)).toBeGreaterThan(0.35);
  });

  it('ends stand apart by more than 3:1', () => {
    expect(contrast(ramp[0]!, ramp[STEPS - 1]!)).toBeGreaterThan(4.5);
  });

  it('lets text be read on every colour', () => {
    for (const color of ramp) expect(contrast(color, inkOn(color))).toBeGreaterThan(4.5);
  });

  it('gives pixels the same colours', () => {
    const pixels = pixelRamp(theme);
    expect(pixels).toHaveLength(RAMP_ENTRIES);
    const bytes = new Uint8Array(pixels.buffer, 0, 4);
    expect([...bytes]).toEqual([...weightColor(0, theme), 255]);
    const last = new Uint8Array(pixels.buffer, 4 * (RAMP_ENTRIES - 1), 4);
    expect([...last]).toEqual([...weightColor(1, theme), 255]);
  });
});

describe('weights that are no weights', () => {
  it('are cut to the scale', () => {
    expect(scalePosition(Number.NaN, 'linear')).toBe(0);
    expect(scalePosition(-1, 'sqrt')).toBe(0);
    expect(scalePosition(2, 'sqrt')).toBe(1);
  });
});

describe('the square-root scale', () => {
  it('lifts faint weights and keeps both ends', () => {
    expect(scalePosition(0.04, 'sqrt')).toBeCloseTo(0.2, 12);
    expect(scalePosition(0, 'sqrt')).toBe(0);
    expect(scalePosition(1, 'sqrt')).toBe(1);
    expect(weightColor(0.25, 'dark', 'sqrt')).toEqual(weightColor(0.5, 'dark', 'linear'));
  });
});

describe('contrast', () => {
  it('is 21 for black on white', () => {
    expect(contrast([0, 0, 0], [255, 255, 255])).toBeCloseTo(21, 6);
    expect(luminance([255, 255, 255])).toBeCloseTo(1, 6);
  });
});
