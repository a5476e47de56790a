/** Tokens of chosen texts: what each shows can be seen in its name. Places are in UTF-16 units. */
import { describe, expect, it } from 'vitest';
import { createWordPiece } from '../../web/src/engine/tokens/word-piece.ts';
import { type ModelName, shown, tokenizer } from './tokens-helpers.ts';

const CASES: readonly [string, ModelName, string, string][] = [
  ['an accent in one character is taken off', 'minilm-en', 'Café', 'cafe[0,4)'],
  [
    'an accent of its own belongs to nobody at the end of a token',
    'minilm-en',
    'e\u0301t cafe\u0301',
    'et[0,3) cafe[4,8)',
  ],
  ['a ligature stays one character', 'minilm-en', 'ﬁ', 'ﬁ[0,1)'],
  ['a capital with a dot grows when it is lower-cased', 'minilm-en', 'İstanbul', 'istanbul[0,8)'],
  ['a final sigma is not special', 'minilm-en', 'ΣΑΣ', 'σ[0,1) ##α[1,2) ##σ[2,3)'],
  [
    'the letters of a syllable share its place',
    'minilm-en',
    '한국',
    'ᄒ[0,1) ##ᅡ[0,1) ##ᆫ[0,1) ##ᄀ[1,2) ##ᅮ[1,2) ##ᆨ[1,2)',
  ],
  [
    'letters written one by one have a place each',
    'minilm-en',
    '\u1112\u1161\u11ab',
    'ᄒ[0,1) ##ᅡ[1,2) ##ᆫ[2,3)',
  ],
  ['a family of emoji is one unknown token', 'minilm-en', '👩‍👩‍👧', '[UNK][0,8)'],
  ['an emoji takes two units', 'minilm-en', 'so 😀 !', 'so[0,2) [UNK][3,5) ![6,7)'],
  ['a control character vanishes', 'minilm-en', 'a\u0000b', 'ab[0,3)'],
  ['a lone high surrogate vanishes', 'minilm-en', '\ud800x', 'x[1,2)'],
  ['a lone low surrogate vanishes', 'minilm-en', 'x\udc00', 'x[0,1)'],
  [
    'text from right to left is counted in the order of its units',
    'minilm-en',
    'مرحبا ب',
    'م[0,1) ##ر[1,2) ##ح[2,3) ##ب[3,4) ##ا[4,5) ب[6,7)',
  ],
  [
    'a word that the vocabulary cannot spell is unknown as a whole',
    'minilm-en',
    'ภาษาไทย',
    '[UNK][0,7)',
  ],
  [
    'capitals are unknown to a vocabulary without them',
    'bge-zh',
    'NASA cat',
    '[UNK][0,4) cat[5,8)',
  ],
  ['every ideograph is a token', 'bge-zh', '我爱自然', '我[0,1) 爱[1,2) 自[2,3) 然[3,4)'],
  ['ideographs of two units are tokens too', 'minilm-en', '𠀀𠀁', '[UNK][0,2) [UNK][2,4)'],
  [
    'a typed mask is found before anything else',
    'minilm-en',
    'The [MASK] sat',
    'the[0,3) [MASK][4,10) sat[11,14)',
  ],
  ['a mask in small letters is only text', 'minilm-en', '[mask]', '[[0,1) mask[1,5) ][5,6)'],
  ['a sign with a stroke loses the stroke', 'minilm-en', 'a≠b', 'a[0,1) =[1,2) b[2,3)'],
  ['no text gives no tokens', 'minilm-en', '', ''],
  ['blanks and joiners alone give no tokens', 'minilm-en', ' \t\u200d\u0301', ''],
  [
    'a hundred letters may be spelled',
    'tiny-bert',
    'a'.repeat(100),
    `a[0,1) ${Array.from({ length: 99 }, (_, i) => `##a[${i + 1},${i + 2})`).join(' ')}`,
  ],
  ['a hundred and one are unknown', 'tiny-bert', 'a'.repeat(101), '[UNK][0,101)'],
];

describe('tokens', () => {
  it.each(CASES)('%s', (_, model, text, expected) => {
    expect(shown(tokenizer(model).encode(text))).toBe(expected);
  });

  it('of two texts count their places from 0 in each', () => {
    const { tokens, typeIds } = tokenizer('minilm-en').encode('The cat.', 'A dog?');
    expect(tokens.map(({ text, start, segment }) => [text, start, segment])).toEqual([
      ['[CLS]', null, 0],
      ['the', 0, 0],
      ['cat', 4, 0],
      ['.', 7, 0],
      ['[SEP]', null, 0],
      ['a', 0, 1],
      ['dog', 2, 1],
      ['?', 5, 1],
      ['[SEP]', null, 1],
    ]);
    expect([...typeIds]).toEqual([0, 0, 0, 0, 0, 1, 1, 1, 1]);
  });

  it.each([undefined, null, ''])(
    'of a text with the second text %j are those of one text',
    (pair) => {
      expect(shown(tokenizer('minilm-en').encode('One.', pair))).toBe('one[0,3) .[3,4)');
      expect(tokenizer('minilm-en').encode('One.', pair).tokens).toHaveLength(4);
    },
  );

  it('that were typed are not special, those put around the text are', () => {
    const { tokens } = tokenizer('minilm-en').encode('[SEP]');
    expect(tokens.map(({ text, special }) => [text, special])).toEqual([
      ['[CLS]', true],
      ['[SEP]', false],
      ['[SEP]', true],
    ]);
  });

  it('are new objects at every call', () => {
    const one = tokenizer('minilm-en').encode('The same text');
    one.tokens[1]!.text = 'changed';
    one.ids[1] = 0;
    const two = tokenizer('minilm-en').encode('The same text');
    expect(shown(two)).toBe('the[0,3) same[4,8) text[9,13)');
    expect(two.ids[1]).toBe(two.tokens[1]!.id);
  });

  it('do not depend on what was encoded before', () => {
    const texts = ['The cat', 'A dog', 'The cat', '猫', 'A dog'];
    const fresh = texts.map((text) => shown(tokenizer('bge-zh').encode(text)));
    texts.reverse().forEach((text, i) => {
      expect(shown(tokenizer('bge-zh').encode(text, 'x'))).toBe(`${fresh[4 - i]} x[0,1)`);
    });
  });
});

describe('pieces of a word', () => {
  const long = `a${'b'.repeat(299)}`;
  const spellings = ['[UNK]', 'a', '##b', long, `##${long}`, '##😀', '😀'];
  const wordPiece = createWordPiece({
    vocabulary: new Map(spellings.map((spelling, id) => [spelling, id])),
    unknownId: 0,
    prefix: '##',
    maxWordLength: 700,
  });

  it.each([
    ['short', 'abb', [1, 2, 2], [1, 2, 3]],
    ['longer than any bound of a byte', long + long, [3, 4], [300, 600]],
    ['of signs with two units each', '😀a😀', [0], [5]],
    ['of signs after signs', '😀😀', [6, 5], [2, 4]],
    [
      'of many signs',
      '😀'.repeat(15),
      [6, ...Array(14).fill(5)],
      Array.from({ length: 15 }, (_, i) => 2 * i + 2),
    ],
    ['too long to be spelled', 'b'.repeat(701), [0], [701]],
  ])('that is %s', (_, word, ids, ends) => {
    expect(wordPiece(word)).toEqual({ ids, ends });
    expect(wordPiece(word)).toEqual({ ids, ends });
  });
});

describe('a vocabulary that spells half a sign', () => {
  it('does not cut signs in half', () => {
    const vocabulary = new Map([
      ['[UNK]', 0],
      ['\ud83d', 1],
      ['##\ude00', 2],
    ]);
    const wordPiece = createWordPiece({
      vocabulary,
      unknownId: 0,
      prefix: '##',
      maxWordLength: 100,
    });
    expect(wordPiece('😀')).toEqual({ ids: [0], ends: [2] });
  });
});

describe('tokens for ids', () => {
  it('have the spellings of the vocabulary and no places', () => {
    const { tokens, ids, typeIds } = tokenizer('minilm-en').fromIds(
      [101, 1996, 103, 102],
      [0, 0, 1, 1],
    );
    expect(tokens).toEqual(
      [
        { text: '[CLS]', id: 101, special: true, segment: 0 },
        { text: 'the', id: 1996, special: false, segment: 0 },
        { text: '[MASK]', id: 103, special: true, segment: 1 },
        { text: '[SEP]', id: 102, special: true, segment: 1 },
      ].map((token) => ({ ...token, start: null, end: null, word: null })),
    );
    expect([...ids]).toEqual([101, 1996, 103, 102]);
    expect([...typeIds]).toEqual([0, 0, 1, 1]);
  });

  it.each([30522, -1, 1.5, Number.NaN])('refuse the id %d', (id) => {
    expect(() => tokenizer('minilm-en').fromIds([101, id])).toThrowError(/ids\[1\] is/);
  });

  it('refuse type ids of another length', () => {
    expect(() => tokenizer('minilm-en').fromIds([101, 102], [0])).toThrowError(/2 ids and 1 type/);
  });
});
