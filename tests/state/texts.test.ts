/** The texts of the page: both languages say the same things with the same numbers. */

import { afterEach, describe, expect, test } from 'vitest';
import { en } from '../../web/src/i18n/en/index.ts';
import {
  formatBytes,
  formatNumber,
  hasText,
  preferredLanguage,
  setLanguage,
  type TextKey,
  t,
} from '../../web/src/i18n/index.ts';
import { zh } from '../../web/src/i18n/zh/index.ts';

afterEach(() => setLanguage('en'));

/** Names of the parameters in a text. */
function parameters(text: string): string[] {
  return [...new Set([...text.matchAll(/\{(\w+)/g)].map((match) => match[1]!))].sort();
}

describe('both languages', () => {
  test.each(Object.keys(en) as TextKey[])('%s names the same parameters', (key) => {
    expect(parameters(zh[key])).toEqual(parameters(en[key]));
  });

  test('Chinese texts are Chinese', () => {
    // Names, numbers and signs only are the same in both.
    const same = (Object.keys(en) as TextKey[]).filter((key) => zh[key] === en[key]);
    for (const key of same)
      expect(en[key].replace(/\{\w+\}/g, ''), key).not.toMatch(/[a-z]{4,} [a-z]/i);
  });

  test('Chinese texts have no middle dot, which Chinese fonts draw as wide as a character', () => {
    for (const [key, text] of Object.entries(zh))
      if (key !== 'inside.row.dot') expect(text, key).not.toContain('·');
  });

  test('no text has a straight apostrophe between letters', () => {
    for (const [key, text] of Object.entries(en)) expect(text, key).not.toMatch(/[a-z]'[a-z]/i);
  });
});

describe('t', () => {
  test('fills in parameters and leaves what it does not get', () => {
    expect(t('load.bytes', { loaded: '1', total: '2 MB' })).toBe('1 of 2 MB');
    expect(t('load.bytes', { loaded: '1' })).toBe('1 of {total}');
  });

  test('takes the form that goes with a number', () => {
    const cut = (words: number) => t('note.truncated', { limit: 512, words, tokens: 1 });
    expect(cut(1)).toBe('Cut at 512 tokens; 1 word (1 token) left out.');
    expect(cut(2490)).toBe('Cut at 512 tokens; 2,490 words (1 token) left out.');
  });

  test('fills in the parameters of that form', () => {
    const masked = (count: number) => t('inside.row.someMasked', { count });
    expect(masked(1)).toMatch(/^The mask hides one token: /);
    expect(masked(2400)).toMatch(/^The mask hides 2,400 tokens: /);
  });

  test('does not read parameters as patterns', () => {
    expect(t('load.bytes', { loaded: '$&', total: '{loaded}' })).toBe('$& of {loaded}');
  });

  test('speaks the language that is set', () => {
    setLanguage('zh');
    expect(t('load.pause')).toBe(zh['load.pause']);
    expect(hasText('load.pause')).toBe(true);
    expect(hasText('toString')).toBe(false);
  });
});

describe('numbers and languages', () => {
  test.each([
    [0, '0 kB'],
    [82_185, '82 kB'],
    [11_579_398, '11.6 MB'],
    [35_413_510, '35.4 MB'],
    [600_000_000, '600 MB'],
  ])('%i bytes are %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });

  test('decimals are cut where they end, or fixed', () => {
    expect(formatNumber(0.0354, 3)).toBe('0.035');
    expect(formatNumber(0.5, 3)).toBe('0.5');
    expect(formatNumber(0.5, 2, true)).toBe('0.50');
    expect(formatNumber(12345)).toBe('12,345');
  });

  test('the first language that the page speaks is taken', () => {
    expect(preferredLanguage(['fr-FR', 'zh-TW', 'en'])).toBe('zh');
    expect(preferredLanguage(['en-GB', 'zh'])).toBe('en');
    expect(preferredLanguage(['fr'])).toBe('en');
    expect(preferredLanguage([])).toBe('en');
  });
});
