/** Texts that only some pages load: both languages say the same with the same parameters. */
import { afterEach, describe, expect, test } from 'vitest';
import '../../web/src/i18n/calculator.ts';
import { calculator } from '../../web/src/i18n/en/calculator.ts';
import { en } from '../../web/src/i18n/en/index.ts';
import { site } from '../../web/src/i18n/en/site.ts';
import { hasText, setLanguage, t } from '../../web/src/i18n/index.ts';
import { calculator as calculatorZh } from '../../web/src/i18n/zh/calculator.ts';
import { zh } from '../../web/src/i18n/zh/index.ts';
import { site as siteZh } from '../../web/src/i18n/zh/site.ts';

afterEach(() => setLanguage('en'));

const english: Record<string, string> = { ...calculator, ...site };
const chinese: Record<string, string> = { ...calculatorZh, ...siteZh };
const parameters = (text: string) =>
  [...new Set([...text.matchAll(/\{(\w+)/g)].map((match) => match[1]!))].sort();

describe('texts of the calculator', () => {
  test.each(Object.keys(english))('%s names the same parameters', (key) => {
    expect(parameters(chinese[key]!)).toEqual(parameters(english[key]!));
  });

  test('are Chinese where they are sentences', () => {
    for (const [key, text] of Object.entries(english))
      if (/[a-z]{4,} [a-z]{2,} [a-z]/.test(text))
        expect(chinese[key], key).toMatch(/\p{Script=Han}/u);
  });

  test('are added to the page’s, in both languages', () => {
    expect(t('calculator.count.cacheToken')).toBe('One token, all layers');
    setLanguage('zh');
    expect(t('calculator.count.cacheToken')).toBe(calculatorZh['calculator.count.cacheToken']);
    expect(t('page.theme')).toBe(zh['page.theme']);
  });

  test('are not among those that every page loads', () => {
    expect(Object.keys(en).filter((key) => key.startsWith('calculator.'))).toEqual([]);
    expect(hasText('page.theme')).toBe(true);
  });

  test('one token is not many', () => {
    expect(t('calculator.figure.work', { n: 1 })).toBe('to read one token');
    expect(t('calculator.figure.work', { n: 8192 })).toBe('to read 8,192 tokens');
  });
});
