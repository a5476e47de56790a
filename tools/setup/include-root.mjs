// A private include folder with links to xsimd and doctest and nothing else: with /usr/include itself on the
// path of a wasm compile, glibc's headers would shadow Emscripten's own.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../lib/failure.mjs';
import { INCLUDE_ROOT } from '../lib/paths.mjs';

const PREFIXES = ['/usr/include', '/usr/local/include', '/opt/homebrew/include'];

/** The folder of the system's xsimd if it knows wasm (since 9; 13 was tried), or null. */
export const findXsimd = (prefixes = PREFIXES) =>
  findHeaders('xsimd', 'config/xsimd_config.hpp', prefixes, (text) => {
    const major = /XSIMD_VERSION_MAJOR\s+(\d+)/.exec(text)?.[1];
    return Number(major) >= 13;
  });

/** The folder of the system's doctest, or null. */
export const findDoctest = (prefixes = PREFIXES) => findHeaders('doctest', 'doctest.h', prefixes);

function findHeaders(name, file, prefixes, good = () => true) {
  for (const prefix of prefixes) {
    const path = join(prefix, name, file);
    if (existsSync(path) && good(readFileSync(path, 'utf8'))) return join(prefix, name);
  }
  return null;
}

/** Makes or corrects the links. */
export function linkIncludeRoot() {
  mkdirSync(INCLUDE_ROOT, { recursive: true });
  for (const [name, target] of [
    ['xsimd', findXsimd()],
    ['doctest', findDoctest()],
  ]) {
    if (!target) throw new Failure(`the headers of ${name} are missing`);
    const link = join(INCLUDE_ROOT, name);
    const stat = lstatSync(link, { throwIfNoEntry: false });
    if (stat?.isSymbolicLink() && readlinkSync(link) === target) continue;
    rmSync(link, { recursive: true, force: true });
    symlinkSync(target, link);
  }
}
