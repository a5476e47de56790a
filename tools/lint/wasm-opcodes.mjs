// The baseline module holds no relaxed-SIMD instruction (an engine without them refuses the whole module);
// the relaxed one holds some, else it would be the same module twice.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot, ROOT } from '../lib/paths.mjs';

export const name = 'relaxed instructions only in the relaxed module';

export function check(root = ROOT) {
  const faults = [];
  for (const variant of ['baseline', 'relaxed']) {
    const path = `build/wasm-${variant}/headlights-${variant}.wasm`;
    const file = join(root, path);
    if (!existsSync(file)) {
      faults.push(`${path}: is not built`);
      continue;
    }
    const found = relaxedInstructions(disassemble(file));
    if (variant === 'baseline' && found.length > 0)
      faults.push(`${path}: holds relaxed instructions: ${found.join(', ')}`);
    if (variant === 'relaxed' && !found.includes('f32x4.relaxed_madd'))
      faults.push(`${path}: holds no f32x4.relaxed_madd`);
  }
  return faults;
}

/** The module as text, by binaryen. */
export function disassemble(file) {
  const program = inRoot('node_modules', 'binaryen', 'bin', 'wasm-dis');
  const result = spawnSync(process.execPath, [program, '--all-features', file], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (result.status !== 0) throw new Error(`wasm-dis ${file}: ${result.stderr}`);
  return result.stdout;
}

/** Names of relaxed-SIMD instructions in a disassembly, each once. An instruction follows an opening bracket. */
export const relaxedInstructions = (text) => [
  ...new Set([...text.matchAll(/\(((?:[if]\d+x\d+)\.relaxed_\w+)/g)].map((match) => match[1])),
];
