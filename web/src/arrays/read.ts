/** The way in: what a file or a pasted text holds, and its numbers. */
import { type Bytes, bytesOf } from './bytes.ts';
import { detect } from './detect.ts';
import { ArrayError } from './errors.ts';
import { sizeOf } from './fill.ts';
import { openNpy } from './npy.ts';
import { openNpz } from './npz.ts';
import type { OpenFile } from './open-file.ts';
import { openSafetensors } from './safetensors.ts';
import { openString, openText } from './text.ts';
import { type ArrayEntry, type ArrayInput, MOST_NUMBERS, type NamedArray } from './types.ts';

export interface ReadOptions {
  /** Which arrays to read of a file that holds several; all by default. */
  pick?: (entry: ArrayEntry) => boolean;
}

export interface ArrayFile {
  readonly arrays: NamedArray[];
  /** Why other arrays of the file cannot be read: one of text beside those of numbers does not hide them. */
  readonly skipped: readonly ArrayError[];
}

export interface ArrayList {
  readonly entries: ArrayEntry[];
  readonly skipped: readonly ArrayError[];
}

/**
 * Reads the arrays of a CSV, TSV, JSON, .npy, .npz or safetensors file, which is told by its content first and by its
 * name where that leaves a doubt. Every failure is an ArrayError. At most MOST_NUMBERS numbers are read; a Blob is read
 * by slices, and of .npz and safetensors only what is picked.
 */
export function readArrays(input: ArrayInput, options: ReadOptions = {}): Promise<ArrayFile> {
  return guarded(input, async () => {
    const { arrays: all, skipped } = await open(input);
    const chosen = all.filter(({ entry }) => options.pick?.(entry) ?? true);
    checkTotal(
      input,
      chosen.map(({ entry }) => entry),
    );
    const arrays: NamedArray[] = [];
    const failed = [...skipped];
    for (const array of chosen) {
      try {
        arrays.push(await array.read());
      } catch (error) {
        if (!(error instanceof ArrayError) || chosen.length === 1) throw error;
        failed.push(error);
      }
    }
    if (arrays.length === 0 && failed.length > 0) throw failed[0];
    return { arrays, skipped: failed };
  });
}

/** Names, shapes and types of a file's arrays, to choose from before the numbers are read. */
export function listArrays(input: ArrayInput): Promise<ArrayList> {
  return guarded(input, async () => {
    const { arrays, skipped } = await open(input);
    const entries = arrays.map(({ entry: { name, shape, dtype } }) => ({ name, shape, dtype }));
    return { entries, skipped };
  });
}

async function open(input: ArrayInput): Promise<OpenFile> {
  if ('text' in input) return openString(input.text, input.name);
  const bytes = bytesOf(input.name, input.bytes);
  const file = await OPENERS[await detect(bytes)](bytes);
  if (file.arrays.length > 0) return file;
  throw (
    file.skipped[0] ??
    new ArrayError('empty', `${bytes.name} holds no array.`, { file: bytes.name })
  );
}

const OPENERS: Readonly<
  Record<Awaited<ReturnType<typeof detect>>, (bytes: Bytes) => Promise<OpenFile>>
> = { npy: openNpy, npz: openNpz, safetensors: openSafetensors, text: openText };

function checkTotal(input: ArrayInput, entries: readonly ArrayEntry[]): void {
  const count = entries.reduce((sum, { shape }) => sum + sizeOf(shape), 0);
  if (count <= MOST_NUMBERS) return;
  const size = 'text' in input ? input.text.length : bytesOf('', input.bytes).size;
  const written = (value: number) => value.toLocaleString('en');
  throw new ArrayError(
    'too-large',
    `${input.name} (${written(size)} bytes) has ${written(count)} numbers; at most ${written(MOST_NUMBERS)} are read at a time.`,
    { file: input.name, size, found: count, limit: MOST_NUMBERS },
  );
}

/** Memory that cannot be had is a limit like the others. */
async function guarded<T>(input: ArrayInput, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RangeError) || !/allocation|length/i.test(error.message)) throw error;
    throw new ArrayError(
      'too-large',
      `${input.name} needs more memory than there is.`,
      { file: input.name },
      { cause: error },
    );
  }
}
