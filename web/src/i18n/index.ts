/**
 * The texts of the page in English and Chinese. `t` reads the `language` signal, so effects and
 * computed values that call it run again when the language changes; Lit elements add a
 * `LanguageController`. English is the type: a key that Chinese lacks fails `tsc`.
 */

import { effect, signal } from '@preact/signals-core';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { calculator } from './en/calculator.ts';
import type { demos } from './en/demos.ts';
import { en } from './en/index.ts';
import type { lab } from './en/lab.ts';
import type { site } from './en/site.ts';
import { zh } from './zh/index.ts';

export type Language = 'en' | 'zh';
export type TextKey = keyof typeof en;
export type TextParams = Readonly<Record<string, string | number>>;

/** Texts of single pages and elements, which add them with `addTexts`. */
type AddedKey = keyof typeof calculator | keyof typeof demos | keyof typeof lab | keyof typeof site;

const texts: Record<Language, Readonly<Record<string, string>>> = { en, zh };

/** Texts that not every page needs: who needs them adds them before it draws. */
export function addTexts<Key extends AddedKey>(
  more: Readonly<Record<Language, Readonly<Record<Key, string>>>>,
): void {
  texts.en = { ...texts.en, ...more.en };
  texts.zh = { ...texts.zh, ...more.zh };
}

/** The language on screen. Change it with `setLanguage`. */
export const language = signal<Language>('en');

/** What `<html lang>` and `Intl` get. */
export const LANGUAGE_TAGS: Readonly<Record<Language, string>> = { en: 'en', zh: 'zh-Hans' };

export function setLanguage(next: Language): void {
  language.value = next;
}

/** The first of the browser's languages that the page speaks, else English. */
export function preferredLanguage(languages: readonly string[]): Language {
  for (const tag of languages) {
    const primary = tag.toLowerCase().split('-')[0];
    if (primary === 'zh') return 'zh';
    if (primary === 'en') return 'en';
  }
  return 'en';
}

/**
 * The text of `key` in the current language. `{name}` is replaced by a parameter (numbers in the
 * language's own form), `{name|one|many}` by the form that goes with that number.
 */
export function t(key: TextKey | AddedKey, params: TextParams = {}): string {
  return fill(texts[language.value][key]!, params);
}

/** For keys made at run time (roles, error codes): whether there is such a text. */
export function hasText(key: string): key is TextKey {
  return Object.hasOwn(en, key);
}

/** A number in the current language, with a fixed or largest number of decimals. */
export function formatNumber(value: number, decimals = 0, fixed = false): string {
  // Small whole numbers look the same in both languages.
  if (decimals === 0 && Number.isInteger(value) && value >= 0 && value < 1000) return String(value);
  return formatter(language.value, decimals, fixed).format(value);
}

const formatters = new Map<string, Intl.NumberFormat>();

/** Making one takes a tenth of a millisecond, and a drawing of the page writes hundreds of numbers. */
function formatter(of: Language, decimals: number, fixed: boolean): Intl.NumberFormat {
  const key = `${of} ${decimals} ${fixed}`;
  let known = formatters.get(key);
  if (!known) {
    known = new Intl.NumberFormat(LANGUAGE_TAGS[of], {
      maximumFractionDigits: decimals,
      minimumFractionDigits: fixed ? decimals : 0,
    });
    formatters.set(key, known);
  }
  return known;
}

/** Bytes as kB or MB (powers of ten, as download sizes are given). */
export function formatBytes(bytes: number): string {
  if (bytes < 1e6) return `${formatNumber(bytes / 1e3)} kB`;
  return `${formatNumber(bytes / 1e6, 1, bytes < 1e8)} MB`;
}

/** A form may hold parameters of its own. */
const PARAMETER = /\{(\w+)(?:\|((?:[^|{}]|\{\w+\})*)\|((?:[^|{}]|\{\w+\})*))?\}/g;

function fill(text: string, params: TextParams): string {
  return text.replace(PARAMETER, (whole, name: string, one, many) => {
    const value = params[name];
    if (value === undefined) return whole;
    if (one !== undefined) return fill(value === 1 ? one : many, params);
    if (typeof value !== 'number') return value;
    return formatNumber(value, Number.isInteger(value) ? 0 : 4);
  });
}

/** Makes a Lit element draw itself again when the language changes. */
export class LanguageController implements ReactiveController {
  private stop: (() => void) | null = null;

  constructor(private readonly host: ReactiveControllerHost) {
    host.addController(this);
  }

  hostConnected(): void {
    this.stop = effect(() => {
      language.value;
      this.host.requestUpdate();
    });
  }

  hostDisconnected(): void {
    this.stop?.();
    this.stop = null;
  }
}
