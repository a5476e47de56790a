import { describe, expect, it } from 'vitest';
import {
  spread,
  strongest,
  strongestPair,
  strongestWords,
  suggestedToken,
  weightsOf,
} from '../../web/src/draw/statistics.ts';
import { makePicture } from '../../web/src/draw/transform.ts';
import { token } from './tokens.ts';

const LOOKS = Float32Array.from([0.5, 0.25, 0.25, 0, 0, 1, 0.1, 0.2, 0.7]);

describe('spread', () => {
  it('is 1 for uniform rows and 0 for rows that look at one token', () => {
    expect(spread(new Float32Array(16).fill(0.25), 4)).toBeCloseTo(1, 6);
    expect(spread(Float32Array.from([0, 1, 1, 0]), 2)).toBe(0);
  });

  it('leaves out rows of zeros, and is not a number when nothing is left', () => {
    expect(spread(Float32Array.from([0.5, 0.5, 0, 0]), 2)).toBeCloseTo(1, 6);
    expect(spread(new Float32Array(4), 2)).toBeNaN();
  });

  it('is 0 for a single token, which has no choice', () => {
    expect(spread(Float32Array.from([1]), 1)).toBe(0);
  });

  it('under a mask counts the rows that have a choice, each against what it may look at', () => {
    const even = Float32Array.from([1, 0, 0, 0.5, 0.5, 0, 1 / 3, 1 / 3, 1 / 3]);
    expect(spread(even, 3, [1, 2, 3])).toBeCloseTo(1, 6);
    expect(spread(even, 3)).toBeLessThan(0.6);
    expect(spread(Float32Array.from([1, 0, 0, 1]), 2, [1, 1])).toBeNaN();
  });
});

describe('weights of a token', () => {
  it('are its row when it looks and its column when it is looked at', () => {
    expect([...weightsOf(LOOKS, 3, 2, 'from')]).toEqual([...LOOKS.slice(6, 9)]);
    expect([...weightsOf(LOOKS, 3, 2, 'to')]).toEqual([LOOKS[2], LOOKS[5], LOOKS[8]]);
  });

  it('are listed by strength, ties in reading order, zeros left out', () => {
    expect(strongest([0.25, 0, 0.5, 0.25], 9).map(({ index }) => index)).toEqual([2, 0, 3]);
    expect(strongest([0.25, 0, 0.5, 0.25], 1)).toEqual([{ index: 2, weight: 0.5 }]);
  });
});

describe('under a causal mask', () => {
  const picture = makePicture(
    {
      tokens: ['the', 'cat', 'sat'].map((text) => token(text)),
      typedText: '',
      layers: 1,
      heads: 1,
      layersReady: 1,
      attentions: () => Float32Array.from([1, 0, 0, 0.3, 0.7, 0, 0.2, 0.6, 0.2]),
      open: Uint8Array.from([1, 0, 0, 1, 1, 0, 1, 1, 1]),
    },
    { showSpecials: true, mergeWords: false },
  );
  const head = { layer: 0, head: 0 };

  it('the first token, which can only look at itself, is not what a head shows most', () => {
    expect(strongestWords(picture, head)).toMatchObject({ query: 1, key: 1 });
    expect(suggestedToken(picture, head, 'from')).toBe(2);
  });
});

describe('what a head shows most', () => {
  it('is its largest weight', () => {
    expect(strongestPair(LOOKS, 3)).toEqual({ query: 1, key: 2, weight: 1 });
    expect(strongestPair(new Float32Array(4), 2)).toBeNull();
  });

  it('can leave pairs out', () => {
    expect(strongestPair(LOOKS, 3, (query) => query !== 1)).toMatchObject({ query: 2, key: 2 });
  });

  const suggest = (texts: string[], weights: Float32Array, direction: 'from' | 'to') =>
    suggestedToken(
      makePicture(
        {
          tokens: texts.map((text) => token(text)),
          typedText: '',
          layers: 1,
          heads: 1,
          layersReady: 1,
          attentions: () => weights,
        },
        { showSpecials: true, mergeWords: false },
      ),
      { layer: 0, head: 0 },
      direction,
    );

  it('suggests the token at the lit end of the largest weight between two tokens', () => {
    const self = Float32Array.from([0.9, 0.1, 0.4, 0.6]);
    expect(suggest(['a', 'b'], self, 'from')).toBe(1);
    expect(suggest(['a', 'b'], self, 'to')).toBe(0);
    expect(suggest(['a'], Float32Array.from([1]), 'from')).toBe(0);
    expect(suggest([], new Float32Array(0), 'from')).toBeNull();
  });

  it('suggests a special token only if there is nothing else', () => {
    const toCls = Float32Array.from([1, 0, 0, 0.9, 0, 0.1, 0.7, 0.3, 0]);
    expect(suggest(['[CLS]', 'a', 'b'], toCls, 'from')).toBe(2);
    expect(suggest(['[CLS]', 'a', '[SEP]'], toCls, 'from')).toBe(1);
  });
});
