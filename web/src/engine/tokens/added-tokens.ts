/**
 * Tokens that are recognised in the text before anything else, such as a typed "[MASK]".
 * They keep the span that was typed, unlike those that the template puts around a text.
 */
import { isWhitespace } from './unicode.ts';

export interface AddedToken {
  readonly id: number;
  readonly content: string;
  readonly singleWord: boolean;
  readonly leftStrip: boolean;
  readonly rightStrip: boolean;
  readonly normalised: boolean;
  readonly special: boolean;
}

/** One stretch of a text: an added token, or what lies between (id null). */
export type Visit = (from: number, to: number, id: number | null) => void;

/** Finds the leftmost-longest added tokens; `spellings` are looked for, one a token. */
export function createFinder(
  tokens: readonly AddedToken[],
  spellings: readonly string[],
): (text: string, visit: Visit) => void {
  const bySpelling = new Map<string, AddedToken>();
  tokens.forEach((token, i) => {
    if (spellings[i]) bySpelling.set(spellings[i], token);
  });
  if (bySpelling.size === 0) {
    return (text, visit) => void (text !== '' && visit(0, text.length, null));
  }
  const longestFirst = [...bySpelling.keys()].sort((a, b) => b.length - a.length);
  const expression = new RegExp(longestFirst.map(escaped).join('|'), 'g');
  return (text, visit) => {
    let done = 0;
    for (const { 0: spelling, index } of text.matchAll(expression)) {
      const token = bySpelling.get(spelling)!;
      let from = index;
      let to = index + spelling.length;
      if (token.singleWord && (wordBefore(text, from) || wordAfter(text, to))) continue;
      if (token.leftStrip) while (from > done && isWhitespace(text.charCodeAt(from - 1))) from--;
      if (token.rightStrip) while (to < text.length && isWhitespace(text.charCodeAt(to))) to++;
      if (from > done) visit(done, from, null);
      visit(from, to, token.id);
      done = to;
    }
    if (done < text.length) visit(done, text.length, null);
  };
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
const WORD = /[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}]/u;

function wordBefore(text: string, at: number): boolean {
  if (at === 0) return false;
  const pair = at > 1 && text.codePointAt(at - 2)! > 0xffff;
  return WORD.test(text.slice(at - (pair ? 2 : 1), at));
}

function wordAfter(text: string, at: number): boolean {
  return at < text.length && WORD.test(String.fromCodePoint(text.codePointAt(at)!));
}
