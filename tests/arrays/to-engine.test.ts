/** From a file to the engine: what is read and arranged is what the engine takes, and gives the attention of a formula. */
import { type AttentionInput, createEngine, type Engine, type MultiHeadInput } from 'headlights';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkRoles, readArrays, suggestRoles } from '../../web/src/arrays/index.ts';
import { npyData, npyFile, npyHeader, seeded } from './support.ts';
import { zipFile } from './zip-writer.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await createEngine();
});
afterAll(() => engine.dispose());

/** softmax(q k / sqrt(d)) of one query. */
function softmax(query: readonly number[], keys: readonly (readonly number[])[]): number[] {
  const scores = keys.map(
    (key) => key.reduce((sum, value, d) => sum + value * query[d]!, 0) / Math.sqrt(query.length),
  );
  const powers = scores.map((score) => Math.exp(score - Math.max(...scores)));
  const sum = powers.reduce((a, b) => a + b);
  return powers.map((power) => power / sum);
}

it('a .npz of [T, H, d] in Fortran order and big-endian doubles becomes the weights of every head', async () => {
  const random = seeded(5);
  const [queries, keys, heads, size] = [3, 5, 2, 4];
  const draw = (count: number) => Array.from({ length: count }, () => (random(2001) - 1000) / 500);
  const given = {
    query: { values: draw(queries * heads * size), length: queries },
    key: { values: draw(keys * heads * size), length: keys },
    value: { values: draw(keys * heads * size), length: keys },
  };
  const parts = Object.entries(given).map(([name, { values, length }]) => {
    const shape = [length, heads, size];
    const data = npyData(values, shape, 'f8', false, true);
    return {
      name: `${name}.npy`,
      data: npyFile(npyHeader('>f8', true, shape), data),
      deflated: true,
    };
  });
  const { arrays } = await readArrays({ name: 'own.npz', bytes: zipFile(parts) });
  const result = checkRoles(suggestRoles(arrays).roles, { heads });
  if (!result.ok || result.kind !== 'attention') throw new Error('does not fit');
  const input: AttentionInput = result.input;
  const { weights } = await engine.attention(input);

  const row = (values: number[], token: number, head: number) =>
    values.slice((token * heads + head) * size, (token * heads + head + 1) * size);
  for (let head = 0; head < heads; head++)
    for (let query = 0; query < queries; query++) {
      const all = Array.from({ length: keys }, (_, key) => row(given.key.values, key, head));
      const expected = softmax(row(given.query.values, query, head), all);
      for (const [key, weight] of expected.entries())
        expect(weights![(head * queries + query) * keys + key]).toBeCloseTo(weight, 5);
    }
});

it('weights as PyTorch keeps them give the queries that PyTorch would', async () => {
  const x = [1, 2, 3, 4, 5, 6];
  const rows = [1, 0, -1, 2, 1, 0, 0, 3, 1, 1, 1, 1]; // [out, in] = [4, 3]
  const file = (values: number[], shape: number[]) =>
    npyFile(npyHeader('<f4', false, shape), npyData(values, shape, 'f4'));
  const names = ['q_proj', 'k_proj', 'v_proj'].map((name) => `${name}.weight.npy`);
  const bytes = zipFile([
    { name: 'x.npy', data: file(x, [2, 3]) },
    ...names.map((name) => ({ name, data: file(rows, [4, 3]) })),
    { name: 'o_proj.weight.npy', data: file(rows, [3, 4]) },
  ]);
  const { arrays } = await readArrays({ name: 'layer.npz', bytes });
  const result = checkRoles(suggestRoles(arrays).roles, { heads: 2 });
  if (!result.ok || result.kind !== 'projections') throw new Error('does not fit');
  const { wO, memory, ...input } = result.input;
  const given: MultiHeadInput = { ...input, wO: wO!, memory: memory ?? undefined };
  const { queries, concat, output } = await engine.multiHead(given);

  const times = (vector: ArrayLike<number>, from: number, out: number) => {
    const size = rows.length / out;
    return Array.from({ length: size }, (_, d) => d).reduce(
      (sums, d) => sums.map((sum, o) => sum + vector[from + d]! * rows[o * size + d]!),
      Array<number>(out).fill(0),
    );
  };
  const [first, second] = [times(x, 0, 4), times(x, 3, 4)];
  const byHead = [first.slice(0, 2), second.slice(0, 2), first.slice(2), second.slice(2)].flat();
  expect([...queries]).toEqual(byHead);
  for (const [token, from] of [0, 4].entries())
    for (const [o, sum] of times(concat, from, 3).entries())
      expect(output[token * 3 + o]).toBeCloseTo(sum, 3);
});

it('weights that the engine gave are recognised as attention', async () => {
  const { arrays } = await readArrays({
    name: 'qkv.json',
    text: '{"Q": [[1, 2]], "K": [[3, 4], [5, 6]], "V": [[1], [2]]}',
  });
  const result = checkRoles(suggestRoles(arrays).roles);
  if (!result.ok || result.kind !== 'attention') throw new Error('does not fit');
  const { weights } = await engine.attention(result.input);
  const text = `,a,b\nq,${weights![0]},${weights![1]}\nq,${weights![0]},${weights![1]}`;
  const again = await readArrays({ name: 'attention.csv', text });
  const check = checkRoles(suggestRoles(again.arrays).roles);
  if (!check.ok || check.kind !== 'weights') throw new Error('is not recognised');
  expect(check.report.rowsSumToOne).toBe(true);
  expect(check.labels).toEqual({ queries: ['q', 'q'], keys: ['a', 'b'] });
});
