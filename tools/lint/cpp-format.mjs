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

export function check(root = ROOT) {
  const program = which(`clang-format-${CLANG_FORMAT}`) ?? which('clang-format');
  const major = Number(/version (\d+)/.exec(output(program ?? 'clang-format', ['--version']))?.[1]);
  if (!program) return ['clang-format is missing'];
  if (major !== CLANG_FORMAT) {
    console.log(`not checked: clang-format ${CLANG_FORMAT} is wanted, this is ${major}`);
    return [];
  }
  const files = sourceFiles(root, ['cpp', 'tests/cpp'], ['.hpp', '.cpp']).map(({ path }) => path);
  if (files.length === 0) return [];
  const style = `--style=file:${join(ROOT, '.clang-format')}`;
  const result = spawnSync(program, [style, '--dry-run', '-Werror', ...files], {
    cwd: root,
    encoding: 'utf8',
  });
  if (result.status === 0) return [];
  return result.stderr.split('\n').filter((line) => /: (error|warning):/.test(line));
}
