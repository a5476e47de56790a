/** Words: the same as Intl.Segmenter gives for the whole text, however the text is cut for speed. */
import { describe, expect, it } from 'vitest';
import { segmentByRule, WordReader } from '../../web/src/engine/tokens/words.ts';
import { nastyText, seeded, tokenizer } from './tokens-helpers.ts';

const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

function expected(text: string): string[] {
  return [...segmenter.segment(text)].filter((one) => one.isWordLike).map((one) => one.segment);
}

function read(text: string, reader = new WordReader(text)): string[] {
  const words: string[] = [];
  while (reader.next()) words.push(text.slice(reader.start, reader.end));
  expect(reader.index).toBe(words.length - 1);
  return words;
}

const wordsOf = (text: string) =>
  tokenizer('minilm-en')
    .encode(text)
    .tokens.filter(({ special }) => !special)
    .map(({ word }) => word);

describe('words', () => {
  const long = [
    'the cat sat on the mat, and "nobody" (not even the dog) minded. '.repeat(40),
    '小猫坐在垫子上，小狗坐在门口。因为下雨，所以我们没去公园！'.repeat(60),
    '我爱自然语言处理因为下雨所以我们没去公园'.repeat(80),
    'ภาษาไทยเป็นภาษาที่สวยงาม'.repeat(60),
    'a'.repeat(5000),
    `${'x'.repeat(700)} ${'é'.repeat(700)}’${'y'.repeat(700)}`,
    '👩‍👩‍👧'.repeat(400),
    "x'y.z:1,2".repeat(300),
    `e${'\u0301'.repeat(3000)}f`,
  ];

  it.each(long)('of a long text equal the segmenter’s (%#)', (text) => {
    expect(read(text)).toEqual(expected(text));
  });

  it('of drawn strings equal the segmenter’s', () => {
    const random = seeded(7);
    for (let i = 0; i < 1000; i++) {
      const text = `${nastyText(random)} ${nastyText(random)}`;
      expect(read(text), JSON.stringify(text)).toEqual(expected(text));
    }
  });

  it.each([
    "'tis the dogs' “don’t” (U.S.) 3.14 x_y _z_ a-b",
    'one,two;three: 1,000.50 e.g. K:K',
    'tab\tline\nend\r\nspace\u00a0hard\u202fnarrow\u3000wide',
  ])('with punctuation equal the segmenter’s: %j', (text) => {
    expect(read(text)).toEqual(expected(text));
  });

  it('hold all pieces of a contraction', () => {
    expect(wordsOf("It didn't rain.")).toEqual([0, 1, 1, 1, 2, null]);
  });

  it('are not counted for punctuation and signs', () => {
    expect(wordsOf('Yes, we can! 😀')).toEqual([0, null, 1, 2, null, null]);
  });

  it('join the pieces that a rare word falls into', () => {
    expect(wordsOf('an unaffable man')).toEqual([0, 1, 1, 1, 2]);
  });

  it('join the characters of a Chinese word', () => {
    const { tokens } = tokenizer('bge-zh').encode('我爱自然语言处理');
    expect(tokens.slice(1, -1).map(({ word }) => word)).toEqual([0, 1, 2, 2, 3, 3, 4, 4]);
  });

  it('start from 0 in the second text', () => {
    const { tokens } = tokenizer('minilm-en').encode('one two', 'three four');
    expect(tokens.map(({ word }) => word)).toEqual([null, 0, 1, null, 0, 1, null]);
  });

  it('are found for positions that go forward', () => {
    const reader = new WordReader('one, two  three');
    expect([0, 2, 3, 4, 5, 7, 8, 9, 10, 14, 15].map((at) => reader.at(at))).toEqual([
      0,
      0,
      null,
      null,
      1,
      1,
      null,
      null,
      2,
      2,
      null,
    ]);
  });

  it.each([
    [0, 3],
    [1, 2],
    [5, 2],
    [6, 1],
    [15, 0],
  ])('that begin from position %d on are %d', (position, count) => {
    expect(new WordReader('one, two  three').countFrom(position)).toBe(count);
    const reader = new WordReader('one, two  three');
    reader.at(position);
    expect(reader.countFrom(position)).toBe(count);
  });
});

describe('words without Intl.Segmenter', () => {
  const byRule = (text: string) => read(text, new WordReader(text, segmentByRule));

  it('are runs of letters and digits, joined by apostrophes', () => {
    expect(byRule("It didn't cost €3.50, café‑goers said: «non».")).toEqual([
      'It',
      "didn't",
      'cost',
      '3.50',
      'café',
      'goers',
      'said',
      'non',
    ]);
  });

  it('are single characters in Chinese, Japanese and Thai', () => {
    expect(byRule('我爱NLP。ねこ ไท')).toEqual(['我', '爱', 'NLP', 'ね', 'こ', 'ไ', 'ท']);
  });

  it('keep the accents that follow a letter', () => {
    expect(byRule('e\u0301t\u0327 한국어')).toEqual(['e\u0301t\u0327', '한국어']);
  });
});
