/** What is read, and the limits. */

/** Numbers that a file may hold, all arrays together: 2^26, which are 256 MB of floats. */
export const MOST_NUMBERS = 2 ** 26;

/** Bytes of a text file (CSV, TSV, JSON): a browser's strings end at about twice that. */
export const MOST_TEXT = 2 ** 28;

/** As many dimensions as NumPy's older versions allow. */
export const MOST_DIMENSIONS = 32;

export type ArrayInput =
  | { readonly name: string; readonly bytes: Uint8Array | Blob }
  | { readonly name: string; readonly text: string };

/** How many numbers are of a kind, and the place of the first in reading order. */
export interface Finding {
  readonly count: number;
  readonly first: readonly number[] | null;
}

/** An array that a file holds, before its numbers are read. */
export interface ArrayEntry {
  readonly name: string;
  readonly shape: readonly number[];
  /** The type in the file: '<f4', 'BF16', ...; 'text' for numbers written out. */
  readonly dtype: string;
}

export interface NamedArray {
  readonly name: string;
  /** [] is a single number; a size may be 0. */
  readonly shape: number[];
  /** In C order: the last index runs fastest. */
  readonly data: Float32Array;
  readonly dtype: string;
  /** From a table with a header or a first column of words. */
  readonly labels?: { readonly rows?: string[]; readonly columns?: string[] };
  /** NaN and infinities that the file holds. */
  readonly nonFinite: Finding;
  /** Values beyond single precision: finite in the file and infinite as a float, or integers beyond 2^53. */
  readonly beyondSingle: Finding;
}
