/**
 * Bundles the library into web/dist, flat: `headlights.js` (what pages and Node import), `headlights-worker.js`,
 * the chunks that they share, both WebAssembly modules beside them, and the type declarations in types/.
 * Everything finds everything else by import.meta.url, so the folder runs unbundled from any path.
 * Expects the modules to be compiled (tools/run.mjs does that first).
 */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCE = join(ROOT, 'web', 'src', 'engine');
const DIST = join(ROOT, 'web', 'dist');
const VARIANTS = ['baseline', 'relaxed'];

/** Where each compiled file comes from; checked before anything is replaced. */
function compiledFiles() {
  return VARIANTS.flatMap((variant) =>
    ['mjs', 'wasm'].map((ending) => {
      const name = `headlights-${variant}.${ending}`;
      const from = join(ROOT, 'build', `wasm-${variant}`, name);
      if (!existsSync(from)) throw new Error(`${name} is not compiled yet; use npm run build`);
      return { name, from };
    }),
  );
}

/** What an earlier build left and this one did not write. */
function removeStale(written) {
  for (const name of readdirSync(DIST)) {
    if (/^headlights.*\.(js|mjs|wasm|map)$/.test(name) && !written.has(name))
      rmSync(join(DIST, name));
  }
}

/** Resolves with the names of the files. */
async function bundle() {
  const build = await rolldown({
    input: {
      headlights: join(SOURCE, 'index.ts'),
      'headlights-worker': join(SOURCE, 'worker', 'entry.ts'),
    },
    platform: 'neutral',
    resolve: { mainFields: ['module', 'main'], conditionNames: ['import'] },
    tsconfig: false,
    onLog(level, log, handle) {
      if (level === 'warn') throw new Error(log.message);
      handle(level, log);
    },
  });
  const { output } = await build.write({
    dir: DIST,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'headlights-[name].js',
    minify: true,
  });
  await build.close();
  return output.map(({ fileName }) => fileName);
}

/** Only the public declarations: those that index.ts leads to. */
function declare() {
  const types = join(DIST, 'types');
  rmSync(types, { recursive: true, force: true });
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const flags = [
    '--declaration',
    '--emitDeclarationOnly',
    '--noEmit',
    'false',
    '--outDir',
    types,
    '--rootDir',
    SOURCE,
    ...['--target', 'ES2022', '--module', 'ESNext', '--moduleResolution', 'bundler'],
    ...['--lib', 'ES2023,ES2024.String,DOM,DOM.Iterable,WebWorker', '--types', 'node'],
    ...['--strict', '--skipLibCheck', '--allowImportingTsExtensions', '--ignoreConfig'],
  ];
  execFileSync('node', [tsc, ...flags, join(SOURCE, 'index.ts')], { cwd: ROOT, stdio: 'inherit' });
  keepPublic(types);
}

/** index, types and errors stand alone; the declarations of everything inside are nobody's business. */
function keepPublic(folder) {
  const kept = ['index.d.ts', 'types.d.ts', 'errors.d.ts'];
  for (const name of readdirSync(folder)) {
    if (!kept.includes(name)) rmSync(join(folder, name), { recursive: true });
  }
  for (const name of kept) {
    const path = join(folder, name);
    const text = readFileSync(path, 'utf8');
    const imports = [...text.matchAll(/from '\.\/([\w-]+)\.ts'/g)].map((match) => match[1]);
    for (const imported of imports) {
      if (!kept.includes(`${imported}.d.ts`))
        throw new Error(`${name} shows ${imported}.ts, which is not public`);
    }
    writeFileSync(path, text.replace(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"));
  }
}

const compiled = compiledFiles();
mkdirSync(DIST, { recursive: true });
const bundled = await bundle();
for (const { name, from } of compiled) copyFileSync(from, join(DIST, name));
removeStale(new Set([...bundled, ...compiled.map(({ name }) => name)]));
declare();
