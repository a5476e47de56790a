/** Normalisers other than BERT's, cuts and added tokens: the text that comes out, and where it came from. */
import { describe, expect, it } from 'vitest';
import { createFinder } from '../../web/src/engine/tokens/added-tokens.ts';
import { alignSource, createNormaliser } from '../../web/src/engine/tokens/align.ts';
import { type Cuts, createSplitter } from '../../web/src/engine/tokens/split.ts';
import { createTemplate } from '../../web/src/engine/tokens/template.ts';
import { nastyText, seeded } from './tokens-helpers.ts';

const FORMS = ['NFC', 'NFD', 'NFKC', 'NFKD'] as const;

/** The result as `text` and one `start-end` for each unit. */
function normalised(config: unknown, text: string): string {
  const { text: result, starts, ends } = createNormaliser(config)(alignSource(text));
  return `${result} ${Array.from(starts, (start, i) => `${start}-${ends[i]}`).join(' ')}`;
}

function cut(config: unknown, text: string): string[] {
  const cuts: Cuts = [];
  createSplitter(config)(text, 0, text.length, cuts);
  return cuts.flatMap((from, i) => (i % 2 ? [] : [text.slice(from, cuts[i + 1])]));
}

describe('a normalised text', () => {
  it.each([
    ['nothing', null, 'Aé😀', 'Aé😀 0-1 1-2 2-4 2-4'],
    ['composing keeps the first place', { type: 'NFC' }, 'ae\u0301b', 'aéb 0-1 1-2 3-4'],
    ['taking apart shares a place', { type: 'NFD' }, 'aéb', 'ae\u0301b 0-1 1-2 1-2 2-3'],
    ['a ligature becomes letters of one place', { type: 'NFKC' }, 'ﬁx', 'fix 0-1 0-1 1-2'],
    ['jamo become a syllable', { type: 'NFC' }, '\u1112\u1161\u11abx', '한x 0-1 3-4'],
    ['half-width kana takes its mark', { type: 'NFKC' }, 'ｶﾞ', 'ガ 0-1'],
    ['marks change places', { type: 'NFD' }, 'a\u0301\u0327', 'a\u0327\u0301 0-1 1-2 2-3'],
    ['lower case', { type: 'Lowercase' }, 'İX', 'i\u0307x 0-1 0-1 1-2'],
    ['accents vanish', { type: 'StripAccents' }, 'a\u0301b', 'ab 0-1 2-3'],
    ['blanks at the ends vanish', { type: 'Strip' }, ' a ', 'a 1-2'],
    ['blanks on one side', { type: 'Strip', strip_left: false }, ' a ', ' a 0-1 1-2'],
    [
      'one after the other',
      {
        type: 'Sequence',
        normalizers: [{ type: 'NFD' }, { type: 'Lowercase' }, { type: 'StripAccents' }],
      },
      'ÉT',
      'et 0-1 1-2',
    ],
    [
      'BERT without lower case keeps accents',
      { type: 'BertNormalizer', lowercase: false },
      'É\u0000中',
      'É 中  0-1 2-3 2-3 2-3',
    ],
  ])('%s', (_, config, text, expected) => {
    expect(normalised(config, text)).toBe(expected);
  });

  it.each(FORMS)('of drawn strings is exactly their %s, in order and inside', (form) => {
    const random = seeded(3);
    const normalise = createNormaliser({ type: form });
    for (let i = 0; i < 1000; i++) {
      const text = nastyText(random);
      const { text: result, starts, ends } = normalise(alignSource(text));
      expect(result, JSON.stringify(text)).toBe(text.normalize(form));
      expect([starts.length, ends.length]).toEqual([result.length, result.length]);
      const wrong = Array.from(starts).filter(
        (start, at) =>
          start < (starts[at - 1] ?? 0) ||
          ends[at]! < (ends[at - 1] ?? 0) ||
          ends[at]! <= start ||
          ends[at]! > text.length,
      );
      expect(wrong, JSON.stringify(text)).toEqual([]);
    }
  });

  it('of a letter with 100,000 accents is made without going through all pairs', () => {
    const text = `e${'\u0301'.repeat(100_000)}`;
    const result = createNormaliser({ type: 'NFC' })(alignSource(text));
    expect(result.text).toBe(text.normalize('NFC'));
  });
});

describe('cuts', () => {
  it.each([
    ['none', null, ' a b', [' a b']],
    [
      'BERT',
      { type: 'BertPreTokenizer' },
      " don't  x_y $5…",
      ['don', "'", 't', 'x', '_', 'y', '$', '5', '…'],
    ],
    [
      'words and signs',
      { type: 'Whitespace' },
      "don't x_y $5…",
      ['don', "'", 't', 'x_y', '$', '5', '…'],
    ],
    ['blanks', { type: 'WhitespaceSplit' }, " don't\u2003x ", ["don't", 'x']],
    ['punctuation', { type: 'Punctuation' }, 'a b!!c', ['a b', '!', '!', 'c']],
    ['runs of digits', { type: 'Digits' }, 'a12b', ['a', '12', 'b']],
    ['single digits', { type: 'Digits', individual_digits: true }, 'a12b', ['a', '1', '2', 'b']],
    [
      'one after the other',
      { type: 'Sequence', pretokenizers: [{ type: 'WhitespaceSplit' }, { type: 'Digits' }] },
      'a1 2b',
      ['a', '1', '2', 'b'],
    ],
  ])('at %s', (_, config, text, expected) => {
    expect(cut(config, text)).toEqual(expected);
  });
});

describe('added tokens', () => {
  const token = {
    id: 1,
    content: '<m>',
    singleWord: false,
    leftStrip: false,
    rightStrip: false,
    normalised: false,
    special: true,
  };
  const find = (change: object, text: string, ...others: string[]) => {
    const tokens = [
      { ...token, ...change },
      ...others.map((content, i) => ({ ...token, id: i + 2, content })),
    ];
    const spans: string[] = [];
    createFinder(
      tokens,
      tokens.map(({ content }) => content),
    )(text, (from, to, id) => spans.push(`${id ?? ''}${JSON.stringify(text.slice(from, to))}`));
    return spans.join(' ');
  };

  it('are found wherever they stand', () => {
    expect(find({}, '<m>a<m><m>')).toBe('1"<m>" "a" 1"<m>" 1"<m>"');
    expect(find({}, 'abc')).toBe('"abc"');
    expect(find({}, '')).toBe('');
  });

  it('take the longest of several', () => {
    expect(find({ content: 'ab' }, 'abc ab', 'abc')).toBe('2"abc" " " 1"ab"');
  });

  it('may take the blanks beside them', () => {
    expect(find({ leftStrip: true }, 'a  <m> b')).toBe('"a" 1"  <m>" " b"');
    expect(find({ rightStrip: true }, 'a <m>  b')).toBe('"a " 1"<m>  " "b"');
    expect(find({ leftStrip: true, rightStrip: true }, '<m> <m>')).toBe('1"<m> " 1"<m>"');
  });

  it('may have to be whole words', () => {
    expect(find({ content: 'ab', singleWord: true }, 'ab abc xab ab-𝒂ab')).toBe(
      '1"ab" " abc xab " 1"ab" "-𝒂ab"',
    );
  });
});

describe('a template', () => {
  it('of RoBERTa has two separators between the texts and one type', () => {
    const config = { type: 'RobertaProcessing', cls: ['<s>', 0], sep: ['</s>', 2] };
    const { pair } = createTemplate({
      type: 'Sequence',
      processors: [{ type: 'ByteLevel' }, config],
    });
    const parts = pair.map((part) => ('id' in part ? part.id : part.text));
    expect(parts).toEqual([0, 'A', 2, 2, 'B', 2]);
    expect(pair.every(({ type }) => type === 0)).toBe(true);
  });

  it('is empty where the file has none', () => {
    expect(createTemplate(null).single).toEqual([{ text: 'A', type: 0 }]);
  });

  it('that turns the texts round is unsupported', () => {
    const part = (id: string) => ({ Sequence: { id, type_id: 0 } });
    const config = {
      type: 'TemplateProcessing',
      single: [part('A')],
      pair: [part('B'), part('A')],
    };
    expect(() => createTemplate(config)).toThrowError(/order "BA"/);
  });
});
