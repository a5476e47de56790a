/** The comparison of layers against table 1 of Vaswani et al. 2017, worked out for given sizes. */
import { expect, test } from 'vitest';
import { compareLayers, stackHeight } from '../../web/src/calculator/comparison.ts';
import { letters } from '../../web/src/calculator/expression.ts';
import { settings } from './support.ts';

const table = (changes: Parameters<typeof settings>[1]) =>
  compareLayers(settings('base', changes)).map(({ kind, operations, sequential, path, least }) => ({
    ...{ kind, operations, sequential, path, least },
  }));

test('n 100, d 512, k 3, r 20', () => {
  expect(table({ n: '100', k: '3', r: '20' })).toEqual([
    { kind: 'attention', operations: 5_120_000n, sequential: 1n, path: 1n, least: false },
    { kind: 'recurrent', operations: 26_214_400n, sequential: 100n, path: 100n, least: false },
    { kind: 'convolutional', operations: 78_643_200n, sequential: 1n, path: 5n, least: false },
    { kind: 'restricted', operations: 1_024_000n, sequential: 1n, path: 5n, least: true },
  ]);
});

test('the terms are those of the table', () => {
  const terms = compareLayers(settings('base')).map(({ complexity }) =>
    letters(complexity)
      .map((part) => part.text)
      .join(''),
  );
  expect(terms).toEqual(['n2 · d', 'n · d2', 'k · n · d2', 'r · n · d']);
});

test('attention and recurrence cost the same where the text is as long as the width', () => {
  const [attention, recurrent] = table({ n: '512' });
  expect(attention!.operations).toBe(recurrent!.operations);
});

test('a neighbourhood larger than the text is the whole text', () => {
  const [attention, , , restricted] = table({ n: '10', r: '64' });
  expect(restricted).toMatchObject({ operations: attention!.operations, path: 1n });
  expect(attention!.least && restricted!.least).toBe(true);
});

test('a stack of convolutions reaches everything with log_k(n) layers, rounded up', () => {
  for (const [n, k, layers] of [
    [1, 3, 1],
    [3, 3, 1],
    [4, 3, 2],
    [9, 3, 2],
    [10, 3, 3],
    [1024, 2, 10],
    [1025, 2, 11],
    [512, 1_000_000, 1],
  ] as const)
    expect(stackHeight(BigInt(n), BigInt(k)), `${n}, ${k}`).toBe(BigInt(layers));
});
