/** What the tokenizer tests share: the tokenizers themselves, code points to UTF-16, and the invariants. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  createTokenizer,
  type Encoding,
  type Tokenizer,
} from '../../web/src/engine/tokens/tokenizer.ts';

const path = (relative: string) => fileURLToPath(new URL(`../../${relative}`, import.meta.url));

export const TOKENIZER_FILES = {
  'minilm-en': path('web/public/models/minilm-en/tokenizer.json'),
  'bge-zh': path('web/public/models/bge-zh/tokenizer.json'),
  'tiny-bert': path('tests/golden/models-tiny/bert/tokenizer.json'),
} as const;

export type ModelName = keyof typeof TOKENIZER_FILES;
export const MODELS = Object.keys(TOKENIZER_FILES) as ModelName[];
export const goldenPath = (relative: string) => path(`tests/golden/${relative}`);

const made = new Map<ModelName, Tokenizer>();

export function tokenizerJson(name: ModelName): Record<string, unknown> {
  return JSON.parse(readFileSync(TOKENIZER_FILES[name], 'utf8'));
}

export function tokenizer(name: ModelName): Tokenizer {
  const known = made.get(name) ?? createTokenizer(tokenizerJson(name));
  made.set(name, known);
  return known;
}

/** Positions in UTF-16 units of all code points of a text, its end included. */
export function unitsOf(text: string): number[] {
  const units = [0];
  for (const character of text) units.push(units.at(-1)! + character.length);
  return units;
}

/** Tokens as `text[start,end)`, for messages and for hand-written expectations. */
export function shown({ tokens }: Encoding): string {
  return tokens
    .filter(({ special }) => !special)
    .map(({ text, start, end }) => `${text}[${start},${end})`)
    .join(' ');
}

/** All that is wrong with an encoding of one text, whatever the text is. */
export function problems(text: string, encoding: Encoding, vocabulary: number): string[] {
  const found: string[] = [];
  const { tokens, ids, typeIds, truncated } = encoding;
  if (ids.length !== tokens.length || typeIds.length !== tokens.length)
    found.push('lengths differ');
  if (!tokens[0]?.special || !tokens.at(-1)?.special) found.push('special tokens are missing');
  if (truncated !== null) found.push('something was left out');
  let lastStart = 0;
  let lastEnd = 0;
  let lastWord = -1;
  for (const [i, { id, start, end, special, word, segment }] of tokens.entries()) {
    const say = (problem: string) => found.push(`token ${i}: ${problem}`);
    if (id !== ids[i]) say('id differs');
    if (!(Number.isInteger(id) && id >= 0 && id < vocabulary)) say('id outside the vocabulary');
    if (segment !== 0) say('belongs to a second text');
    if (special) {
      if (start !== null || end !== null || word !== null) say('special, but has a place');
      continue;
    }
    if (start === null || end === null) {
      say('has no place');
      continue;
    }
    if (!(start >= 0 && start < end && end <= text.length)) say(`place [${start},${end})`);
    if (start < lastStart || end < lastEnd) say('goes back');
    if (insidePair(text, start) || insidePair(text, end)) say('cuts a surrogate pair');
    if (word !== null && word < lastWord) say('word goes back');
    lastStart = start;
    lastEnd = end;
    lastWord = word ?? lastWord;
  }
  return found;
}

function insidePair(text: string, at: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1)) && at > 0;
}

/** A small seeded generator (Marsaglia's xorshift32). */
export function seeded(seed: number): (below: number) => number {
  let state = seed | 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

const BLOCKS: readonly [number, number][] = [
  [0x20, 0x7f],
  [0x00, 0x20],
  [0x7f, 0xc0],
  [0xc0, 0x250],
  [0x300, 0x370], // combining marks
  [0x370, 0x530], // Greek, Cyrillic
  [0x590, 0x700], // Hebrew, Arabic
  [0x900, 0xe80], // Indic scripts, Thai
  [0x1100, 0x1200], // jamo
  [0x1e00, 0x2070], // Latin and Greek with accents, joiners, directions
  [0x20a0, 0x2c00], // signs
  [0x3000, 0x3100],
  [0x4e00, 0x4f00],
  [0xac00, 0xad00],
  [0xd800, 0xe000], // lone surrogates
  [0xf900, 0xfb10],
  [0xfe00, 0x10000],
  [0x1d100, 0x1d200], // musical notation
  [0x1f1e6, 0x1f700], // flags, emoji
  [0x20000, 0x20100],
  [0x0, 0x110000],
];
const SNIPPETS = [
  '[MASK]',
  '[SEP]',
  '[UNK]',
  ' the ',
  'ing',
  '##a',
  '👩‍👩‍👧',
  'e\u0301',
  "didn't",
  '我爱',
  '\r\n',
];

/** A nasty string of 0 to about 60 characters. */
export function nastyText(random: (below: number) => number): string {
  let block = BLOCKS[random(BLOCKS.length)]!;
  let text = '';
  for (let left = random(random(4) === 0 ? 60 : 12); left > 0; left--) {
    if (random(3) === 0) block = BLOCKS[random(BLOCKS.length)]!;
    const code = block[0] + random(block[1] - block[0]);
    text += random(20) === 0 ? SNIPPETS[random(SNIPPETS.length)]! : String.fromCodePoint(code);
  }
  return text;
}
