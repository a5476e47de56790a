/** Lines of the charts: right values, right slopes, names that do not cover each other. */
import { describe, expect, test } from 'vitest';
import { apart, layOut, log } from '../../web/src/calculator/chart-layout.ts';
import { lengthsAround, memoryGrowth, workGrowth } from '../../web/src/calculator/growth.ts';
import { strips } from '../../web/src/calculator/strips.ts';
import { anySettings, randomFrom, settings } from './support.ts';

const BOX = { width: 400, height: 320, left: 62, right: 108, top: 26, bottom: 26 };

describe('growth', () => {
  test('with the length doubled, projections and cache double, scores are four times as much', () => {
    const { lines: work } = workGrowth(settings('base'));
    const { lines: memory } = memoryGrowth(settings('base'));
    const factor = (id: string) => {
      const { values } = [...work, ...memory].find((line) => line.id === id)!;
      return Number(values[1]) / Number(values[0]);
    };
    expect(factor('projections')).toBe(2);
    expect(factor('feed')).toBe(2);
    expect(factor('scores')).toBe(4);
    expect(factor('cache')).toBe(2);
    expect(factor('matrix')).toBe(4);
    expect(factor('flash')).toBe(2);
    expect(factor('weights')).toBe(1);
  });

  test('the values at the page’s own length are those of the results', () => {
    const { lines, here } = memoryGrowth(settings('llama3'));
    expect(here.n).toBe(8192n);
    expect(here.values[lines.findIndex(({ id }) => id === 'cache')]).toBe(2n ** 30n);
  });

  test('lengths are powers of two that enclose the page’s own', () => {
    expect(lengthsAround(512).at(0)).toBe(16n);
    expect(lengthsAround(512).at(-1)).toBe(1_048_576n);
    expect(lengthsAround(1).at(0)).toBe(1n);
    expect(lengthsAround(100_000_000).at(-1)).toBe(134_217_728n);
  });
});

describe('the chart', () => {
  test('any sizes stay within the box', () => {
    const seed = Date.now();
    const random = randomFrom(seed);
    for (let i = 0; i < 100; i++) {
      const any = anySettings(random);
      for (const growth of [workGrowth(any), memoryGrowth(any)]) {
        const { x, y, here, lines } = layOut(growth, BOX);
        const what = `seed ${seed}, ${i}`;
        for (const at of [here, ...x.map((tick) => tick.at)]) {
          expect(at, what).toBeGreaterThanOrEqual(BOX.left - 0.1);
          expect(at, what).toBeLessThanOrEqual(BOX.width - BOX.right + 0.1);
        }
        for (const at of [...y.map((tick) => tick.at), ...lines.map((line) => line.dot)]) {
          expect(at, what).toBeGreaterThanOrEqual(BOX.top - 0.1);
          expect(at, what).toBeLessThanOrEqual(BOX.height - BOX.bottom + 0.1);
        }
        for (const { path } of lines)
          expect(path, what).toMatch(/^M[\d.]+ [\d.]+(L[\d.]+ [\d.]+)+$/);
      }
    }
  });

  test('ticks stand where their numbers are', () => {
    const { x, y } = layOut(memoryGrowth(settings('base')), BOX);
    for (const ticks of [x, y])
      for (let i = 2; i < ticks.length; i++) {
        const [a, b, c] = ticks.slice(i - 2, i + 1);
        expect((c!.at - b!.at) / (b!.at - a!.at)).toBeCloseTo(
          (log(c!.value) - log(b!.value)) / (log(b!.value) - log(a!.value)),
          6,
        );
      }
  });

  test('names at nearly the same height are moved apart, others stay', () => {
    const placed = apart([100, 101, 200]);
    expect(placed[1]! - placed[0]!).toBeGreaterThanOrEqual(16.99);
    expect((placed[0]! + placed[1]!) / 2).toBeCloseTo(100.5);
    expect(placed[2]).toBe(200);
  });

  test('the logarithm of a number of any size', () => {
    expect(log(1n)).toBe(0);
    expect(log(2n ** 200n)).toBe(200);
    expect(log(10n ** 30n)).toBeCloseTo(30 * Math.log2(10), 10);
  });
});

describe('the picture of the heads', () => {
  test('draws every head to scale while there is room', () => {
    const { at, each, width, dots } = strips(8, 64 / 512, 4, 108, 220);
    expect(at).toHaveLength(8);
    expect(each).toBe(13.5);
    expect(width).toBe(8 * 13.5 + 7 * 4);
    expect(dots).toEqual([]);
  });

  test('draws the joined matrix to scale, with borders of heads where there is room', () => {
    const base = strips(8, 64 / 512, 0, 108, 220);
    expect([base.width, base.at.length, base.each]).toEqual([108, 8, 13.5]);
    const gpt3 = strips(96, 128 / 12_288, 0, 108, 220);
    expect([gpt3.width, gpt3.at.length, gpt3.each]).toEqual([108, 1, 108]);
  });

  test('says with dots where heads are left out', () => {
    const { at, width, dots } = strips(96, 128 / 12_288, 4, 108, 220);
    expect(at.length).toBeLessThan(96);
    expect(dots).toHaveLength(3);
    expect(width).toBeLessThanOrEqual(220);
    expect(strips(10_000, 1, 0, 108, 220).width).toBeLessThanOrEqual(220);
  });
});
