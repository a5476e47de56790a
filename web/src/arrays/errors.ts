/** The one error class of reading a file of numbers, with a closed list of codes. Pages translate by code and details. */

export type ArrayErrorCode =
  | 'empty' // nothing in the file, or no number in it
  | 'unreadable' // a file that changed or went away while it was read
  | 'unknown-format' // none of the formats that are read here
  | 'encoding' // text that is neither UTF-8 nor marked as UTF-16
  | 'truncated' // a file shorter than it says
  | 'corrupt' // a file that contradicts itself
  | 'unsupported-type' // numbers of a kind that is not read: objects, complex, structures, text
  | 'unsupported-zip' // encrypted, zip64, or packed by another method than deflate
  | 'bad-shape' // a shape that no array has
  | 'too-large' // more than the limit
  | 'bad-json' // not JSON
  | 'not-a-number' // a cell or value that is something else
  | 'ragged' // rows or lists of different lengths
  | 'too-deep' // lists nested deeper than four
  | 'ambiguous' // "1,234": one and a quarter, or a thousand
  | 'bad-quotes' // a quote that is not closed, or text after a closing quote
  | 'duplicate-name'; // two arrays of one name

export interface ArrayErrorDetails {
  file?: string;
  /** The array of the file at fault, where it holds several. */
  array?: string;
  /** Line and cell as a reader counts them: from 1, header and labels included. */
  row?: number;
  column?: number;
  /** In nested lists: `K[2][0]`. */
  path?: string;
  /** Of the file, in bytes. */
  offset?: number;
  expected?: string | number;
  found?: string | number;
  limit?: number;
  size?: number;
  dtype?: string;
}

export class ArrayError extends Error {
  override readonly name = 'ArrayError';

  constructor(
    readonly code: ArrayErrorCode,
    message: string,
    readonly details: Readonly<ArrayErrorDetails> = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** What was found, short enough for a message. */
export function shown(text: string): string {
  return text.length > 40 ? `"${text.slice(0, 37)}…"` : `"${text}"`;
}
