/**
 * Words of a text as Intl.Segmenter counts them (only segments that are word-like), read from left to
 * right. Engines copy the whole text at every step of a segmenter, so a long text would take quadratic
 * time (V8: 28 s for 200,000 characters); it is therefore given in pieces cut at white space, across
 * which no rule of Unicode's word boundaries (UAX 29) reaches, and plain ASCII words need no segmenter.
 * The locale is fixed, so that the same text gives the same words for every reader; the rules for
 * Chinese, Japanese, Thai and so on do not depend on it.
 * Without Intl.Segmenter (Firefox before 125): runs of letters, digits and marks, joined by
 * apostrophes; every Han, kana, Thai, Lao, Khmer or Myanmar character counts as one word.
 */

/**
 * Reads some words of `text` from `from` on, at most up to `to`, and tells how far it came (always
 * further than `from`).
 */
type Segment = (text: string, from: number, to: number, words: number[]) => number;

/** An ASCII word with punctuation around it, standing between blanks. */
const PLAIN = /(["'([]*)([A-Za-z]+(?:['’][A-Za-z]+)*|[A-Za-z0-9]+)[)\]"',.;:!?]*(?![^ \t\n\r])/y;

/** Scripts that write without blanks between words. */
const CLOSE = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{Script=${script}}`)
  .join('');
const LETTERS = `(?:(?![${CLOSE}])[\\p{L}\\p{N}\\p{M}_])+`;
const FALLBACK = new RegExp(
  `[${CLOSE}]\\p{M}*|${LETTERS}(?:['’.](?=[\\p{L}\\p{N}])${LETTERS})*`,
  'gu',
);

/** The words without Intl.Segmenter; exported for tests. */
export const segmentByRule: Segment = (text, from, to, words) => {
  for (const { 0: match, index } of text.slice(from, to).matchAll(FALLBACK)) {
    words.push(from + index, from + index + match.length);
  }
  return to;
};

/** Longest text that is given to the segmenter at once, and the tail whose words are read again. */
const WINDOW = 512;
const TAIL = 64;

function segmentByIntl(): Segment | null {
  if (typeof Intl !== 'object' || typeof Intl.Segmenter !== 'function') return null;
  const segmenter = new Intl.Segmenter('en', { granularity: 'word' });
  return (text, from, to, words) => {
    for (let window = WINDOW; ; window *= 2) {
      const { at, sure } = endOfWindow(text, from, Math.min(to, from + window), to);
      let next = from;
      for (const { segment, index, isWordLike } of segmenter.segment(text.slice(from, at))) {
        const start = from + index;
        const end = start + segment.length;
        if (!sure && end > at - TAIL) break; // might go on beyond the window
        if (isWordLike) words.push(start, end);
        next = end;
      }
      if (next > from) return next;
    }
  };
}

/** Where to stop: after a full stop of Chinese or Japanese if there is one (`sure`), else anywhere. */
function endOfWindow(
  text: string,
  from: number,
  limit: number,
  to: number,
): { at: number; sure: boolean } {
  if (limit === to) return { at: to, sure: true };
  for (let i = limit; i > from + TAIL; i--) {
    if ('。！？、'.includes(text[i - 1]!) && /^\p{Lo}/u.test(text.slice(i, i + 2))) {
      return { at: i, sure: true };
    }
  }
  const middle = text.codePointAt(limit - 1)! > 0xffff;
  return { at: middle ? limit - 1 : limit, sure: false };
}

let shared: Segment | undefined;

/** Made when a word first needs it: loading its tables takes about 15 ms in V8. */
function segmentByDefault(): Segment {
  shared ??= segmentByIntl() ?? segmentByRule;
  return shared;
}

/** Reads the words of one text. `start` and `end` are those of the word that `next()` came to. */
export class WordReader {
  start = 0;
  end = 0;
  /** Index of the word, from 0; -1 before the first call. */
  index = -1;
  private position = 0;
  /** End of the piece between blanks that is being read. */
  private pieceEnd = 0;
  private queue: number[] = [];
  private queued = 0;

  constructor(
    private readonly text: string,
    /** For tests: read as if there were no Intl.Segmenter. */
    private readonly split?: Segment,
  ) {}

  /** Goes to the next word; false at the end, or once it is clear that none begins up to `limit`. */
  next(limit = Number.POSITIVE_INFINITY): boolean {
    for (;;) {
      if (this.queued < this.queue.length) {
        return this.found(this.queue[this.queued++]!, this.queue[this.queued++]!);
      }
      if (this.position > limit) return false;
      if (this.position >= this.pieceEnd && this.readPlain()) return true;
      if (this.position >= this.text.length) return false;
      this.queue = [];
      this.queued = 0;
      const split = this.split ?? segmentByDefault();
      this.position = split(this.text, this.position, this.pieceEnd, this.queue);
    }
  }

  /** Index of the word that holds this position, or null. Positions must not go back. */
  at(position: number): number | null {
    while (position >= this.end && this.next(position));
    return position >= this.start && position < this.end ? this.index : null;
  }

  /** How many words begin at or after a position that is not before the last one asked for. */
  countFrom(position: number): number {
    let count = 0;
    if (this.index >= 0 && this.start >= position) count++;
    while (this.next()) if (this.start >= position) count++;
    return count;
  }

  /** Goes to the next piece between blanks; true if it is a plain word, which is then found. */
  private readPlain(): boolean {
    const { text } = this;
    while (this.position < text.length && isBlank(text, this.position)) this.position++;
    PLAIN.lastIndex = this.position;
    const plain = PLAIN.exec(text);
    if (plain) {
      const start = this.position + plain[1]!.length;
      this.position = PLAIN.lastIndex;
      return this.found(start, start + plain[2]!.length);
    }
    this.pieceEnd = this.position;
    while (this.pieceEnd < text.length && !isBlank(text, this.pieceEnd)) this.pieceEnd++;
    return false;
  }

  private found(start: number, end: number): true {
    this.start = start;
    this.end = end;
    this.index++;
    return true;
  }
}

/** The blanks at which a text may be cut: nothing joins across them, not even an accent. */
function isBlank(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 0x20 || code === 0x9 || code === 0xa || code === 0xd;
}
