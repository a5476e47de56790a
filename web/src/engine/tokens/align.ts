/**
 * Normalised text that remembers where each of its characters came from.
 * A normaliser changes lengths (lower-casing, taking accents off, blanks around ideographs), so it is
 * applied character by character and every UTF-16 unit of the result keeps a [start, end) of the
 * original text. The spans follow the reference tokenizers: a dropped character belongs to nobody, and
 * a character that was composed of several keeps the span of the first.
 * Not for cutting into words or tokens: split.ts and word-piece.ts do that on the result.
 */
import { HeadlightsError } from '../errors.ts';
import { isControl, isIdeograph, isWhitespace, lowerCase, withoutAccents } from './unicode.ts';

export interface AlignedText {
  readonly text: string;
  /** Per UTF-16 unit of `text`: the span in the original that it came from. Both never decrease. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

export type Normaliser = (input: AlignedText) => AlignedText;

/** A text as it is, `offset` units into the original. The two halves of a surrogate pair share a span. */
export function alignSource(text: string, offset = 0): AlignedText {
  const starts = new Int32Array(text.length);
  const ends = new Int32Array(text.length);
  for (let i = 0; i < text.length; i++) {
    starts[i] = offset + i;
    ends[i] = offset + i + 1;
    if (text.charCodeAt(i) >= 0xd800 && text.codePointAt(i)! > 0xffff) {
      ends[i] = offset + i + 2;
      starts[i + 1] = offset + i;
      ends[i + 1] = offset + i + 2;
      i++;
    }
  }
  return { text, starts, ends };
}

/** Collects normalised text; spans are clamped so that they never decrease. */
class Builder {
  private text = '';
  private starts: Int32Array;
  private ends: Int32Array;
  private length = 0;

  constructor(capacity: number) {
    this.starts = new Int32Array(capacity);
    this.ends = new Int32Array(capacity);
  }

  push(text: string, start: number, end: number): void {
    const length = this.length + text.length;
    if (length > this.starts.length) this.grow(length);
    for (let i = this.length; i < length; i++) {
      this.starts[i] = start;
      this.ends[i] = end;
    }
    this.text += text;
    this.length = length;
  }

  finish(): AlignedText {
    for (let i = 1; i < this.length; i++) {
      if (this.starts[i]! < this.starts[i - 1]!) this.starts[i] = this.starts[i - 1]!;
      if (this.ends[i]! < this.ends[i - 1]!) this.ends[i] = this.ends[i - 1]!;
    }
    return {
      text: this.text,
      starts: this.starts.subarray(0, this.length),
      ends: this.ends.subarray(0, this.length),
    };
  }

  private grow(length: number): void {
    const capacity = Math.max(length, this.starts.length * 2);
    const starts = new Int32Array(capacity);
    const ends = new Int32Array(capacity);
    starts.set(this.starts);
    ends.set(this.ends);
    this.starts = starts;
    this.ends = ends;
  }
}

/** A normaliser that replaces each character for itself, whatever stands beside it. */
function byCharacter(replace: (code: number) => string): Normaliser {
  const ascii = Array.from({ length: 128 }, (_, code) => replace(code));
  const others = new Map<number, string>();
  return ({ text, starts, ends }) => {
    const output = new Builder(text.length + 16);
    for (let i = 0; i < text.length; i++) {
      const at = i;
      const code = text.codePointAt(i)!;
      if (code > 0xffff) i++;
      let replacement = code < 128 ? ascii[code] : others.get(code);
      if (replacement === undefined) {
        if (others.size >= 20_000) others.clear();
        replacement = replace(code);
        others.set(code, replacement);
      }
      if (replacement !== '') output.push(replacement, starts[at]!, ends[i]!);
    }
    return output.finish();
  };
}

/**
 * BERT's own normaliser. What an accent leaves behind is not put into canonical order again: the few
 * marks that are spacing and movable (musical notation, hangul tone marks) are in no vocabulary.
 */
function bert(config: Record<string, unknown>): Normaliser {
  const clean = flag(config, 'clean_text', true);
  const ideographs = flag(config, 'handle_chinese_chars', true);
  const lower = flag(config, 'lowercase', true);
  const strip = config.strip_accents == null ? lower : flag(config, 'strip_accents', lower);
  return byCharacter((code) => {
    let text = String.fromCodePoint(code);
    if (clean) {
      if (code === 0 || code === 0xfffd || isControl(code)) return '';
      if (isWhitespace(code)) text = ' ';
    }
    const ideograph = ideographs && isIdeograph(code);
    if (strip) text = withoutAccents(text);
    if (lower) text = Array.from(text, lowerCase).join('');
    return ideograph ? ` ${text} ` : text;
  });
}

type Form = 'NFC' | 'NFD' | 'NFKC' | 'NFKD';

/** A character with all that may compose with it: marks, conjoining jamo, half-width kana marks. */
const RUN =
  /[\s\S][\p{M}\u1100-\u11ff\u3131-\u318e\ua960-\ua97f\ud7b0-\ud7ff\uff9e\uff9f\uffa0-\uffdc]*/gu;

/** Unicode normalisation, run by run; where runs do not add up to the whole, blank by blank. */
function unicodeForm(form: Form): Normaliser {
  const apart: Form = form === 'NFKC' || form === 'NFKD' ? 'NFKD' : 'NFD';
  return (input) => {
    const whole = input.text.normalize(form);
    if (whole === input.text) return input;
    const output = new Builder(input.text.length + 16);
    for (const match of input.text.matchAll(RUN)) pushRun(output, input, match.index, match[0]);
    const aligned = output.finish();
    if (aligned.text === whole) return aligned;
    const coarse = new Builder(input.text.length + 16);
    for (const { 0: block, index } of input.text.matchAll(/\s+|\S+/gu)) {
      const last = index + block.length - 1;
      coarse.push(block.normalize(form), input.starts[index]!, input.ends[last]!);
    }
    return coarse.finish();
  };

  function pushRun(output: Builder, input: AlignedText, from: number, run: string): void {
    if (run.length > 64) {
      // Not language; matching pieces would take quadratic time.
      const last = from + run.length - 1;
      output.push(run.normalize(form), input.starts[from]!, input.ends[last]!);
      return;
    }
    // The pieces that the run's characters fall apart into, each with its place.
    const pieces: { text: string; at: number; last: number; used: boolean }[] = [];
    let at = from;
    for (const character of run) {
      const last = at + character.length - 1;
      for (const text of character.normalize(apart)) pieces.push({ text, at, last, used: false });
      at += character.length;
    }
    const characters = Array.from(run.normalize(form));
    const origins = characters.map((character) => {
      let origin: (typeof pieces)[number] | undefined;
      for (const text of character.normalize(apart)) {
        const piece = pieces.find((one) => !one.used && one.text === text);
        if (piece) piece.used = true;
        origin ??= piece;
      }
      return origin ?? pieces[0]!;
    });
    // Marks change places in canonical order; the places themselves stay in the order of the text.
    origins.sort((a, b) => a.at - b.at);
    characters.forEach((character, i) => {
      const { at, last } = origins[i]!;
      output.push(character, input.starts[at]!, input.ends[last]!);
    });
  }
}

function strip(config: Record<string, unknown>): Normaliser {
  const left = flag(config, 'strip_left', true);
  const right = flag(config, 'strip_right', true);
  return ({ text, starts, ends }) => {
    const blank = (i: number) => isWhitespace(text.charCodeAt(i));
    let from = 0;
    let to = text.length;
    if (left) while (from < to && blank(from)) from++;
    if (right) while (to > from && blank(to - 1)) to--;
    return {
      text: text.slice(from, to),
      starts: starts.subarray(from, to),
      ends: ends.subarray(from, to),
    };
  };
}

/** The normaliser that `tokenizer.json` describes; `unsupported` where it cannot be followed. */
export function createNormaliser(config: unknown): Normaliser {
  if (config == null) return (input) => input;
  if (typeof config !== 'object' || Array.isArray(config)) {
    throw new HeadlightsError('corrupt', 'tokenizer.json: its normalizer is not an object.');
  }
  const settings = config as Record<string, unknown>;
  switch (settings.type) {
    case 'BertNormalizer':
      return bert(settings);
    case 'NFC':
    case 'NFD':
    case 'NFKC':
    case 'NFKD':
      return unicodeForm(settings.type);
    case 'Lowercase':
      return byCharacter((code) => lowerCase(String.fromCodePoint(code)));
    case 'StripAccents':
      return byCharacter((code) => String.fromCodePoint(code).replace(/\p{M}/u, ''));
    case 'Strip':
      return strip(settings);
    case 'Sequence': {
      if (!Array.isArray(settings.normalizers)) {
        throw new HeadlightsError('corrupt', 'tokenizer.json: a normalizer sequence has no list.');
      }
      const steps = settings.normalizers.map(createNormaliser);
      return (input) => steps.reduce((text, step) => step(text), input);
    }
    default:
      throw new HeadlightsError(
        'unsupported',
        `The tokenizer uses the normalizer "${String(settings.type)}", which cannot be followed character by character here.`,
        { part: 'normalizer', type: settings.type },
      );
  }
}

function flag(config: Record<string, unknown>, name: string, missing: boolean): boolean {
  const value = config[name] ?? missing;
  if (typeof value !== 'boolean') {
    throw new HeadlightsError('corrupt', `tokenizer.json: "${name}" is neither true nor false.`);
  }
  return value;
}
