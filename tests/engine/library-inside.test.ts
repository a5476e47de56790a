/** What is inside a head: steps and additions, of a real model and of given matrices, and every wrong argument. */
import {
  type AttentionInput,
  type AttentionSteps,
  createEngine,
  type Engine,
  type HeadAdditions,
  type Model,
  type MultiHeadInput,
  type Run,
} from 'headlights';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failure, hooks } from './support/library.ts';

let engine: Engine;
let model: Model;
let run: Run;
beforeAll(async () => {
  engine = await createEngine();
  model = await engine.loadModel('minilm-en');
  run = await model.run('The animal didn’t cross the street because it was too tired');
});
afterAll(() => engine.dispose());

const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, next) => total + next, 0);

/** Numbers that look random and are always the same. */
function numbers(count: number, seed: number): Float32Array {
  let state = seed;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  });
}

function expectToAddUp(steps: AttentionSteps, key: number): void {
  const { products, dots, scale, scores, exponentials, weights, running, valueSize } = steps;
  expect(sum(products)).toBeCloseTo(dots[key]!, 4);
  expect(scores[key]).toBeCloseTo(dots[key]! * scale, 5);
  expect(sum(exponentials)).toBeCloseTo(steps.sum, 4);
  expect(sum(weights)).toBeCloseTo(1, 5);
  expect(Math.max(...scores.filter((_, j) => steps.allowed[j]))).toBe(steps.maximum);
  expect(steps.context).toEqual(running.slice(-valueSize));
  steps.weighted.forEach((number, c) => {
    expect(number).toBeCloseTo(weights[key]! * steps.valueVector[c]!, 6);
  });
}

function expectShares({ shares, parts, output, width, norms }: HeadAdditions): void {
  expect(sum(shares)).toBeCloseTo(1, 5);
  for (let c = 0; c < width; c++) {
    const total = sum(norms.map((_, n) => parts[n * width + c]!));
    expect(total).toBeCloseTo(output[c]!, 4);
  }
  norms.forEach((norm, n) => {
    expect(Math.hypot(...parts.subarray(n * width, (n + 1) * width))).toBeCloseTo(norm, 4);
  });
}

describe('a row of a model taken apart', () => {
  it('ends in the weights and the context of the run, to the last bit', async () => {
    for (const [layer, head] of [
      [0, 0],
      [3, 1],
      [5, 11],
    ] as const) {
      const whole = await run.head(layer, head);
      for (const query of [0, 7, run.queryLength - 1]) {
        const steps = await run.steps(layer, head, query, 3);
        const row = (matrix: Float32Array, size: number) =>
          matrix.slice(query * size, (query + 1) * size);
        expect(steps.scores).toEqual(row(whole.scores, run.keyLength));
        expect(steps.weights).toEqual(row(whole.weights, run.keyLength));
        expect(steps.context).toEqual(row(whole.context, whole.valueSize));
        expect(steps.queryVector).toEqual(row(whole.queries, whole.headSize));
        expect(steps.keyVector).toEqual(whole.keys.slice(3 * 32, 4 * 32));
        expect(steps.valueVector).toEqual(whole.values.slice(3 * 32, 4 * 32));
        expectToAddUp(steps, 3);
      }
    }
  });

  it('says which keys the mask hides', async () => {
    const masked = await model.run('The cat sat', { interventions: { pattern: 'causal' } });
    const steps = await masked.steps(2, 4, 1, 0);
    expect([...steps.allowed]).toEqual([1, 1, 0, 0, 0]);
    expect([...steps.weights.slice(2)]).toEqual([0, 0, 0]);
    await masked.dispose();
  });

  it('has the temperature in its scale', async () => {
    const cold = await model.run('The cat sat', { interventions: { temperature: 0.5 } });
    const steps = await cold.steps(0, 0, 1, 2);
    expect(steps.scale).toBeCloseTo(2 / Math.sqrt(32), 6);
    expectToAddUp(steps, 2);
    await cold.dispose();
  });
});

describe('the last layer', () => {
  it('gives the same whichever question comes first', async () => {
    const answers = async (order: readonly number[]) => {
      const own = await model.run('The cat sat');
      const questions = [
        () => own.hidden(6),
        () => own.head(5, 2),
        () => own.steps(5, 2, 1, 3),
        () => own.additions(5, 1),
        () => own.attention(5, 2),
      ];
      const found: unknown[] = [];
      for (const index of order) found[index] = await questions[index]!();
      await own.dispose();
      return found;
    };
    const first = await answers([0, 1, 2, 3, 4]);
    expect(await answers([4, 3, 2, 1, 0])).toEqual(first);
    expect(await answers([2, 4, 0, 3, 1])).toEqual(first);
  });
});

describe('what heads add', () => {
  it('adds up to the output of the block, shares to one, in every layer', async () => {
    for (let layer = 0; layer < run.layers; layer++) expectShares(await run.additions(layer, 5));
  });

  it('is what the next hidden state is made of', async () => {
    // Of the last step the page says how large the block's output is against the residual stream.
    const { residualNorm } = await run.additions(2, 4);
    const hidden = (await run.hidden(2)).slice(4 * 384, 5 * 384);
    expect(Math.hypot(...hidden)).toBeCloseTo(residualNorm, 3);
  });

  it('is nothing for a head that is switched off', async () => {
    const gains = [{ layer: 1, head: 3, gain: 0 }];
    const off = await model.run('The cat sat', { interventions: { gains } });
    const { norms, shares } = await off.additions(1, 2);
    expect(norms[3]).toBe(0);
    expect(shares[3]).toBe(0);
    await off.dispose();
  });
});

const matrices = (more: Partial<AttentionInput> = {}): AttentionInput => ({
  queries: numbers(4 * 5 * 8, 1),
  keys: numbers(2 * 7 * 8, 2),
  values: numbers(2 * 7 * 3, 3),
  heads: 4,
  kvHeads: 2,
  queryLength: 5,
  keyLength: 7,
  headSize: 8,
  valueSize: 3,
  ...more,
});

const block = (more: Partial<MultiHeadInput> = {}): MultiHeadInput => ({
  x: numbers(5 * 6, 1),
  wQ: numbers(6 * 4 * 2, 2),
  wK: numbers(6 * 2 * 2, 3),
  wV: numbers(6 * 2 * 3, 4),
  wO: numbers(4 * 3 * 6, 5),
  width: 6,
  heads: 4,
  kvHeads: 2,
  headSize: 2,
  valueSize: 3,
  queryLength: 5,
  ...more,
});

describe('matrices of the reader', () => {
  it('are taken apart like a model’s, cross-attention and shared key/value heads too', async () => {
    const input = matrices({ mask: { window: 2 } });
    const whole = await engine.attention(input);
    const steps = await engine.attentionSteps(input, 3, 4, 6);
    const row = 3 * 5 + 4;
    expect(steps.weights).toEqual(whole.weights!.slice(row * 7, (row + 1) * 7));
    expect(steps.context).toEqual(whole.context.slice(row * 3, (row + 1) * 3));
    expect(steps.keyVector).toEqual(input.keys.slice((7 + 6) * 8, (7 + 7) * 8));
    expectToAddUp(steps, 6);
  });

  it('give by multi-head attention what its own queries, keys and values give by attention', async () => {
    const { queries, keys, values, weights, concat, output } = await engine.multiHead(block());
    const again = await engine.attention({
      queries,
      keys,
      values,
      heads: 4,
      kvHeads: 2,
      queryLength: 5,
      headSize: 2,
      valueSize: 3,
    });
    expect(again.weights).toEqual(weights);
    const additions = await engine.additions({
      context: concat.slice(12, 24),
      heads: 4,
      wO: block().wO,
      residual: block().x.slice(6, 12),
    });
    expectShares(additions);
    expect(additions.concat).toEqual(concat.slice(12, 24));
    for (let c = 0; c < 6; c++) expect(additions.output[c]).toBeCloseTo(output[6 + c]!, 5);
  });

  it('may look at another text', async () => {
    const memory = numbers(9 * 6, 9);
    const crossed = await engine.multiHead(block({ memory, keyLength: 9 }));
    expect(crossed.weights).toHaveLength(4 * 5 * 9);
    expect(crossed.nonFinite).toBe(0);
  });

  it('keep no memory', async () => {
    const before = await hooks(engine).bytesInUse();
    await engine.multiHead(block());
    await engine.attentionSteps(matrices(), 0, 0, 0);
    await engine.timeMultiHead(block(), 1);
    await engine.gaussians(1, 1000);
    await run.steps(0, 0, 0, 0);
    await run.additions(0, 0);
    expect(await hooks(engine).bytesInUse()).toBe(before);
  });
});

describe('a wrong argument', () => {
  it.each<[string, () => Promise<unknown>, string, RegExp]>([
    ['layer', () => run.steps(6, 0, 0, 0), 'bad-argument', /layer/],
    ['head', () => run.steps(0, 12, 0, 0), 'bad-argument', /head/],
    ['query', () => run.steps(0, 0, 99, 0), 'bad-argument', /query/],
    ['key', () => run.steps(0, 0, 0, -1), 'bad-argument', /key/],
    ['token', () => run.additions(0, 1.5), 'bad-argument', /token/],
    ['head of matrices', () => engine.attentionSteps(matrices(), 4, 0, 0), 'bad-argument', /head/],
    ['key of matrices', () => engine.attentionSteps(matrices(), 0, 0, 7), 'bad-argument', /key/],
    ['W_Q', () => engine.multiHead(block({ wQ: numbers(5, 1) })), 'bad-shape', /wQ.*6 × 8/],
    ['kvHeads', () => engine.multiHead(block({ kvHeads: 3 })), 'bad-shape', /share/],
    ['keyLength', () => engine.multiHead(block({ keyLength: 9 })), 'bad-shape', /memory/],
    [
      'projection',
      () => engine.multiHead(block({ projection: 'both' as never })),
      'bad-argument',
      /projection/,
    ],
    ['seed', () => engine.gaussians(-1, 1), 'bad-argument', /seed/],
    ['count', () => engine.gaussians(1, 1e9), 'bad-argument', /count/],
    ['samples', () => engine.timeMultiHead(block(), 0), 'bad-argument', /samples/],
    [
      'context',
      () =>
        engine.additions({
          context: numbers(7, 1),
          heads: 2,
          wO: numbers(4, 1),
          residual: numbers(2, 1),
        }),
      'bad-shape',
      /context/,
    ],
  ])('%s is named', async (_name, call, code, message) => {
    const error = await failure(call());
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
  });

  it('of a run that is gone says so', async () => {
    const gone = await model.run('x');
    await gone.dispose();
    expect((await failure(gone.steps(0, 0, 0, 0))).code).toBe('disposed');
    expect((await failure(gone.additions(0, 0))).code).toBe('disposed');
  });
});
