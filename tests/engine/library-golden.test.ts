/**
 * The built library against the golden files, in both variants: attention alone, the tiny BERT folder, and the
 * shipped packs. This is the promise "real numbers only" as a test.
 */
import { createEngine, type Engine, type Model, type Variant } from 'headlights';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { distance, goldenCases, PACKS, readGolden, TINY } from './support/golden.ts';

const VARIANTS: Variant[] = ['baseline', 'relaxed'];

const KERNEL_CASES = [
  '01-one',
  '02-odd',
  '03-heads8',
  '04-ragged',
  '05-causal',
  '06-causal-offset',
  '07-padding',
  '08-window',
  '09-masked-rows',
  '10-large-exact',
  '11-large-random',
  '12-gqa',
];

describe('the comparison itself', () => {
  it('sees a difference, a NaN and a missing number', () => {
    expect(distance([1, 2], [1, 2.5])).toBe(0.5);
    expect(distance([1, Number.NaN], [1, 2])).toBe(Number.POSITIVE_INFINITY);
    expect(distance([1], [1, 2])).toBe(Number.POSITIVE_INFINITY);
    expect(distance([], [])).toBe(0);
  });
});

describe.each(VARIANTS)('variant %s', (variant) => {
  let engine: Engine;

  beforeAll(async () => {
    engine = await createEngine({ variant, base: PACKS });
  });
  afterAll(() => engine.dispose());

  it('is the one that was asked for', () => {
    expect(engine.variant).toBe(variant);
  });

  describe.each(KERNEL_CASES)('attention case %s', (name) => {
    const golden = readGolden(`kernels/${name}.safetensors`);
    const number = (key: string) => Number(golden.text(key));
    const floats = (tensor: string) => golden.tensor(tensor) as Float32Array;
    const largestScore = Math.max(...Array.from(golden.tensor('scores'), Math.abs), 0);
    const input = {
      queries: floats('q'),
      keys: floats('k'),
      values: floats('v'),
      heads: number('H'),
      kvHeads: number('H_kv'),
      queryLength: number('Tq'),
      keyLength: number('Tk'),
      headSize: number('d'),
      scale: number('scale'),
      mask: golden.has('mask') ? (golden.tensor('mask') as Uint8Array) : undefined,
    };

    it.each(['explained', 'reference'] as const)('holds for kernel %s', async (kernel) => {
      const { scores, weights, context, nonFinite } = await engine.attention({ ...input, kernel });
      expect(distance(scores!, golden.tensor('scores'))).toBeLessThan(1e-6 * (1 + largestScore));
      expect(distance(weights!, golden.tensor('weights'))).toBeLessThan(1e-6);
      expect(distance(context, golden.tensor('output'))).toBeLessThan(2e-6);
      expect(nonFinite).toBe(0);
    });

    it('holds for kernel flash, which keeps no weights', async () => {
      const { scores, weights, context } = await engine.attention({ ...input, kernel: 'flash' });
      expect(scores).toBeNull();
      expect(weights).toBeNull();
      expect(distance(context, golden.tensor('output'))).toBeLessThan(2e-6);
    });

    it('holds when the mask is named instead of given', async () => {
      const kind = golden.text('kind');
      const named =
        kind === 'causal'
          ? { mask: 'causal' as const }
          : kind === 'window'
            ? { mask: { window: number('radius') } }
            : kind === 'padding'
              ? { mask: 'none' as const, keyMask: golden.tensor('key_padding') as Uint8Array }
              : { mask: input.mask };
      const { weights, context } = await engine.attention({ ...input, ...named });
      expect(distance(weights!, golden.tensor('weights'))).toBeLessThan(1e-6);
      expect(distance(context, golden.tensor('output'))).toBeLessThan(2e-6);
    });
  });

  describe('the tiny BERT folder', () => {
    let model: Model;
    beforeAll(async () => {
      model = await engine.loadModel(TINY);
    });
    afterAll(() => model.dispose());

    it.each(['01', '02'])('gives the attentions and hidden states of file %s', async (name) => {
      const golden = readGolden(`models-tiny/bert/expected/${name}.safetensors`);
      const pair = golden.text('text_pair');
      const run = await model.run(golden.text('text'), pair ? { pair } : {});
      expect(run.tokens.map(({ id }) => id)).toEqual(Array.from(golden.tensor('input_ids')));
      expect(distance(await run.attentions(), golden.tensor('attentions'))).toBeLessThan(2e-5);
      const expected = golden.tensor('hidden_states') as Float32Array;
      const size = expected.length / (model.info.layers + 1);
      for (let layer = 0; layer <= model.info.layers; layer++) {
        const found = await run.hidden(layer);
        expect(distance(found, expected.slice(layer * size, (layer + 1) * size))).toBeLessThan(
          1e-4,
        );
      }
      await run.dispose();
    });

    it('gives queries, keys, values, scores and context of every head', async () => {
      const golden = readGolden('models-tiny/bert/expected/01.safetensors');
      const run = await model.run(golden.text('text'));
      const cut = (name: string, layer: number, head: number) => {
        const size = golden.tensor(name).length / (run.layers * run.heads);
        const start = (layer * run.heads + head) * size;
        return golden.tensor(name).slice(start, start + size);
      };
      for (let layer = 0; layer < run.layers; layer++) {
        for (let head = 0; head < run.heads; head++) {
          const found = await run.head(layer, head);
          expect(distance(found.queries, cut('query', layer, head))).toBeLessThan(1e-4);
          expect(distance(found.keys, cut('key', layer, head))).toBeLessThan(1e-4);
          expect(distance(found.values, cut('value', layer, head))).toBeLessThan(1e-4);
          expect(distance(found.scores, cut('scores', layer, head))).toBeLessThan(1e-4);
          expect(distance(found.context, cut('context', layer, head))).toBeLessThan(1e-4);
          expect(distance(found.weights, cut('attentions', layer, head))).toBeLessThan(2e-5);
          expect(found).toMatchObject({
            queryLength: run.queryLength,
            headSize: 12,
            valueSize: 12,
          });
          expect(found.scale).toBeCloseTo(1 / Math.sqrt(12), 7);
        }
      }
      await run.dispose();
    });
  });

  describe.each(['minilm-en', 'bge-zh'] as const)('the pack %s', (id) => {
    let model: Model;
    beforeAll(async () => {
      model = await engine.loadModel(id);
    });
    afterAll(() => model.dispose());

    it.each(goldenCases(id))(
      'is as exact as its card says on $file',
      async ({ file, text, text_pair }) => {
        const golden = readGolden(`${id}/${file}`);
        const run = await model.run(text, text_pair ? { pair: text_pair } : {});
        expect(run.tokens.map(({ id: token }) => token)).toEqual(
          Array.from(golden.tensor('input_ids')),
        );
        const error = distance(await run.attentions(), golden.tensor('attentions'));
        expect(error).toBeLessThanOrEqual(model.info.attentionError!.largest);
        expect(error).toBeLessThan(0.05);
        await run.dispose();
      },
    );
  });
});
