/** What a format's reader gives back: the arrays of a file, each to be read when it is wanted. */
import type { ArrayError } from './errors.ts';
import type { ArrayEntry, NamedArray } from './types.ts';

export interface OpenArray {
  readonly entry: ArrayEntry;
  read(): Promise<NamedArray>;
}

export interface OpenFile {
  readonly arrays: readonly OpenArray[];
  /** Why an array of the file cannot be read, where others can. */
  readonly skipped: readonly ArrayError[];
}

/** `q.float32.npy` is the array `q.float32`. */
export function baseName(file: string): string {
  const name = file.split(/[/\\]/).at(-1)!;
  return name.replace(/\.(npy|npz|csv|tsv|txt|json|safetensors)$/i, '') || name;
}
