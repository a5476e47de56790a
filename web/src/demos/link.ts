/**
 * The link of the demos page: which demonstration, its numbers and its words. What a link leaves out is the
 * tutorial's own; what it says wrongly is left out and reported.
 */
import { DEMOS, type DemoId, type DemoSettings, numbered } from './demos.ts';

export interface DemoState {
  demo: DemoId;
  settings: DemoSettings;
  /** Chosen token (row). */
  token: number;
}

export type DemoFault = 'demo' | 'seed' | 'scale' | 'd' | 'h' | 'tokens' | 'n' | 'token';

export const LIMITS = {
  seed: [0, 2 ** 32 - 1],
  scale: [1e-6, 100],
  width: [1, 512],
  tokens: [1, 256],
} as const;

/** More characters than this in a token are no word. */
const LONGEST_TOKEN = 40;

export function readDemoLink(fragment: string): { state: DemoState; faults: DemoFault[] } {
  const faults: DemoFault[] = [];
  const given = fieldsOf(fragment);
  const demo = given.get('demo') ?? 'heads';
  const known = Object.hasOwn(DEMOS, demo);
  if (!known) faults.push('demo');
  const id = known ? (demo as DemoId) : 'heads';
  const own = DEMOS[id].settings;
  const read = <T>(fault: DemoFault, usual: T, parse: (text: string) => T | null): T => {
    const text = given.get(fault);
    if (text === undefined) return usual;
    const value = parse(text);
    if (value === null) faults.push(fault);
    return value ?? usual;
  };
  const settings: DemoSettings = {
    seed: read('seed', own.seed, (text) => whole(text, LIMITS.seed)),
    scale: read('scale', own.scale, (text) => decimal(text, LIMITS.scale)),
    width: read('d', own.width, (text) => whole(text, LIMITS.width)),
    heads: read('h', own.heads, (text) => whole(text, LIMITS.width)),
    tokens: given.has('n')
      ? read('n', own.tokens, (text) => {
          const count = whole(text, LIMITS.tokens);
          return count === null ? null : numbered(count);
        })
      : read('tokens', own.tokens, parseTokens),
  };
  if (settings.width % settings.heads !== 0) {
    faults.push('h');
    settings.heads = own.heads;
    settings.width = own.width;
  }
  const token = read('token', 0, (text) => whole(text, [0, settings.tokens.length - 1]));
  return { state: { demo: id, settings, token }, faults };
}

export function writeDemoLink({ demo, settings, token }: DemoState): string {
  const own = DEMOS[demo].settings;
  const fields: [string, string | null][] = [
    ['demo', demo],
    ['seed', settings.seed === own.seed ? null : String(settings.seed)],
    ['scale', settings.scale === own.scale ? null : String(settings.scale)],
    ['d', settings.width === own.width ? null : String(settings.width)],
    ['h', settings.heads === own.heads ? null : String(settings.heads)],
    tokensField(settings.tokens, own.tokens),
    ['token', token === 0 ? null : String(token)],
  ];
  return fields
    .filter(([, value]) => value !== null)
    .map(([key, value]) => `${key}=${encodeURIComponent(value!)}`)
    .join('&');
}

function tokensField(tokens: readonly string[], own: readonly string[]): [string, string | null] {
  if (same(tokens, own)) return ['tokens', null];
  if (same(tokens, numbered(tokens.length))) return ['n', String(tokens.length)];
  return ['tokens', tokens.join(' ')];
}

const same = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((token, index) => token === b[index]);

/** Words apart by spaces; null for none or too many. */
export function parseTokens(text: string): string[] | null {
  const tokens = text.split(/\s+/u).filter((token) => token !== '');
  const fits = tokens.length >= LIMITS.tokens[0] && tokens.length <= LIMITS.tokens[1];
  return fits && tokens.every((token) => [...token].length <= LONGEST_TOKEN) ? tokens : null;
}

/** A whole number within limits, else null. */
export function whole(text: string, [least, most]: readonly [number, number]): number | null {
  if (!/^\s*\d{1,10}\s*$/.test(text)) return null;
  const value = Number(text);
  return value >= least && value <= most ? value : null;
}

export function decimal(text: string, [least, most]: readonly [number, number]): number | null {
  const value = text.trim() === '' ? Number.NaN : Number(text.trim().replace(',', '.'));
  return value >= least && value <= most ? value : null;
}

function fieldsOf(fragment: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const part of fragment.replace(/^#/, '').split('&')) {
    const equals = part.indexOf('=');
    if (equals < 1) continue;
    try {
      fields.set(part.slice(0, equals), decodeURIComponent(part.slice(equals + 1)));
    } catch {
      fields.set(part.slice(0, equals), '');
    }
  }
  return fields;
}
