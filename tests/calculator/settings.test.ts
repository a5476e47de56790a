/** What a reader may type into the fields, and what is said of what cannot be used. */
import { describe, expect, test } from 'vitest';
import { divisorsNear, readDraft, readField } from '../../web/src/calculator/settings.ts';
import { draft } from './support.ts';

describe('a field', () => {
  test.each([
    ['512', 512],
    [' 512 ', 512],
    ['1,024', 1024],
    ['12 288', 12_288],
    ['１２８', 128],
    ['1e3', 1000],
    ['64.0', 64],
    ['007', 7],
  ])('%j is the number %i', (typed, value) => {
    expect(readField('d', typed)).toBe(value);
  });

  test.each([
    ['', 'empty'],
    ['   ', 'empty'],
    ['-8', 'small'],
    ['−8', 'small'],
    ['0', 'small'],
    ['abc', 'letters'],
    ['8 heads', 'letters'],
    ['NaN', 'letters'],
    ['Infinity', 'letters'],
    ['0x10', 'letters'],
    ['1,2', 'letters'],
    ['八', 'letters'],
    ['<b>8</b>', 'letters'],
    ['2.5', 'fraction'],
    ['1e99', 'large'],
    ['99999999999999999999999', 'large'],
    ['1e999', 'large'],
  ])('%j is refused as %s', (typed, code) => {
    expect(readField('d', typed)).toEqual({ code });
  });

  test('may be left empty where that means something', () => {
    for (const id of ['dk', 'kv', 'ff', 'vocab'] as const) expect(readField(id, ' ')).toBeNull();
    const { settings } = readDraft(draft('base', { ff: '', vocab: '' }));
    expect(settings).toMatchObject({ dk: 64, kv: 8, ff: 0, vocab: 0 });
  });
});

describe('fields together', () => {
  test('heads that do not divide the width are refused, with heads that do', () => {
    const { settings, faults } = readDraft(draft('base', { h: '7' }));
    expect(settings).toBeNull();
    expect(faults).toEqual({ h: { code: 'heads', near: [8, 4, 16, 2] } });
  });

  test('with a width of a head any number of heads goes', () => {
    expect(readDraft(draft('base', { h: '7', dk: '64' })).settings).toMatchObject({ h: 7, dk: 64 });
  });

  test('key-value heads must divide the heads', () => {
    const { faults } = readDraft(draft('llama3', { kv: '5' }));
    expect(faults).toEqual({ kv: { code: 'groups', near: [4, 8, 2, 16] } });
    expect(readDraft(draft('llama3', { kv: '64' })).faults.kv).toMatchObject({ code: 'groups' });
  });

  test('a fault of one field is not told at another', () => {
    const { faults } = readDraft(draft('base', { d: 'x', h: '7' }));
    expect(Object.keys(faults)).toEqual(['d']);
  });

  test('suggested divisors do divide', () => {
    for (const [of, wish] of [
      [512, 7],
      [997, 4],
      [1, 5],
      [1_000_000, 999],
    ] as const)
      for (const value of divisorsNear(of, wish)) expect(of % value).toBe(0);
    expect(divisorsNear(997, 4)).toEqual([1, 997]);
  });
});
