/**
 * Sets tokens in lines, like text, as boxes that never overlap: for the sentence that the beams fall on. Takes
 * measured widths, gives positions; knows no fonts and no DOM. Pieces of a word stand close together and share a
 * line where it fits; a second text starts a new line; right-to-left text runs from the right edge.
 */

export interface TokenSize {
  /** Width of the drawn text. */
  width: number;
  /** Belongs to the word of the token before it. */
  continuation: boolean;
  segment: 0 | 1;
}

export interface LineOptions {
  maxWidth: number;
  /** Space between words, and between pieces of a word. */
  wordGap: number;
  pieceGap: number;
  /** Room that a token needs at least (for the number under it). */
  minWidth: number;
  /** Height of a line's boxes, space above the first line, and between lines. */
  bandHeight: number;
  firstChannel: number;
  channel: number;
  rightToLeft?: boolean;
}

export interface TokenBox {
  index: number;
  line: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface TokenLines {
  boxes: TokenBox[];
  lines: number;
  width: number;
  height: number;
}

export function layoutTokens(sizes: readonly TokenSize[], options: LineOptions): TokenLines {
  const { maxWidth, minWidth, pieceGap, wordGap } = options;
  const boxes: TokenBox[] = [];
  let line = 0;
  let x = 0;
  const widthOf = (size: TokenSize) => Math.min(maxWidth, Math.max(minWidth, size.width));

  const place = (index: number, gap: number) => {
    const width = widthOf(sizes[index]!);
    if (x > 0 && x + gap + width > maxWidth) {
      line++;
      x = 0;
    }
    const left = x > 0 ? x + gap : 0;
    boxes.push({
      index,
      line,
      x: left,
      y: topOfLine(line, options),
      width,
      height: options.bandHeight,
    });
    x = left + width;
  };

  for (const word of words(sizes)) {
    const first = word[0]!;
    if (first > 0 && sizes[first]!.segment !== sizes[first - 1]!.segment) {
      line++;
      x = 0;
    }
    const whole = word.reduce((sum, i) => sum + widthOf(sizes[i]!), pieceGap * (word.length - 1));
    if (x > 0 && x + wordGap + whole > maxWidth && whole <= maxWidth) {
      line++;
      x = 0;
    }
    for (const index of word) place(index, index === first ? wordGap : pieceGap);
  }

  if (options.rightToLeft) for (const box of boxes) box.x = maxWidth - box.x - box.width;
  const lines = boxes.length === 0 ? 0 : line + 1;
  return {
    boxes,
    lines,
    width: maxWidth,
    height: lines === 0 ? options.firstChannel : topOfLine(lines - 1, options) + options.bandHeight,
  };
}

/** `count` lines from line `first` on, moved up to where the first line stood. */
export function windowOf(whole: TokenLines, first: number, count: number): TokenLines {
  const top = whole.boxes.find((box) => box.line === first)?.y ?? 0;
  const up = top - (whole.boxes[0]?.y ?? 0);
  const boxes = whole.boxes
    .filter((box) => box.line >= first && box.line < first + count)
    .map((box) => ({ ...box, line: box.line - first, y: box.y - up }));
  const last = boxes.at(-1);
  const lines = last ? last.line + 1 : 0;
  return { boxes, lines, width: whole.width, height: last ? last.y + last.height : whole.height };
}

/** The first line of a window of `count` lines that holds `line`: where it was, if it still does. */
export function windowAround(line: number, count: number, lines: number, before: number): number {
  const fits = Math.max(0, lines - count);
  if (line >= before && line < before + count && before <= fits) return before;
  return Math.min(fits, Math.max(0, line - 2));
}

/** Whether most letters of a text are of scripts written from right to left. */
export function runsRightToLeft(text: string): boolean {
  const right = text.match(/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/g)?.length ?? 0;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return right * 2 > letters;
}

function topOfLine(line: number, options: LineOptions): number {
  return options.firstChannel + line * (options.bandHeight + options.channel);
}

function words(sizes: readonly TokenSize[]): number[][] {
  const out: number[][] = [];
  sizes.forEach((size, index) => {
    if (size.continuation && out.length > 0 && sizes[index - 1]!.segment === size.segment)
      out.at(-1)!.push(index);
    else out.push([index]);
  });
  return out;
}
