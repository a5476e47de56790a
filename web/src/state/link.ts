/**
 * The codec between a link's fragment and the page's state. Each field stands once, in `FIELDS`.
 * Values are percent-encoded UTF-8 and '+' is a plus. Unknown keys are ignored; a value that cannot
 * be read is left out and reported, so that the caller falls back and says so.
 */

import { MASKS, QUADRANTS, RADIUS, TEMPERATURE, unpackCells } from './controls.ts';
import { isModelId } from './models.ts';
import { canPack, packTexts, unpackTexts } from './pack-text.ts';
import {
  type HeadIndex,
  type PageState,
  SCALES,
  SORTS,
  STEPS,
  type Step,
  VIEWS,
} from './page-state.ts';

/** The version that this page writes. It is only written once it is not 1. */
const VERSION = 1;

/** A text longer than this, percent-encoded, is packed when that is shorter. */
const LONG_TEXT = 1500;

interface Field<T> {
  /** undefined: not a value of this field. */
  read(value: string): T | undefined;
  /** null: not written, because it is what a link without this key means. */
  write(value: T): string | null;
}

const FIELDS: { readonly [K in keyof PageState]: Field<PageState[K]> } = {
  text: { read: (value) => value, write: (value) => value },
  pair: { read: (value) => value, write: (value) => value },
  model: {
    read: (value) => (isModelId(value) ? value : undefined),
    write: (value) => value,
  },
  layer: { read: indexOrMean, write: String },
  head: { read: indexOrMean, write: String },
  also: {
    read: headList,
    write: (heads) => heads.map(({ layer, head }) => `${layer}.${head}`).join(',') || null,
  },
  query: { read: index, write: (value) => (value === null ? null : String(value)) },
  key: { read: index, write: (value) => (value === null ? null : String(value)) },
  view: oneOf(VIEWS, 'beams'),
  lang: oneOf<'en' | 'zh', null>(['en', 'zh'], null),
  theme: oneOf<'light' | 'dark', null>(['light', 'dark'], null),
  specials: flag(false),
  from: flag(true),
  words: flag(false),
  sort: oneOf(SORTS, 'layer'),
  scale: oneOf(SCALES, 'linear'),
  step: oneOf<Step, null>(STEPS, null),
  quad: oneOf(QUADRANTS, 'all'),
  mask: oneOf(MASKS, 'none'),
  radius: {
    read: (value) => within(index(value), RADIUS),
    write: (value) => (value === 2 ? null : String(value)),
  },
  cells: {
    read: (value) => (unpackCells(value) === null ? undefined : value),
    write: (value) => value || null,
  },
  off: {
    read: tokenList,
    write: (tokens) => tokens.join(',') || null,
  },
  temperature: {
    read: (value) => (/^\d+(\.\d+)?$/.test(value) ? within(Number(value), TEMPERATURE) : undefined),
    write: (value) => (value === 1 ? null : String(value)),
  },
  positions: flag(true),
};

const KEYS = Object.keys(FIELDS) as (keyof PageState)[];

export interface DecodedLink {
  /** The fields that the link names, and only those. */
  state: Partial<PageState>;
  /** Keys whose value could not be read. `z` for a text that could not be unpacked. */
  bad: string[];
  /** The link says that it was written by a later version. */
  newer: boolean;
}

/** The fragment without '#'. Asynchronous, because packing is. */
export async function encodeLink(state: PageState): Promise<string> {
  const texts = [state.text, state.pair ?? ''];
  const length = texts.map(escapeValue).join('').length;
  const plain = texts.every(isWellFormed) ? length : Number.POSITIVE_INFINITY;
  if (plain <= LONG_TEXT || !canPack()) return encodePlain(state);
  const packed = await packTexts(state);
  return packed.length < plain ? `z=${packed}&${encodeRest(state)}` : encodePlain(state);
}

/** The same at once, with the texts never packed; an unpaired surrogate becomes U+FFFD. */
export function encodePlain(state: PageState): string {
  return encodeKeys(state, KEYS);
}

/** Everything but the texts. */
export function encodeRest(state: PageState): string {
  return encodeKeys(
    state,
    KEYS.filter((key) => key !== 'text' && key !== 'pair'),
  );
}

function encodeKeys(state: PageState, keys: readonly (keyof PageState)[]): string {
  const parts: string[] = [];
  for (const key of keys) {
    const value = (FIELDS[key] as Field<unknown>).write(state[key]);
    if (value !== null) parts.push(`${key}=${escapeValue(value)}`);
  }
  return parts.join('&');
}

/** Reads a fragment, with or without '#'. Of a key given twice the last one counts. */
export async function decodeLink(fragment: string): Promise<DecodedLink> {
  const decoded: DecodedLink = { state: {}, bad: [], newer: false };
  const state = decoded.state as Record<string, unknown>;
  for (const part of fragment.replace(/^#/, '').split('&')) {
    const equals = part.indexOf('=');
    if (equals < 1) continue;
    const key = part.slice(0, equals);
    const value = unescapeValue(part.slice(equals + 1));
    if (key === 'v') {
      const version = value === null ? undefined : index(value);
      if (version === undefined) decoded.bad.push(key);
      else decoded.newer = version > VERSION;
    } else if (key === 'z') {
      const texts = value === null ? null : await unpackTexts(value);
      if (texts) Object.assign(state, texts);
      else decoded.bad.push(key);
    } else if (Object.hasOwn(FIELDS, key)) {
      const read = value === null ? undefined : FIELDS[key as keyof PageState].read(value);
      if (read === undefined) decoded.bad.push(key);
      else state[key] = read;
    }
  }
  return decoded;
}

function oneOf<T extends string, D extends T | null>(values: readonly T[], usual: D): Field<T | D> {
  return {
    read: (value) => values.find((known) => known === value),
    write: (value) => (value === usual ? null : value),
  };
}

function flag(usual: boolean): Field<boolean> {
  return {
    read: (value) => (value === '1' ? true : value === '0' ? false : undefined),
    write: (value) => (value === usual ? null : value ? '1' : '0'),
  };
}

function index(value: string): number | undefined {
  return /^(0|[1-9]\d{0,5})$/.test(value) ? Number(value) : undefined;
}

function indexOrMean(value: string): number | 'mean' | undefined {
  return value === 'mean' ? 'mean' : index(value);
}

function within(
  value: number | undefined,
  [least, most]: readonly [number, number],
): number | undefined {
  return value !== undefined && value >= least && value <= most ? value : undefined;
}

/** Ascending, each once. */
function tokenList(value: string): number[] | undefined {
  const tokens = value.split(',').map(index);
  if (tokens.some((token) => token === undefined) || tokens.length > 512) return undefined;
  return [...new Set(tokens as number[])].sort((a, b) => a - b);
}

function headList(value: string): HeadIndex[] | undefined {
  const heads: HeadIndex[] = [];
  for (const part of value.split(',')) {
    const [layer, head, rest] = part.split('.').map(index);
    if (layer === undefined || head === undefined || rest !== undefined) return undefined;
    heads.push({ layer, head });
  }
  return heads.length <= 16 ? heads : undefined;
}

/** Keeps spaces readable as %20 and everything outside ASCII as browsers show it decoded. */
function escapeValue(value: string): string {
  return isWellFormed(value)
    ? encodeURIComponent(value)
    : encodeURIComponent(value.replace(LONE_SURROGATE, '\ufffd'));
}

function unescapeValue(value: string): string | null {
  try {
    return decodeURIComponent(value);
  } catch {
    return null;
  }
}

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

function isWellFormed(text: string): boolean {
  return text.search(LONE_SURROGATE) < 0;
}
