/**
 * Keeps a pinned token pinned while the text around it changes, and keeps the marks of tokens under
 * their characters until the new text has been read. Both compare what comes before and after the
 * place of the change; neither knows the tokenizer.
 */

import type { Token } from '../engine/types.ts';

/** Where token `index` of `before` is in `after`; null when it is gone. */
export function followToken(
  index: number,
  before: readonly Token[],
  after: readonly Token[],
): number | null {
  const same = (a: Token, b: Token) => a.id === b.id && a.segment === b.segment;
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && same(before[head]!, after[head]!)) head += 1;
  if (index < head) return index;
  let tail = 0;
  while (tail < most - head && same(before.at(-1 - tail)!, after.at(-1 - tail)!)) tail += 1;
  const fromEnd = before.length - index;
  if (fromEnd <= tail) return after.length - fromEnd;
  // The token itself was edited: its place is still the best guess while there is one.
  return index < after.length - tail ? index : null;
}

/** The token of another model's reading of the same text that holds the first character of token `index`. */
export function tokenAtSamePlace(
  index: number,
  before: readonly Token[],
  after: readonly Token[],
): number | null {
  const { start, segment } = before[index] ?? {};
  if (start === undefined || start === null) return null;
  const found = after.findIndex(
    (token) =>
      token.segment === segment &&
      token.start !== null &&
      token.start <= start &&
      token.end! > start,
  );
  return found < 0 ? null : found;
}

export interface Span {
  start: number;
  end: number;
}

/** Spans of the old text that still stand under the same characters of the new one, moved there. */
export function followSpans<T extends Span>(
  spans: readonly T[],
  before: string,
  after: string,
): T[] {
  if (before === after) return [...spans];
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const shift = after.length - before.length;
  const moved: T[] = [];
  for (const span of spans) {
    if (span.end <= head) moved.push(span);
    else if (span.start >= before.length - tail) {
      moved.push({ ...span, start: span.start + shift, end: span.end + shift });
    }
  }
  return moved;
}
