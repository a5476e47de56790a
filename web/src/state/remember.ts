/**
 * What this browser keeps between visits: the last state (so that text outlives a reload or a crash,
 * even before the link was written) and preferences. Storage may be forbidden (sandboxed frames,
 * private windows): then nothing is kept and nothing fails.
 */

import type { LanguageChoice, ThemeChoice } from './page-state.ts';

const STATE = 'headlights.state';
const PREFERENCES = 'headlights.preferences';

export interface Remembered {
  /** The fragment in the address bar when this was kept. */
  fragment: string;
  text: string;
  pair: string | null;
  /** The other fields, as a link says them. */
  rest: string;
  modelChosen: boolean;
}

export interface Preferences {
  lang: LanguageChoice;
  theme: ThemeChoice;
  wholeFirst: boolean;
}

export function keepState(remembered: Remembered): void {
  write(STATE, remembered);
}

export function recallState(): Remembered | null {
  const value = read(STATE);
  if (!isRecord(value)) return null;
  const { fragment, text, pair, rest, modelChosen } = value;
  if (typeof fragment !== 'string' || typeof rest !== 'string') return null;
  if (typeof text !== 'string' || (pair !== null && typeof pair !== 'string')) return null;
  return { fragment, text, pair, rest, modelChosen: modelChosen === true };
}

export function keepPreferences(preferences: Preferences): void {
  write(PREFERENCES, preferences);
}

export function recallPreferences(): Preferences {
  const value = read(PREFERENCES);
  const { lang, theme, wholeFirst } = isRecord(value) ? value : {};
  return {
    lang: lang === 'en' || lang === 'zh' ? lang : null,
    theme: theme === 'light' || theme === 'dark' ? theme : null,
    wholeFirst: wholeFirst === true,
  };
}

function write(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Forbidden or full: the link still holds the state.
  }
}

function read(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
