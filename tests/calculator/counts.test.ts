/** The calculator's results against numbers worked out by hand and against published totals. */
import { describe, expect, test } from 'vitest';
import {
  type Count,
  crossover,
  memoryCounts,
  ofSequence,
  parameterCounts,
  workCounts,
} from '../../web/src/calculator/counts.ts';
import { evaluate } from '../../web/src/calculator/expression.ts';
import { type Settings, valuesOf } from '../../web/src/calculator/settings.ts';
import { anySettings, randomFrom, settings } from './support.ts';

const result = (count: Count, of: Settings) => evaluate(count.of, valuesOf(of));
const parameter = (id: string, of: Settings) =>
  result(parameterCounts(of).rows.find((row) => row.id === id)!, of);
const work = (id: string, of: Settings) =>
  result(workCounts(of).rows.find((row) => row.id === id)!, of);
const memory = (id: string, of: Settings) => {
  const { cache, scores } = memoryCounts(of);
  return result([...cache, ...scores].find((row) => row.id === id)!, of);
};

describe('parameters', () => {
  test('BERT base: four matrices of 768 × 768 in each of twelve layers, with biases', () => {
    const bert = settings('bert');
    expect(parameter('joined', bert)).toBe(589_824n);
    expect(parameter('matrices', bert)).toBe(2_359_296n);
    expect(parameter('biases', bert)).toBe(3_072n);
    expect(parameter('withBias', bert)).toBe(2_362_368n);
    expect(parameter('attention', bert)).toBe(28_348_416n);
  });

  test('BERT base adds up to its published 109,482,240 with what is not counted', () => {
    const positionsAndTypes = 514n * 768n;
    const norms = 25n * 2n * 768n;
    const pooler = 768n * 768n + 768n;
    const counted = parameter('model', settings('bert'));
    expect(counted + positionsAndTypes + norms + pooler).toBe(109_482_240n);
  });

  test('GPT-2 small adds up to its published 124,439,808 with positions and norms', () => {
    const counted = parameter('model', settings('gpt2'));
    expect(counted + 1024n * 768n + 25n * 2n * 768n).toBe(124_439_808n);
  });

  test('Llama 3 8B adds up to its published 8,030,261,248 with its 65 norms', () => {
    const llama = settings('llama3');
    expect(parameter('key', llama)).toBe(4096n * 1024n);
    expect(parameter('feedForward', llama)).toBe(3n * 4096n * 14_336n);
    expect(parameter('model', llama) + 65n * 4096n).toBe(8_030_261_248n);
  });

  test('GPT-3 adds up to 175 billion', () => {
    const gpt3 = settings('gpt3');
    expect(parameter('attention', gpt3)).toBe(96n * (4n * 12_288n ** 2n + 4n * 12_288n));
    expect(Number(parameter('model', gpt3)) / 1e9).toBeCloseTo(174.6, 1);
  });

  test('more heads at the same width are the same parameters', () => {
    for (const h of ['1', '2', '4', '8', '16', '32', '512'])
      expect(parameter('attention', settings('base', { h })), h).toBe(6n * 4n * 512n * 512n);
  });

  test('h matrices of d × d_k are as many numbers as one of d × (h · d_k), for any sizes', () => {
    const seed = Date.now();
    const random = randomFrom(seed);
    for (let i = 0; i < 200; i++) {
      const any = anySettings(random);
      const { separate, joined } = parameterCounts(any);
      expect(result(separate, any), `seed ${seed}, ${i}`).toBe(result(joined, any));
    }
  });

  test('int8 weights take a quarter of the bytes of fp32, half bytes are rounded up', () => {
    const bytes = (dtype: 'fp32' | 'int8' | 'int4', d = '512') => {
      const of = settings('base', { dtype, d, h: '1' });
      return result(parameterCounts(of).weights, of);
    };
    expect(bytes('int8') * 4n).toBe(bytes('fp32'));
    const odd = settings('bert', {
      ...{ d: '1', h: '1', layers: '1', ff: '', vocab: '1', dtype: 'int4', bias: false },
    });
    expect(parameter('model', odd)).toBe(5n);
    expect(result(parameterCounts(odd).weights, odd)).toBe(3n);
  });
});

describe('arithmetic', () => {
  test('the base model, one token among 512', () => {
    const base = settings('base');
    expect(work('project', base)).toBe(3n * 2n * 512n * 512n);
    expect(work('scores', base)).toBe(2n * 512n * 512n);
    expect(work('softmax', base)).toBe(5n * 8n * 512n);
    expect(work('context', base)).toBe(2n * 512n * 512n);
    expect(work('outputWork', base)).toBe(2n * 512n * 512n);
    expect(work('attentionWork', base)).toBe(12n * 512n * 512n + 20_480n);
    expect(work('feedForwardWork', base)).toBe(4n * 512n * 2048n);
  });

  test('a whole sequence costs n times as much as one token', () => {
    const bert = settings('bert', { n: '128' });
    const scores = workCounts(bert).rows.find(({ id }) => id === 'scores')!;
    expect(result(ofSequence(scores), bert)).toBe(2n * 128n * 128n * 768n);
  });

  test('an encoder without output scores no words', () => {
    expect(workCounts(settings('bert')).rows.map(({ id }) => id)).not.toContain('wordsWork');
    expect(work('wordsWork', settings('llama3'))).toBe(2n * 4096n * 128_256n);
  });

  test('at the crossover scores and weighted sums cost exactly what the projections cost', () => {
    expect(crossover({ d: 512, h: 8, kv: 8 })).toBe(1024);
    expect(crossover({ d: 4096, h: 32, kv: 8 })).toBe(5120);
    const llama = settings('llama3', { n: '5120' });
    expect(work('scores', llama) + work('context', llama)).toBe(
      work('project', llama) + work('outputWork', llama),
    );
  });
});

describe('memory', () => {
  test('Llama 3 8B keeps 131,072 bytes a token in fp16, 1 GiB for 8192 tokens', () => {
    const llama = settings('llama3');
    expect(memory('cacheTokenLayer', llama)).toBe(4096n);
    expect(memory('cacheToken', llama)).toBe(131_072n);
    expect(memory('cacheSequence', llama)).toBe(2n ** 30n);
    expect(memory('cacheOwn', llama)).toBe(4n * 2n ** 30n);
  });

  test('what own keys would take is only told where keys are shared', () => {
    expect(memoryCounts(settings('bert')).cache.map(({ id }) => id)).not.toContain('cacheOwn');
  });

  test('scores of the base model: 8 heads of 512 × 512 numbers of 4 bytes', () => {
    const base = settings('base');
    expect(memory('scoresHead', base)).toBe(1_048_576n);
    expect(memory('scoresLayer', base)).toBe(8_388_608n);
    expect(memory('scoresModel', base)).toBe(50_331_648n);
    expect(memory('flashLayer', base)).toBe(16_384n);
    expect(memory('flashSaves', base)).toBe(8_372_224n);
  });

  test('for one token of half a byte FlashAttention saves nothing, and the page can say so', () => {
    const one = settings('base', { n: '1', dtype: 'int4' });
    expect(memory('flashSaves', one)).toBe(-28n);
  });
});
