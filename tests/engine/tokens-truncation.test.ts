/** Texts that are longer than a model takes: what is kept, and what is said about the rest. */
import { describe, expect, it } from 'vitest';
import { keptLengths } from '../../web/src/engine/tokens/truncate.ts';
import { tokenizer } from './tokens-helpers.ts';

const english = tokenizer('minilm-en');

describe('a text that is too long', () => {
  it('is cut at the limit, special tokens included', () => {
    const { tokens, ids, typeIds, truncated } = english.encode('one two three four five', null, 5);
    expect(tokens.map(({ text }) => text)).toEqual(['[CLS]', 'one', 'two', 'three', '[SEP]']);
    expect([ids.length, typeIds.length]).toEqual([5, 5]);
    expect(truncated).toEqual({ tokens: 2, words: 2 });
  });

  it('that fits exactly is not cut', () => {
    expect(english.encode('one two three', null, 5).truncated).toBeNull();
  });

  it('may be cut within a word, which then is not left out', () => {
    const { tokens, truncated } = english.encode('an unaffable man', null, 4);
    expect(tokens.map(({ text }) => text)).toEqual(['[CLS]', 'an', 'una', '[SEP]']);
    expect(truncated).toEqual({ tokens: 3, words: 1 });
  });

  it('may lose all its tokens', () => {
    const { tokens, truncated } = english.encode('one, two', null, 2);
    expect(tokens.map(({ text }) => text)).toEqual(['[CLS]', '[SEP]']);
    expect(truncated).toEqual({ tokens: 3, words: 2 });
  });

  it('loses from the longer of two texts first', () => {
    const { tokens, truncated } = english.encode('one two three four', 'five six', 8);
    expect(tokens.map(({ text }) => text).join(' ')).toBe(
      '[CLS] one two three [SEP] five six [SEP]',
    );
    expect(truncated).toEqual({ tokens: 1, words: 1 });
  });

  it('is said to miss the same when it is encoded again', () => {
    const text = 'one two three four five six';
    const first = english.encode(text, text, 7).truncated;
    expect(first).toEqual({ tokens: 8, words: 8 });
    expect(english.encode(text, text, 7).truncated).toEqual(first);
    expect(english.encode(text, text, 9).truncated).toEqual({ tokens: 6, words: 6 });
  });

  it.each([1, 0, -3, 4.5, Number.NaN])('is refused with the limit %d', (limit) => {
    expect(() => english.encode('one', null, limit)).toThrowError(/maxTokens/);
  });

  it('of two texts needs room for three special tokens', () => {
    expect(() => english.encode('one', 'two', 2)).toThrowError(/maxTokens/);
    expect(english.encode('one', 'two', 3).truncated).toEqual({ tokens: 2, words: 2 });
  });
});

describe('lengths kept', () => {
  it.each([
    [5, 3, 8, 5, 3],
    [5, 3, 7, 4, 3],
    [3, 9, 8, 3, 5],
    [9, 3, 8, 5, 3],
    [9, 9, 8, 4, 4],
    [9, 9, 7, 3, 4],
    [10, 9, 7, 4, 3],
    [0, 9, 4, 0, 4],
    [9, 0, 4, 4, 0],
    [2, 2, 0, 0, 0],
  ])('of %d and %d in %d are %d and %d', (first, second, room, keptFirst, keptSecond) => {
    expect(keptLengths(first, second, room)).toEqual([keptFirst, keptSecond]);
  });
});

describe('very long texts', () => {
  it('of 3,000 words lose all that does not fit', () => {
    const { tokens, truncated } = english.encode('word '.repeat(3000), null, 512);
    expect(tokens).toHaveLength(512);
    expect(truncated).toEqual({ tokens: 2490, words: 2490 });
  });

  it('of one word of 10,000 letters are one unknown token', () => {
    const { tokens, truncated } = english.encode('x'.repeat(10_000), null, 512);
    expect(tokens.map(({ text, end, word }) => [text, end, word])).toEqual([
      ['[CLS]', null, null],
      ['[UNK]', 10_000, 0],
      ['[SEP]', null, null],
    ]);
    expect(truncated).toBeNull();
  });

  const pasted: readonly [string, string, number, number][] = [
    ['English', 'the cat sat. '.repeat(20_000).slice(0, 200_000), 61_538, 46_154],
    ['Chinese', '猫追老鼠。'.repeat(40_000), 200_000, 120_000],
    ['one word', 'a'.repeat(200_000), 1, 1],
    ['full stops', '.'.repeat(200_000), 200_000, 0],
    ['accents', `e${'\u0301'.repeat(199_999)}`, 1, 1],
    ['blanks', ' '.repeat(200_000), 0, 0],
  ];

  it.each(pasted)('of 200,000 characters are counted right (%s)', (_, text, tokens, words) => {
    const encoding = tokenizer('bge-zh').encode(text, null, 512);
    const kept = Math.min(tokens, 510);
    expect(encoding.tokens).toHaveLength(kept + 2);
    if (kept === tokens) {
      expect(encoding.truncated).toBeNull();
      return;
    }
    const seen = new Set(encoding.tokens.map(({ word }) => word).filter((word) => word !== null));
    expect(encoding.truncated).toEqual({ tokens: tokens - kept, words: words - seen.size });
  });
});
