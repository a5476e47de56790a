// The TypeScript compiler with tsconfig.json (strict).
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { inRoot, ROOT } from '../lib/paths.mjs';

export const name = 'tsc --strict';

export function check(root = ROOT) {
  const program = inRoot('node_modules', 'typescript', 'bin', 'tsc');
  const args = [program, '--project', join(root, 'tsconfig.json'), '--strict', '--pretty', 'false'];
  const result = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  if (result.status === 0) return [];
  return `${result.stdout}${result.stderr}`.trim().split('\n');
}
