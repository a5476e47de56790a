/** The calculator's link: everything comes back, and whatever stands in it, something can be shown. */
import { describe, expect, test } from 'vitest';
import { decodeLink, encodeLink, type PageChoices } from '../../web/src/calculator/link.ts';
import { PRESET_IDS, presetDraft } from '../../web/src/calculator/presets.ts';
import { type Draft, readDraft } from '../../web/src/calculator/settings.ts';
import { anySettings, draft, randomFrom } from './support.ts';

const PLAIN: PageChoices = { lang: null, theme: null, full: false };

describe('a link', () => {
  test('an empty one is the base model of the paper', () => {
    expect(decodeLink('')).toEqual({ draft: presetDraft('base'), choices: PLAIN, bad: [] });
    expect(decodeLink('#lang=zh&theme=dark').draft).toEqual(presetDraft('base'));
  });

  test.each(PRESET_IDS)('%s comes back as it was', (id) => {
    const choices: PageChoices = { lang: 'zh', theme: 'dark', full: true };
    expect(decodeLink(`#${encodeLink(presetDraft(id), choices)}`)).toEqual({
      ...{ draft: presetDraft(id), choices, bad: [] },
    });
  });

  test('is readable', () => {
    const given = draft('base', { ff: '', vocab: '', out: 'none', n: '1,024' });
    expect(encodeLink(given, PLAIN)).toBe('d=512&h=8&layers=6&n=1024&dtype=fp32');
  });

  test('any sizes come back', () => {
    const seed = Date.now();
    const random = randomFrom(seed);
    for (let i = 0; i < 200; i++) {
      const any = anySettings(random);
      const { dtype, bias, gated, out, ...sizes } = any;
      const text = Object.fromEntries(
        Object.entries(sizes).map(([id, value]) => [id, value === 0 ? '' : String(value)]),
      ) as Draft['text'];
      const { draft: back, bad } = decodeLink(encodeLink({ text, dtype, bias, gated, out }, PLAIN));
      expect(bad, `seed ${seed}, ${i}`).toEqual([]);
      expect(readDraft(back).settings, `seed ${seed}, ${i}`).toEqual(any);
    }
  });

  test('what cannot be used falls back, and is named', () => {
    const { draft: read, bad } = decodeLink('#d=-3&h=&dk=wide&layers=1e99&dtype=fp7&bias=yes&n=64');
    expect(read.text).toMatchObject({ d: '512', h: '8', dk: '', layers: '6', n: '64' });
    expect(bad).toEqual([
      { key: 'd', value: '-3', used: '512' },
      { key: 'h', value: '', used: '8' },
      { key: 'dk', value: 'wide', used: '' },
      { key: 'layers', value: '1e99', used: '6' },
      { key: 'dtype', value: 'fp7', used: 'fp32' },
      { key: 'bias', value: 'yes', used: '' },
    ]);
  });

  test('heads that do not divide become the nearest that do', () => {
    const { draft: read, bad } = decodeLink('#d=768&h=7&kv=5');
    expect(read.text.h).toBe('8');
    expect(read.text.kv).toBe('');
    expect(bad.map(({ key }) => key)).toEqual(['h', 'kv']);
  });

  test('unknown keys are ignored', () => {
    expect(decodeLink('#d=512&h=8&magic=1&__proto__=2&constructor=3&=4&5').bad).toEqual([]);
  });

  test('whatever stands in it, there is something to show', () => {
    const seed = Date.now();
    const random = randomFrom(seed);
    const keys = [
      'd',
      'h',
      'dk',
      'kv',
      'layers',
      'n',
      'ff',
      'vocab',
      'k',
      'r',
      'dtype',
      'out',
      'x',
    ];
    const values = ['', '0', '1', '7', '512', '-1', '1e99', '%', '%E4%BD%A0', 'a b', '<i>', '2.5'];
    const pick = (list: readonly string[]) => list[Math.floor(list.length * random())]!;
    for (let i = 0; i < 500; i++) {
      const parts = Array.from({ length: 6 }, () => `${pick(keys)}=${pick(values)}`);
      const fragment = `#${parts.join('&')}`;
      const { draft: read } = decodeLink(fragment);
      expect(readDraft(read).faults, `seed ${seed}: ${fragment}`).toEqual({});
    }
  });
});
