/** A file of text: decoded, then a table or JSON. */
import type { Bytes } from './bytes.ts';
import { parseTable } from './csv.ts';
import { empty } from './detect.ts';
import { ArrayError } from './errors.ts';
import { parseJson } from './json.ts';
import { baseName, type OpenFile } from './open-file.ts';
import { MOST_TEXT } from './types.ts';

export async function openText(bytes: Bytes): Promise<OpenFile> {
  checkSize(bytes.name, bytes.size);
  return openString(decode(bytes.name, await bytes.slice(0, bytes.size)), bytes.name);
}

export function openString(source: string, file: string): OpenFile {
  checkSize(file, source.length);
  const text = source.startsWith('\uFEFF') ? source.slice(1) : source;
  const first = /\S/.exec(text)?.[0];
  if (first === undefined) throw empty(file);
  const isJson = first === '[' || first === '{' || /\.json$/i.test(file);
  const name = baseName(file);
  const arrays = isJson ? parseJson(text, file, name) : [parseTable(text, file, name)];
  return {
    arrays: arrays.map((array) => ({ entry: array, read: async () => array })),
    skipped: [],
  };
}

/** UTF-8, or UTF-16 with its mark, as Excel's "Unicode text" is written. */
function decode(file: string, bytes: Uint8Array): string {
  const marks: Readonly<Record<string, string>> = { '255,254': 'utf-16le', '254,255': 'utf-16be' };
  const encoding = marks[`${bytes[0]},${bytes[1]}`] ?? 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ArrayError(
      'encoding',
      `${file} is not text in UTF-8; save it as UTF-8 and try again.`,
      { file, expected: 'UTF-8' },
      { cause },
    );
  }
}

function checkSize(file: string, size: number): void {
  if (size > MOST_TEXT)
    throw new ArrayError(
      'too-large',
      `${file} has ${megabytes(size)} MB of text; at most ${megabytes(MOST_TEXT)} MB are read. As .npy or safetensors it would be smaller.`,
      { file, size, limit: MOST_TEXT },
    );
}

const megabytes = (bytes: number) => Math.ceil(bytes / 2 ** 20).toLocaleString('en');
