/**
 * From text to tokens: the ids that a model of the BERT family reads, and for each the place in the
 * text that it came from and the word that it belongs to.
 * Added tokens are found first, then the text is normalised (align.ts), cut (split.ts) and covered by
 * pieces of the vocabulary (word-piece.ts), all on positions, so that offsets need no searching.
 * Ids and offsets equal those of Hugging Face's `tokenizers`. Runs in a page, a worker and Node.
 */
import { HeadlightsError } from '../errors.ts';
import type { Token, Truncation } from '../types.ts';
import { createFinder } from './added-tokens.ts';
import { alignSource, createNormaliser } from './align.ts';
import { type Cuts, createSplitter } from './split.ts';
import { createTemplate, type Part } from './template.ts';
import { readTokenizerFile } from './tokenizer-json.ts';
import { keptLengths } from './truncate.ts';
import { createWordPiece } from './word-piece.ts';
import { WordReader } from './words.ts';

export interface Encoding {
  tokens: Token[];
  ids: Int32Array; // [T]
  typeIds: Int32Array; // [T]
  truncated: Truncation | null;
}

export interface Tokenizer {
  /** Largest id + 1: what the model's word table must have at least. */
  readonly vocabulary: number;
  /** How many special tokens one text gets, and two. */
  readonly specials: { readonly single: number; readonly pair: number };
  /**
   * Tokens of a text, or of two; an absent or empty `pair` is no second text. At most `maxTokens`,
   * special tokens included: what is longer is cut (the longest text first), and `truncated` tells how
   * many tokens, and how many words that would have begun after the cut, were left out.
   */
  encode(text: string, pair?: string | null, maxTokens?: number): Encoding;
  /** Tokens for ids that did not come from a text: without places and words. */
  fromIds(ids: ArrayLike<number>, typeIds?: ArrayLike<number>): Encoding;
}

/** The tokens of one text before anything is put around them. */
interface Sequence {
  readonly text: string;
  readonly ids: number[];
  readonly starts: number[];
  readonly ends: number[];
}

/**
 * `tokenizerJson` is the parsed file or its text. `config` (`tokenizer_config.json`) is accepted and
 * not used: what it says about lower-casing is for slow tokenizers, the file itself decides.
 */
export function createTokenizer(tokenizerJson: unknown, _config?: unknown): Tokenizer {
  const file = readTokenizerFile(tokenizerJson);
  const normalise = createNormaliser(file.normalizer);
  const split = createSplitter(file.preTokenizer);
  const template = createTemplate(file.postProcessor);
  const wordPiece = createWordPiece(file.model);
  const { spellings } = file;
  const raw = file.added.filter((token) => !token.normalised);
  const findRaw = createFinder(
    raw,
    raw.map((token) => token.content),
  );
  const normalised = file.added.filter((token) => token.normalised);
  const findNormalised = createFinder(
    normalised,
    normalised.map((token) => normalise(alignSource(token.content)).text),
  );
  const specialIds = new Set(file.added.filter((token) => token.special).map((token) => token.id));
  for (const part of [...template.single, ...template.pair]) {
    if (!('id' in part)) continue;
    specialIds.add(part.id);
    if (spellings[part.id] === undefined) {
      throw new HeadlightsError(
        'corrupt',
        `tokenizer.json is broken: the post_processor uses the id ${part.id}, which has no token.`,
      );
    }
  }
  const specials = { single: countSpecials(template.single), pair: countSpecials(template.pair) };
  // What was worked out last for the first and the second text: a model runs the same text again
  // whenever a head is switched.
  const lastSequence: (Sequence | undefined)[] = [];
  const lastCount: ({ text: string; cut: number; words: number } | undefined)[] = [];

  function sequenceOf(text: string, segment: 0 | 1): Sequence {
    const last = lastSequence[segment];
    if (last?.text === text) return last;
    const sequence: Sequence = { text, ids: [], starts: [], ends: [] };
    const { ids, starts, ends } = sequence;
    findRaw(text, (from, to, id) => {
      if (id !== null) {
        ids.push(id);
        starts.push(from);
        ends.push(to);
        return;
      }
      const aligned = normalise(alignSource(text.slice(from, to), from));
      findNormalised(aligned.text, (begin, end, addedId) => {
        if (addedId !== null) {
          ids.push(addedId);
          starts.push(aligned.starts[begin]!);
          ends.push(aligned.ends[end - 1]!);
          return;
        }
        const cuts: Cuts = [];
        split(aligned.text, begin, end, cuts);
        for (let i = 0; i < cuts.length; i += 2) {
          const at = cuts[i]!;
          const pieces = wordPiece(aligned.text.slice(at, cuts[i + 1]));
          let first = at;
          for (let piece = 0; piece < pieces.ids.length; piece++) {
            const last = at + pieces.ends[piece]! - 1;
            ids.push(pieces.ids[piece]!);
            starts.push(aligned.starts[first]!);
            ends.push(aligned.ends[last]!);
            first = last + 1;
          }
        }
      });
    });
    lastSequence[segment] = sequence;
    return sequence;
  }

  /** Words that begin after the last kept token of a text. */
  function wordsLeftOut(
    segment: 0 | 1,
    sequence: Sequence,
    kept: number,
    reader: WordReader,
  ): number {
    const { text } = sequence;
    const cut = kept > 0 ? sequence.ends[kept - 1]! : 0;
    const last = lastCount[segment];
    if (last?.text === text && last.cut === cut) return last.words;
    const words = reader.countFrom(cut);
    lastCount[segment] = { text, cut, words };
    return words;
  }

  function encode(
    text: string,
    pair?: string | null,
    maxTokens = Number.POSITIVE_INFINITY,
  ): Encoding {
    checkText(text, 'text');
    if (pair != null) checkText(pair, 'pair');
    const parts = pair ? template.pair : template.single;
    const room = maxTokens - (pair ? specials.pair : specials.single);
    if (!(room >= 0) || (room !== Number.POSITIVE_INFINITY && !Number.isInteger(room))) {
      throw new HeadlightsError(
        'bad-argument',
        `maxTokens must be a whole number that leaves room for the special tokens, not ${maxTokens}.`,
        { maxTokens },
      );
    }
    const first = sequenceOf(text, 0);
    const second = pair ? sequenceOf(pair, 1) : null;
    const kept = keptLengths(first.ids.length, second?.ids.length ?? 0, room);

    const tokens: Token[] = [];
    const types: number[] = [];
    const truncated: Truncation = { tokens: 0, words: 0 };
    let segment: 0 | 1 = 0;
    for (const part of parts) {
      if ('id' in part) {
        tokens.push(bare(part.id, true, segment));
        types.push(part.type);
        continue;
      }
      segment = part.text === 'A' ? 0 : 1;
      const sequence = segment === 0 ? first : second!;
      const length = kept[segment];
      const reader = new WordReader(sequence.text);
      for (let i = 0; i < length; i++) {
        const start = sequence.starts[i]!;
        tokens.push({
          text: spellings[sequence.ids[i]!]!,
          id: sequence.ids[i]!,
          start,
          end: sequence.ends[i]!,
          special: false,
          word: reader.at(start),
          segment,
        });
        types.push(part.type);
      }
      if (length < sequence.ids.length) {
        truncated.tokens += sequence.ids.length - length;
        truncated.words += wordsLeftOut(segment, sequence, length, reader);
      }
    }
    return {
      tokens,
      ids: Int32Array.from(tokens, (token) => token.id),
      typeIds: Int32Array.from(types),
      truncated: truncated.tokens > 0 ? truncated : null,
    };
  }

  function fromIds(ids: ArrayLike<number>, typeIds?: ArrayLike<number>): Encoding {
    const tokens = Array.from(ids, (id, i) => {
      if (spellings[id] === undefined) {
        throw new HeadlightsError(
          'bad-argument',
          `ids[${i}] is ${id}, which is not in the vocabulary (0 to ${spellings.length - 1}).`,
          { index: i, id },
        );
      }
      return bare(id, specialIds.has(id), typeIds?.[i] ? 1 : 0);
    });
    if (typeIds && typeIds.length !== ids.length) {
      throw new HeadlightsError(
        'bad-shape',
        `There are ${ids.length} ids and ${typeIds.length} type ids.`,
      );
    }
    return {
      tokens,
      ids: Int32Array.from(tokens, (token) => token.id),
      typeIds: typeIds ? Int32Array.from(typeIds) : new Int32Array(ids.length),
      truncated: null,
    };
  }

  function bare(id: number, special: boolean, segment: 0 | 1): Token {
    return { text: spellings[id]!, id, start: null, end: null, special, word: null, segment };
  }

  return { vocabulary: spellings.length, specials, encode, fromIds };
}

function countSpecials(parts: readonly Part[]): number {
  return parts.filter((part) => 'id' in part).length;
}

function checkText(value: unknown, name: string): void {
  if (typeof value === 'string') return;
  throw new HeadlightsError('bad-argument', `${name} must be a string, not ${typeof value}.`);
}
