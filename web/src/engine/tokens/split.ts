/**
 * Cuts normalised text into pre-tokens, the pieces that a token never reaches across.
 * Works on positions, so nothing has to be found again afterwards. Only the pre-tokenisers that leave
 * the text as it is; those that rewrite it (byte-level, metaspace) are refused.
 */
import { HeadlightsError } from '../errors.ts';
import { isPunctuation, isWhitespace } from './unicode.ts';

/** Pre-tokens as from, to, from, to, ... in UTF-16 units of the text. */
export type Cuts = number[];

/** Cuts `text` between `from` and `to`, appending to `cuts`. */
export type Splitter = (text: string, from: number, to: number, cuts: Cuts) => void;

const LETTER = 1;
const BLANK = 2;
const MARK = 3;
const kinds = new Uint8Array(0x10000); // 0 = not looked up yet

function kindOf(code: number): number {
  if (code > 0xffff) return isPunctuation(code) ? MARK : LETTER;
  const known = kinds[code]!;
  if (known !== 0) return known;
  const kind = isWhitespace(code) ? BLANK : isPunctuation(code) ? MARK : LETTER;
  kinds[code] = kind;
  return kind;
}

/** At blanks, which vanish, and around each punctuation sign. */
const bert: Splitter = (text, from, to, cuts) => scan(text, from, to, cuts, false);

/** Around each punctuation sign; blanks stay. */
const punctuation: Splitter = (text, from, to, cuts) => scan(text, from, to, cuts, true);

function scan(text: string, from: number, to: number, cuts: Cuts, keepBlanks: boolean): void {
  let begin = -1;
  for (let i = from; i < to; i++) {
    const at = i;
    let code = text.charCodeAt(i);
    if (code >= 0xd800 && code < 0xdc00) {
      code = text.codePointAt(i)!;
      if (code > 0xffff) i++;
    }
    const kind = kindOf(code);
    if (kind === LETTER || (keepBlanks && kind === BLANK)) {
      if (begin < 0) begin = at;
      continue;
    }
    if (begin >= 0) cuts.push(begin, at);
    begin = -1;
    if (kind === MARK) cuts.push(at, i + 1);
  }
  if (begin >= 0) cuts.push(begin, to);
}

/** Keeps what the expression matches. */
function matching(expression: RegExp): Splitter {
  return (text, from, to, cuts) => {
    for (const { 0: match, index } of text.slice(from, to).matchAll(expression)) {
      cuts.push(from + index, from + index + match.length);
    }
  };
}

function sequence(steps: readonly Splitter[]): Splitter {
  return (text, from, to, cuts) => {
    let pieces: Cuts = [from, to];
    for (const step of steps) {
      const finer: Cuts = [];
      for (let i = 0; i < pieces.length; i += 2) step(text, pieces[i]!, pieces[i + 1]!, finer);
      pieces = finer;
    }
    for (const position of pieces) cuts.push(position);
  };
}

const WORD = '[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}]';

/** The pre-tokeniser that `tokenizer.json` describes; `unsupported` where it rewrites the text. */
export function createSplitter(config: unknown): Splitter {
  if (config == null) return (_text, from, to, cuts) => void (to > from && cuts.push(from, to));
  if (typeof config !== 'object' || Array.isArray(config)) {
    throw new HeadlightsError('corrupt', 'tokenizer.json: its pre_tokenizer is not an object.');
  }
  const settings = config as Record<string, unknown>;
  switch (settings.type) {
    case 'BertPreTokenizer':
      return bert;
    case 'Whitespace':
      return matching(new RegExp(`${WORD}+|(?:(?!${WORD})\\P{White_Space})+`, 'gu'));
    case 'WhitespaceSplit':
      return matching(/\P{White_Space}+/gu);
    case 'Digits':
      return matching(settings.individual_digits === true ? /\P{N}+|\p{N}/gu : /\P{N}+|\p{N}+/gu);
    case 'Punctuation':
      if ((settings.behavior ?? 'Isolated') !== 'Isolated') break;
      return punctuation;
    case 'Sequence':
      if (!Array.isArray(settings.pretokenizers)) {
        throw new HeadlightsError(
          'corrupt',
          'tokenizer.json: a pre_tokenizer sequence has no list.',
        );
      }
      return sequence(settings.pretokenizers.map(createSplitter));
  }
  throw new HeadlightsError(
    'unsupported',
    `The tokenizer uses the pre-tokenizer "${String(settings.type)}", which cannot be followed character by character here.`,
    { part: 'pre_tokenizer', type: settings.type },
  );
}
