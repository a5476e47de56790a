import { describe, expect, it } from 'vitest';
import { percent, shortText, shortWeight } from '../../web/src/draw/labels.ts';
import { layoutMatrix, visibleCells, zoomSteps } from '../../web/src/draw/matrix-layout.ts';
import type { ShownToken } from '../../web/src/draw/picture.ts';
import { notesOf, rolesOf } from '../../web/src/draw/roles.ts';
import { makePicture } from '../../web/src/draw/transform.ts';
import { layoutWall, orderHeads } from '../../web/src/draw/wall-layout.ts';
import { en } from '../../web/src/i18n/en/index.ts';
import { softmaxRows, token } from './tokens.ts';

describe('the wall', () => {
  it('fits twelve heads on a phone and never leaves its width', () => {
    for (const width of [300, 358, 560, 1200]) {
      const wall = layoutWall(12, 6, width, 4, 4, 72);
      expect(wall.width).toBeLessThanOrEqual(width);
      expect(wall.cell).toBeGreaterThanOrEqual(20);
      expect(wall.height).toBe(6 * wall.cell + 20);
    }
  });

  it('sorted keeps every head, those with a role first', () => {
    const roles = rolesOf('minilm-en');
    const order = orderHeads('role', 6, 12, roles, null);
    expect(new Set(order.map(({ layer, head }) => layer * 12 + head)).size).toBe(72);
    const named = new Set(roles.map(({ layer, head }) => layer * 12 + head));
    expect(
      order.slice(0, named.size).every(({ layer, head }) => named.has(layer * 12 + head)),
    ).toBe(true);
  });

  it('sorted by sharpness puts the sharpest first and what has not arrived last', () => {
    const T = 6;
    const sharp = new Float32Array(T * T);
    for (let i = 0; i < T; i++) sharp[i * T + ((i + 1) % T)] = 1;
    const layer0 = Float32Array.from([...softmaxRows(1, T, 1), ...sharp]);
    const picture = makePicture(
      {
        tokens: Array.from({ length: T }, (_, i) => token(`w${i}`)),
        typedText: '',
        layers: 2,
        heads: 2,
        layersReady: 1,
        attentions: () => layer0,
      },
      { showSpecials: true, mergeWords: false },
    );
    const order = orderHeads('entropy', 2, 2, [], picture);
    expect(order.map(({ layer, head }) => `${layer}.${head}`)).toEqual([
      '0.1',
      '0.0',
      '1.0',
      '1.1',
    ]);
  });
});

describe('the matrix', () => {
  it('fits every length into its room, with names and numbers where they have room', () => {
    for (const room of [326, 700, 1100]) {
      for (const tokens of [1, 7, 12, 40, 128, 512]) {
        const layout = layoutMatrix({ tokens, room, nameWidth: 60, cell: null });
        expect(layout.width).toBeLessThanOrEqual(room);
        expect(layout.cell).toBeGreaterThan(0);
        if (layout.numbers) expect(layout.names).toBe(true);
      }
    }
    expect(layoutMatrix({ tokens: 12, room: 700, nameWidth: 60, cell: null }).numbers).toBe(true);
    expect(layoutMatrix({ tokens: 512, room: 700, nameWidth: 60, cell: null }).names).toBe(false);
  });

  it('can be enlarged until numbers are readable', () => {
    for (const tokens of [40, 128, 512]) {
      const options = { tokens, room: 358, nameWidth: 60 };
      const layouts = zoomSteps(options).map((cell) => layoutMatrix({ ...options, cell }));
      expect(layouts.at(-1)!.numbers).toBe(true);
      for (let i = 1; i < layouts.length; i++) {
        expect(layouts[i]!.cell).toBeGreaterThan(layouts[i - 1]!.cell);
      }
    }
  });

  it('shows the cells of its window', () => {
    expect(visibleCells(0, 100, 0, 10, 512)).toEqual([0, 10]);
    expect(visibleCells(95, 100, 0, 10, 512)).toEqual([9, 20]);
    expect(visibleCells(0, 100, 0, 10, 4)).toEqual([0, 4]);
    expect(visibleCells(0, 100, 0, 0, 4)).toEqual([0, 0]);
  });
});

describe('numbers and names', () => {
  it('are short but never a rounded lie at the ends', () => {
    expect([0, 0.001, 0.294, 0.995, 1].map(shortWeight)).toEqual(['0', '.00', '.29', '1.0', '1.0']);
    expect([0, 0.001, 0.5, 0.999, 1].map(percent)).toEqual(['0', '<1', '50', '>99', '100']);
  });

  it('cut a word of any length, keep whole characters, and show what is invisible', () => {
    const shown = (text: string) => ({ text }) as ShownToken;
    expect(shortText(shown('word'))).toBe('word');
    expect(shortText(shown('x'.repeat(10_000)), 9)).toBe('xxxx…xxxx');
    expect(shortText(shown('👍'.repeat(30)), 5)).toBe('👍👍…👍👍');
    expect(shortText(shown('a\u0007b'))).toBe('a\ufffdb');
    expect(shortText(shown(''))).toBe('\u2423');
  });
});

describe('measured roles', () => {
  it.each([
    ['minilm-en', 6, 12],
    ['bge-zh', 4, 8],
  ])(
    'of %s lie inside the model, with scores above their baselines and a text each',
    (id, layers, heads) => {
      const roles = rolesOf(id as string);
      expect(roles.length).toBeGreaterThan(8);
      for (const role of roles) {
        expect(role.layer).toBeLessThan(layers as number);
        expect(role.head).toBeLessThan(heads as number);
        expect(role.score).toBeLessThanOrEqual(1);
        expect(role.score).toBeGreaterThan(role.baseline ?? 0);
        expect(role.baseline === null).toBe(role.baselineKind === null);
        expect(en).toHaveProperty([role.role]);
        expect(en).toHaveProperty([`roleShort.${role.role.replace(/^role\./, '')}`]);
      }
    },
  );

  it('are none for other models', () => {
    expect(rolesOf('some/other')).toEqual([]);
    expect(notesOf('some/other', 0, 0)).toEqual([]);
  });

  it('come with notes on layers and heads that have a text', () => {
    const notes = notesOf('minilm-en', 2, 9);
    expect(notes.map(({ text }) => text)).toContain('measured.clearNotImportant');
    for (const id of ['minilm-en', 'bge-zh']) {
      for (let layer = 0; layer < 6; layer++) {
        for (const note of notesOf(id, layer, 0)) expect(en).toHaveProperty([note.text]);
      }
    }
    expect(notesOf('minilm-en', 'mean', 'mean')).toEqual([]);
  });
});
