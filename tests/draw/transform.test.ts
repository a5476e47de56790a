import { describe, expect, it } from 'vitest';
import { makePicture, type PictureSource } from '../../web/src/draw/transform.ts';
import type { Token } from '../../web/src/engine/types.ts';
import { rowSums, softmaxRows, token } from './tokens.ts';

const TYPED = "It didn't";
const TOKENS: Token[] = [
  token('[CLS]'),
  token('it', { start: 0, end: 2, word: 0 }),
  token('didn', { start: 3, end: 7, word: 1 }),
  token("'", { start: 7, end: 8, word: 1 }),
  token('t', { start: 8, end: 9, word: 1 }),
  token('[SEP]'),
];

function source(more: Partial<PictureSource> = {}): PictureSource {
  const heads = 2;
  const layers = 2;
  const all = Array.from({ length: layers }, (_, l) => softmaxRows(heads, TOKENS.length, 7 + l));
  return {
    tokens: TOKENS,
    typedText: TYPED,
    layers,
    heads,
    layersReady: layers,
    attentions: (layer) => all[layer]!,
    ...more,
  };
}

/** One head, one layer, T tokens with the given rows. */
function oneHead(tokens: Token[], rows: number[][]): PictureSource {
  const weights = Float32Array.from(rows.flat());
  return source({ tokens, layers: 1, heads: 1, layersReady: 1, attentions: () => weights });
}

const FIRST = { layer: 0, head: 0 };
const PLAIN = { showSpecials: true, mergeWords: false };
const HIDDEN = { showSpecials: false, mergeWords: false };

describe('weights as they are', () => {
  it('are the numbers of the run, without a copy', () => {
    const from = source();
    const picture = makePicture(from, PLAIN);
    const expected = from.attentions(1).subarray(36, 72);
    expect(picture.weights({ layer: 1, head: 1 })).toEqual(expected);
    expect(picture.weights({ layer: 1, head: 1 }).buffer).toBe(from.attentions(1).buffer);
    expect(picture.removed(FIRST)).toBeNull();
  });

  it('are computed once a head', () => {
    let asked = 0;
    const inner = source();
    const picture = makePicture(
      source({
        attentions: (layer) => {
          asked++;
          return inner.attentions(layer);
        },
      }),
      HIDDEN,
    );
    expect(asked).toBe(0);
    expect(picture.weights(FIRST)).toBe(picture.weights(FIRST));
    picture.removed(FIRST);
    expect(asked).toBe(1);
  });
});

describe('hidden special tokens', () => {
  it('leave rows that sum to one', () => {
    const picture = makePicture(source(), HIDDEN);
    expect(picture.tokens.map((shown) => shown.text)).toEqual(['It', 'didn', "'", 't']);
    for (const layer of [0, 1]) {
      for (const head of [0, 1]) {
        for (const sum of rowSums(picture.weights({ layer, head }), 4))
          expect(sum).toBeCloseTo(1, 6);
      }
    }
  });

  it('state the mass that was removed, and keep the proportions of the rest', () => {
    const tokens = [token('[CLS]'), token('a'), token('b'), token('[SEP]')];
    const picture = makePicture(
      oneHead(tokens, [
        [0.25, 0.25, 0.25, 0.25],
        [0.5, 0.125, 0.25, 0.125],
        [0, 0.25, 0.75, 0],
        [0.25, 0.25, 0.25, 0.25],
      ]),
      HIDDEN,
    );
    expect([...picture.removed(FIRST)!]).toEqual([0.625, 0]);
    expect(picture.weights(FIRST)[0]).toBeCloseTo(1 / 3, 6);
    expect(picture.weights(FIRST)[1]).toBeCloseTo(2 / 3, 6);
    expect([...picture.weights(FIRST).slice(2)]).toEqual([0.25, 0.75]);
  });

  it('turn a row that gave everything to them into zeros, removed 1, not into NaN', () => {
    const tokens = [token('[CLS]'), token('a'), token('b'), token('[SEP]')];
    const picture = makePicture(
      oneHead(tokens, [
        [1, 0, 0, 0],
        [1, 0, 0, 0],
        [0.999995, 0.000005, 0, 0],
        [1, 0, 0, 0],
      ]),
      HIDDEN,
    );
    expect([...picture.weights(FIRST)]).toEqual([0, 0, 0, 0]);
    expect([...picture.removed(FIRST)!]).toEqual([1, 1]);
  });

  it('of a text that is nothing else leave an empty picture', () => {
    const picture = makePicture(
      oneHead(
        [token('[CLS]'), token('[SEP]')],
        [
          [0.5, 0.5],
          [0.5, 0.5],
        ],
      ),
      HIDDEN,
    );
    expect(picture.tokens).toEqual([]);
    expect(picture.weights(FIRST)).toHaveLength(0);
    expect(picture.removed(FIRST)).toHaveLength(0);
  });
});

describe('pieces merged into words', () => {
  it('sum the keys and average the queries', () => {
    const from = source();
    const raw = from.attentions(0).subarray(0, 36);
    const picture = makePicture(from, { showSpecials: true, mergeWords: true });
    expect(picture.tokens.map((shown) => shown.text)).toEqual(['[CLS]', 'It', "didn't", '[SEP]']);
    expect(picture.tokens[2]!.sources).toEqual([2, 3, 4]);
    const weights = picture.weights(FIRST);
    const toWord = raw[1 * 6 + 2]! + raw[1 * 6 + 3]! + raw[1 * 6 + 4]!;
    expect(weights[1 * 4 + 2]).toBeCloseTo(toWord, 6);
    const fromWord = (raw[2 * 6 + 1]! + raw[3 * 6 + 1]! + raw[4 * 6 + 1]!) / 3;
    expect(weights[2 * 4 + 1]).toBeCloseTo(fromWord, 6);
    for (const sum of rowSums(weights, 4)) expect(sum).toBeCloseTo(1, 6);
    expect(picture.removed(FIRST)).toBeNull();
  });

  it('merge before hiding: the removed mass of a word is the mean of its pieces', () => {
    const from = source();
    const raw = from.attentions(0).subarray(0, 36);
    const picture = makePicture(from, { showSpecials: false, mergeWords: true });
    const lost = [2, 3, 4].map((i) => raw[i * 6]! + raw[i * 6 + 5]!);
    expect(picture.removed(FIRST)![1]).toBeCloseTo((lost[0]! + lost[1]! + lost[2]!) / 3, 6);
    for (const sum of rowSums(picture.weights(FIRST), 2)) expect(sum).toBeCloseTo(1, 6);
  });

  it('keep words of two texts apart', () => {
    const tokens = [
      token('a', { start: 0, end: 1, word: 0 }),
      token('b', { start: 0, end: 1, word: 0, segment: 1 }),
    ];
    const rows = [
      [0.5, 0.5],
      [0.5, 0.5],
    ];
    const picture = makePicture(
      { ...oneHead(tokens, rows), typedText: 'A', typedPair: 'B' },
      { showSpecials: false, mergeWords: true },
    );
    expect(picture.tokens.map((shown) => shown.text)).toEqual(['A', 'B']);
  });

  it('follow ## where the text is not known, and never merge punctuation', () => {
    const tokens = [token('play'), token('##ing'), token('!'), token('!')];
    const rows = [0, 1, 2, 3].map(() => [0.25, 0.25, 0.25, 0.25]);
    const picture = makePicture(oneHead(tokens, rows), { showSpecials: false, mergeWords: true });
    expect(picture.tokens.map((shown) => shown.text)).toEqual(['playing', '!', '!']);
    expect(picture.tokens[0]!.piece).toBe('play ##ing');
  });
});

describe('means', () => {
  it('are means of the raw weights, taken before merging and hiding', () => {
    const from = source();
    const options = { showSpecials: false, mergeWords: true };
    const mean = Float32Array.from({ length: 36 }, (_, i) => {
      let sum = 0;
      for (const layer of [0, 1]) {
        for (const head of [0, 1]) sum += from.attentions(layer)[head * 36 + i]!;
      }
      return sum / 4;
    });
    const direct = makePicture(
      source({ layers: 1, heads: 1, layersReady: 1, attentions: () => mean }),
      options,
    );
    const all = makePicture(from, options).weights({ layer: 'mean', head: 'mean' });
    direct.weights(FIRST).forEach((weight, i) => {
      expect(all[i]).toBeCloseTo(weight, 6);
    });
  });

  it('over heads, over layers and over all have rows that sum to one', () => {
    const picture = makePicture(source(), HIDDEN);
    const choices = [
      { layer: 0, head: 'mean' },
      { layer: 'mean', head: 1 },
      { layer: 'mean', head: 'mean' },
    ] as const;
    for (const choice of choices) {
      for (const sum of rowSums(picture.weights(choice), 4)) expect(sum).toBeCloseTo(1, 6);
    }
  });

  it('over layers use the layers that have arrived', () => {
    const half = makePicture(source({ layersReady: 1 }), PLAIN);
    expect([...half.weights({ layer: 'mean', head: 1 })]).toEqual([
      ...half.weights({ layer: 0, head: 1 }),
    ]);
  });

  it('do not touch the weights they are made of', () => {
    const from = source();
    const before = from.attentions(0).slice();
    const picture = makePicture(from, { showSpecials: false, mergeWords: true });
    picture.weights({ layer: 'mean', head: 'mean' });
    picture.weights(FIRST);
    expect(from.attentions(0)).toEqual(before);
  });
});

describe('one quadrant of two texts', () => {
  const pair = (segments: readonly (0 | 1)[]): Token[] =>
    segments.map((segment) => ({ ...TOKENS[1]!, special: false, segment }));
  const rows = [
    [0.5, 0.3, 0.2],
    [0.1, 0.6, 0.3],
    [0.2, 0.2, 0.6],
  ];

  it.each([
    [
      [0, 0],
      [0.5, 0.3, 0, 0.1, 0.6, 0, 0, 0, 0],
    ],
    [
      [0, 1],
      [0, 0, 0.2, 0, 0, 0.3, 0, 0, 0],
    ],
    [
      [1, 0],
      [0, 0, 0, 0, 0, 0, 0.2, 0.2, 0],
    ],
    [
      [1, 1],
      [0, 0, 0, 0, 0, 0, 0, 0, 0.6],
    ],
  ] as const)('%j keeps its own weights as they are, the others are 0', (quadrant, expected) => {
    const picture = makePicture(oneHead(pair([0, 0, 1]), rows), { ...PLAIN, quadrant });
    expect(picture.weights(FIRST)).toEqual(Float32Array.from(expected));
  });

  it('leaves the run’s numbers alone', () => {
    const from = oneHead(pair([0, 0, 1]), rows);
    const before = from.attentions(0).slice();
    makePicture(from, { ...PLAIN, quadrant: [0, 1] }).weights(FIRST);
    expect(from.attentions(0)).toEqual(before);
  });
});

describe('wrong questions', () => {
  it('about a layer that has not arrived, or does not exist, say so', () => {
    const picture = makePicture(source({ layersReady: 1 }), HIDDEN);
    expect(() => picture.weights({ layer: 1, head: 0 })).toThrow('layer 1 has not arrived');
    expect(() => picture.weights({ layer: 2, head: 0 })).toThrow('no layer 2 of 2');
    expect(() => picture.weights({ layer: 0, head: 5 })).toThrow('no head 5 of 2');
  });

  it('are not answered with weights of another length', () => {
    const picture = makePicture(source({ attentions: () => new Float32Array(5) }), HIDDEN);
    expect(() => picture.weights(FIRST)).toThrow('layer 0 has 5 weights, not 2 x 6 x 6');
  });
});

describe('tokens', () => {
  it('show what was typed, not what the vocabulary holds', () => {
    const tokens = [
      token('[CLS]'),
      token('cafe', { start: 0, end: 4, word: 0 }),
      token('[UNK]', { start: 5, end: 7, word: 1 }),
    ];
    const rows = [0, 1, 2].map(() => [0.3, 0.3, 0.4]);
    const picture = makePicture({ ...oneHead(tokens, rows), typedText: 'Café 🙂' }, HIDDEN);
    expect(picture.tokens.map((shown) => shown.text)).toEqual(['Café', '🙂']);
    expect(picture.tokens.map((shown) => shown.unknown)).toEqual([false, true]);
    expect(picture.tokens[1]!.piece).toBe('[UNK]');
  });

  it('know which of them go on with a word', () => {
    const picture = makePicture(source(), HIDDEN);
    expect(picture.tokens.map((shown) => shown.continuation)).toEqual([false, false, true, true]);
  });
});

describe('under a mask', () => {
  /** Row by row, 1 = may look. */
  const masked = (open: number[][], rows: number[][], texts = ['[CLS]', 'it', 'was', '[SEP]']) => ({
    ...oneHead(
      texts.map((text) => token(text)),
      rows,
    ),
    open: Uint8Array.from(open.flat()),
  });
  const CAUSAL = masked(
    [
      [1, 0, 0, 0],
      [1, 1, 0, 0],
      [1, 1, 1, 0],
      [1, 1, 1, 1],
    ],
    [
      [1, 0, 0, 0],
      [0.5, 0.5, 0, 0],
      [0.5, 0.2, 0.3, 0],
      [0.1, 0.2, 0.3, 0.4],
    ],
  );

  it('it is known how many shown tokens each may look at, and which hidden ones', () => {
    const picture = makePicture(CAUSAL, HIDDEN);
    expect([...picture.reach!]).toEqual([1, 2]);
    expect(picture.hidden(0)).toEqual(['[CLS]']);
    expect(picture.hidden(null)).toEqual(['[CLS]']);
    expect(picture.removed(FIRST)![1]).toBeCloseTo(0.5, 6);
  });

  it('every hidden token is named where nothing is masked, each name once', () => {
    const tokens = ['[CLS]', 'it', '[SEP]', 'was', '[SEP]'].map((text) => token(text));
    const rows = tokens.map(() => [0.2, 0.2, 0.2, 0.2, 0.2]);
    const picture = makePicture(oneHead(tokens, rows), HIDDEN);
    expect(picture.reach).toBeNull();
    expect(picture.hidden(0)).toEqual(['[CLS]', '[SEP]']);
    expect(makePicture(CAUSAL, PLAIN).hidden(null)).toEqual([]);
  });

  it('pieces that are one word reach what each of them reaches', () => {
    const didnt = { word: 0 };
    const picture = makePicture(
      {
        ...CAUSAL,
        tokens: [token('a', didnt), token('##b', didnt), token('c', { word: 1 }), token('[SEP]')],
      },
      { showSpecials: true, mergeWords: true },
    );
    expect([...picture.reach!]).toEqual([1, 2, 3]);
  });

  it('a row that may look at nothing has given nothing away', () => {
    const picture = makePicture(
      masked(
        [
          [1, 1, 1, 1],
          [0, 0, 0, 0],
          [1, 0, 0, 1],
          [1, 1, 1, 1],
        ],
        [
          [0.25, 0.25, 0.25, 0.25],
          [0, 0, 0, 0],
          [0.5, 0, 0, 0.5],
          [0.25, 0.25, 0.25, 0.25],
        ],
      ),
      HIDDEN,
    );
    expect([...picture.removed(FIRST)!]).toEqual([0, 1]);
    expect([...picture.reach!]).toEqual([0, 0]);
    expect(picture.hidden(0)).toEqual([]);
  });

  it('a mask of another size is refused', () => {
    expect(() => makePicture({ ...CAUSAL, open: new Uint8Array(9) }, PLAIN)).toThrow('9 places');
  });
});
