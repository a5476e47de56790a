/** Settings as typed: numbers where they are right, and what is wrong at its field. */

import type { NamedArray, Roles } from '../arrays/index.ts';
import { t } from '../i18n/index.ts';
import type { SettingField } from '../views/setting-fields.ts';
import type { LabState } from './lab-link.ts';
import { labelsOf, positionsOf } from './lab-text.ts';
import type { LabSettings } from './lab-work.ts';

export type LabField = 'heads' | 'kv' | 'scale' | 'radius' | 'out';
export type FieldErrors = Partial<Record<LabField, string>>;

/** The number of heads that is asked for; a number of K/V heads says it too, where shapes are flat. */
export function headsAsked({ heads, kv }: LabState, roles: Roles): number | undefined {
  const typed = wholeOf(heads, 1, 4096);
  if (typed !== null || heads.trim() !== '') return typed ?? undefined;
  const asked = wholeOf(kv, 1, 4096);
  const width = (array: NamedArray | undefined) =>
    array?.shape.length === 2 ? array.shape[1]! : Number.NaN;
  const count = (width(roles.queries) * (asked ?? Number.NaN)) / width(roles.keys);
  return Number.isInteger(width(roles.queries) / count) ? count : undefined;
}

export function settingsOf(
  state: LabState,
  keyLength: number,
  kvHeads: number,
): { settings: LabSettings; errors: FieldErrors } {
  const errors: FieldErrors = {};
  if (state.heads.trim() !== '' && wholeOf(state.heads, 1, 4096) === null)
    errors.heads = t('lab.wrong.heads');
  if (state.kv.trim() !== '' && wholeOf(state.kv, 1, 4096) !== kvHeads)
    errors.kv = t('lab.wrong.kv', { found: kvHeads });
  const scale = state.scale.trim() === '' ? null : Number(state.scale.replace(',', '.'));
  if (scale !== null && !(scale > 0 && scale < 1e30)) errors.scale = t('lab.wrong.scale');
  const radius = wholeOf(state.radius, 0, 1e9);
  if (state.mask === 'window' && radius === null) errors.radius = t('lab.wrong.radius');
  const out = positionsOf(state.out, keyLength);
  if (out === null) errors.out = t('lab.wrong.out', { most: keyLength });
  const settings = { scale, mask: state.mask, radius: radius ?? 0, out: out ?? [] };
  return { settings, errors };
}

function wholeOf(text: string, least: number, most: number): number | null {
  const value = /^\s*\d{1,9}\s*$/.test(text) ? Number(text) : Number.NaN;
  return value >= least && value <= most ? value : null;
}

export function fieldsOf(state: LabState, errors: FieldErrors): SettingField[] {
  const ids: LabField[] = ['heads', 'kv', 'scale', 'radius', 'out'];
  return ids
    .filter((id) => id !== 'radius' || state.mask === 'window')
    .map((id) => ({
      id,
      label: t(`lab.field.${id}`),
      value: state[id],
      error: errors[id] ?? null,
      numeric: id !== 'out',
    }));
}

/** Names as typed, else as the file has them, else numbers from 1. */
export function labelsFor(
  typed: string,
  given: readonly string[] | undefined,
  length: number,
): { labels: readonly string[]; error: string | null } {
  const own = labelsOf(typed);
  const usual = given ?? Array.from({ length }, (_, index) => String(index + 1));
  if (own.length === 0) return { labels: usual, error: null };
  if (own.length === length) return { labels: own, error: null };
  return {
    labels: usual,
    error: t('lab.wrong.labels', { found: own.length, expected: length }),
  };
}
