// No committed file names a folder of somebody's machine or the host of a package registry:
// both would be wrong for everybody else.
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../lib/paths.mjs';
import { lineAt } from './lib/source-files.mjs';

export const name = 'no machine paths or registry hosts';

const MACHINE_PATHS = /(?<![\w./-])\/(?:work|tmp|root|home|Users)\/[\w.-]+/g;
const REGISTRY_HOSTS =
  /\b(?:registry\.npmjs|registry\.yarnpkg|deb\.debian|security\.debian|snapshot\.debian|archive\.ubuntu|files\.pythonhosted|repo1?\.maven|static\.crates|proxy\.golang)\.\w+/g;
/** Larger files are data (weights, vocabularies). */
const LARGEST = 1 << 20;

export function check(root = ROOT) {
  const faults = [];
  const files = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    },
  );
  for (const path of files.split('\0').filter(Boolean)) {
    const stat = statSync(join(root, path), { throwIfNoEntry: false });
    if (!stat?.isFile() || stat.size > LARGEST) continue;
    const text = readFileSync(join(root, path), 'utf8');
    if (text.includes('\0')) continue;
    for (const [pattern, what] of [
      [MACHINE_PATHS, 'a path of one machine'],
      [REGISTRY_HOSTS, 'the host of a package registry'],
    ])
      for (const match of text.matchAll(pattern))
        faults.push(`${path}:${lineAt(text, match.index)}: ${match[0]} is ${what}`);
  }
  return faults;
}
