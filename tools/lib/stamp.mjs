// Remembers what a step was made from, so that an unchanged step is skipped. Not for C++ (ninja does that).
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { STAMPS } from './paths.mjs';

/** Every file under the given files and folders, sorted; what does not exist is left out. */
export function filesUnder(paths) {
  const found = [];
  const visit = (path) => {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat) return;
    if (!stat.isDirectory()) return void found.push(path);
    for (const name of readdirSync(path)) visit(join(path, name));
  };
  for (const path of paths) visit(path);
  return found.sort();
}

/** One hash of names and contents; of files above 1 MiB size and time stand for the content. */
export function fingerprint(paths) {
  const hash = createHash('sha256');
  for (const file of filesUnder(paths)) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${file}\0${size}\0`);
    hash.update(size > 2 ** 20 ? String(mtimeMs) : readFileSync(file));
  }
  return hash.digest('hex');
}

/**
 * Runs `action` unless the inputs are as they were when it last succeeded and all outputs are there.
 * Returns "unchanged" when skipped.
 *
 * @param {string} name
 * @param {{ inputs: string[], outputs?: string[], folder?: string }} files
 * @param {() => Promise<unknown>} action
 */
export async function whenChanged(name, { inputs, outputs = [], folder = STAMPS }, action) {
  const file = join(folder, `${name}.txt`);
  const now = fingerprint(inputs);
  if (outputs.every((path) => existsSync(path)) && existsSync(file)) {
    if (readFileSync(file, 'utf8') === now) return 'unchanged';
  }
  const note = await action();
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, now);
  return note;
}
