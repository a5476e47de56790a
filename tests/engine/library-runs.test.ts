/** What a run gives and obeys: tokens, copies, interventions, limits, cancellation, disposal. */
import { createEngine, type Engine, type Interventions, type Model, type Run } from 'headlights';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { distance, readGolden, TINY } from './support/golden.ts';
import { failure, hooks, pause } from './support/library.ts';
import { altered, asFiles, tinyWith } from './support/tiny.ts';

const golden = readGolden('models-tiny/bert/expected/01.safetensors');
const text = golden.text('text');

let engine: Engine;
let model: Model;
beforeAll(async () => {
  engine = await createEngine();
  model = await engine.loadModel(TINY);
});
afterAll(() => engine.dispose());

async function weights(interventions?: Interventions): Promise<{ run: Run; all: Float32Array }> {
  const run = await model.run(text, { interventions });
  const all = await run.attentions();
  await run.dispose();
  return { run, all };
}

async function lastHidden(interventions?: Interventions): Promise<Float32Array> {
  const run = await model.run(text, { interventions });
  const hidden = await run.hidden(run.layers);
  await run.dispose();
  return hidden;
}

describe('what a run gives', () => {
  it('has the model on its card', () => {
    expect(model.info).toEqual({
      id: 'bert',
      family: 'bert',
      layers: 2,
      heads: 4,
      kvHeads: 4,
      headSize: 12,
      width: 48,
      vocabulary: 480,
      maxTokens: 64,
      format: 'safetensors F32',
      licence: null,
      attentionError: null,
      memory: expect.any(Number),
    });
    expect(model.info.memory).toBeGreaterThan(200_000);
  });

  it('has every weight of a row between 0 and 1, and rows that sum to one', async () => {
    const { run, all } = await weights();
    const size = run.keyLength;
    for (let row = 0; row < all.length / size; row++) {
      const values = all.subarray(row * size, (row + 1) * size);
      expect(Math.min(...values)).toBeGreaterThanOrEqual(0);
      expect(values.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 5);
    }
  });

  it('gives the same numbers as one map, as a whole, as rows and with its head', async () => {
    const run = await model.run(text);
    const all = await run.attentions();
    const cells = run.queryLength * run.keyLength;
    for (let layer = 0; layer < run.layers; layer++) {
      for (let head = 0; head < run.heads; head++) {
        const start = (layer * run.heads + head) * cells;
        const expected = all.slice(start, start + cells);
        expect(await run.attention(layer, head)).toEqual(expected);
        expect((await run.head(layer, head)).weights).toEqual(expected);
        const rows = await run.attentionRows(layer, head, 1, 3);
        expect(distance(rows, expected.slice(run.keyLength, 3 * run.keyLength))).toBeLessThan(1e-7);
      }
    }
    expect(await run.attentionRows(0, 0, 2, 2)).toHaveLength(0);
    await run.dispose();
  });

  it('gives fresh copies: changing one changes nothing else', async () => {
    const run = await model.run(text);
    const first = await run.attentions();
    const expected = first.slice();
    first.fill(7);
    (await run.attention(0, 0)).fill(7);
    expect(await run.attentions()).toEqual(expected);
    await run.dispose();
  });

  it('gives the same for ids as for the text, without places', async () => {
    const byText = await model.run(text);
    const byIds = await model.run({ ids: byText.tokens.map(({ id }) => id) });
    expect(await byIds.attentions()).toEqual(await byText.attentions());
    expect(byIds.tokens.map((token) => token.text)).toEqual(
      byText.tokens.map((token) => token.text),
    );
    for (const token of byIds.tokens)
      expect(token).toMatchObject({ start: null, end: null, word: null });
    expect(byIds.tokens[0]!.special).toBe(true);
    await byText.dispose();
    await byIds.dispose();
  });

  it('tells the second text by its segment, also from type ids', async () => {
    const run = await model.run('the cat', { pair: 'the dog' });
    const ids = run.tokens.map(({ id }) => id);
    const segments = run.tokens.map(({ segment }) => segment);
    expect(new Set(segments)).toEqual(new Set([0, 1]));
    const again = await model.run({ ids, typeIds: segments });
    expect(await again.attentions()).toEqual(await run.attentions());
    const without = await model.run({ ids });
    expect(distance(await without.attentions(), await run.attentions())).toBeGreaterThan(1e-3);
  });

  it.each([
    ['nothing', ''],
    ['only spaces', '   \n\t '],
    ['emoji', '👩‍👩‍👧 🙂'],
    ['a lone surrogate', 'a \ud800 b'],
    ['control characters', 'a\u0000\u0007b'],
    ['right-to-left', 'שלום عليكم'],
    ['one endless word', 'x'.repeat(10_000)],
    ['markup', '<b onclick="x">the</b>'],
  ])('takes %s', async (_name, input) => {
    const run = await model.run(input);
    const all = await run.attentions();
    expect(run.tokens.length).toBeGreaterThanOrEqual(2);
    expect(all.every((value) => value >= 0 && value <= 1)).toBe(true);
    if (input.trim() === '') expect(run.tokens).toHaveLength(2);
    await run.dispose();
  });

  it('cuts a text at the limit of the model and says what was left out', async () => {
    const run = await model.run('the cat '.repeat(1500));
    expect(run.tokens).toHaveLength(64);
    expect(run.truncated!.tokens).toBeGreaterThan(2000);
    expect(run.truncated!.words).toBeGreaterThan(2900);
    const { tokens, truncated } = await model.tokenize('the cat '.repeat(1500));
    expect(tokens).toEqual(run.tokens);
    expect(truncated).toEqual(run.truncated);
    await run.dispose();
  });
});

describe('interventions', () => {
  it('a head switched off changes what comes after its layer, and not its own weights', async () => {
    const { run, all } = await weights();
    const off = (await weights({ gains: [{ layer: 0, head: 2, gain: 0 }] })).all;
    const layer = all.length / run.layers;
    expect(off.slice(0, layer)).toEqual(all.slice(0, layer));
    expect(distance(off.slice(layer), all.slice(layer))).toBeGreaterThan(1e-3);
  });

  it('a gain of one changes nothing', async () => {
    const { all } = await weights();
    expect((await weights({ gains: [{ layer: 1, head: 0, gain: 1 }] })).all).toEqual(all);
  });

  it('a change of gains over the same text gives what a model that never saw the text gives', async () => {
    const changes: Interventions[] = [
      { gains: [{ layer: 1, head: 0, gain: 0 }] },
      { gains: [{ layer: 0, head: 3, gain: 2 }] },
      { gains: [{ layer: 0, head: 3, gain: 2 }], temperature: 2 },
      {},
    ];
    let before = await model.run(text);
    for (const interventions of changes) {
      const told: number[] = [];
      const run = await model.run(text, { interventions, onLayer: (layer) => told.push(layer) });
      const fresh = await engine.loadModel(TINY);
      const expected = await fresh.run(text, { interventions });
      expect(told).toEqual([0, 1]);
      expect(await run.attentions()).toEqual(await expected.attentions());
      expect(await run.hidden(2)).toEqual(await expected.hidden(2));
      await fresh.dispose();
      await before.dispose();
      before = run;
    }
    await before.dispose();
  });

  it('a token hidden by the key mask is looked at by nobody', async () => {
    const { run } = await weights();
    const keyMask = new Uint8Array(run.keyLength).fill(1);
    keyMask[2] = 0;
    const { all } = await weights({ keyMask });
    for (let cell = 2; cell < all.length; cell += run.keyLength) expect(all[cell]).toBe(0);
  });

  it('the causal pattern leaves nothing above the diagonal, and equals the same pattern given', async () => {
    const { run, all } = await weights({ pattern: 'causal' });
    const T = run.keyLength;
    const given = new Uint8Array(T * T);
    for (let i = 0; i < T; i++) for (let j = 0; j < T; j++) given[i * T + j] = j <= i ? 1 : 0;
    for (let cell = 0; cell < all.length; cell++)
      if (given[cell % (T * T)] === 0) expect(all[cell]).toBe(0);
    expect(distance((await weights({ pattern: given })).all, all)).toBeLessThan(1e-6);
  });

  it('a window sees its neighbours only', async () => {
    const { run, all } = await weights({ pattern: { window: 1 } });
    const T = run.keyLength;
    for (let cell = 0; cell < all.length; cell++) {
      const row = Math.floor(cell / T) % T;
      if (Math.abs(row - (cell % T)) > 1) expect(all[cell]).toBe(0);
    }
  });

  it('full and model are the same for an encoder', async () => {
    const { all } = await weights();
    expect((await weights({ pattern: 'full' })).all).toEqual(all);
    expect((await weights({ pattern: 'model' })).all).toEqual(all);
  });

  it('a low temperature sharpens, a high one flattens, and the scale tells', async () => {
    const entropy = (all: Float32Array) =>
      all.reduce((sum, p) => sum - (p > 0 ? p * Math.log(p) : 0), 0);
    const cold = entropy((await weights({ temperature: 0.2 })).all);
    const plain = entropy((await weights()).all);
    const hot = entropy((await weights({ temperature: 5 })).all);
    expect(cold).toBeLessThan(plain);
    expect(plain).toBeLessThan(hot);
    const run = await model.run(text, { interventions: { temperature: 2 } });
    const { queries, keys, scores, scale } = await run.head(0, 1);
    let product = 0;
    for (let c = 0; c < 12; c++) product += queries[c]! * keys[c]!;
    expect(scores[0]).toBeCloseTo(product * scale, 4);
    expect(scale).toBeCloseTo(1 / Math.sqrt(12) / 2, 6);
    await run.dispose();
  });

  it('positions left out make equal words equal', async () => {
    const same = [5, 5, 5];
    const run = await model.run({ ids: same }, { interventions: { positions: false } });
    const hidden = await run.hidden(0);
    expect(hidden.slice(0, 48)).toEqual(hidden.slice(48, 96));
    const usual = await model.run({ ids: same });
    const other = await usual.hidden(0);
    expect(distance(other.slice(0, 48), other.slice(48, 96))).toBeGreaterThan(1e-3);
  });

  it.each(['flash', 'reference'] as const)('algorithm %s gives the same', async (algorithm) => {
    const plain = await lastHidden();
    expect(distance(await lastHidden({ algorithm }), plain)).toBeLessThan(1e-5);
    const { all } = await weights();
    expect(distance((await weights({ algorithm })).all, all)).toBeLessThan(1e-6);
  });

  it.each([
    ['an unknown name', { gain: [] }, 'bad-argument', /'gain'/],
    ['gains that are no list', { gains: {} }, 'bad-argument', /gains/],
    [
      'a layer that is not there',
      { gains: [{ layer: 2, head: 0, gain: 0 }] },
      'bad-argument',
      /gains\[0\]\.layer.*0 to 1/,
    ],
    [
      'a head that is not there',
      { gains: [{ layer: 0, head: -1, gain: 0 }] },
      'bad-argument',
      /gains\[0\]\.head/,
    ],
    [
      'a gain that is not finite',
      { gains: [{ layer: 0, head: 0, gain: Number.NaN }] },
      'bad-argument',
      /finite/,
    ],
    ['a key mask of another length', { keyMask: new Uint8Array(3) }, 'bad-shape', /keyMask has 3/],
    ['a key mask of another type', { keyMask: [1, 0] }, 'bad-argument', /Uint8Array/],
    ['a pattern of another length', { pattern: new Uint8Array(3) }, 'bad-shape', /pattern has 3/],
    ['an unknown pattern', { pattern: 'diagonal' }, 'bad-argument', /'causal'/],
    ['a window that is negative', { pattern: { window: -1 } }, 'bad-argument', /window/],
    ['a temperature of 0', { temperature: 0 }, 'bad-argument', /above 0/],
    ['a temperature below single precision', { temperature: 1e-60 }, 'bad-argument', /above 0/],
    ['positions that are no boolean', { positions: 1 }, 'bad-argument', /positions/],
    ['an unknown algorithm', { algorithm: 'magic' }, 'bad-argument', /'flash'/],
  ])('refuse %s', async (_name, interventions, code, message) => {
    const found = await failure(model.run(text, { interventions: interventions as Interventions }));
    expect(found.code).toBe(code);
    expect(found.message).toMatch(message);
  });
});

describe('wrong arguments of run and its results', () => {
  it.each([
    ['a number', 5, {}, 'bad-argument'],
    ['nothing', undefined, {}, 'bad-argument'],
    ['no ids', { ids: [] }, {}, 'bad-shape'],
    ['ids that are no list', { ids: 7 }, {}, 'bad-argument'],
    ['an id outside the vocabulary', { ids: [480] }, {}, 'bad-argument'],
    ['an id that is no whole number', { ids: [1.5] }, {}, 'bad-argument'],
    ['a negative id', { ids: [-1] }, {}, 'bad-argument'],
    ['type ids of another length', { ids: [1, 2], typeIds: [0] }, {}, 'bad-shape'],
    ['a type that is not there', { ids: [1], typeIds: [2] }, {}, 'bad-argument'],
    ['more ids than positions', { ids: new Array(65).fill(1) }, {}, 'too-long'],
    ['a pair with ids', { ids: [1] }, { pair: 'x' }, 'bad-argument'],
    ['a pair that is no text', 'x', { pair: 3 }, 'bad-argument'],
    ['a signal that is none', 'x', { signal: {} }, 'bad-argument'],
    ['a listener that is none', 'x', { onLayer: {} }, 'bad-argument'],
  ])('are refused: %s', async (_name, input, options, code) => {
    expect((await failure(model.run(input as string, options as object))).code).toBe(code);
  });

  it('are refused: layers, heads and rows that are not there', async () => {
    const run = await model.run(text);
    for (const call of [
      () => run.attention(2, 0),
      () => run.attention(0, 4),
      () => run.attention(-1, 0),
      () => run.attention(0.5, 0),
      () => run.attention('0' as unknown as number, 0),
      () => run.head(2, 0),
      () => run.hidden(3),
      () => run.attentionRows(0, 0, 3, 2),
      () => run.attentionRows(0, 0, 0, run.queryLength + 1),
    ]) {
      expect((await failure(call())).code).toBe('bad-argument');
    }
    await run.dispose();
  });
});

describe('a long text', () => {
  it('above 2048 tokens gives rows but no whole map', async () => {
    const positions = 2100;
    const files = altered(
      tinyWith((tensor) => {
        if (!tensor.name.endsWith('position_embeddings.weight')) return tensor;
        const bytes = new Uint8Array(positions * 48 * 4);
        for (let row = 0; row < positions; row++)
          bytes.set(tensor.bytes.subarray(0, 192), row * 192);
        return { ...tensor, shape: [positions, 48], bytes };
      }),
      'config.json',
      (bytes) =>
        new TextEncoder().encode(
          new TextDecoder()
            .decode(bytes)
            .replace('"max_position_embeddings": 64', `"max_position_embeddings": ${positions}`),
        ),
    );
    const long = await engine.loadModel(asFiles(files));
    const layers: number[] = [];
    const run = await long.run(
      { ids: Array.from({ length: positions }, (_, i) => i % 400) },
      { onLayer: (layer) => layers.push(layer) },
    );
    expect(layers).toEqual([]);
    for (const call of [run.attention(0, 0), run.attentions(), run.head(0, 0)]) {
      const found = await failure(call);
      expect(found).toMatchObject({ code: 'too-long', details: { instead: 'attentionRows' } });
      expect(found.message).toContain('attentionRows');
    }
    const rows = await run.attentionRows(1, 3, 2090, 2092);
    expect(rows).toHaveLength(2 * positions);
    expect(rows.slice(0, positions).reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 4);
    await run.dispose();
    await long.dispose();
  });
});

describe('order, cancellation, disposal', () => {
  it('runs come in the order in which they were asked for', async () => {
    const order: number[] = [];
    await Promise.all(
      [0, 1, 2, 3].map(async (i) => {
        const run = await model.run(`${text} `.repeat(4 - i));
        order.push(i);
        await run.dispose();
      }),
    );
    expect(order).toEqual([0, 1, 2, 3]);
  });

  it('layers are told in order, before the run resolves', async () => {
    const seen: number[] = [];
    const run = await model.run(text, {
      onLayer: (layer, values, tokens) => {
        seen.push(layer);
        expect(values).toHaveLength(4 * tokens.length ** 2);
      },
    });
    expect(seen).toEqual([0, 1]);
    await run.dispose();
  });

  it('a signal cancels a run that waits, one that computes, and one that has not begun', async () => {
    const before = await hooks(engine).bytesInUse();
    const aborted = AbortSignal.abort();
    expect((await failure(model.run(text, { signal: aborted }))).code).toBe('cancelled');
    const controller = new AbortController();
    const first = failure(
      model.run(text, { signal: controller.signal, onLayer: () => controller.abort() }),
    );
    const waiting = failure(model.run(text, { signal: controller.signal }));
    const other = model.run(text);
    expect((await first).code).toBe('cancelled');
    expect((await waiting).code).toBe('cancelled');
    const run = await other;
    expect(distance(await run.attentions(), golden.tensor('attentions'))).toBeLessThan(2e-5);
    await run.dispose();
    await pause(20);
    expect(await hooks(engine).bytesInUse()).toBe(before);
  });

  it('a listener that throws disturbs nobody', async () => {
    const reported: unknown[] = [];
    const original = console.error;
    console.error = (error: unknown) => reported.push(error);
    try {
      const run = await model.run(text, {
        onLayer: () => {
          throw new Error('mine');
        },
      });
      await run.dispose();
    } finally {
      console.error = original;
    }
    expect(reported).toHaveLength(2);
  });

  it('inputs are copied when they are given', async () => {
    const ids = new Int32Array([1, 2, 3, 4]);
    const keyMask = new Uint8Array([1, 1, 0, 1]);
    const expected = await (await model.run({ ids }, { interventions: { keyMask } })).attentions();
    const pending = model.run({ ids }, { interventions: { keyMask } });
    ids.fill(0);
    keyMask.fill(1);
    expect(await (await pending).attentions()).toEqual(expected);
  });

  it('a run is disposed once, twice, and then says so', async () => {
    const run = await model.run(text);
    await run.dispose();
    await run.dispose();
    expect((await failure(run.attention(0, 0))).code).toBe('disposed');
    expect((await failure(run.hidden(0))).code).toBe('disposed');
  });

  it('a run outlives its model, and the memory goes with the last of them', async () => {
    const before = await hooks(engine).bytesInUse();
    const own = await engine.loadModel(TINY);
    const run = await own.run(text);
    await own.dispose();
    await own.dispose();
    expect((await failure(own.run(text))).code).toBe('disposed');
    expect(distance((await run.head(1, 1)).weights, await run.attention(1, 1))).toBe(0);
    expect(await hooks(engine).bytesInUse()).toBeGreaterThan(before);
    await run.dispose();
    expect(await hooks(engine).bytesInUse()).toBe(before);
  });

  it('an engine is disposed once, twice, and everything of it says so', async () => {
    const own = await createEngine();
    const loaded = await own.loadModel(TINY);
    const run = await loaded.run(text);
    const pending = failure(loaded.run(text));
    await own.dispose();
    await own.dispose();
    for (const call of [
      pending,
      failure(own.loadModel(TINY)),
      failure(loaded.run(text)),
      failure(run.hidden(0)),
    ])
      expect((await call).code).toBe('disposed');
    await run.dispose();
    await loaded.dispose();
  });
});
