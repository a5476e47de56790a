// Finds the Emscripten compiler: one that is on PATH and new enough (an emsdk, or Debian's).
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { output, which } from '../lib/exec.mjs';
import { compareVersions, parseVersion } from './versions.mjs';

/** The oldest version that was tried; older ones lack what the build uses. */
export const OLDEST_EMSCRIPTEN = [3, 1, 69];

let found;

/**
 * `{ emcc, root, version, debian, ownBinaryen, recent }`, or null when there is no emcc on PATH.
 * `ownBinaryen`: it brings the binaryen it expects (emsdk does; Debian's is too old).
 */
export function findEmscripten({ again = false, path = process.env.PATH } = {}) {
  if (found === undefined || again) found = look(path);
  return found;
}

function look(path) {
  const emcc = which('emcc', path);
  if (!emcc) return null;
  const version = parseVersion(output(emcc, ['--version']));
  if (!version) return null;
  const debian = realpathSync(emcc).startsWith('/usr/share/emscripten/');
  const root = debian ? '/usr/share/emscripten' : dirname(realpathSync(emcc));
  const ownBinaryen = !debian && existsSync(join(root, '..', 'bin', 'wasm-opt'));
  const recent = compareVersions(version, OLDEST_EMSCRIPTEN) >= 0;
  return { emcc, root, version, debian, ownBinaryen, recent };
}
