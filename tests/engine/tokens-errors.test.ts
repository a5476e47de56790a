/** Broken and foreign tokenizer files: each is refused with a reason, none gives wrong tokens. */
import { describe, expect, it } from 'vitest';
import { HeadlightsError } from '../../web/src/engine/errors.ts';
import { createTokenizer } from '../../web/src/engine/tokens/tokenizer.ts';
import { shown, tokenizer, tokenizerJson } from './tokens-helpers.ts';

type Json = Record<string, unknown>;

const special = (id: number, content: string) => ({
  id,
  content,
  special: true,
  normalized: false,
});

/** A small tokenizer; `change` breaks it. */
function small(change: (file: Json & { model: Json }) => void = () => {}): Json {
  const file = {
    added_tokens: [special(0, '[UNK]'), special(1, '[CLS]'), special(2, '[SEP]')],
    normalizer: { type: 'BertNormalizer' },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: { type: 'BertProcessing', cls: ['[CLS]', 1], sep: ['[SEP]', 2] },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      vocab: { '[UNK]': 0, '[CLS]': 1, '[SEP]': 2, a: 3, '##b': 4, b: 5, ab: 6 },
    },
  } as unknown as Json & { model: Json };
  change(file);
  return file;
}

function refusal(source: unknown): HeadlightsError {
  try {
    createTokenizer(source);
  } catch (error) {
    expect(error).toBeInstanceOf(HeadlightsError);
    return error as HeadlightsError;
  }
  throw new Error('was accepted');
}

describe('a tokenizer file', () => {
  it('that is whole is read, also from its text', () => {
    expect(shown(createTokenizer(small()).encode('ab bb c'))).toBe(
      'ab[0,2) b[3,4) ##b[4,5) [UNK][6,7)',
    );
    expect(shown(createTokenizer(JSON.stringify(small())).encode('a'))).toBe('a[0,1)');
  });

  it('of older days names neither the kind nor the prefix’s absence', () => {
    const file = small(({ model }) => {
      delete model.type;
      model.continuing_subword_prefix = '##';
    });
    expect(shown(createTokenizer(file).encode('bb'))).toBe('b[0,1) ##b[1,2)');
  });

  it('may switch on truncation and padding, which are ignored', () => {
    expect(tokenizerJson('minilm-en')).toMatchObject({
      truncation: { max_length: 128 },
      padding: { strategy: { Fixed: 128 } },
    });
    expect(tokenizer('minilm-en').encode('a').tokens).toHaveLength(3);
    expect(tokenizer('minilm-en').encode('a '.repeat(300), null, 512).tokens).toHaveLength(302);
  });

  it.each<[string, unknown, RegExp]>([
    ['no object', 7, /not an object/],
    ['a list', [], /not an object/],
    ['text that is not JSON', '{"model": ', /not JSON/],
    ['no model', {}, /"model" is not an object/],
    ['no vocabulary', small(({ model }) => delete model.vocab), /vocabulary is not an object/],
    ['an empty vocabulary', small(({ model }) => (model.vocab = {})), /vocabulary is empty/],
    ['an id that is no number', small(({ model }) => (model.vocab = { a: '1' })), /id of "a"/],
    ['a negative id', small(({ model }) => (model.vocab = { a: -1 })), /id of "a"/],
    ['an absurd id', small(({ model }) => (model.vocab = { a: 2 ** 30 })), /id of "a"/],
    [
      'the same id twice',
      small(({ model }) => (model.vocab = { a: 1, b: 1 })),
      /"a" and "b".* id 1/,
    ],
    ['no unknown token', small(({ model }) => delete model.unk_token), /"unk_token"/],
    [
      'an unknown token out of the vocabulary',
      small(({ model }) => (model.unk_token = '?')),
      /lacks .*"\?"/,
    ],
    ['a word length of 0', small(({ model }) => (model.max_input_chars_per_word = 0)), /max_input/],
    [
      'an added token without text',
      small((file) => (file.added_tokens = [{ id: 1 }])),
      /added token 0/,
    ],
    [
      'an added token with the id of another',
      small((file) => (file.added_tokens = [special(3, '[X]')])),
      /"\[X\]".*"a"/,
    ],
    ['an empty added token', small((file) => (file.added_tokens = [special(9, '')])), /empty/],
    ['a normalizer that is text', small((file) => (file.normalizer = 'NFC')), /normalizer/],
    [
      'a setting that is no boolean',
      small((file) => (file.normalizer = { type: 'BertNormalizer', lowercase: 'yes' })),
      /"lowercase"/,
    ],
    [
      'a sequence without list',
      small((file) => (file.normalizer = { type: 'Sequence' })),
      /sequence/,
    ],
    ['a pre-tokenizer that is text', small((file) => (file.pre_tokenizer = 'x')), /pre_tokenizer/],
    [
      'a template without special tokens',
      small(
        (file) =>
          (file.post_processor = {
            type: 'TemplateProcessing',
            single: [{ SpecialToken: { id: '[CLS]', type_id: 0 } }],
            pair: [],
          }),
      ),
      /define "\[CLS\]"/,
    ],
    [
      'a template of nothing',
      small((file) => (file.post_processor = { type: 'TemplateProcessing' })),
      /template is not a list/,
    ],
    [
      'a separator without id',
      small((file) => (file.post_processor = { type: 'BertProcessing', cls: ['[CLS]', 1] })),
      /"sep"/,
    ],
    [
      'a separator with an unknown id',
      small(
        (file) =>
          (file.post_processor = { type: 'BertProcessing', cls: ['[CLS]', 1], sep: ['[SEP]', 99] }),
      ),
      /id 99/,
    ],
  ])('with %s is corrupt', (_, source, message) => {
    const error = refusal(source);
    expect(error.message).toMatch(message);
    expect(error.message).toContain('tokenizer.json');
    expect(error.code).toBe('corrupt');
  });

  it.each<[string, Json, string]>([
    ['the model', small(({ model }) => (model.type = 'BPE')), 'BPE'],
    ['the model', small(({ model }) => (model.type = 'Unigram')), 'Unigram'],
    ['the normalizer', small((file) => (file.normalizer = { type: 'Precompiled' })), 'Precompiled'],
    [
      'the pre-tokenizer',
      small((file) => (file.pre_tokenizer = { type: 'ByteLevel' })),
      'ByteLevel',
    ],
    ['the post-processor', small((file) => (file.post_processor = { type: 'Other' })), 'Other'],
  ])('of another kind is unsupported: %s', (_, source, name) => {
    const error = refusal(source);
    expect(error.code).toBe('unsupported');
    expect(error.message).toContain(`"${name}"`);
    expect(error.details.type).toBe(name);
  });
});

describe('a text', () => {
  it.each([7, null, undefined, ['a'], {}])('that is %j is refused', (text) => {
    expect(() => tokenizer('tiny-bert').encode(text as string)).toThrowError(
      /text must be a string/,
    );
  });

  it('beside a second text that is a number is refused', () => {
    expect(() => tokenizer('tiny-bert').encode('a', 7 as unknown as string)).toThrowError(
      /pair must/,
    );
  });
});
