/** The tutorials' three demonstrations, drawn and computed by the engine, against what NumPy gives. */
import { readFileSync } from 'node:fs';
import { createEngine, type Engine, type Variant } from 'headlights';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMOS, drawDemo, hasOwnWords, numbered } from '../../web/src/demos/demos.ts';

type Lists = Record<string, unknown>;
const read = (name: string): Lists =>
  JSON.parse(readFileSync(new URL(`../golden/demos/${name}.json`, import.meta.url), 'utf8'));
const flat = (value: unknown): number[] => (value as number[]).flat(3) as number[];

const heads = read('demo1_per_head');
const fusion = read('demo2_fusion');
const batched = read('demo3_batched');

/** Largest difference, which must not be NaN. */
function distance(actual: ArrayLike<number>, expected: number[]): number {
  expect(actual.length).toBe(expected.length);
  const differences = expected.map((value, index) => Math.abs(actual[index]! - value));
  expect(differences.every(Number.isFinite)).toBe(true);
  return Math.max(...differences);
}

/** [H, T, size] out of [T, H*size]. */
function byHeads(columns: Float32Array, count: number, tokens: number): number[] {
  const size = columns.length / count / tokens;
  return Array.from({ length: count }, (_, head) =>
    Array.from({ length: tokens }, (_, token) => [
      ...columns.subarray((token * count + head) * size, (token * count + head + 1) * size),
    ]).flat(),
  ).flat();
}

describe.each<Variant>(['baseline', 'relaxed'])('the demonstrations, %s', (variant) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await createEngine({ variant });
  });
  afterAll(() => engine.dispose());

  it('draw the numbers of numpy.random.RandomState within 1e-15', async () => {
    const first = flat(batched.first_randn_42);
    expect(distance(await engine.gaussians(42, first.length), first)).toBeLessThanOrEqual(1e-15);
    const seven = flat(batched.first_randn_7);
    expect(distance(await engine.gaussians(7, seven.length), seven)).toBeLessThanOrEqual(1e-15);
    // The stream of the second demo begins with W_Q of both heads and ends with W_O.
    const stream = (await engine.gaussians(123, 4 * 36)).map((number) => number * 0.3);
    const expected = [fusion.W_Q, fusion.W_K, fusion.W_V, fusion.W_O].flatMap(flat);
    expect(distance(stream, expected)).toBeLessThanOrEqual(1e-15);
  });

  it('per-head attention: every value within 1e-6', async () => {
    const result = await engine.multiHead(await drawDemo(engine, DEMOS.heads));
    expect(distance(result.weights, flat(heads.attention))).toBeLessThanOrEqual(1e-6);
    expect(distance(result.output, flat(heads.output))).toBeLessThanOrEqual(1e-6);
    const contexts = byHeads(result.concat, 2, 5);
    expect(distance(contexts, flat(heads.head_outputs))).toBeLessThanOrEqual(1e-6);
  });

  it('fusion: every value within 1e-6, and the concatenation alone is the naive answer', async () => {
    const result = await engine.multiHead(await drawDemo(engine, DEMOS.fusion));
    expect(distance(result.weights, flat(fusion.attention))).toBeLessThanOrEqual(1e-6);
    expect(distance(result.concat, flat(fusion.concat))).toBeLessThanOrEqual(1e-6);
    expect(distance(result.output, flat(fusion.fused))).toBeLessThanOrEqual(1e-6);
  });

  it.each(['batched', 'looped'] as const)('%s: every value within 1e-5', async (projection) => {
    const input = await drawDemo(engine, DEMOS.batched);
    const result = await engine.multiHead({ ...input, projection });
    expect(distance(result.output, flat(batched.output))).toBeLessThanOrEqual(1e-5);
    const row = (head: number, query: number) =>
      result.weights.subarray((head * 32 + query) * 32, (head * 32 + query + 1) * 32);
    expect(distance(row(0, 0), flat(batched.attention_head0_row0))).toBeLessThanOrEqual(1e-5);
    expect(distance(row(7, 31), flat(batched.attention_head7_row31))).toBeLessThanOrEqual(1e-5);
  });

  it('draw words anew where the width or the number of words is another', async () => {
    const wider = { ...DEMOS.heads.settings, width: 12 };
    expect(hasOwnWords(DEMOS.heads, wider)).toBe(false);
    const { x } = await drawDemo(engine, DEMOS.heads, wider);
    expect(x).toEqual(Float32Array.from(await engine.gaussians(7, 5 * 12)));
    const more = { ...DEMOS.heads.settings, tokens: numbered(6) };
    expect((await drawDemo(engine, DEMOS.heads, more)).x).toHaveLength(6 * 8);
  });

  it('time both ways to project, a number a sample', async () => {
    const input = await drawDemo(engine, DEMOS.fusion);
    const times = await engine.timeMultiHead(input, 3);
    for (const samples of [times.batched, times.looped]) {
      expect(samples).toHaveLength(3);
      expect(samples.every((time) => time > 0 && time < 1000)).toBe(true);
    }
  });
});
