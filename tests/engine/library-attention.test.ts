/** engine.attention beyond the golden cases: defaults, masks, degenerate sizes, NaN, and every wrong argument. */
import { type AttentionInput, createEngine, type Engine } from 'headlights';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { distance } from './support/golden.ts';
import { failure, hooks } from './support/library.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await createEngine();
});
afterAll(() => engine.dispose());

/** Numbers that look random and are always the same. */
function numbers(count: number, seed: number): Float32Array {
  let state = seed;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  });
}

const input = (more: Partial<AttentionInput> = {}): AttentionInput => ({
  queries: numbers(2 * 4 * 8, 1),
  keys: numbers(2 * 4 * 8, 2),
  values: numbers(2 * 4 * 8, 3),
  heads: 2,
  queryLength: 4,
  headSize: 8,
  ...more,
});

describe('attention over given matrices', () => {
  it('has the defaults of the documentation', async () => {
    const spelled = input({
      kvHeads: 2,
      keyLength: 4,
      valueSize: 8,
      scale: 1 / Math.sqrt(8),
      mask: 'none',
      kernel: 'explained',
    });
    expect(await engine.attention(input())).toEqual(await engine.attention(spelled));
  });

  it('gives scores before the mask', async () => {
    const plain = await engine.attention(input());
    const masked = await engine.attention(input({ mask: 'causal' }));
    expect(masked.scores).toEqual(plain.scores);
    expect(masked.weights![1]).toBe(0);
  });

  it('has values of another size', async () => {
    const { context } = await engine.attention(
      input({ values: numbers(2 * 4 * 3, 3), valueSize: 3 }),
    );
    expect(context).toHaveLength(2 * 4 * 3);
  });

  it('combines a key mask with a window', async () => {
    const { weights } = await engine.attention(
      input({ mask: { window: 1 }, keyMask: Uint8Array.of(1, 0, 1, 1) }),
    );
    for (let cell = 0; cell < weights!.length; cell++) {
      const [row, column] = [Math.floor(cell / 4) % 4, cell % 4];
      const seen = Math.abs(row - column) <= 1 && column !== 1;
      if (seen) expect(weights![cell]).toBeGreaterThan(0);
      else expect(weights![cell]).toBe(0);
    }
  });

  it('a window that is causal too sees only what is before', async () => {
    const { weights } = await engine.attention(input({ mask: { window: 1, causal: true } }));
    expect([...weights!.slice(0, 4)]).toEqual([1, 0, 0, 0]);
    expect(weights![7]).toBe(0);
    expect(weights![6]).toBe(0);
    expect(weights![5]! + weights![4]!).toBeCloseTo(1, 6);
  });

  it('a query that sees nothing has weights 0 and context 0', async () => {
    const { weights, context, nonFinite } = await engine.attention(
      input({ keyMask: new Uint8Array(4) }),
    );
    expect(weights!.every((value) => value === 0)).toBe(true);
    expect(context.every((value) => value === 0)).toBe(true);
    expect(nonFinite).toBe(0);
  });

  it.each(['explained', 'flash', 'reference'] as const)(
    'kernel %s takes no queries and no keys',
    async (kernel) => {
      const none = new Float32Array(0);
      const noQueries = await engine.attention(
        input({ queries: none, queryLength: 0, keyLength: 4, kernel }),
      );
      expect(noQueries.context).toHaveLength(0);
      const noKeys = await engine.attention(
        input({ keys: none, values: none, keyLength: 0, kernel }),
      );
      expect(noKeys.context).toHaveLength(64);
      expect(noKeys.context.every((value) => value === 0)).toBe(true);
    },
  );

  it('lets NaN and infinity through and counts them', async () => {
    const values = numbers(64, 3);
    values[0] = Number.NaN;
    values[9] = Number.POSITIVE_INFINITY;
    const { context, nonFinite } = await engine.attention(input({ values }));
    expect(nonFinite).toBe(context.filter((value) => !Number.isFinite(value)).length);
    expect(nonFinite).toBeGreaterThan(0);
  });

  it('causal rows ignore the future exactly', async () => {
    const keys = numbers(64, 2);
    const before = await engine.attention(input({ keys, mask: 'causal' }));
    const changed = keys.slice();
    changed.fill(9, 24, 32);
    const after = await engine.attention(input({ keys: changed, mask: 'causal' }));
    expect(after.weights!.slice(0, 12)).toEqual(before.weights!.slice(0, 12));
  });

  it('copies its inputs when they are given', async () => {
    const given = input();
    const expected = await engine.attention(given);
    const pending = engine.attention(given);
    given.queries.fill(0);
    expect(await pending).toEqual(expected);
    expect(given.queries.byteLength).toBe(256);
  });

  it('takes a part of a larger array', async () => {
    const large = numbers(100, 1);
    const part = large.subarray(10, 74);
    const found = await engine.attention(input({ queries: part }));
    const copy = await engine.attention(input({ queries: part.slice() }));
    expect(found).toEqual(copy);
  });

  it('leaves no memory behind, also when it fails', async () => {
    const before = await hooks(engine).bytesInUse();
    for (let i = 0; i < 50; i++) await engine.attention(input({ mask: 'causal' }));
    const huge = { queryLength: 60_000, queries: new Float32Array(60_000 * 2), headSize: 1 };
    const found = await failure(
      engine.attention(input({ ...huge, keys: huge.queries, values: huge.queries })),
    );
    expect(found.code).toBe('out-of-memory');
    expect(await hooks(engine).bytesInUse()).toBe(before);
    expect(
      distance(
        (await engine.attention(input())).context,
        (await engine.attention(input())).context,
      ),
    ).toBe(0);
  });

  it.each([
    ['nothing', undefined, 'bad-argument', /object/],
    [
      'queries of another type',
      { queries: [1, 2] },
      'bad-argument',
      /queries must be a Float32Array/,
    ],
    [
      'queries of another length',
      { queries: new Float32Array(3) },
      'bad-shape',
      /queries has 3 entries.*64/,
    ],
    ['keys of another length', { keys: new Float32Array(3) }, 'bad-shape', /keys has 3/],
    ['values of another length', { values: new Float32Array(3) }, 'bad-shape', /values has 3/],
    ['no heads', { heads: 0 }, 'bad-argument', /heads/],
    ['half a head', { heads: 1.5 }, 'bad-argument', /heads/],
    ['heads as text', { heads: '2' }, 'bad-argument', /heads/],
    ['a negative length', { queryLength: -1 }, 'bad-argument', /queryLength/],
    ['a head size of 0', { headSize: 0 }, 'bad-argument', /headSize/],
    ['heads that cannot share', { heads: 2, kvHeads: 3 }, 'bad-shape', /share 3/],
    ['a scale that is not finite', { scale: Number.NaN }, 'bad-argument', /scale/],
    ['a scale beyond single precision', { scale: 1e39 }, 'bad-argument', /scale/],
    ['an unknown mask', { mask: 'diagonal' }, 'bad-argument', /mask/],
    [
      'a mask of another length',
      { mask: new Uint8Array(3) },
      'bad-shape',
      /mask has 3 entries.*16/,
    ],
    ['a mask that is a list', { mask: [1, 1] }, 'bad-argument', /mask/],
    ['a window of half a key', { mask: { window: 0.5 } }, 'bad-argument', /mask\.window/],
    ['a key mask of another length', { keyMask: new Uint8Array(3) }, 'bad-shape', /keyMask has 3/],
    ['an unknown kernel', { kernel: 'fast' }, 'bad-argument', /'flash'/],
  ])('refuses %s', async (_name, change, code, message) => {
    const given = change === undefined ? undefined : input(change as object);
    const found = await failure(engine.attention(given as AttentionInput));
    expect(found.code).toBe(code);
    expect(found.message).toMatch(message);
  });
});
