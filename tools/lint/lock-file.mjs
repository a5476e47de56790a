// package-lock.json names no addresses, and package.json no version ranges.
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

  const text = readFileSync(join(root, 'package.json'), 'utf8');
  const { dependencies, devDependencies } = JSON.parse(text);
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
    if (/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) continue;
    const line = lineAt(text, text.indexOf(`"${name}":`));
    faults.push(`package.json:${line}: ${name} is not pinned to one version: ${version}`);
  }
  return faults;
}
