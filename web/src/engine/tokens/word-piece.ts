/**
 * WordPiece: the longest piece of the vocabulary first, from left to right; a word that cannot be
 * covered is one unknown token (Wu et al. 2016, arXiv:1609.08144; as in BERT, Devlin et al. 2018).
 * Gives ids and lengths, so that every piece has its place without searching for it. A substring
 * longer than any piece that begins with the same two units is never looked up, which keeps long
 * words linear.
 */

export interface WordPieceModel {
  readonly vocabulary: ReadonlyMap<string, number>;
  readonly unknownId: number;
  /** What a piece inside a word begins with, '##' in BERT. */
  readonly prefix: string;
  /** A word of more characters (code points) is unknown as a whole. */
  readonly maxWordLength: number;
}

/** The pieces of one word: their ids, and where each ends in UTF-16 units of the word. */
export interface Pieces {
  readonly ids: readonly number[];
  readonly ends: readonly number[];
}

/** Words up to this many units are remembered: longer ones would keep the whole text alive. */
const CACHED_LENGTH = 12;
const CACHED_WORDS = 8192;
/** Words up to this many units are tried without bounds, which take some milliseconds to make. */
const SHORT = 24;

export function createWordPiece(model: WordPieceModel): (word: string) => Pieces {
  const { vocabulary, unknownId, prefix, maxWordLength } = model;
  const cache = new Map<string, Pieces>();
  let bounds: Bounds | undefined;

  function cut(word: string): Pieces {
    const unknown: Pieces = { ids: [unknownId], ends: [word.length] };
    if (word.length > maxWordLength && codePoints(word) > maxWordLength) return unknown;
    if (word.length > SHORT) bounds ??= boundsOf(vocabulary, prefix);
    const ids: number[] = [];
    const ends: number[] = [];
    let start = 0;
    while (start < word.length) {
      let end = word.length;
      if (bounds && end > start + 2) end = Math.min(end, start + boundAt(bounds, word, start));
      let id: number | undefined;
      for (; end > start; end--) {
        if (splitsPair(word, end)) continue;
        const piece = word.slice(start, end);
        id = vocabulary.get(start > 0 ? prefix + piece : piece);
        if (id !== undefined) break;
      }
      if (id === undefined) return unknown;
      ids.push(id);
      ends.push(end);
      start = end;
    }
    return { ids, ends };
  }

  return (word) => {
    if (word.length > CACHED_LENGTH) return cut(word);
    let pieces = cache.get(word);
    if (!pieces) {
      if (cache.size >= CACHED_WORDS) cache.clear();
      pieces = cut(word);
      cache.set(word, pieces);
    }
    return pieces;
  };
}

/** Longest piece for each way to begin; ways that share a place only make the bound looser. */
interface Bounds {
  readonly heads: Uint32Array;
  readonly tails: Uint32Array;
}

function boundsOf(vocabulary: ReadonlyMap<string, number>, prefix: string): Bounds {
  const heads = new Uint32Array(0x10000);
  const tails = new Uint32Array(0x10000);
  const note = (longest: Uint32Array, piece: string, from: number) => {
    const key = beginning(piece, from);
    longest[key] = Math.max(longest[key]!, piece.length - from);
  };
  for (const piece of vocabulary.keys()) {
    note(heads, piece, 0);
    if (piece.startsWith(prefix)) note(tails, piece, prefix.length);
  }
  return { heads, tails };
}

/** At least two units, which one character may take. */
function boundAt({ heads, tails }: Bounds, word: string, at: number): number {
  return Math.max(2, (at > 0 ? tails : heads)[beginning(word, at)]!);
}

/** Two UTF-16 units as one number below 65536. */
function beginning(text: string, at: number): number {
  return (
    (text.charCodeAt(at) * 163 + (at + 1 < text.length ? text.charCodeAt(at + 1) : 0)) & 0xffff
  );
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** Whether `at` lies between the two halves of a surrogate pair. */
function splitsPair(text: string, at: number): boolean {
  const low = text.charCodeAt(at);
  if (!(low >= 0xdc00 && low < 0xe000)) return false;
  const high = text.charCodeAt(at - 1);
  return high >= 0xd800 && high < 0xdc00;
}
