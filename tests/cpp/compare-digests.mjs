// native-sse and wasm-baseline must compute the same bits (NaN counting as NaN). Runs kernel_digest of both builds
// and says which lines differ. Usage: node tests/cpp/compare-digests.mjs [folder of the builds, default build]
// Exit code: 0 equal, 1 different, 77 a build is missing (which ctest counts as skipped).
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Lines "name crc" as a map; throws on anything else, so that a crash's half output never counts. */
export function parseDigest(text) {
  const lines = new Map();
  for (const line of text.split('\n').filter(Boolean)) {
    const match = /^(.+) ([0-9a-f]{8})$/.exec(line);
    if (!match) throw new Error(`not a digest line: ${line}`);
    if (lines.has(match[1])) throw new Error(`two lines are called ${match[1]}`);
    lines.set(match[1], match[2]);
  }
  if (lines.size === 0) throw new Error('the digest is empty');
  return lines;
}

/** One sentence for each name that the two maps do not share with the same value. */
export function differences(first, second) {
  const names = new Set([...first.keys(), ...second.keys()]);
  return [...names]
    .filter((name) => first.get(name) !== second.get(name))
    .map((name) => `${name}: ${first.get(name) ?? 'missing'}, ${second.get(name) ?? 'missing'}`);
}

function digestOf(name, command, args) {
  const result = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 26 });
  if (result.status !== 0)
    throw new Error(`kernel_digest of ${name} failed: ${result.error ?? result.stderr}`);
  return parseDigest(result.stdout);
}

function main(builds) {
  const native = join(builds, 'native-sse', 'tests', 'cpp', 'kernel_digest');
  const wasm = join(builds, 'wasm-baseline', 'tests', 'cpp', 'kernel_digest.js');
  for (const [preset, file] of [
    ['native-sse', native],
    ['wasm-baseline', wasm],
  ])
    if (!existsSync(file)) {
      console.log(`not compared: build ${preset} first (cmake --build --preset ${preset})`);
      return 77;
    }
  const first = digestOf('native-sse', native, []);
  const second = digestOf('wasm-baseline', process.execPath, [wasm]);
  const different = differences(first, second);
  for (const line of different) console.log(line);
  console.log(
    different.length === 0
      ? `${first.size} digests of native-sse and wasm-baseline are equal`
      : `${different.length} of ${first.size} digests differ (native-sse, wasm-baseline)`,
  );
  return different.length === 0 ? 0 : 1;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  process.exitCode = main(
    process.argv[2] ?? fileURLToPath(new URL('../../build', import.meta.url)),
  );
