// package-lock.json names no addresses and lacks no package (`npm ci` refuses a lock file with a gap, which a
// registry that did not have an optional package leaves); package.json names no version ranges.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../lib/paths.mjs';
import { lineAt } from './lib/source-files.mjs';

export const name = 'lock file';

export function check(root = ROOT) {
  const faults = [];
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
  for (const match of lock.matchAll(/"resolved":\s*"[^"]*:\/\//g))
    faults.push(`package-lock.json:${lineAt(lock, match.index)}: an address was written down`);
  faults.push(...gaps(JSON.parse(lock).packages ?? {}));

  const text = readFileSync(join(root, 'package.json'), 'utf8');
  const { dependencies, devDependencies } = JSON.parse(text);
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
    if (/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) continue;
    const line = lineAt(text, text.indexOf(`"${name}":`));
    faults.push(`package.json:${line}: ${name} is not pinned to one version: ${version}`);
  }
  return faults;
}

/** Packages that an entry depends on and that the lock file does not hold. */
function gaps(packages) {
  const faults = [];
  for (const [path, entry] of Object.entries(packages))
    for (const name of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }))
      if (!holds(packages, path, name))
        faults.push(`package-lock.json: ${path || 'the project'} needs ${name}, which is missing`);
  return faults;
}

/** Node's way of looking for a package: beside, then upwards. */
function holds(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, folder.lastIndexOf('node_modules/'))) {
    const base = folder === '' || folder.endsWith('/') ? folder : `${folder}/`;
    if (packages[`${base}node_modules/${name}`]) return true;
    if (folder === '') return false;
  }
}
