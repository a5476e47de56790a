import { describe, expect, it } from 'vitest';
import { pixelRamp } from '../../web/src/draw/color-scale.ts';
import { downsample, paintHeat, sampleOfPixel } from '../../web/src/draw/heat-pixels.ts';
import { makePicture } from '../../web/src/draw/transform.ts';
import { softmaxRows, token } from './tokens.ts';

const RAMP = pixelRamp('dark');
const at = (weight: number) => RAMP[Math.floor(weight * 1023 + 0.5)]!;

describe('downsampling', () => {
  const values = softmaxRows(1, 37, 3);
  const whole = { values, rows: 37, columns: 37 };

  it('by max keeps the largest weight', () => {
    for (const size of [1, 2, 5, 12, 36, 37]) {
      const small = downsample(whole, size, size, 'max');
      expect(Math.max(...small.values)).toBe(Math.max(...values));
    }
  });

  it('by max shows every weight at least as strong as it is', () => {
    const small = downsample(whole, 10, 10, 'max');
    for (let i = 0; i < 37; i++) {
      for (let j = 0; j < 37; j++) {
        // The block that a sample lies in: the last one that starts at or before it.
        const block = (k: number) =>
          Math.max(
            ...Array.from({ length: 10 }, (_, b) => (Math.floor((b * 37) / 10) <= k ? b : 0)),
          );
        expect(small.values[block(i) * 10 + block(j)]!).toBeGreaterThanOrEqual(values[i * 37 + j]!);
      }
    }
  });

  it('by mean keeps the mean where blocks are whole', () => {
    const even = { values: softmaxRows(1, 36, 5), rows: 36, columns: 36 };
    const small = downsample(even, 9, 9, 'mean');
    const mean = small.values.reduce((sum, v) => sum + v, 0) / 81;
    expect(mean).toBeCloseTo(1 / 36, 6);
    expect(Math.max(...small.values)).toBeLessThan(Math.max(...even.values));
  });

  it('to the same size changes nothing', () => {
    expect(downsample(whole, 37, 37, 'mean').values).toEqual(values);
    expect(downsample(whole, 37, 37, 'max').values).toEqual(values);
  });
});

describe('painting', () => {
  it('gives every sample pixels of its own colour, in order', () => {
    const pixels = new Uint32Array(6 * 6);
    const samples = { values: [0, 0.25, 0.5, 1], rows: 2, columns: 2 };
    paintHeat(pixels, 6, { x: 0, y: 0, width: 6, height: 6 }, samples, RAMP);
    expect([...pixels.subarray(0, 6)]).toEqual([at(0), at(0), at(0), at(0.25), at(0.25), at(0.25)]);
    expect([...pixels.subarray(30, 36)]).toEqual([at(0.5), at(0.5), at(0.5), at(1), at(1), at(1)]);
  });

  it('writes only inside its area', () => {
    const pixels = new Uint32Array(10 * 8).fill(7);
    const samples = { values: [1], rows: 1, columns: 1 };
    paintHeat(pixels, 10, { x: 2, y: 3, width: 4, height: 2 }, samples, RAMP);
    const painted = [...pixels].flatMap((pixel, i) => (pixel === 7 ? [] : [i]));
    expect(painted).toEqual([32, 33, 34, 35, 42, 43, 44, 45]);
  });

  it('shows every sample where there are at least as many pixels', () => {
    for (let n = 1; n <= 40; n++) {
      for (const size of [n, n + 1, 2 * n - 1, 2 * n, 61].filter((s) => s >= n)) {
        expect(new Set(sampleOfPixel(size, n)).size).toBe(n);
      }
    }
  });

  it('shows the largest weight of a map with more samples than pixels', () => {
    const n = 100;
    const values = new Float32Array(n * n).fill(0.01);
    values[37 * n + 71] = 1;
    const pixels = new Uint32Array(20 * 20);
    paintHeat(
      pixels,
      20,
      { x: 0, y: 0, width: 20, height: 20 },
      { values, rows: n, columns: n },
      RAMP,
    );
    expect([...pixels].filter((pixel) => pixel === at(1))).toHaveLength(1);
    expect(pixels[7 * 20 + 14]).toBe(at(1));
  });

  it('paints nothing-to-show, negative and not-a-number as zero', () => {
    const pixels = new Uint32Array(4);
    const area = { x: 0, y: 0, width: 2, height: 2 };
    paintHeat(pixels, 2, area, { values: [], rows: 0, columns: 0 }, RAMP);
    expect([...pixels]).toEqual([at(0), at(0), at(0), at(0)]);
    paintHeat(pixels, 2, area, { values: [Number.NaN, -1, 0, 2], rows: 2, columns: 2 }, RAMP);
    expect([...pixels]).toEqual([at(0), at(0), at(0), at(1)]);
  });
});

describe('the whole wall', () => {
  it('of 72 heads and 12 tokens is painted through the transform (time reported, not asserted)', () => {
    const layers = 6;
    const heads = 12;
    const T = 14;
    const all = Array.from({ length: layers }, (_, l) => softmaxRows(heads, T, l));
    const tokens = Array.from({ length: T }, (_, i) =>
      i === 0 ? token('[CLS]') : i === T - 1 ? token('[SEP]') : token(`w${i}`),
    );
    const cell = 40;
    const stride = heads * cell;
    const pixels = new Uint32Array(stride * layers * cell);
    const times: number[] = [];
    for (let round = 0; round < 30; round++) {
      const start = performance.now();
      const picture = makePicture(
        {
          tokens,
          typedText: '',
          layers,
          heads,
          layersReady: layers,
          attentions: (layer) => all[layer]!,
        },
        { showSpecials: false, mergeWords: false },
      );
      for (let layer = 0; layer < layers; layer++) {
        for (let head = 0; head < heads; head++) {
          const area = { x: head * cell, y: layer * cell, width: cell, height: cell };
          const values = picture.weights({ layer, head });
          paintHeat(pixels, stride, area, { values, rows: 12, columns: 12 }, RAMP);
        }
      }
      times.push(performance.now() - start);
    }
    times.sort((a, b) => a - b);
    console.log(`72 heads, 12 tokens, ${cell} px cells: median ${times[15]!.toFixed(2)} ms`);
    expect(new Set(pixels).size).toBeGreaterThan(100);
    expect(pixels.includes(0)).toBe(false);
  });
});
