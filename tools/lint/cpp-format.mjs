// clang-format over all C++ files. Its versions format differently, so only the one that the code was
// formatted with is asked; with another one the check says that it did not run.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { output, which } from '../lib/exec.mjs';
import { ROOT } from '../lib/paths.mjs';
import { sourceFiles } from './lib/source-files.mjs';

export const name = 'clang-format';

/** Debian 12's. */
export const CLANG_FORMAT = 14;

const findProgram = () => which(`clang-format-${CLANG_FORMAT}`) ?? which('clang-format');

/** The main version of the clang-format that would be used, or null. */
export function installedVersion() {
  const program = findProgram();
  const text = program && output(program, ['--version']);
  return text ? Number(/version (\d+)/.exec(text)?.[1]) : null;
}

export function check(root = ROOT) {
  const version = installedVersion();
  if (version === null) return ['clang-format is missing'];
  if (version !== CLANG_FORMAT) {
    console.log(`not checked: clang-format ${CLANG_FORMAT} is wanted, this is ${version}`);
    return [];
  }
  const files = sourceFiles(root, ['cpp', 'tests/cpp'], ['.hpp', '.cpp']).map(({ path }) => path);
  if (files.length === 0) return [];
  const style = `--style=file:${join(ROOT, '.clang-format')}`;
  const result = spawnSync(findProgram(), [style, '--dry-run', '-Werror', ...files], {
    cwd: root,
    encoding: 'utf8',
  });
  if (result.status === 0) return [];
  return result.stderr.split('\n').filter((line) => /: (error|warning):/.test(line));
}
