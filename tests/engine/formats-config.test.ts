/** From config.json to a model's sizes: only what would be computed exactly is accepted. */
import { describe, expect, it } from 'vitest';
import { HeadlightsError } from '../../web/src/engine/errors.ts';
import { widenHalf } from '../../web/src/engine/formats/half.ts';
import { specFromConfig } from '../../web/src/engine/formats/hf-config.ts';
import { tinyFolder } from './support/tiny.ts';

const config = JSON.parse(new TextDecoder().decode(tinyFolder().get('config.json')));

describe('config.json of the BERT family', () => {
  it('gives the sizes', () => {
    expect(specFromConfig(config, 'config.json')).toEqual({
      family: 'bert',
      layers: 2,
      heads: 4,
      width: 48,
      feedForward: 96,
      vocabulary: 480,
      positions: 64,
      maxTokens: 64,
      types: 2,
      epsilon: 1e-12,
    });
  });

  it('has the values of BertConfig where it says nothing', () => {
    expect(specFromConfig({ model_type: 'bert' }, 'config.json')).toMatchObject({
      layers: 12,
      heads: 12,
      width: 768,
      feedForward: 3072,
      vocabulary: 30522,
      positions: 512,
      types: 2,
      epsilon: 1e-12,
    });
  });

  it.each([
    ['model_type', 'roberta', 'unsupported'],
    ['hidden_act', 'gelu_new', 'unsupported'],
    ['hidden_act', 'relu', 'unsupported'],
    ['position_embedding_type', 'relative_key', 'unsupported'],
    ['is_decoder', true, 'unsupported'],
    ['num_hidden_layers', '2', 'corrupt'],
    ['num_attention_heads', 5, 'corrupt'],
    ['hidden_size', 48.5, 'corrupt'],
    ['vocab_size', 0, 'corrupt'],
    ['layer_norm_eps', -1, 'corrupt'],
    ['num_hidden_layers', 1e9, 'corrupt'],
  ])('is refused when %s is %j', (key, value, code) => {
    const error = (() => {
      try {
        specFromConfig({ ...config, [key]: value }, 'config.json');
        return null;
      } catch (caught) {
        return caught;
      }
    })();
    expect(error).toBeInstanceOf(HeadlightsError);
    expect(error).toMatchObject({ code, details: { file: 'config.json' } });
    expect((error as Error).message).toContain(String(value));
  });

  it.each([null, [], 'bert', 3])('is refused when it is %j', (value) => {
    expect(() => specFromConfig(value, 'config.json')).toThrow(/config\.json/);
  });
});

describe('half precision', () => {
  const bytes = (...halves: number[]) => new Uint8Array(Uint16Array.from(halves).buffer);

  it('widens binary16 exactly: normal, subnormal, signed zero, infinity, NaN', () => {
    const found = widenHalf(bytes(0x3c00, 0xc000, 0x3555, 0x0001, 0x8000, 0x7c00, 0x7e00), 'F16');
    expect([...found.slice(0, 4)]).toEqual([1, -2, 0.333251953125, 2 ** -24]);
    expect(Object.is(found[4], -0)).toBe(true);
    expect(found[5]).toBe(Number.POSITIVE_INFINITY);
    expect(found[6]).toBeNaN();
  });

  it('widens bfloat16 exactly', () => {
    expect([...widenHalf(bytes(0x3f80, 0xc040), 'BF16')]).toEqual([1, -3]);
  });
});
