// How many bytes the start page's code costs over the wire (Brotli): every script, style and WebAssembly file that can
// be reached from index.html, with the larger of the two variants. `node tools/budget.mjs` prints the table.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { DIST } from './lib/paths.mjs';

/** JavaScript and WebAssembly of the start page, in bytes. */
export const LIMIT = 250_000;

const CODE = new Set(['.js', '.mjs', '.wasm']);
const FOLLOWED = new Set(['.js', '.mjs', '.html']);

export const brotliSize = (bytes) =>
  brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  }).length;

/** Files (relative, sorted) that index.html leads to by any string that names a file of the site. */
export function reachable(dist = DIST, entry = 'index.html') {
  const all = readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile())
    .map((item) => posix.join(item.parentPath.slice(dist.length + 1), item.name));
  const seen = new Set();
  const follow = (path) => {
    if (seen.has(path)) return;
    seen.add(path);
    if (!FOLLOWED.has(extname(path))) return;
    const text = readFileSync(join(dist, path), 'utf8');
    for (const [, , name] of text.matchAll(
      /(["'`])((?:\.{0,2}\/)*[\w${}./-]+\.(?:js|mjs|wasm|css))\1/g,
    ))
      for (const target of matching(all, posix.join(posix.dirname(path), name))) follow(target);
  };
  follow(entry);
  return [...seen].sort();
}

/** The files that a path names; `${…}` in it stands for anything. */
function matching(all, path) {
  if (!path.includes('${')) return all.includes(path) ? [path] : [];
  const parts = path.split(/\$\{[^}]*\}/).map((part) => part.replace(/[.*+?^$()|[\]\\]/g, '\\$&'));
  const pattern = new RegExp(`^${parts.join('[\\w-]+')}$`);
  return all.filter((name) => pattern.test(name));
}

/** `{ files: [{ path, bytes, brotli, counted }], code, all }`; of the two variants only the larger is counted. */
export function budget(dist = DIST, files = reachable(dist)) {
  const measured = files.map((path) => {
    const content = readFileSync(join(dist, path));
    return { path, bytes: content.length, brotli: brotliSize(content), counted: true };
  });
  const variant = (name) => measured.filter((file) => file.path.includes(`headlights-${name}.`));
  const sum = (list) => list.reduce((total, file) => total + file.brotli, 0);
  const [baseline, relaxed] = [variant('baseline'), variant('relaxed')];
  const smaller = sum(baseline) < sum(relaxed) ? baseline : relaxed;
  if (baseline.length > 0 && relaxed.length > 0) for (const file of smaller) file.counted = false;
  const counted = measured.filter((file) => file.counted);
  return {
    files: measured,
    code: sum(counted.filter((file) => CODE.has(extname(file.path)))),
    all: sum(counted),
  };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (!existsSync(join(DIST, 'index.html'))) {
    console.error('web/dist/index.html is missing: npm run build');
    process.exit(1);
  }
  const { files, code, all } = budget();
  const row = (name, bytes, brotli) =>
    console.log(`${name.padEnd(40)}${String(bytes).padStart(10)}${String(brotli).padStart(10)}`);
  row('file', 'bytes', 'brotli');
  for (const { path, bytes, brotli, counted } of files)
    row(path, bytes, counted ? brotli : `(${brotli})`);
  row('scripts and WebAssembly', '', code);
  row('with page and styles', '', all);
  console.log(`limit ${LIMIT} for scripts and WebAssembly: ${code <= LIMIT ? 'held' : 'EXCEEDED'}`);
  process.exit(code <= LIMIT ? 0 : 1);
}
