/** What is printed is what is computed: the printed numbers, worked out by another program, give the result. */
import { describe, expect, test } from 'vitest';
import {
  memoryCounts,
  ofSequence,
  parameterCounts,
  workCounts,
} from '../../web/src/calculator/counts.ts';
import {
  evaluate,
  letters,
  numbers,
  type Part,
  product,
  square,
  sum,
} from '../../web/src/calculator/expression.ts';
import { type Settings, valuesOf } from '../../web/src/calculator/settings.ts';
import { anySettings, randomFrom, settings } from './support.ts';

const plain = (parts: readonly Part[]): string =>
  parts
    .map((part) => {
      if (part.kind === 'power') return `^${part.text}`;
      if (part.kind === 'letter' && part.index) return `${part.text}_${part.index}`;
      return part.text;
    })
    .join('');

/** A reader with pencil and paper: + − × ^2 and brackets, ½ doubled away; rounded up at the end. */
function byHand(text: string): bigint {
  const tokens = text.match(/\d+|[½+−×()^]/g)!;
  let at = 0;
  /** Doubled value. */
  const factor = (): [bigint, bigint] => {
    const token = tokens[at++]!;
    let value: [bigint, bigint];
    if (token === '(') {
      value = total();
      at++;
    } else value = token === '½' ? [1n, 2n] : [BigInt(token), 1n];
    if (tokens[at] !== '^') return value;
    at += 2;
    return [value[0] ** 2n, value[1] ** 2n];
  };
  const term = (): [bigint, bigint] => {
    let [above, below] = factor();
    while (tokens[at] === '×') {
      at++;
      const [a, b] = factor();
      [above, below] = [above * a, below * b];
    }
    return [above, below];
  };
  const total = (): [bigint, bigint] => {
    let [above, below] = term();
    while (tokens[at] === '+' || tokens[at] === '−') {
      const sign = tokens[at++] === '+' ? 1n : -1n;
      const [a, b] = term();
      [above, below] = [above * b + sign * a * below, below * b];
    }
    return [above, below];
  };
  const [above, below] = total();
  expect(at, text).toBe(tokens.length);
  return above / below + (above % below > 0n ? 1n : 0n);
}

function allCounts(of: Settings) {
  const { separate, joined, rows, weights } = parameterCounts(of);
  const { cache, scores } = memoryCounts(of);
  const work = workCounts(of).rows;
  return [
    separate,
    joined,
    ...rows,
    weights,
    ...cache,
    ...scores,
    ...work,
    ...work.map(ofSequence),
  ];
}

describe('a printed formula', () => {
  test('gives its result when worked out by hand, for any sizes', () => {
    const seed = Date.now();
    const random = randomFrom(seed);
    for (let i = 0; i < 100; i++) {
      const any = anySettings(random);
      const values = valuesOf(any);
      for (const { id, of } of allCounts(any)) {
        const printed = plain(numbers(of, values, String));
        expect(byHand(printed), `seed ${seed}, ${i}, ${id}: ${printed}`).toBe(evaluate(of, values));
      }
    }
  });

  test('the pencil would notice a wrong result', () => {
    expect(byHand('2 × (3 + 4) − 5^2')).toBe(-11n);
    expect(byHand('5 × ½')).toBe(3n);
    expect(byHand('2 × 3 + 4')).not.toBe(14n);
  });

  test('has the same shape in letters and in numbers', () => {
    const base = settings('base');
    const { separate, joined, rows } = parameterCounts(base);
    const write = (value: bigint) => value.toLocaleString('en');
    const both = ({ of }: typeof joined) => [
      plain(letters(of)),
      plain(numbers(of, valuesOf(base), write)),
    ];
    expect(both(joined)).toEqual(['d · (h · d_k)', '512 × (8 × 64)']);
    expect(both(separate)).toEqual(['h · (d · d_k)', '8 × (512 × 64)']);
    expect(both(rows.find(({ id }) => id === 'biases')!)).toEqual([
      '(h + 2 · h_kv) · d_k + d',
      '(8 + 2 × 8) × 64 + 512',
    ]);
  });

  test('writes squares and half bytes', () => {
    const values = valuesOf(settings('base', { dtype: 'int4' }));
    const of = product(square('n'), 'b');
    expect(plain(letters(of))).toBe('n^2 · b');
    expect(plain(numbers(of, values, String))).toBe('512^2 × ½');
    expect(evaluate(of, values)).toBe(131_072n);
    expect(plain(letters(product(sum('n', 1), 'b')))).toBe('(n + 1) · b');
  });

  test('has no letter twice for two results of one table', () => {
    const any = settings('llama3', { bias: true });
    const { rows, weights } = parameterCounts(any);
    const { cache, scores } = memoryCounts(any);
    const symbols = [...rows, weights, ...cache, ...scores, ...workCounts(any).rows].map(
      ({ symbol }) => symbol,
    );
    expect([...new Set(symbols)].sort()).toEqual([...symbols].sort());
  });
});
