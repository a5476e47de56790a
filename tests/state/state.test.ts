/** Script, start state, memory, pins and marks: the small rules that the page's state follows. */

import { existsSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { followSpans, followToken } from '../../web/src/state/follow-token.ts';
import { MODEL_IDS, MODELS } from '../../web/src/state/models.ts';
import { keepState, recallPreferences, recallState } from '../../web/src/state/remember.ts';
import { scriptOf, suggestModel } from '../../web/src/state/script.ts';
import { startState } from '../../web/src/state/start.ts';
import { tokensOf } from './fake-engine.ts';

const PLAIN = { lang: null, theme: null, wholeFirst: false } as const;

describe('script', () => {
  test.each([
    ['The cat sat on the mat.', 'latin'],
    ['我爱自然语言处理', 'han'],
    ['我用 attention 机制', 'han'],
    ['The character 猫 means cat', 'latin'],
    ['日本語のテスト', 'han'],
    ['', null],
    ['   \n', null],
    ['12345 !? 👍', null],
    ['привет мир', null],
    ['猫 cat', null],
    ['\ud800\udc00\udfff', null],
  ])('%j is %s', (text, script) => {
    expect(scriptOf(text)).toBe(script);
  });

  test('a text suggests the model that was trained on its writing', () => {
    expect(suggestModel('猫追老鼠')).toBe('bge-zh');
    expect(suggestModel('a dog')).toBe('minilm-en');
    expect(suggestModel('...')).toBeNull();
  });
});

describe('start', () => {
  test('a bare address starts with the first example of the language', async () => {
    const en = await startState('', null, PLAIN, 'en');
    expect(en.state).toMatchObject({ model: 'minilm-en', layer: 3, head: 1, query: 6 });
    expect(en.modelChosen).toBe(false);
    const zh = await startState('#', null, PLAIN, 'zh');
    expect(zh.state).toMatchObject({ text: '我爱自然语言处理', model: 'bge-zh' });
  });

  test('a link names its own text and head; the model follows the text unless named', async () => {
    const start = await startState('#text=%E7%8C%AB&layer=2&head=5', null, PLAIN, 'en');
    expect(start.state).toMatchObject({
      text: '猫',
      model: 'bge-zh',
      layer: 2,
      head: 5,
      query: null,
    });
    const named = await startState('#text=%E7%8C%AB&model=minilm-en', null, PLAIN, 'en');
    expect(named.state.model).toBe('minilm-en');
    expect(named.modelChosen).toBe(true);
  });

  test('a head that the model does not have falls back and is reported', async () => {
    const start = await startState('#text=a&model=bge-zh&layer=5&head=11', null, PLAIN, 'en');
    expect(start.state).toMatchObject({ layer: 0, head: 0 });
    expect(start.bad).toEqual(['layer']);
  });

  test('further heads that the model does not have, or that are named twice, are left out', async () => {
    const link = '#text=a&model=bge-zh&layer=1&head=2&also=0.1,9.9,1.2,0.1';
    const start = await startState(link, null, PLAIN, 'en');
    expect(start.state.also).toEqual([{ layer: 0, head: 1 }]);
    expect(start.bad).toEqual(['also']);
  });

  test('every kind of line break becomes the one that a text field knows', async () => {
    const start = await startState('#text=a%0D%0Ab%0Dc%0Ad', null, PLAIN, 'en');
    expect(start.state.text).toBe('a\nb\nc\nd');
  });

  test('what was typed last wins over the link that was written before it', async () => {
    const remembered = {
      fragment: '#text=The%20ca',
      text: 'The cat',
      pair: null,
      rest: 'model=minilm-en&layer=1&head=2',
      modelChosen: false,
    };
    const same = await startState('#text=The%20ca', remembered, PLAIN, 'en');
    expect(same.state).toMatchObject({ text: 'The cat', layer: 1, head: 2 });
    expect(same.modelChosen).toBe(false);
    const other = await startState('#text=Else', remembered, PLAIN, 'en');
    expect(other.state.text).toBe('Else');
    const bare = await startState('', remembered, PLAIN, 'en');
    expect(bare.state.text).toBe('The cat');
  });

  test('preferences hold where a link does not name language or theme', async () => {
    const own = { lang: 'zh', theme: 'dark', wholeFirst: false } as const;
    const start = await startState('#text=a&theme=light', null, own, 'en');
    expect(start.state).toMatchObject({ lang: 'zh', theme: 'light' });
  });
});

describe('memory', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  test('forbidden storage neither keeps nor fails', () => {
    vi.stubGlobal('localStorage', {
      getItem: () => {
        throw new DOMException('denied', 'SecurityError');
      },
      setItem: () => {
        throw new DOMException('denied', 'SecurityError');
      },
    });
    keepState({ fragment: '', text: 'a', pair: null, rest: '', modelChosen: false });
    expect(recallState()).toBeNull();
    expect(recallPreferences()).toEqual(PLAIN);
  });

  test('what is kept comes back, and what others left there does not', () => {
    const kept = new Map<string, string>();
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
    });
    const state = {
      fragment: '#a',
      text: '\ud800 x',
      pair: 'p',
      rest: 'layer=1',
      modelChosen: true,
    };
    keepState(state);
    expect(recallState()).toEqual(state);
    for (const broken of ['{', 'null', '[]', '{"fragment":1}', '{"fragment":"","text":2}']) {
      kept.set('headlights.state', broken);
      expect(recallState()).toBeNull();
    }
  });
});

describe('following', () => {
  test('a token is found again after edits before, after and at its place', () => {
    const before = tokensOf('the old cat sat here');
    const at = (text: string) => followToken(3, before, tokensOf(text));
    expect(at('the old cat sat here today')).toBe(3);
    expect(at('see the old cat sat here')).toBe(4);
    expect(at('old cat sat here')).toBe(2);
    expect(at('the old cats sat here')).toBe(3);
    expect(at('the old sat here')).toBeNull();
  });

  test('marks stay under their characters while the text is newer than they are', () => {
    const text = 'the cat sat';
    const spans = [
      { start: 0, end: 3 },
      { start: 4, end: 7 },
      { start: 8, end: 11 },
    ];
    for (const newer of ['the cat sat', 'the big cat sat', 'th cat sat', 'the catsat', '', 'x']) {
      for (const [i, span] of followSpans(spans, text, newer).entries()) {
        const word = newer.slice(span.start, span.end);
        expect(['the', 'cat', 'sat'], `${newer} ${i}`).toContain(word);
      }
    }
    expect(followSpans(spans, text, 'the big cat sat')).toHaveLength(3);
    expect(followSpans(spans, text, '')).toHaveLength(0);
  });
});

describe('models and examples', () => {
  test.each(MODEL_IDS)('sizes and shape of %s are those of its card', (id) => {
    const path = new URL(`../../web/public/models/${id}/card.json`, import.meta.url);
    expect(existsSync(path)).toBe(true);
    const card = JSON.parse(readFileSync(path, 'utf8'));
    const tokenizer = card.files['tokenizer.json.gz'].bytes;
    expect(MODELS[id]).toMatchObject({
      layers: card.architecture.layers,
      heads: card.architecture.heads,
      maxTokens: card.architecture.maxTokens,
      licence: card.licence,
      liveBytes: tokenizer + card.order.layersEnd,
      wholeBytes: tokenizer + card.files['model.gguf'].bytes,
    });
  });
});
