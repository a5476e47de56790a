/** What arrays are for: names, shapes, the layout of the engine, and help where they do not fit. */
import { describe, expect, it } from 'vitest';
import {
  type CheckOptions,
  type CheckResult,
  checkRoles,
  type Kind,
  type NamedArray,
  type Role,
  type Roles,
  roleOfName,
  suggestRoles,
} from '../../web/src/arrays/index.ts';
import { COUNT, pick, type Random, SEED, seeded } from './support.ts';

const NONE = { count: 0, first: null };

const array = (name: string, shape: number[], data?: ArrayLike<number>): NamedArray => ({
  name,
  shape,
  data: data ? Float32Array.from(data) : Float32Array.from({ length: size(shape) }, (_, i) => i),
  dtype: '<f4',
  nonFinite: NONE,
  beyondSingle: NONE,
});

const size = (shape: readonly number[]) => shape.reduce((product, one) => product * one, 1);

/** A check that fits, of the kind that is expected. */
function fit<K extends Kind>(kind: K, roles: Roles, options?: CheckOptions) {
  const result = checkRoles(roles, options);
  if (!result.ok) throw new Error(result.problems.map(({ message }) => message).join(' '));
  expect(result.kind).toBe(kind);
  return result as Extract<CheckResult, { ok: true; kind: K }>;
}

function problemsOf(roles: Roles, options?: CheckOptions) {
  const result = checkRoles(roles, options);
  if (result.ok) throw new Error('fits');
  return result.problems;
}

const qkv = (q: number[], k: number[], v: number[]): Roles => ({
  queries: array('Q', q),
  keys: array('K', k),
  values: array('V', v),
});

describe('the name of an array tells its role', () => {
  const cases: Record<Role | 'none', string[]> = {
    queries: [
      'q',
      'Q',
      'query',
      'Queries',
      'to_q',
      'query_states',
      'query_layer',
      'blocks.0.attn.hook_q',
      'layer0_q',
      'q_1',
      '查询',
    ],
    keys: ['K', 'keys', 'key_states', 'attention.self.key', 'layers/3/k'],
    values: ['v', 'value', 'value-states', 'mat_v'],
    wQ: [
      'wq',
      'W_Q',
      'w^q',
      'q_proj',
      'q_proj.weight',
      'encoder.layer.0.attention.self.query.weight',
      'to_q.weight',
      'blocks.0.attn.W_Q',
      'query/kernel',
      'q_lin.weight',
    ],
    wK: ['Wk', 'k_proj_weight', 'key.weight'],
    wV: ['w_value', 'v_proj.weight'],
    wO: [
      'W_O',
      'o_proj.weight',
      'out_proj.weight',
      'to_out.0.weight',
      'attention.output.dense.weight',
    ],
    x: ['x', 'X', 'hidden', 'hidden_states', 'embeddings', 'inputs'],
    memory: ['memory', 'encoder_hidden_states'],
    weights: [
      'attn',
      'attention',
      'attentions',
      'attention_weights',
      'attn_probs',
      'weights',
      'blocks.0.attn.hook_pattern',
      '注意力',
    ],
    none: [
      '',
      'b_q',
      'q_proj.bias',
      'query.bias',
      'mask',
      'output',
      'intermediate.dense.weight',
      'LayerNorm.weight',
      'data',
    ],
  };
  it.each(Object.entries(cases))('%s', (role, names) => {
    expect(names.map((name) => [name, roleOfName(name)])).toEqual(
      names.map((name) => [name, role === 'none' ? null : role]),
    );
  });
});

describe('roles are suggested', () => {
  const suggested = (arrays: NamedArray[]) => {
    const { kind, roles, reasons, unused } = suggestRoles(arrays);
    const names = Object.fromEntries(Object.entries(roles).map(([role, one]) => [role, one.name]));
    return { kind, names, reasons, unused: unused.map(({ name }) => name) };
  };

  it('by names, in any order, and what is left over is named', () => {
    const arrays = ['values', 'mask', 'key', 'Q'].map((name) => array(name, [2, 2]));
    expect(suggested(arrays)).toEqual({
      kind: 'attention',
      names: { queries: 'Q', keys: 'key', values: 'values' },
      reasons: { queries: 'name', keys: 'name', values: 'name' },
      unused: ['mask'],
    });
  });

  it('as words and weights when those are there', () => {
    const arrays = ['v_proj.weight', 'x', 'q_proj.weight', 'k_proj.weight', 'q_proj.bias'].map(
      (name) => array(name, [2, 2]),
    );
    expect(suggested(arrays)).toMatchObject({
      kind: 'projections',
      names: { x: 'x', wQ: 'q_proj.weight', wK: 'k_proj.weight', wV: 'v_proj.weight' },
      unused: ['q_proj.bias'],
    });
  });

  it.each<[number, Kind | null, Role[]]>([
    [1, 'weights', ['weights']],
    [2, 'attention', ['queries', 'keys']],
    [3, 'attention', ['queries', 'keys', 'values']],
    [4, 'projections', ['x', 'wQ', 'wK', 'wV']],
    [5, 'projections', ['x', 'wQ', 'wK', 'wV', 'wO']],
    [6, null, []],
  ])('by their order where %i names do not say', (count, kind, roles) => {
    const arrays = Array.from({ length: count }, (_, i) => array(`data${i}`, [2, 2]));
    const found = suggestRoles(arrays);
    expect([found.kind, Object.keys(found.roles)]).toEqual([kind, roles]);
    expect(Object.values(found.reasons).every((reason) => reason === 'order')).toBe(true);
  });

  it('for the one that is missing when one array is left', () => {
    const arrays = [array('thing', [2, 2]), array('q', [2, 2]), array('k', [2, 2])];
    expect(suggested(arrays)).toMatchObject({
      names: { queries: 'q', keys: 'k', values: 'thing' },
      reasons: { values: 'order' },
    });
    expect(suggested([...arrays, array('other', [2, 2])]).names).toEqual({
      queries: 'q',
      keys: 'k',
    });
  });

  it('to nothing when there is nothing', () => {
    expect(suggested([])).toEqual({ kind: null, names: {}, reasons: {}, unused: [] });
    expect(suggested([array('scale', [])]).unused).toEqual(['scale']);
  });
});

describe('queries, keys and values', () => {
  it('of one head are taken as they are', () => {
    const { input, steps, notes, alternatives } = fit('attention', qkv([5, 8], [7, 8], [7, 3]));
    expect(input).toMatchObject({
      heads: 1,
      kvHeads: 1,
      queryLength: 5,
      keyLength: 7,
      headSize: 8,
      valueSize: 3,
    });
    expect([steps, notes, alternatives]).toEqual([[], [], []]);
    expect([...input.queries]).toEqual([...array('Q', [5, 8]).data]);
  });

  it('with heads side by side are split by the number that is chosen', () => {
    const { input, steps } = fit('attention', qkv([2, 4], [2, 4], [2, 6]), { heads: 2 });
    expect([...input.queries]).toEqual([0, 1, 4, 5, 2, 3, 6, 7]);
    expect(input).toMatchObject({ heads: 2, headSize: 2, valueSize: 3 });
    expect(steps.map(({ code, role, from, to }) => [code, role, from, to])).toEqual([
      ['split-heads', 'queries', [2, 4], [2, 2, 2]],
      ['split-heads', 'keys', [2, 4], [2, 2, 2]],
      ['split-heads', 'values', [2, 6], [2, 2, 3]],
    ]);
    expect(steps[0]!.message).toBe(
      'Queries "Q" [2, 4]: split into heads, [2, 4] became [2, 2, 2].',
    );
  });

  it('with heads second are moved, when only that fits or it is chosen', () => {
    const cross = fit('attention', qkv([5, 2, 4], [7, 2, 4], [7, 2, 3]));
    expect(cross.input).toMatchObject({ heads: 2, queryLength: 5, keyLength: 7, valueSize: 3 });
    expect(cross.steps.map(({ code }) => code)).toEqual(Array(3).fill('moved-heads'));
    const chosen = fit('attention', qkv([5, 2, 4], [5, 2, 4], [5, 2, 4]), {
      layout: 'heads-second',
    });
    expect(chosen.input).toMatchObject({ heads: 2, queryLength: 5 });
    const byHeads = fit('attention', qkv([5, 2, 4], [5, 2, 4], [5, 2, 4]), { heads: 2 });
    expect(byHeads.input).toEqual(chosen.input);
  });

  it('that can be read in two ways say the other way, which can be chosen', () => {
    const roles = qkv([5, 2, 4], [5, 2, 4], [5, 2, 4]);
    const first = fit('attention', roles);
    expect(first.input).toMatchObject({ heads: 5, queryLength: 2 });
    expect(first.alternatives.map(({ message }) => message)).toEqual([
      'Read as 2 heads of 4, 5 queries, 5 keys.',
    ]);
    const other = fit('attention', roles, first.alternatives[0]!.options);
    expect(other.input).toMatchObject({ heads: 2, queryLength: 5 });
  });

  it('in a batch of one lose it', () => {
    const { input, steps } = fit('attention', qkv([1, 2, 5, 4], [1, 2, 5, 4], [1, 2, 5, 4]));
    expect(input).toMatchObject({ heads: 2, queryLength: 5, headSize: 4 });
    expect(steps.map(({ code }) => code)).toEqual(Array(3).fill('removed-batch'));
    const flat = fit('attention', qkv([1, 5, 8], [1, 5, 8], [1, 5, 8]), { heads: 2 });
    expect(flat.input).toMatchObject({ heads: 2, queryLength: 5, headSize: 4 });
  });

  it('in a batch of several ask which', () => {
    const roles = qkv([3, 2, 5, 4], [3, 2, 5, 4], [3, 2, 5, 4]);
    const problems = problemsOf(roles);
    expect(problems.map(({ code, axis, found }) => [code, axis, found])).toEqual(
      Array(3).fill(['several-in-batch', 0, 3]),
    );
    expect(problemsOf(roles, { batch: 3 })[0]!.code).toBe('several-in-batch');
    const { input, steps } = fit('attention', roles, { batch: 2 });
    expect([...input.keys]).toEqual([...roles.keys!.data.slice(80)]);
    expect(steps[0]!.code).toBe('picked-batch');
  });

  it('may share keys among heads', () => {
    expect(fit('attention', qkv([8, 5, 4], [2, 6, 4], [2, 6, 4])).input).toMatchObject({
      heads: 8,
      kvHeads: 2,
      keyLength: 6,
    });
    expect(fit('attention', qkv([5, 32], [6, 8], [6, 8]), { heads: 8 }).input).toMatchObject({
      heads: 8,
      kvHeads: 2,
      headSize: 4,
      valueSize: 4,
    });
    expect(fit('attention', qkv([5, 32], [2, 6, 4], [2, 6, 4])).input.heads).toBe(8);
  });

  it('of which one is transposed are turned, when nothing else fits', () => {
    const { input, steps } = fit('attention', qkv([5, 8], [8, 7], [7, 3]));
    expect(steps.map(({ code, role }) => [code, role])).toEqual([['transposed', 'keys']]);
    expect([...input.keys.slice(0, 3)]).toEqual([0, 7, 14]);
    const heads = fit('attention', qkv([2, 5, 8], [2, 8, 7], [2, 7, 3]));
    expect(heads.input).toMatchObject({ heads: 2, keyLength: 7 });
  });

  it('are transposed when that is chosen, and not when it is not', () => {
    const roles = qkv([4, 4], [4, 4], [4, 4]);
    expect(fit('attention', roles).steps).toEqual([]);
    const { input } = fit('attention', roles, { transposed: ['keys'] });
    expect([...input.keys.slice(0, 4)]).toEqual([0, 4, 8, 12]);
    expect(problemsOf(qkv([5, 8], [8, 7], [7, 3]), { transposed: [] })[0]!.code).toBe(
      'length-mismatch',
    );
  });

  it('hand on the words of their rows', () => {
    const roles = qkv([2, 4], [3, 4], [3, 4]);
    const labelled = {
      ...roles,
      queries: { ...roles.queries!, labels: { rows: ['the', 'cat'] } },
      keys: { ...roles.keys!, labels: { rows: ['one', 'too', 'many', 'words'] } },
    };
    expect(fit('attention', labelled).labels).toEqual({ queries: ['the', 'cat'] });
  });

  it('with NaN in them are taken and say where', () => {
    const roles = qkv([2, 4], [3, 4], [3, 4]);
    const keys = { ...roles.keys!, nonFinite: { count: 2, first: [1, 3] } };
    const values = { ...roles.values!, beyondSingle: { count: 1, first: [0, 0] } };
    const { notes } = fit('attention', { ...roles, keys, values });
    expect(notes.map(({ code, role, found, position }) => [code, role, found, position])).toEqual([
      ['non-finite', 'keys', 2, [1, 3]],
      ['beyond-single', 'values', 1, [0, 0]],
    ]);
    expect(notes[0]!.message).toBe('Keys "K" [3, 4]: 2 NaN or infinite, the first at [1, 3].');
  });
});

describe('queries, keys and values that do not fit', () => {
  it.each<[string, Roles, CheckOptions, Record<string, unknown>, string]>([
    [
      'keys of another size',
      qkv([5, 8], [7, 9], [7, 9]),
      {},
      { code: 'size-mismatch', role: 'keys', axis: 1, expected: 8, found: 9 },
      'Keys "K" [7, 9]: dimension 2 is 9, expected 8, the size of queries "Q".',
    ],
    [
      'keys twice as wide',
      qkv([5, 8], [7, 16], [7, 16]),
      {},
      { code: 'size-mismatch', role: 'keys', axis: 1, expected: 8, found: 16 },
      'dimension 2 is 16, expected 8',
    ],
    [
      'values of another length',
      qkv([5, 8], [7, 8], [6, 4]),
      {},
      { code: 'length-mismatch', role: 'values', axis: 0, expected: 7, found: 6 },
      'Values "V" [6, 4]: dimension 1 is 6, expected 7, the length of keys "K".',
    ],
    [
      'values of another length behind a batch',
      qkv([1, 2, 5, 8], [1, 2, 7, 8], [1, 2, 6, 8]),
      {},
      { code: 'length-mismatch', role: 'values', axis: 2, expected: 7, found: 6 },
      'dimension 3 is 6',
    ],
    [
      'heads of another number',
      qkv([8, 5, 4], [3, 5, 4], [3, 5, 4]),
      { layout: 'heads-first' },
      { code: 'heads-mismatch', role: 'keys', axis: 0, found: 3 },
      'expected a divisor of 8',
    ],
    [
      'values of other heads than keys',
      qkv([8, 5, 4], [4, 6, 4], [2, 6, 4]),
      {},
      { code: 'heads-mismatch', role: 'values', axis: 0, expected: 4, found: 2 },
      'the heads of keys "K"',
    ],
    [
      'a number of heads that does not divide',
      qkv([5, 8], [5, 8], [5, 8]),
      { heads: 3 },
      { code: 'heads-do-not-divide', role: 'queries', axis: 1, found: 8 },
      'expected a multiple of 3, the chosen number of heads',
    ],
    [
      'a vector',
      qkv([8], [5, 8], [5, 8]),
      {},
      { code: 'too-few-dimensions', role: 'queries', found: 1 },
      'Queries "Q" [8]: expected 2 to 4 dimensions.',
    ],
    [
      'nothing in it',
      qkv([0, 8], [5, 8], [5, 8]),
      {},
      { code: 'empty-array', role: 'queries' },
      'it holds no numbers',
    ],
    [
      'two batches',
      qkv([2, 2, 2, 5, 8], [5, 8], [5, 8]),
      { batch: 0 },
      { code: 'too-many-dimensions', role: 'queries' },
      'too many dimensions',
    ],
    [
      'no values',
      { queries: array('Q', [2, 2]), keys: array('K', [2, 2]) },
      {},
      { code: 'missing-role', role: 'values' },
      'No array was chosen for values.',
    ],
  ])('because of %s are told by array and dimension', (_, roles, options, details, message) => {
    const [first] = problemsOf(roles, options);
    expect(first).toMatchObject(details);
    expect(first!.message).toContain(message);
  });

  it('are offered numbers of heads that do', () => {
    const roles = qkv([5, 8], [7, 4], [7, 4]);
    const [first] = problemsOf(roles);
    expect(first!.suggestions.map(({ options }) => options)).toEqual([
      { heads: 2 },
      { heads: 4 },
      { heads: 8 },
    ]);
    for (const { options } of first!.suggestions) fit('attention', roles, options);
  });

  it('are offered to change places', () => {
    const roles = qkv([7, 8], [5, 8], [7, 3]);
    const [first] = problemsOf(roles);
    expect(first!.suggestions.map(({ message }) => message)).toEqual([
      'Take "K" for queries and "Q" for keys.',
    ]);
    fit('attention', first!.suggestions[0]!.roles!);
  });

  it('say what is missing when nothing was chosen', () => {
    expect(checkRoles({})).toMatchObject({ ok: false, kind: null });
  });
});

describe('words and weights', () => {
  const given = (
    x: number[],
    q: number[],
    k: number[],
    v: number[],
    o?: number[],
    suffix = '',
  ): Roles => ({
    x: array('x', x),
    wQ: array(`W_Q${suffix}`, q),
    wK: array(`W_K${suffix}`, k),
    wV: array(`W_V${suffix}`, v),
    ...(o && { wO: array(`W_O${suffix}`, o) }),
  });

  it('as [in, out] are taken as they are', () => {
    const { input, steps } = fit('projections', given([5, 6], [6, 8], [6, 8], [6, 4], [4, 6]));
    expect(steps).toEqual([]);
    expect(input).toMatchObject({
      width: 6,
      heads: 1,
      headSize: 8,
      valueSize: 4,
      outputWidth: 6,
      queryLength: 5,
      keyLength: 5,
      memory: null,
    });
  });

  it('as [out, in] are transposed when their shape says so', () => {
    const { input, steps } = fit('projections', given([5, 6], [8, 6], [8, 6], [4, 6], [6, 4]));
    expect(steps.map(({ code, role }) => [code, role])).toEqual(
      ['wQ', 'wK', 'wV', 'wO'].map((role) => ['transposed', role]),
    );
    expect([...input.wQ.slice(0, 3)]).toEqual([0, 6, 12]);
  });

  it('that are square are what their names or one other matrix say, and offer the other order', () => {
    const square = [6, 6];
    const paper = fit('projections', given([5, 6], square, square, square, square));
    expect(paper.steps).toEqual([]);
    expect(paper.alternatives.map(({ options }) => options)).toEqual([{ weightOrder: 'out-in' }]);
    const torch = fit('projections', given([5, 6], square, square, square, square, '.weight'));
    expect(torch.steps.map(({ code }) => code)).toEqual(Array(4).fill('transposed'));
    const mixed = fit('projections', given([5, 6], square, square, [3, 6], [6, 3]));
    expect(mixed.steps.map(({ role }) => role)).toEqual(['wQ', 'wK', 'wV', 'wO']);
    expect(
      fit('projections', given([5, 6], square, square, square), { weightOrder: 'out-in' }).steps,
    ).toHaveLength(3);
  });

  it('of single heads are put side by side', () => {
    const { input } = fit('projections', given([5, 2], [2, 2, 1], [2, 2, 1], [2, 2, 3], [2, 3, 4]));
    expect(input).toMatchObject({ heads: 2, headSize: 1, valueSize: 3, outputWidth: 4 });
    expect([...input.wQ]).toEqual([0, 2, 1, 3]);
    expect([...input.wO!]).toEqual([...array('', [6, 4]).data]);
  });

  it('may share keys among heads, and look at another text', () => {
    const roles = given([5, 6], [6, 8], [6, 4], [6, 4], [8, 6]);
    const { input } = fit(
      'projections',
      { ...roles, memory: array('memory', [1, 7, 6]) },
      { heads: 4 },
    );
    expect(input).toMatchObject({ heads: 4, kvHeads: 2, headSize: 2, valueSize: 2, keyLength: 7 });
    expect(input.memory).toHaveLength(42);
  });

  it('without W_O have the heads side by side as output', () => {
    const { input } = fit('projections', given([5, 6], [6, 8], [6, 8], [6, 4]), { heads: 2 });
    expect([input.wO, input.outputWidth]).toEqual([null, 4]);
  });

  it.each<[Roles, CheckOptions, Record<string, unknown>]>([
    [
      given([5, 6], [7, 8], [6, 8], [6, 8]),
      {},
      { code: 'size-mismatch', role: 'wQ', axis: 0, expected: 6, found: 7 },
    ],
    [
      given([5, 6], [6, 8], [6, 9], [6, 8]),
      {},
      { code: 'size-mismatch', role: 'wK', axis: 1, expected: 8, found: 9 },
    ],
    [
      given([5, 6], [8, 6], [9, 6], [8, 6]),
      {},
      { code: 'size-mismatch', role: 'wK', axis: 0, expected: 8, found: 9 },
    ],
    [
      given([5, 6], [6, 8], [6, 8], [6, 8], [7, 6]),
      {},
      { code: 'size-mismatch', role: 'wO', axis: 0, expected: 8, found: 7 },
    ],
    [
      given([5, 6], [6, 8], [6, 8], [6, 8]),
      { heads: 3 },
      { code: 'heads-do-not-divide', role: 'wQ', axis: 1, found: 8 },
    ],
    [
      { ...given([5, 6], [6, 8], [6, 8], [6, 8]), memory: array('memory', [4, 5]) },
      {},
      { code: 'size-mismatch', role: 'memory', axis: 1, expected: 6, found: 5 },
    ],
    [
      { x: array('x', [5, 6]), wQ: array('W_Q', [6, 6]), wK: array('W_K', [6, 6]) },
      {},
      { code: 'missing-role', role: 'wV' },
    ],
  ])('that do not fit are told by matrix and dimension (%#)', (roles, options, details) => {
    expect(problemsOf(roles, options)[0]).toMatchObject(details);
  });

  it('that ask for heads offer them', () => {
    const roles = given([5, 6], [6, 8], [6, 4], [6, 4]);
    const [first] = problemsOf(roles);
    expect(first!.suggestions.map(({ options }) => options?.heads)).toEqual([2, 4, 8]);
  });
});

describe('ready-made weights', () => {
  const softmaxed = (heads: number, queries: number, keys: number, random: Random): number[] =>
    Array.from({ length: heads * queries }, () => {
      const row = Array.from({ length: keys }, () => 1 + random(9));
      const sum = row.reduce((a, b) => a + b);
      return row.map((value) => value / sum);
    }).flat();
  const random = seeded(SEED);

  it.each<[number[], [number, number, number]]>([
    [
      [4, 4],
      [1, 4, 4],
    ],
    [
      [3, 7],
      [1, 3, 7],
    ],
    [
      [2, 4, 4],
      [2, 4, 4],
    ],
    [
      [1, 2, 3, 5],
      [2, 3, 5],
    ],
  ])('of the shape %j are heads, queries and keys', (shape, sizes) => {
    const { input, report, notes } = fit('weights', {
      weights: array('a', shape, softmaxed(...sizes, random)),
    });
    expect([input.heads, input.queryLength, input.keyLength]).toEqual(sizes);
    expect(report.rowsSumToOne).toBe(true);
    expect(report.largestDeviation).toBeLessThan(1e-6);
    expect(notes).toEqual([]);
  });

  it('with heads last are moved when rows say so', () => {
    const canonical = softmaxed(2, 3, 3, random);
    const last = Array.from({ length: 18 }, (_, i) => canonical[(i % 2) * 9 + Math.floor(i / 2)]!);
    const { input, steps, alternatives } = fit('weights', { weights: array('a', [3, 3, 2], last) });
    expect([...input.weights]).toEqual(canonical.map(Math.fround));
    expect(steps.map(({ code }) => code)).toEqual(['moved-heads']);
    expect(alternatives.map(({ options }) => options)).toEqual([{ layout: 'heads-first' }]);
  });

  it('of several layers ask which', () => {
    const weights = array('a', [6, 2, 3, 3], softmaxed(12, 3, 3, random));
    expect(problemsOf({ weights })[0]).toMatchObject({ code: 'several-in-batch', found: 6 });
    expect([...fit('weights', { weights }, { batch: 5 }).input.weights]).toEqual([
      ...weights.data.slice(90),
    ]);
  });

  it('whose rows do not sum to 1 say which is furthest off', () => {
    const data = [0.5, 0.5, 1, 0, 0.25, 0.25, 0, 0];
    const { report, notes } = fit('weights', { weights: array('a', [2, 2, 2], data) });
    expect(report).toMatchObject({
      rowsSumToOne: false,
      largestDeviation: 0.5,
      largestAt: { head: 1, query: 0 },
      zeroRows: { count: 1, first: [1, 1] },
    });
    expect(notes.map(({ code, position }) => [code, position])).toEqual([
      ['rows-do-not-sum-to-one', [1, 0]],
    ]);
    expect(notes[0]!.message).toContain('off by 0.500 (head 1, query 0, from 0)');
  });

  it('whose columns sum to 1 are offered to be transposed', () => {
    const weights = array('a', [2, 2], [0.25, 0.5, 0.75, 0.5]);
    const { notes } = fit('weights', { weights });
    expect(notes.map(({ code }) => code)).toEqual(['columns-sum-to-one']);
    const turned = fit('weights', { weights }, notes[0]!.suggestions[0]!.options);
    expect([turned.report.rowsSumToOne, [...turned.input.weights]]).toEqual([
      true,
      [0.25, 0.75, 0.5, 0.5],
    ]);
  });

  it('with negative numbers may be scores, and NaN is placed', () => {
    const data = [1, 2, -1, 0, Number.NaN, 1];
    const { report, notes } = fit('weights', { weights: array('a', [1, 3, 2], data) });
    expect(report.negative).toEqual({ count: 1, first: [0, 1, 0] });
    expect(report.nonFinite).toEqual({ count: 1, first: [0, 2, 0] });
    expect(report.rowsSumToOne).toBe(false);
    expect(notes.map(({ code }) => code)).toContain('negative-weights');
  });

  it('in half precision may be off by its rounding', () => {
    const weights = { ...array('a', [1, 2], [0.5, 0.5015]), dtype: 'F16' };
    expect(fit('weights', { weights }).report.rowsSumToOne).toBe(true);
    expect(fit('weights', { weights: { ...weights, dtype: 'F32' } }).report.rowsSumToOne).toBe(
      false,
    );
  });

  it('hand on the words of rows and columns', () => {
    const weights = {
      ...array('a', [2, 2], [1, 0, 0, 1]),
      labels: { rows: ['a', 'b'], columns: ['c', 'd'] },
    };
    expect(fit('weights', { weights }).labels).toEqual({ queries: ['a', 'b'], keys: ['c', 'd'] });
    const turned = fit('weights', { weights }, { transposed: ['weights'] });
    expect(turned.labels).toEqual({ queries: ['c', 'd'], keys: ['a', 'b'] });
  });
});

describe(`layouts that are drawn (FUZZ_SEED=${SEED})`, () => {
  /** [H, T, d] rewritten; the last two dimensions change places where `turn`. */
  const write = (
    name: string,
    [heads, length, width]: [number, number, number],
    layout: string,
    turn: boolean,
  ) => {
    const canonical = Float32Array.from(
      { length: heads * length * width },
      (_, i) => Math.sin(i) + name.charCodeAt(0),
    );
    const shapes: Record<string, number[]> = {
      'heads-first': [heads, length, width],
      'heads-second': [length, heads, width],
      flat: [length, heads * width],
    };
    let shape = shapes[layout]!;
    let data = new Float32Array(canonical.length);
    for (let h = 0, i = 0; h < heads; h++)
      for (let t = 0; t < length; t++)
        for (let d = 0; d < width; d++, i++)
          data[layout === 'heads-first' ? i : (t * heads + h) * width + d] = canonical[i]!;
    if (turn) {
      const [rows, columns] = shape.slice(-2) as [number, number];
      const source = data;
      data = Float32Array.from(source, (_, i) => {
        const block = Math.floor(i / (rows * columns)) * rows * columns;
        return source[block + (i % rows) * columns + Math.floor((i - block) / rows)]!;
      });
      shape = [...shape.slice(0, -2), columns, rows];
    }
    return { canonical, array: array(name, shape, data) };
  };

  it('come to the order of the engine, number by number', () => {
    const random = seeded(SEED);
    for (let i = 0; i < COUNT; i++) {
      const kvHeads = 1 + random(3);
      const heads = kvHeads * (1 + random(3));
      const [queryLength, keyLength, headSize, valueSize] = [0, 0, 0, 0].map(
        () => 1 + random(5),
      ) as [number, number, number, number];
      const layout = pick(random, ['heads-first', 'heads-second', 'flat'] as const);
      const turned = (['queries', 'keys', 'values'] as const).filter(
        () => layout !== 'heads-second' && random(3) === 0,
      );
      const q = write('Q', [heads, queryLength, headSize], layout, turned.includes('queries'));
      const k = write('K', [kvHeads, keyLength, headSize], layout, turned.includes('keys'));
      const v = write('V', [kvHeads, keyLength, valueSize], layout, turned.includes('values'));
      const batched = (one: NamedArray) =>
        random(4) === 0 && one.shape.length === 3 ? { ...one, shape: [1, ...one.shape] } : one;
      const roles = { queries: batched(q.array), keys: batched(k.array), values: batched(v.array) };
      const options = { heads, transposed: turned, ...(layout !== 'flat' && { layout }) };
      const label = `${i}: ${JSON.stringify([layout, turned, Object.values(roles).map(({ shape }) => shape), heads, kvHeads])}`;
      const result = checkRoles(roles, options);
      expect(result.ok, label).toBe(true);
      expect((result as { input: unknown }).input, label).toEqual({
        queries: q.canonical,
        keys: k.canonical,
        values: v.canonical,
        heads,
        kvHeads,
        queryLength,
        keyLength,
        headSize,
        valueSize,
      });
    }
  });

  it('of any shapes fit, or say why, and what is suggested fits', () => {
    const random = seeded(SEED + 1);
    const all = [
      'queries',
      'keys',
      'values',
      'x',
      'memory',
      'wQ',
      'wK',
      'wV',
      'wO',
      'weights',
    ] as const;
    let [fitting, not, suggested] = [0, 0, 0];
    for (let i = 0; i < COUNT * 3; i++) {
      const from = pick(random, [all.slice(0, 3), all.slice(3, 9), all.slice(9)]);
      const rank = random(6);
      const sizes = [1, 2, 2, 4, 4, 8, 3].slice(0, 2 + random(6));
      const roles: Roles = {};
      for (const role of from)
        if (random(8) > 0)
          roles[role] = array(
            role,
            Array.from({ length: random(4) ? Math.max(2, rank) : random(6) }, () =>
              random(40) ? pick(random, sizes) : 0,
            ),
          );
      const options: CheckOptions = {
        ...(random(3) === 0 && { heads: 1 + random(5) }),
        ...(random(4) === 0 && {
          layout: pick(random, ['heads-first', 'heads-second', 'heads-last'] as const),
        }),
        ...(random(4) === 0 && { batch: random(3) }),
        ...(random(6) === 0 && { transposed: [pick(random, all)] }),
        ...(random(6) === 0 && { weightOrder: pick(random, ['in-out', 'out-in'] as const) }),
      };
      const label = `${i}: ${JSON.stringify([Object.values(roles).map(({ name, shape }) => [name, shape]), options])}`;
      const result = checkRoles(roles, options);
      if (result.ok) {
        fitting++;
        for (const { options: other } of result.alternatives)
          expect(checkRoles(roles, other).ok, label).toBe(true);
        continue;
      }
      not++;
      expect(result.problems.length, label).toBeGreaterThan(0);
      for (const { message, suggestions, code } of result.problems) {
        expect(message, label).toMatch(/^[A-Z].*\.$/);
        if (code === 'several-in-batch') continue;
        for (const { options: other = options, roles: others = roles } of suggestions) {
          suggested++;
          expect(checkRoles(others, other).ok, label).toBe(true);
        }
      }
    }
    expect(Math.min(fitting, not, suggested)).toBeGreaterThan(10);
  });
});
