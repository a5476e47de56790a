// Where things lie in the repository. Only Node built-ins: used before npm packages are there.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's own folder. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** A path inside the repository. */
export const inRoot = (...parts) => join(ROOT, ...parts);

export const DIST = inRoot('web', 'dist');
export const BUILD = inRoot('build');
/** Stamps of finished steps. */
export const STAMPS = inRoot('build', 'stamps');
/** Reports of test runners, read back for the closing line. */
export const REPORTS = inRoot('build', 'reports');
/** Links to the header-only C++ libraries; /usr/include itself must never be on a wasm include path. */
export const INCLUDE_ROOT = inRoot('build', 'include');

export const WASM_VARIANTS = ['baseline', 'relaxed'];
export const NATIVE_PRESETS = ['native-debug', 'native-sse', 'native-avx2'];
export const WASM_PRESETS = WASM_VARIANTS.map((variant) => `wasm-${variant}`);
export const ALL_PRESETS = [...NATIVE_PRESETS, ...WASM_PRESETS];
