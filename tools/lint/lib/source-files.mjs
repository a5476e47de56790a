// The files a check looks at, and where in them something stands.
import { readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { filesUnder } from '../../lib/stamp.mjs';

/** `{ path, text }` of every file under the folders whose name ends in one of the endings; path is relative to root. */
export function sourceFiles(root, folders, endings) {
  return filesUnder(folders.map((folder) => join(root, folder)))
    .filter((file) => endings.some((ending) => file.endsWith(ending)))
    .map((file) => ({
      path: relative(root, file).split(sep).join('/'),
      text: readFileSync(file, 'utf8'),
    }));
}

/** The number of the line that holds the offset, from 1. */
export const lineAt = (text, offset) => text.slice(0, offset).split('\n').length;
