import { describe, expect, it } from 'vitest';
import { type Beam, type BeamOptions, layoutBeams } from '../../web/src/draw/beams.ts';
import {
  layoutTokens,
  runsRightToLeft,
  type TokenLines,
  type TokenSize,
  windowAround,
  windowOf,
} from '../../web/src/draw/token-lines.ts';
import { seeded, softmaxRows } from './tokens.ts';

const LINES = {
  wordGap: 10,
  pieceGap: 3,
  minWidth: 30,
  bandHeight: 60,
  firstChannel: 150,
  channel: 28,
};

const BEAMS: Omit<BeamOptions, 'lampX'> = {
  lampY: 42,
  lampWidth: 72,
  fullWidth: 24,
  threshold: 0.01,
  clearance: 2,
  margin: 14,
};

function sizes(count: number, seed: number, kind: 'words' | 'characters' | 'pieces'): TokenSize[] {
  const random = seeded(seed);
  return Array.from({ length: count }, (_, i) => ({
    width: kind === 'characters' ? 42 : 12 + Math.floor(random() * 110),
    continuation: i > 0 && kind !== 'words' && random() < 0.5,
    segment: 0,
  }));
}

function overlaps(lines: TokenLines): string[] {
  const found: string[] = [];
  for (const a of lines.boxes) {
    for (const b of lines.boxes) {
      if (a.index >= b.index) continue;
      const across = a.x < b.x + b.width && b.x < a.x + a.width;
      const down = a.y < b.y + b.height && b.y < a.y + a.height;
      if (across && down) found.push(`${a.index} and ${b.index}`);
    }
  }
  return found;
}

/** Between two corners both edges are cubics with upright ends: this is where one is at `part` of the way. */
function edgeAt(beam: Beam, corner: number, side: 1 | -1, part: number): [number, number] {
  const a = beam.corners[corner - 1]!;
  const b = beam.corners[corner]!;
  const ax = a.x + side * a.half;
  const bx = b.x + side * b.half;
  const y = (a.y + b.y) / 2;
  const u = 1 - part;
  const mix = (p0: number, p1: number, p2: number, p3: number) =>
    u ** 3 * p0 + 3 * u * u * part * p1 + 3 * u * part * part * p2 + part ** 3 * p3;
  return [mix(ax, ax, bx, bx), mix(a.y, y, y, b.y)];
}

/** Points of a beam that lie inside a token which is not its end. */
function collisions(beam: Beam, lines: TokenLines): string[] {
  const found: string[] = [];
  for (let corner = 1; corner < beam.corners.length; corner++) {
    for (const side of [1, -1] as const) {
      for (let step = 0; step <= 40; step++) {
        const [x, y] = edgeAt(beam, corner, side, step / 40);
        for (const box of lines.boxes) {
          const inside =
            x > box.x && x < box.x + box.width && y > box.y + 1e-6 && y < box.y + box.height - 1e-6;
          if (inside) found.push(`beam to ${beam.index} through ${box.index} at ${x}, ${y}`);
        }
      }
    }
  }
  return found;
}

describe('tokens in lines', () => {
  it.each(['words', 'characters', 'pieces'] as const)(
    'of %s never overlap and stay inside',
    (kind) => {
      for (let count = 1; count <= 60; count++) {
        for (const maxWidth of [326, 700, 1180]) {
          const lines = layoutTokens(sizes(count, count, kind), { ...LINES, maxWidth });
          expect(lines.boxes.map((box) => box.index)).toEqual([...Array(count).keys()]);
          expect(overlaps(lines)).toEqual([]);
          for (const box of lines.boxes) {
            expect(box.x).toBeGreaterThanOrEqual(0);
            expect(box.x + box.width).toBeLessThanOrEqual(maxWidth);
            expect(box.y + box.height).toBeLessThanOrEqual(lines.height);
          }
        }
      }
    },
  );

  it('cut a token that is wider than the line', () => {
    const lines = layoutTokens([{ width: 9000, continuation: false, segment: 0 }], {
      ...LINES,
      maxWidth: 300,
    });
    expect(lines.boxes[0]).toMatchObject({ x: 0, width: 300, line: 0 });
  });

  it('keep the pieces of a word on one line where they fit', () => {
    const word = (continuation: boolean) => ({ width: 90, continuation, segment: 0 as const });
    const lines = layoutTokens([word(false), word(false), word(true)], { ...LINES, maxWidth: 280 });
    expect(lines.boxes.map((box) => box.line)).toEqual([0, 1, 1]);
  });

  it('start a second text on a new line', () => {
    const lines = layoutTokens(
      [
        { width: 40, continuation: false, segment: 0 },
        { width: 40, continuation: false, segment: 1 },
      ],
      { ...LINES, maxWidth: 500 },
    );
    expect(lines.boxes.map((box) => box.line)).toEqual([0, 1]);
  });

  it('run from the right edge for right-to-left text', () => {
    const lines = layoutTokens(sizes(3, 1, 'words'), {
      ...LINES,
      maxWidth: 500,
      rightToLeft: true,
    });
    expect(lines.boxes[0]!.x + lines.boxes[0]!.width).toBe(500);
    expect(lines.boxes[1]!.x).toBeLessThan(lines.boxes[0]!.x);
    expect(runsRightToLeft('שלום עולם abc')).toBe(true);
    expect(runsRightToLeft('hello 世界 123')).toBe(false);
  });

  it('of which a window is shown stand where the first lines would', () => {
    const whole = layoutTokens(sizes(400, 3, 'words'), { ...LINES, maxWidth: 500 });
    const part = windowOf(whole, 9, 7);
    expect(part.lines).toBe(7);
    expect(part.boxes.map((box) => box.index)).toEqual(
      whole.boxes.filter((box) => box.line >= 9 && box.line < 16).map((box) => box.index),
    );
    expect(part.boxes[0]).toMatchObject({ line: 0, y: whole.boxes[0]!.y });
    expect(part.height).toBe(
      layoutTokens(sizes(400, 3, 'words'), { ...LINES, maxWidth: 500 })
        .boxes.filter((box) => box.line === 6)
        .map((box) => box.y + box.height)[0],
    );
    expect(windowOf(whole, 0, whole.lines)).toEqual(whole);
  });

  it('of a window stay while the lit word is inside, and follow it out', () => {
    expect(windowAround(12, 7, 40, 9)).toBe(9);
    expect(windowAround(16, 7, 40, 9)).toBe(14);
    expect(windowAround(0, 7, 40, 9)).toBe(0);
    expect(windowAround(39, 7, 40, 9)).toBe(33);
    expect(windowAround(3, 7, 5, 20)).toBe(0);
  });

  it('of no tokens are no lines', () => {
    expect(layoutTokens([], { ...LINES, maxWidth: 500 })).toMatchObject({ boxes: [], lines: 0 });
  });
});

describe('beams', () => {
  it.each(['words', 'characters', 'pieces'] as const)(
    'over %s have no NaN and cross no token',
    (kind) => {
      for (let count = 1; count <= 60; count++) {
        const weights = softmaxRows(1, count, count).subarray(0, count);
        for (const maxWidth of [326, 700]) {
          const lines = layoutTokens(sizes(count, count, kind), { ...LINES, maxWidth });
          const lampX = lines.boxes[count >> 1]!.x + 15;
          const beams = layoutBeams(lines, weights, { ...BEAMS, lampX });
          expect(beams.map((beam) => beam.index)).toEqual(
            [...weights.keys()].filter((i) => weights[i]! >= 0.01),
          );
          for (const beam of beams) {
            expect(beam.path).toMatch(/^M[-\d. CL]+Z$/);
            expect(collisions(beam, lines)).toEqual([]);
          }
        }
      }
    },
  );

  it('are seen to collide when they would (the check can fail)', () => {
    const lines = layoutTokens(sizes(30, 4, 'words'), { ...LINES, maxWidth: 326 });
    const last = lines.boxes.at(-1)!;
    const straight: Beam = {
      index: last.index,
      weight: 1,
      path: '',
      corners: [
        { x: 60, y: 42, half: 4 },
        { x: last.x + 10, y: last.y, half: 4 },
      ],
    };
    expect(collisions(straight, lines)).not.toEqual([]);
  });

  it('are as wide at their word as their weight', () => {
    const lines = layoutTokens(sizes(12, 2, 'words'), { ...LINES, maxWidth: 700 });
    const weights = softmaxRows(1, 12, 9).subarray(0, 12);
    for (const beam of layoutBeams(lines, weights, { ...BEAMS, lampX: 200 })) {
      expect(2 * beam.corners.at(-1)!.half).toBeCloseTo(Math.max(0.75, 24 * beam.weight), 6);
    }
  });

  it('of a row of which most is hidden are as thin as what is left', () => {
    const lines = layoutTokens(sizes(6, 5, 'words'), { ...LINES, maxWidth: 900 });
    const weights = [0.5, 0.2, 0.3, 0, 0, 0];
    const options = { ...BEAMS, lampX: 450, fullWidth: 40 };
    const whole = layoutBeams(lines, weights, options);
    const part = layoutBeams(lines, weights, { ...options, part: () => 0.25 });
    expect(part.map((beam) => beam.weight)).toEqual(whole.map((beam) => beam.weight));
    const width = (beam: Beam) => beam.corners.at(-1)!.half;
    part.forEach((beam, i) => {
      expect(width(beam) / width(whole[i]!)).toBeCloseTo(0.25, 6);
    });
  });

  it('leave the lamp side by side, in the order in which they part', () => {
    const lines = layoutTokens(sizes(8, 2, 'characters'), { ...LINES, maxWidth: 700 });
    const weights = Float32Array.from({ length: 8 }, () => 1 / 8);
    const starts = layoutBeams(lines, weights, { ...BEAMS, lampX: 200 }).map(
      (beam) => beam.corners[0]!,
    );
    for (let i = 1; i < starts.length; i++) {
      expect(starts[i]!.x - starts[i]!.half).toBeCloseTo(starts[i - 1]!.x + starts[i - 1]!.half, 6);
    }
  });

  it('that are many full ones share the lamp', () => {
    const lines = layoutTokens(sizes(20, 2, 'characters'), { ...LINES, maxWidth: 700 });
    const weights = new Float32Array(20).fill(1);
    const beams = layoutBeams(lines, weights, { ...BEAMS, lampX: 350 });
    const edges = beams.flatMap(({ corners }) => [
      corners[0]!.x - corners[0]!.half,
      corners[0]!.x + corners[0]!.half,
    ]);
    expect(Math.max(...edges) - Math.min(...edges)).toBeCloseTo(72, 6);
  });

  it('of a row of zeros are none', () => {
    const lines = layoutTokens(sizes(5, 2, 'words'), { ...LINES, maxWidth: 700 });
    expect(layoutBeams(lines, new Float32Array(5), { ...BEAMS, lampX: 100 })).toEqual([]);
  });
});
