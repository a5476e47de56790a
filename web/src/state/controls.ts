/**
 * What a reader changes in the mechanism: who may look at whom, tokens hidden, temperature, positions. Plain data
 * that a link can say, and what the library makes of it for a text of so many tokens.
 */

import type { Interventions } from '../engine/types.ts';

export const MASKS = ['none', 'causal', 'window', 'drawn'] as const;
export type MaskKind = (typeof MASKS)[number];

/** Part of a pair of texts: which text looks at which. */
export const QUADRANTS = ['all', 'aa', 'ab', 'ba', 'bb'] as const;
export type Quadrant = (typeof QUADRANTS)[number];

export interface Controls {
  mask: MaskKind;
  /** Of the window, in tokens. */
  radius: number;
  /** What was drawn: tokens and a bit a place, see `packCells`; '' = everything is open. */
  cells: string;
  /** Tokens that nobody may look at, ascending. */
  off: readonly number[];
  temperature: number;
  positions: boolean;
}

export const DEFAULT_CONTROLS: Controls = {
  mask: 'none',
  radius: 2,
  cells: '',
  off: [],
  temperature: 1,
  positions: true,
};

export const CONTROL_FIELDS = Object.keys(DEFAULT_CONTROLS) as (keyof Controls)[];

/** Texts of more tokens are too large to draw a mask for. */
export const MOST_DRAWN = 64;
export const RADIUS = [0, 511] as const;
export const TEMPERATURE = [0.05, 20] as const;

/** The same for the same mechanism: says whether a picture was computed with what is wanted now. */
export function controlsKey(controls: Controls): string {
  const { mask, radius, cells, off, temperature, positions } = controls;
  return JSON.stringify([
    mask,
    mask === 'window' ? radius : 0,
    mask === 'drawn' ? cells : '',
    off,
    temperature,
    positions,
  ]);
}

const PLAIN = controlsKey(DEFAULT_CONTROLS);

export function isPlain(controls: Controls): boolean {
  return controlsKey(controls) === PLAIN;
}

/** Whether the interventions can only be made once the number of tokens is known. */
export function needsLength({ mask, off }: Controls): boolean {
  return off.length > 0 || mask === 'drawn';
}

/** For a text of `tokens` tokens; tokens and places beyond it are ignored. */
export function interventionsOf(controls: Controls, tokens: number): Interventions {
  const { mask, radius, cells, off, temperature, positions } = controls;
  const interventions: Interventions = {};
  if (mask === 'causal') interventions.pattern = 'causal';
  if (mask === 'window') interventions.pattern = { window: radius };
  if (mask === 'drawn') interventions.pattern = openCells(cells, tokens);
  const hidden = off.filter((token) => token < tokens);
  if (hidden.length > 0) {
    const keyMask = new Uint8Array(tokens).fill(1);
    for (const token of hidden) keyMask[token] = 0;
    interventions.keyMask = keyMask;
  }
  if (temperature !== 1) interventions.temperature = temperature;
  if (!positions) interventions.positions = false;
  return interventions;
}

/** [tokens * tokens] of 1 (may look) and 0, for a text of any length: what was not drawn is open. */
export function openCells(cells: string, tokens: number): Uint8Array {
  const open = new Uint8Array(tokens * tokens).fill(1);
  const drawn = unpackCells(cells);
  if (drawn === null) return open;
  const side = Math.min(tokens, drawn.tokens);
  for (let row = 0; row < side; row++)
    for (let column = 0; column < side; column++)
      open[row * tokens + column] = drawn.open[row * drawn.tokens + column]!;
  return open;
}

/** `12.` and base64url of the closed places, a bit each, row by row; '' where nothing is closed. */
export function packCells(open: Uint8Array, tokens: number): string {
  if (open.every((place) => place === 1)) return '';
  const bytes = new Uint8Array(Math.ceil(open.length / 8));
  open.forEach((place, index) => {
    if (place === 0) bytes[index >> 3]! |= 1 << (index & 7);
  });
  const text = btoa(String.fromCharCode(...bytes));
  return `${tokens}.${text.replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')}`;
}

/** null for '' and for what packCells did not write. */
export function unpackCells(cells: string): { open: Uint8Array; tokens: number } | null {
  const parts = /^([1-9]\d?)\.([\w-]+)$/.exec(cells);
  if (!parts) return null;
  const tokens = Number(parts[1]);
  if (tokens > MOST_DRAWN) return null;
  try {
    const bytes = atob(parts[2]!.replace(/-/g, '+').replace(/_/g, '/'));
    if (bytes.length !== Math.ceil((tokens * tokens) / 8)) return null;
    const open = Uint8Array.from({ length: tokens * tokens }, (_, index) =>
      (bytes.charCodeAt(index >> 3) >> (index & 7)) & 1 ? 0 : 1,
    );
    return { open, tokens };
  } catch {
    return null;
  }
}
