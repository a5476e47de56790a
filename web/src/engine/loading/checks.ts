/**
 * Whether bytes that have arrived are the right ones: check sums where a pack's card gives them, and no NaN or
 * infinity anywhere. The errors name the file and the tensor.
 */
import { HeadlightsError } from '../errors.ts';
import type { Placement } from '../formats/spec.ts';

/** Rows of word and position tables are checked and fetched in blocks of this many. */
export const BLOCK_ROWS = 16;

export interface CheckSums {
  header: number | null;
  tensors: ReadonlyMap<string, number>;
  /** By tensor name: one for each BLOCK_ROWS rows. */
  blocks: ReadonlyMap<string, Uint32Array>;
}

export function wrongSum(
  file: string,
  place: Placement,
  rows: [number, number] | null,
): HeadlightsError {
  const what = rows === null ? place.name : `rows ${rows[0]} to ${rows[1] - 1} of ${place.name}`;
  return new HeadlightsError(
    'corrupt',
    `${file} is damaged: ${what} does not match the check sum on its card.`,
    { file, tensor: place.name, rows },
  );
}

export function notFinite(file: string, place: Placement, count: number): HeadlightsError {
  return new HeadlightsError(
    'corrupt',
    `${file} is damaged: ${place.name} holds ${count} numbers that are NaN or infinite.`,
    { file, tensor: place.name, count },
  );
}
