/** The link of the demos page, and what may be typed into its fields. */
import { describe, expect, it } from 'vitest';
import { DEMOS, type DemoId, numbered } from '../../web/src/demos/demos.ts';
import { draftOf, readDraft } from '../../web/src/demos/draft.ts';
import { type DemoState, readDemoLink, writeDemoLink } from '../../web/src/demos/link.ts';

const IDS = Object.keys(DEMOS) as DemoId[];

describe('the link of a demonstration', () => {
  it('leaves out what is the tutorial’s own', () => {
    for (const demo of IDS) {
      const state: DemoState = { demo, settings: DEMOS[demo].settings, token: 0 };
      expect(writeDemoLink(state)).toBe(`demo=${demo}`);
      expect(readDemoLink(`#demo=${demo}`)).toEqual({ state, faults: [] });
    }
    expect(readDemoLink('').state.demo).toBe('heads');
  });

  it('brings any settings back', () => {
    const seed = Number(process.env.SEED ?? Date.now() % 1e9);
    console.info(`seed of the demo links: ${seed} (SEED=${seed} repeats it)`);
    let state = seed;
    const random = (below: number) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    const words = ['我', 'a&b', '=', '100%', '#x', 'né', '+', '🙂'];
    for (let round = 0; round < 300; round++) {
      const heads = 1 + random(8);
      const count = 1 + random(12);
      const given: DemoState = {
        demo: IDS[random(3)]!,
        settings: {
          seed: random(2 ** 32),
          scale: (1 + random(999)) / 100,
          width: heads * (1 + random(16)),
          heads,
          tokens:
            random(2) === 0
              ? numbered(count)
              : Array.from({ length: count }, () => words[random(words.length)]!),
        },
        token: random(count),
      };
      expect(readDemoLink(`#${writeDemoLink(given)}`)).toEqual({ state: given, faults: [] });
    }
  });

  it.each([
    ['demo=none', 'demo'],
    ['seed=-1', 'seed'],
    ['seed=4294967296', 'seed'],
    ['seed=1e3', 'seed'],
    ['scale=0', 'scale'],
    ['scale=abc', 'scale'],
    ['d=0', 'd'],
    ['d=9999', 'd'],
    ['h=3', 'h'],
    ['h=', 'h'],
    ['tokens=%20', 'tokens'],
    ['n=0', 'n'],
    ['n=1000', 'n'],
    ['token=9', 'token'],
    ['tokens=%E0%A4%A', 'tokens'],
  ])('names what cannot be read in %s and takes the usual value', (link, fault) => {
    const { state, faults } = readDemoLink(`#${link}`);
    expect(faults).toEqual([fault]);
    expect(state.settings).toEqual(DEMOS.heads.settings);
  });

  it('ignores what it does not know', () => {
    expect(readDemoLink('#lang=zh&x=1&=3&&demo=fusion').faults).toEqual([]);
  });
});

describe('the fields', () => {
  const draft = draftOf(DEMOS.heads.settings);

  it('read what they write', () => {
    expect(readDraft(draft, false)).toEqual({ settings: DEMOS.heads.settings, faults: {} });
    const counted = draftOf(DEMOS.batched.settings);
    expect(readDraft(counted, true).settings).toEqual(DEMOS.batched.settings);
  });

  it.each([
    [{ seed: '' }, { seed: 'whole' }],
    [{ seed: '1.5' }, { seed: 'whole' }],
    [{ scale: 'x' }, { scale: 'decimal' }],
    [{ d: '-8' }, { d: 'whole' }],
    [{ h: '3' }, { h: 'divides' }],
    [{ h: '1e99' }, { h: 'whole' }],
    [{ tokens: '  ' }, { tokens: 'tokens' }],
    [{ tokens: 'x'.repeat(41) }, { tokens: 'tokens' }],
    [
      { seed: 'a', d: 'b' },
      { seed: 'whole', d: 'whole' },
    ],
  ])('%j is refused at its field', (change, faults) => {
    expect(readDraft({ ...draft, ...change }, false)).toEqual({ settings: null, faults });
  });

  it('take a decimal comma', () => {
    expect(readDraft({ ...draft, scale: '0,25' }, false).settings!.scale).toBe(0.25);
  });
});
