/**
 * The calculator's state in a link: `#d=512&h=8&layers=6&n=512&dtype=fp32`. Unknown keys are ignored;
 * a value that cannot be used falls back to the paper's base model and is reported. An empty link is
 * that model.
 */

import { COMPARED, presetDraft } from './presets.ts';
import {
  type Draft,
  FIELDS,
  type FieldId,
  OPTIONAL,
  OUTPUTS,
  type Output,
  readDraft,
  readField,
  TYPES,
} from './settings.ts';

export interface PageChoices {
  /** null: as the browser or the reader's preferences say. */
  readonly lang: 'en' | 'zh' | null;
  readonly theme: 'light' | 'dark' | null;
  /** Numbers in full instead of in three digits. */
  readonly full: boolean;
}

export interface LinkState {
  readonly draft: Draft;
  readonly choices: PageChoices;
  /** What could not be used, and what is used instead ('' where a field is left empty). */
  readonly bad: readonly { readonly key: string; readonly value: string; readonly used: string }[];
}

/** The fragment without '#'. The draft must have no fault. */
export function encodeLink(draft: Draft, { lang, theme, full }: PageChoices): string {
  const pairs: [string, string | null][] = [
    ...FIELDS.map((id): [string, string | null] => [id, fieldValue(id, draft.text[id])]),
    ['dtype', draft.dtype],
    ['bias', draft.bias ? '1' : null],
    ['gated', draft.gated ? '1' : null],
    ['out', draft.out === 'none' ? null : draft.out],
    ['full', full ? '1' : null],
    ['lang', lang],
    ['theme', theme],
  ];
  return pairs
    .filter(([, value]) => value !== null)
    .map(([key, value]) => `${key}=${value}`)
    .join('&');
}

function fieldValue(id: FieldId, text: string): string | null {
  const value = readField(id, text);
  if (typeof value !== 'number') return null;
  const usual = (COMPARED as Partial<Record<FieldId, string>>)[id];
  return String(value) === usual ? null : String(value);
}

export function decodeLink(fragment: string): LinkState {
  const given = new Map<string, string>();
  for (const pair of fragment.replace(/^#/, '').split('&')) {
    const equals = pair.indexOf('=');
    if (equals > 0) given.set(pair.slice(0, equals), unescapeValue(pair.slice(equals + 1)));
  }
  const usual = presetDraft('base');
  const bad: { key: string; value: string; used: string }[] = [];
  const choose = <T extends string | boolean | null>(
    key: string,
    values: Readonly<Record<string, T>>,
    otherwise: T,
  ): T => {
    const value = given.get(key);
    if (value === undefined) return otherwise;
    if (Object.hasOwn(values, value)) return values[value]!;
    bad.push({ key, value, used: typeof otherwise === 'string' ? otherwise : '' });
    return otherwise;
  };
  const flag = { 0: false, 1: true };
  const choices: PageChoices = {
    lang: choose<PageChoices['lang']>('lang', { en: 'en', zh: 'zh' }, null),
    theme: choose<PageChoices['theme']>('theme', { light: 'light', dark: 'dark' }, null),
    full: choose('full', flag, false),
  };
  const named = [...FIELDS, 'dtype', 'bias', 'gated', 'out'].some((key) => given.has(key));
  if (!named) return { draft: usual, choices, bad };

  const text: Record<FieldId, string> = { ...usual.text };
  for (const id of FIELDS) {
    const fallback = OPTIONAL.has(id) ? '' : usual.text[id];
    const value = given.get(id);
    const right = value !== undefined && typeof readField(id, value) === 'number';
    text[id] = right ? value : fallback;
    if (value !== undefined && !right) bad.push({ key: id, value, used: fallback });
  }
  const draft: Draft = {
    text,
    dtype: choose('dtype', keyed(TYPES), usual.dtype),
    bias: choose('bias', flag, false),
    gated: choose('gated', flag, false),
    out: choose<Output>('out', keyed(OUTPUTS), 'none'),
  };
  return { draft: withoutContradiction(draft, bad), choices, bad };
}

/** Numbers that are right alone but not together: heads that do not divide, groups that do not fit. */
function withoutContradiction(
  draft: Draft,
  bad: { key: string; value: string; used: string }[],
): Draft {
  let settled = draft;
  for (const id of ['h', 'kv'] as const) {
    const fault = readDraft(settled).faults[id];
    if (!fault) continue;
    const used = id === 'kv' ? '' : String('near' in fault ? fault.near[0] : 1);
    bad.push({ key: id, value: settled.text[id], used });
    settled = { ...settled, text: { ...settled.text, [id]: used } };
  }
  return settled;
}

const keyed = <T extends string>(values: readonly T[]) =>
  Object.fromEntries(values.map((value) => [value, value])) as Record<T, T>;

function unescapeValue(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
