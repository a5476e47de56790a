/** The codec of links: what is written is read back, and what cannot be read is said and left out. */

import { describe, expect, test } from 'vitest';
import { MASKS, packCells, QUADRANTS } from '../../web/src/state/controls.ts';
import { decodeLink, encodeLink, encodePlain } from '../../web/src/state/link.ts';
import { MODEL_IDS } from '../../web/src/state/models.ts';
import { packTexts, unpackTexts } from '../../web/src/state/pack-text.ts';
import {
  defaultState,
  type PageState,
  SCALES,
  SORTS,
  STEPS,
  VIEWS,
} from '../../web/src/state/page-state.ts';

/** mulberry32: small, and good enough to pick test cases. */
function randomFrom(seed: number): () => number {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let x = Math.imul(a ^ (a >>> 15), a | 1);
    x = (x + Math.imul(x ^ (x >>> 7), x | 61)) ^ x;
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  };
}

const ALPHABET = [
  ...'abcXYZ019 +&=#%?/\\"<>\n\t\0\u007f',
  'é',
  'e\u0301',
  '我',
  '爱',
  '👩‍🚀',
  'שלום',
  'مرحبا',
  '\ud800',
  '\udc00',
  '\u2028',
  '%41',
];

function randomCells(random: () => number): string {
  const tokens = 1 + Math.floor(random() * 20);
  return packCells(
    Uint8Array.from({ length: tokens * tokens }, () => (random() < 0.8 ? 1 : 0)),
    tokens,
  );
}

function randomState(random: () => number): PageState {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  const text = (most: number) =>
    Array.from({ length: Math.floor(random() * most) }, () => pick(ALPHABET)).join('');
  const index = () => Math.floor(random() * 600);
  const model = pick(MODEL_IDS);
  return {
    text: text(random() < 0.2 ? 4000 : 40),
    pair: random() < 0.3 ? text(30) : null,
    model,
    layer: random() < 0.2 ? 'mean' : pick([0, 1, 2, 3]),
    head: random() < 0.2 ? 'mean' : pick([0, 1, 5, 7]),
    also: Array.from({ length: Math.floor(random() * 3) }, () => ({ layer: index(), head: 3 })),
    query: random() < 0.5 ? null : index(),
    key: random() < 0.5 ? null : index(),
    view: pick(VIEWS),
    lang: pick(['en', 'zh', null] as const),
    theme: pick(['light', 'dark', null] as const),
    specials: random() < 0.5,
    from: random() < 0.5,
    words: random() < 0.5,
    sort: pick(SORTS),
    scale: pick(SCALES),
    step: random() < 0.5 ? null : pick(STEPS),
    quad: pick(QUADRANTS),
    mask: pick(MASKS),
    radius: Math.floor(random() * 20),
    cells: random() < 0.5 ? '' : randomCells(random),
    off: [...new Set(Array.from({ length: Math.floor(random() * 4) }, index))].sort(
      (a, b) => a - b,
    ),
    temperature: pick([1, 0.05, 0.5, 2.25, 20]),
    positions: random() < 0.5,
  };
}

describe('round trip', () => {
  test('any state is read back as it was written', async () => {
    const seed = Number(process.env.SEED ?? Date.now() % 1e9);
    console.info(`seed of the round trip: ${seed} (SEED=${seed} repeats it)`);
    const random = randomFrom(seed);
    for (let i = 0; i < 300; i += 1) {
      const state = randomState(random);
      const link = await encodeLink(state);
      expect(link).toMatch(/^[\w.~!*'()%&=,-]*$/);
      const decoded = await decodeLink(`#${link}`);
      expect(decoded.bad, link).toEqual([]);
      const bare = { ...defaultState('', state.model), model: state.model };
      expect({ ...bare, ...decoded.state }, `seed ${seed}, case ${i}`).toEqual(state);
    }
  });

  test('a short link is readable', async () => {
    const state: PageState = {
      ...defaultState('The cat sat', 'minilm-en'),
      layer: 3,
      head: 5,
      view: 'matrix',
    };
    expect(await encodeLink(state)).toBe(
      'text=The%20cat%20sat&model=minilm-en&layer=3&head=5&view=matrix',
    );
  });

  test('a long text is packed and becomes shorter', async () => {
    const text = '小猫坐在垫子上。'.repeat(200);
    const state = defaultState(text, 'bge-zh');
    const link = await encodeLink(state);
    expect(link.startsWith('z=')).toBe(true);
    expect(link.length).toBeLessThan(encodePlain(state).length / 20);
    expect((await decodeLink(link)).state.text).toBe(text);
  });

  test('unpaired surrogates survive', async () => {
    const text = 'a\ud800b\udc00';
    const link = await encodeLink({ ...defaultState(text, 'minilm-en'), pair: '\udfff' });
    expect((await decodeLink(link)).state).toMatchObject({ text, pair: '\udfff' });
  });
});

describe('reading', () => {
  test('a plus is a plus, and raw UTF-8 is read as itself', async () => {
    expect((await decodeLink('text=1+1=2')).state.text).toBe('1+1=2');
    expect((await decodeLink('text=我爱')).state.text).toBe('我爱');
  });

  test('an empty text is a text', async () => {
    expect((await decodeLink('text=')).state.text).toBe('');
  });

  test('unknown keys are ignored, also those of Object.prototype', async () => {
    const link = 'constructor=1&__proto__=2&toString=3&later=4&view=matrix';
    expect(await decodeLink(link)).toEqual({
      state: { view: 'matrix' },
      bad: [],
      newer: false,
    });
  });

  test.each([
    ['model=gpt-9', 'model'],
    ['layer=-1', 'layer'],
    ['layer=1e3', 'layer'],
    ['head=1.5', 'head'],
    ['head=', 'head'],
    ['also=1.2,x', 'also'],
    ['query=mean', 'query'],
    ['view=3d', 'view'],
    ['lang=fr', 'lang'],
    ['theme=blue', 'theme'],
    ['specials=yes', 'specials'],
    ['from=2', 'from'],
    ['sort=name', 'sort'],
    ['text=%E6%88', 'text'],
    ['z=%%%', 'z'],
    ['z=AAAA', 'z'],
    ['v=x', 'v'],
  ])('%s is left out and reported', async (link, key) => {
    expect(await decodeLink(link)).toEqual({ state: {}, bad: [key], newer: false });
  });

  test('a link of a later version says so', async () => {
    expect((await decodeLink('v=2&text=a')).newer).toBe(true);
    expect((await decodeLink('v=1&text=a')).newer).toBe(false);
  });
});

describe('packing', () => {
  test('what unpacks to too much is refused', async () => {
    const bomb = await packTexts({ text: 'a'.repeat(5_000_000), pair: null });
    expect(bomb.length).toBeLessThan(10_000);
    expect(await unpackTexts(bomb)).toBeNull();
  });

  test('a cut or altered value is refused', async () => {
    const packed = await packTexts({ text: 'some text that is long enough', pair: 'and more' });
    expect(await unpackTexts(packed)).toEqual({
      text: 'some text that is long enough',
      pair: 'and more',
    });
    expect(await unpackTexts(packed.slice(0, -6))).toBeNull();
    expect(await unpackTexts('')).toBeNull();
  });

  test('JSON of another shape is refused', async () => {
    const raw = new Blob([JSON.stringify({ text: 1 })])
      .stream()
      .pipeThrough(new CompressionStream('deflate-raw'));
    const bytes = new Uint8Array(await new Response(raw).arrayBuffer());
    expect(await unpackTexts(Buffer.from(bytes).toString('base64url'))).toBeNull();
  });
});
