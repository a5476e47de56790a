import { describe, expect, it } from 'vitest';
import { layoutColumnLines, lineThreshold } from '../../web/src/draw/columns.ts';
import { softmaxRows } from './tokens.ts';

const PLACE = { left: 100, right: 300, top: 10, rowHeight: 20 };

describe('lines between columns', () => {
  it('are one for each weight that is large enough', () => {
    for (let n = 1; n <= 60; n++) {
      const weights = softmaxRows(1, n, n);
      const bundles = layoutColumnLines(weights, n, { ...PLACE, threshold: 0.02, only: null });
      const drawn = bundles.reduce((sum, bundle) => sum + bundle.count, 0);
      expect(drawn).toBe(weights.filter((weight) => weight >= 0.02).length);
      for (const { path } of bundles) expect(path).toMatch(/^(M[-\d. ]+C[-\d. ]+)+$/);
    }
  });

  it('run from the query on the left to the key on the right', () => {
    const weights = Float32Array.from([0, 1, 0, 0]);
    const [bundle] = layoutColumnLines(weights, 2, { ...PLACE, threshold: 0.1, only: null });
    expect(bundle!.path).toBe('M100 10C200 10 200 30 300 30');
  });

  it('can be those of one query or one key', () => {
    const weights = new Float32Array(9).fill(1 / 3);
    const count = (only: { token: number; side: 'query' | 'key' }) =>
      layoutColumnLines(weights, 3, { ...PLACE, threshold: 0.1, only })[0]!.path.match(/M\d+ \d+/g);
    expect(count({ token: 1, side: 'query' })).toEqual(['M100 30', 'M100 30', 'M100 30']);
    expect(count({ token: 1, side: 'key' })).toEqual(['M100 10', 'M100 30', 'M100 50']);
  });

  it('lie strongest on top and never draw zeros', () => {
    const weights = Float32Array.from([0.9, 0.1, 0.5, 0.5]);
    const order = layoutColumnLines(weights, 2, { ...PLACE, threshold: 0, only: null });
    expect(order.map(({ weight }) => weight)).toEqual(
      [...order.map(({ weight }) => weight)].sort(),
    );
    const none = layoutColumnLines(new Float32Array(4), 2, { ...PLACE, threshold: 0, only: null });
    expect(none).toEqual([]);
  });
});

describe('the threshold of a long text', () => {
  it('stays where it is while lines are few', () => {
    expect(lineThreshold([0.5, 0.1, 0.02], 0.03, 10)).toBe(0.03);
  });

  it('rises until no more lines are drawn than allowed', () => {
    const weights = softmaxRows(1, 60, 4, 1);
    const threshold = lineThreshold(weights, 0.01, 100);
    expect(threshold).toBeGreaterThan(0.01);
    expect(weights.filter((weight) => weight >= threshold).length).toBeLessThanOrEqual(100);
  });
});
