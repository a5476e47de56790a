// Biome: format and lint rules of TypeScript and the tools (biome.json).
import { spawnSync } from 'node:child_process';
import { inRoot, ROOT } from '../lib/paths.mjs';

export const name = 'biome';

export function check(root = ROOT) {
  const program = inRoot('node_modules', '@biomejs', 'biome', 'bin', 'biome');
  const args = [program, 'check', '--error-on-warnings', '--max-diagnostics=50', '--colors=off'];
  const result = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  if (result.status === 0) return [];
  return [`${result.stdout}${result.stderr}`.trim()];
}
