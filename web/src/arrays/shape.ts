/** Checks the shape that a file claims before anything is reserved for it. */
import { ArrayError, type ArrayErrorDetails } from './errors.ts';
import { sizeOf } from './fill.ts';
import { MOST_DIMENSIONS, MOST_NUMBERS } from './types.ts';

export function checkShape(shape: readonly unknown[], where: ArrayErrorDetails): number[] {
  const text = `(${shape.join(', ')})`;
  const refuse = (why: string, details: ArrayErrorDetails = {}) =>
    new ArrayError('bad-shape', `${titleOf(where)} has the shape ${text}: ${why}.`, {
      ...where,
      found: text,
      ...details,
    });
  if (shape.length > MOST_DIMENSIONS)
    throw refuse(`more than ${MOST_DIMENSIONS} dimensions`, { limit: MOST_DIMENSIONS });
  for (const size of shape)
    if (!Number.isSafeInteger(size) || (size as number) < 0)
      throw refuse(`${size} is no number of elements`);
  const sizes = shape as number[];
  if (!Number.isSafeInteger(8 * sizeOf(sizes.map((size) => Math.max(1, size)))))
    throw refuse('no computer holds that many numbers');
  return [...sizes];
}

/** `already`: numbers that were or will be read besides. */
export function checkLimit(count: number, where: ArrayErrorDetails, already = 0): void {
  if (count + already <= MOST_NUMBERS) return;
  throw new ArrayError(
    'too-large',
    `${titleOf(where)} has ${(count + already).toLocaleString('en')} numbers; at most ${MOST_NUMBERS.toLocaleString('en')} are read at a time.`,
    { ...where, limit: MOST_NUMBERS, found: count + already },
  );
}

/** "Q" of model.npz, for messages. */
export function titleOf({ file, array }: ArrayErrorDetails): string {
  return array === undefined ? `${file}` : `"${array}" of ${file}`;
}
