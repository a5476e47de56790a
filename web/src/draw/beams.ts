/**
 * The beams from a lamp above the sentence down to its words, as closed SVG paths. A beam never crosses a word: in
 * the channels between lines it swings sideways, through a line it goes straight down a gap between two words (or
 * past the line's end). Its width is the weight, the same at every word; at the lamp the beams lie side by side,
 * in a gap they share what room there is. Reading the picture upwards gives "who looks at the lamp".
 */

import type { TokenBox, TokenLines } from './token-lines.ts';

export interface BeamOptions {
  /** Centre of the lamp and the height at which its beams begin. */
  lampX: number;
  lampY: number;
  /** Widest that all beams together may be at the lamp. */
  lampWidth: number;
  /** Width of a beam of weight 1 at its word. */
  fullWidth: number;
  /** What part of its row each token's weights are of; 1 where nothing was hidden. */
  part?: (index: number) => number;
  /** Smaller weights get no beam. */
  threshold: number;
  /** How far a beam may stand from the words beside its gap, and how far lines reach beyond the last word. */
  clearance: number;
  margin: number;
}

export interface Beam {
  index: number;
  weight: number;
  path: string;
  /** Centre and half width at each corner, top to bottom: what the tests walk along. */
  corners: BeamCorner[];
}

export interface BeamCorner {
  x: number;
  y: number;
  half: number;
}

interface Gap {
  left: number;
  right: number;
}

/** A gap narrower than this lets no beam through. */
const NARROWEST_GAP = 4;
const THINNEST = 0.75;

export function layoutBeams(
  lines: TokenLines,
  weights: ArrayLike<number>,
  options: BeamOptions,
): Beam[] {
  const targets = lines.boxes.filter((box) => weights[box.index]! >= options.threshold);
  if (targets.length === 0) return [];
  const byLine = rowsOf(lines);
  const gaps = byLine.map((row) => gapsOf(row, lines.width, options));

  const beams = targets.map((box) => {
    const weight = weights[box.index]!;
    const end = box.x + box.width / 2;
    const passes = routeThrough(gaps.slice(0, box.line), options.lampX, end);
    const wide = weight * (options.part?.(box.index) ?? 1) * options.fullWidth;
    return { box, weight, end, passes, wide: Math.max(THINNEST, wide) };
  });

  const atLamp = share(
    beams.map((beam) => ({
      key: beam.passes[0] ? middle(beam.passes[0]) : beam.end,
      wide: beam.wide,
    })),
    options.lampX,
    options.lampWidth,
  );
  const inGaps = shareGaps(beams);

  return beams.map((beam, i) => {
    const corners: BeamCorner[] = [{ ...atLamp[i]!, y: options.lampY }];
    beam.passes.forEach((_, line) => {
      const slot = inGaps[i]![line]!;
      const top = byLine[line]![0]!.y;
      corners.push({ ...slot, y: top }, { ...slot, y: top + byLine[line]![0]!.height });
    });
    const half = Math.min(beam.wide, beam.box.width) / 2;
    corners.push({ x: beam.end, y: beam.box.y, half });
    return { index: beam.box.index, weight: beam.weight, path: ribbon(corners), corners };
  });
}

/** Boxes of each line from left to right. */
function rowsOf(lines: TokenLines): TokenBox[][] {
  const rows: TokenBox[][] = Array.from({ length: lines.lines }, () => []);
  for (const box of lines.boxes) rows[box.line]!.push(box);
  for (const row of rows) row.sort((a, b) => a.x - b.x);
  return rows;
}

/** Where light can pass a line: between its words and past both ends. */
function gapsOf(row: readonly TokenBox[], width: number, options: BeamOptions): Gap[] {
  const gaps: Gap[] = [];
  let left = -options.margin;
  for (const box of row) {
    gaps.push({ left, right: box.x - options.clearance });
    left = box.x + box.width + options.clearance;
  }
  gaps.push({ left, right: width + options.margin });
  return gaps.filter((gap) => gap.right - gap.left >= NARROWEST_GAP);
}

/** The gap nearest to the straight way, line after line. */
function routeThrough(gaps: readonly Gap[][], from: number, to: number): Gap[] {
  let x = from;
  return gaps.map((choices, line) => {
    const ideal = x + (to - x) / (gaps.length - line + 1);
    let best = choices[0]!;
    for (const gap of choices) if (distance(gap, ideal) < distance(best, ideal)) best = gap;
    x = Math.min(best.right, Math.max(best.left, ideal));
    return best;
  });
}

/** Beams side by side around a centre, in the order of their keys, squeezed if there is too little room. */
function share(
  beams: readonly { key: number; wide: number }[],
  centre: number,
  room: number,
): { x: number; half: number }[] {
  const total = beams.reduce((sum, beam) => sum + beam.wide, 0);
  const factor = total > room ? room / total : 1;
  const order = beams.map((_, i) => i).sort((a, b) => beams[a]!.key - beams[b]!.key || a - b);
  const out: { x: number; half: number }[] = new Array(beams.length);
  let left = centre - (total * factor) / 2;
  for (const i of order) {
    const wide = beams[i]!.wide * factor;
    out[i] = { x: left + wide / 2, half: wide / 2 };
    left += wide;
  }
  return out;
}

/** For each beam, its place in each gap it passes; beams in one gap share it. */
function shareGaps(
  beams: readonly { end: number; wide: number; passes: Gap[] }[],
): { x: number; half: number }[][] {
  const out = beams.map((beam) => beam.passes.map(() => ({ x: 0, half: 0 })));
  const deepest = Math.max(0, ...beams.map((beam) => beam.passes.length));
  for (let line = 0; line < deepest; line++) {
    const users = new Map<Gap, number[]>();
    beams.forEach((beam, i) => {
      const gap = beam.passes[line];
      if (gap) users.set(gap, [...(users.get(gap) ?? []), i]);
    });
    for (const [gap, indices] of users) {
      const members = indices.map((i) => beams[i]!);
      const total = members.reduce((sum, beam) => sum + beam.wide, 0);
      const room = gap.right - gap.left;
      const half = Math.min(total, room) / 2;
      const wanted = members.reduce((sum, beam) => sum + beam.end, 0) / members.length;
      const centre = Math.min(gap.right - half, Math.max(gap.left + half, wanted));
      const slots = share(
        members.map((beam) => ({ key: beam.end, wide: beam.wide })),
        centre,
        room,
      );
      indices.forEach((i, k) => {
        out[i]![line] = slots[k]!;
      });
    }
  }
  return out;
}

/** A closed band through the corners; upright at each, so that it stays inside straight gaps. */
function ribbon(corners: readonly BeamCorner[]): string {
  const right = [...corners].reverse();
  return `M${edge(corners, -1)}L${edge(right, 1)}Z`;
}

function edge(corners: readonly BeamCorner[], side: 1 | -1): string {
  const first = corners[0]!;
  let path = point(first.x + side * first.half, first.y);
  for (let i = 1; i < corners.length; i++) {
    const a = corners[i - 1]!;
    const b = corners[i]!;
    const ax = a.x + side * a.half;
    const bx = b.x + side * b.half;
    const y = (a.y + b.y) / 2;
    path += ax === bx ? `L${point(bx, b.y)}` : `C${point(ax, y)} ${point(bx, y)} ${point(bx, b.y)}`;
  }
  return path;
}

function middle(gap: Gap): number {
  return (gap.left + gap.right) / 2;
}

function distance(gap: Gap, x: number): number {
  return Math.max(gap.left - x, x - gap.right, 0);
}

function point(x: number, y: number): string {
  return `${round(x)} ${round(y)}`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
