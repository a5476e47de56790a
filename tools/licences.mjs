// Writes web/dist/licences.txt: NOTICE, and the licence of everything that the build puts into web/dist.
// Which npm packages those are is read from the imports of web/src, so that the list cannot go stale.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DIST, inRoot, ROOT } from './lib/paths.mjs';
import { sourceFiles } from './lint/lib/source-files.mjs';
import { importsOf } from './lint/lib/syntax.mjs';

/** The npm packages that web/src imports and those that they need, sorted. */
export async function shippedPackages(root = ROOT) {
  const found = new Set();
  const add = (name) => {
    if (found.has(name)) return;
    found.add(name);
    for (const needed of Object.keys(manifest(name).dependencies ?? {}))
      if (!needed.startsWith('@types/')) add(needed);
  };
  for (const { path, text } of sourceFiles(root, ['web/src'], ['.ts']))
    for (const { from, typeOnly } of await importsOf(path, text))
      if (!typeOnly && isPackage(from)) add(packageName(from));
  return [...found].sort();
}

const isPackage = (from) => !/^([./]|node:)/.test(from) && from !== 'headlights';
const packageName = (from) =>
  from
    .split('/')
    .slice(0, from.startsWith('@') ? 2 : 1)
    .join('/');
const folderOf = (name) => inRoot('node_modules', ...name.split('/'));
const manifest = (name) => JSON.parse(readFileSync(join(folderOf(name), 'package.json'), 'utf8'));

/** One package: its name, version, licence and the licence's text. */
function entry(name) {
  const { version, license } = manifest(name);
  const file = readdirSync(folderOf(name)).find((one) => /^licen[cs]e/i.test(one));
  const text = file
    ? readFileSync(join(folderOf(name), file), 'utf8').trim()
    : '(the package holds no licence text; the licence is the one named above)';
  const title = `${name} ${version} (${license})`;
  return `${title}\n${'-'.repeat(title.length)}\n${text}\n`;
}

export async function writeLicences() {
  const notice = inRoot('NOTICE');
  const parts = [
    existsSync(notice) ? readFileSync(notice, 'utf8').trim() : '',
    readFileSync(inRoot('tools', 'licences', 'compiled-in.txt'), 'utf8').trim(),
    ...(await shippedPackages()).map(entry),
  ];
  mkdirSync(DIST, { recursive: true });
  writeFileSync(join(DIST, 'licences.txt'), `${parts.join('\n\n\n').trim()}\n`);
}
