/**
 * What the calculator is asked: the fields as they were typed, and the numbers that they say. A field
 * that says no number of its range has a fault, with what is allowed. No texts, no DOM.
 */

import type { Values } from './expression.ts';

export const FIELDS = ['d', 'h', 'dk', 'kv', 'layers', 'n', 'ff', 'vocab', 'k', 'r'] as const;
export type FieldId = (typeof FIELDS)[number];

/** Smallest and largest value. Everything within fits the largest unit that the page writes. */
export const RANGES: Readonly<Record<FieldId, readonly [number, number]>> = {
  d: [1, 1_000_000],
  h: [1, 10_000],
  dk: [1, 100_000],
  kv: [1, 10_000],
  layers: [1, 10_000],
  n: [1, 100_000_000],
  ff: [1, 10_000_000],
  vocab: [1, 100_000_000],
  k: [2, 1_000_000],
  r: [1, 100_000_000],
};

/** Empty means: d / h, h, no feed-forward, no vocabulary. */
export const OPTIONAL: ReadonlySet<FieldId> = new Set(['dk', 'kv', 'ff', 'vocab']);

export const TYPES = ['fp32', 'fp16', 'int8', 'int4'] as const;
export type NumberType = (typeof TYPES)[number];
export const BITS: Readonly<Record<NumberType, bigint>> = {
  fp32: 32n,
  fp16: 16n,
  int8: 8n,
  int4: 4n,
};

/** What turns vectors back into words: nothing, the word table itself, or a matrix of its own. */
export const OUTPUTS = ['none', 'tied', 'own'] as const;
export type Output = (typeof OUTPUTS)[number];

/** The fields as text, and the choices. */
export interface Draft {
  readonly text: Readonly<Record<FieldId, string>>;
  readonly dtype: NumberType;
  readonly bias: boolean;
  /** Three feed-forward matrices instead of two. */
  readonly gated: boolean;
  readonly out: Output;
}

/** The draft as numbers. `ff` and `vocab` are 0 where they are left out. */
export interface Settings extends Readonly<Record<FieldId, number>> {
  readonly dtype: NumberType;
  readonly bias: boolean;
  readonly gated: boolean;
  readonly out: Output;
}

export type Fault =
  | { readonly code: 'empty' | 'letters' | 'fraction' | 'small' | 'large' }
  /** `near`: numbers of heads that divide the width, closest first. */
  | { readonly code: 'heads' | 'groups'; readonly near: readonly number[] };

export type Faults = Readonly<Partial<Record<FieldId, Fault>>>;

export interface Reading {
  /** null when a field has a fault. */
  readonly settings: Settings | null;
  readonly faults: Faults;
}

export function readDraft(draft: Draft): Reading {
  const faults: Partial<Record<FieldId, Fault>> = {};
  const numbers: Partial<Record<FieldId, number>> = {};
  for (const id of FIELDS) {
    const read = readField(id, draft.text[id]);
    if (typeof read === 'number') numbers[id] = read;
    else if (read) faults[id] = read;
  }
  const { d, h } = numbers;
  if (d && h && numbers.dk === undefined && !faults.dk && d % h !== 0)
    faults.h = { code: 'heads', near: divisorsNear(d, h) };
  if (h && numbers.kv && h % numbers.kv !== 0)
    faults.kv = { code: 'groups', near: divisorsNear(h, numbers.kv) };
  if (Object.keys(faults).length > 0) return { settings: null, faults };
  const { dtype, bias, gated, out } = draft;
  const choices = { dtype, bias, gated, out };
  const usual = { dk: d! / h!, kv: h!, ff: 0, vocab: 0 };
  return { settings: { ...usual, ...(numbers as Record<FieldId, number>), ...choices }, faults };
}

/** A number, a fault, or null for a field that may be left empty and is. */
export function readField(id: FieldId, typed: string): number | Fault | null {
  // Full-width digits come from Chinese keyboards; groups may be set off by commas, spaces or '_'.
  const text = typed.normalize('NFKC').trim();
  if (text === '') return OPTIONAL.has(id) ? null : { code: 'empty' };
  const plain = /^[+−-]?\d{1,3}([,_ ’']\d{3})+$/.test(text) ? text.replace(/[,_ ’']/g, '') : text;
  if (!/^[+−-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) return { code: 'letters' };
  const value = Number(plain.replace('−', '-'));
  const [smallest, largest] = RANGES[id];
  if (value < smallest) return { code: 'small' };
  if (value > largest) return { code: 'large' };
  return Number.isInteger(value) ? value : { code: 'fraction' };
}

/** Up to four divisors of a number, the closest to `wish` first. */
export function divisorsNear(of: number, wish: number): number[] {
  const found: number[] = [];
  for (let low = 1; low * low <= of; low++)
    if (of % low === 0) found.push(...new Set([low, of / low]));
  return found
    .filter((value) => value <= RANGES.h[1])
    .sort((a, b) => Math.abs(Math.log(a / wish)) - Math.abs(Math.log(b / wish)) || a - b)
    .slice(0, 4);
}

/** The settings as formulas take them. */
export function valuesOf(settings: Settings): Values {
  const whole = Object.fromEntries(FIELDS.map((id) => [id, BigInt(settings[id])]));
  return { ...(whole as Record<FieldId, bigint>), bits: BITS[settings.dtype] };
}
