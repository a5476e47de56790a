/**
 * One text for several arrays: a line `Q:` begins an array of that name, as does `Q = [[…`. Lines keep their numbers,
 * so a message about row 7 means the reader's row 7. JSON and plain tables are left as they are.
 */

export interface Section {
  name: string;
  text: string;
}

const TITLE = /^(\s*)([\p{L}_][\p{L}\p{N}_.^ ]{0,39}?)(\s*[:：=]\s*)(?=$|\[)/u;

export function sectionsOf(text: string, unnamed: string): Section[] {
  const lines = text.split(/\r\n|\n|\r/);
  const isJson = /^\s*[[{]/.test(text);
  const starts = isJson ? [] : lines.flatMap((line, at) => (TITLE.test(line) ? [at] : []));
  if (starts.length === 0) return text.trim() === '' ? [] : [{ name: unnamed, text }];
  const sections = starts.map((start, index) => {
    const title = TITLE.exec(lines[start]!)!;
    const first = ' '.repeat(title[0].length) + lines[start]!.slice(title[0].length);
    const rest = lines.slice(start + 1, starts[index + 1]);
    return { name: title[2]!.trim(), text: '\n'.repeat(start) + [first, ...rest].join('\n') };
  });
  const before = lines.slice(0, starts[0]).join('\n');
  return before.trim() === '' ? sections : [{ name: unnamed, text: before }, ...sections];
}

/** Labels as written: apart by line ends or commas where there are any, else by spaces. */
export function labelsOf(text: string): string[] {
  const apart = /[\n,，、;\t]/.test(text) ? /[\n,，、;\t]+/ : /\s+/;
  return text
    .split(apart)
    .map((label) => label.trim())
    .filter((label) => label !== '');
}

/** "1, 3-5" as [0, 2, 3, 4]; null for what is no list of numbers from 1 to `most`. */
export function positionsOf(text: string, most: number): number[] | null {
  const found = new Set<number>();
  for (const part of text.split(/[\s,，、]+/).filter((one) => one !== '')) {
    const range = /^(\d{1,9})(?:[-–](\d{1,9}))?$/.exec(part);
    if (!range) return null;
    const [from, to] = [Number(range[1]), Number(range[2] ?? range[1])];
    if (from < 1 || to > most || to < from) return null;
    for (let position = from; position <= to; position++) found.add(position - 1);
  }
  return [...found].sort((a, b) => a - b);
}
