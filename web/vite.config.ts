/**
 * Builds the pages into web/dist, beside the library (tools/build-library.mjs puts that there first).
 * The library stays one set of files that page, worker and Node share: `headlights` is external here and its
 * specifier becomes the relative address of headlights.js as seen from the chunk that imports it.
 */
import { dirname, posix, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

const PAGES = ['index', 'demos', 'calculator', 'lab'];
const here = dirname(fileURLToPath(import.meta.url));
const ASSETS = 'assets';
const LIBRARY = 'headlights';
const LIBRARY_FILE = 'headlights.js';

/** Small files of the engine that pages have too: no WebAssembly, no state. */
const SHARED = ['/errors.ts', '/formats/safetensors.ts', '/formats/half.ts'];

/** Fails the build if a chunk would look for the library anywhere but beside index.html. */
function libraryStaysOutside(): Plugin {
  return {
    name: 'headlights-library-outside',
    generateBundle(_options, bundle) {
      let importers = 0;
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        for (const name of [...chunk.imports, ...chunk.dynamicImports]) {
          if (name in bundle) continue;
          const target = posix.join(posix.dirname(chunk.fileName), name);
          if (target !== LIBRARY_FILE) this.error(`${chunk.fileName} imports "${name}"`);
          importers++;
        }
        if (
          Object.keys(chunk.modules).some(
            (id) => id.includes('/src/engine/') && !SHARED.some((end) => id.endsWith(end)),
          )
        )
          this.warn(`${chunk.fileName} holds engine code; import it from '${LIBRARY}'`);
      }
      if (importers === 0) this.warn(`no chunk imports '${LIBRARY}'`);
    },
  };
}

export default defineConfig({
  root: here,
  base: './',
  publicDir: resolve(here, 'public'),
  build: {
    outDir: resolve(here, 'dist'),
    emptyOutDir: false, // the library is there too; tools/run.mjs removes what the last site build left
    assetsDir: ASSETS,
    assetsInlineLimit: 0, // no data: addresses, the policy forbids them
    target: 'es2022',
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      input: Object.fromEntries(PAGES.map((page) => [page, resolve(here, `${page}.html`)])),
      external: [LIBRARY],
      output: { paths: { [LIBRARY]: `../${LIBRARY_FILE}` } },
    },
  },
  plugins: [libraryStaysOutside()],
});
