// The arrows of web/src: engine <- state <- pages, draw <- views <- pages, i18n beside them. Pages and state take
// the engine from the built library ('headlights'), so that there is one copy of it; draw, arrays and calculator
// are pure.
import { posix } from 'node:path';
import { ROOT } from '../lib/paths.mjs';
import { lineAt, sourceFiles } from './lib/source-files.mjs';
import { importsOf } from './lib/syntax.mjs';

export const name = 'layers of the TypeScript code';

/** What a folder of web/src may import; `types` lists what it may import types from, `files` single files, besides. */
const LAYERS = {
  engine: { values: ['engine'], types: [] },
  i18n: { values: ['i18n'], types: [] },
  state: { values: ['state', 'i18n', 'library'], types: ['engine', 'draw'] },
  demos: { values: ['demos'], types: ['engine'] },
  draw: { values: ['draw'], types: ['engine'] },
  arrays: {
    values: ['arrays'],
    types: [],
    files: ['web/src/engine/errors.ts', 'web/src/engine/formats/safetensors.ts'],
  },
  calculator: { values: ['calculator'], types: [] },
  views: { values: ['views', 'draw', 'calculator', 'i18n'], types: [] },
  pages: {
    values: [
      ...['pages', 'views', 'draw', 'arrays', 'demos', 'calculator'],
      ...['state', 'i18n', 'library'],
    ],
    types: ['engine'],
  },
};

/** Packages that a folder may use; no entry = any. */
const PACKAGES = {
  draw: /^d3-/,
  arrays: /^$/,
  calculator: /^$/,
};

const PURE = ['draw', 'arrays', 'calculator'];

/** What these would need to read or change the page. Comments and strings are blanked first. */
const PAGE_STATE =
  /(?<![\w.$'"`])(document|window|navigator|localStorage|sessionStorage|location|history|requestAnimationFrame|fetch)\b(?=\s*[.([])/g;

export async function check(root = ROOT) {
  const faults = [];
  for (const { path, text } of sourceFiles(root, ['web/src'], ['.ts'])) {
    const layer = path.split('/')[2];
    const report = (offset, what) => faults.push(`${path}:${lineAt(text, offset)}: ${what}`);
    if (!LAYERS[layer]) {
      if (!path.endsWith('.d.ts')) report(0, `web/src/${layer} is not in the list of layers`);
      continue;
    }
    for (const { from, typeOnly, start } of await importsOf(path, text)) {
      const fault = faultOf(layer, path, from, typeOnly);
      if (fault) report(start, fault);
    }
    if (PURE.includes(layer))
      for (const match of blanked(text).matchAll(PAGE_STATE))
        report(match.index, `${layer} is pure and may not use ${match[1]}`);
  }
  return faults;
}

function faultOf(layer, path, from, typeOnly) {
  const { values, types, files = [] } = LAYERS[layer];
  const target = targetOf(path, from);
  if (target === null) {
    const allowed = PACKAGES[layer];
    return !allowed || allowed.test(from) ? null : `${layer} may not use the package ${from}`;
  }
  if (values.includes(target) || (typeOnly && types.includes(target))) return null;
  if (files.includes(posix.join(posix.dirname(path), from))) return null;
  if (typeOnly && target === 'library' && types.includes('engine')) return null;
  const wanted =
    types.includes(target) && values.includes('library') && target === 'engine'
      ? `; take it from 'headlights'`
      : '';
  return `${layer} may not import ${typeOnly ? 'types of ' : ''}${target} ("${from}")${wanted}`;
}

/** The folder of web/src that an import points to, 'library' for the built library, null for an npm package. */
function targetOf(path, from) {
  if (from === 'headlights') return 'library';
  if (!from.startsWith('.') && !from.startsWith('/')) return null;
  const resolved = posix.join(posix.dirname(path), from);
  return resolved.startsWith('web/src/') ? resolved.split('/')[2] : `outside web/src: ${resolved}`;
}

/** Same length and lines, comments and plain strings blanked. */
const blanked = (text) =>
  text.replace(/\/\/.*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, (all) =>
    all.replace(/[^\n]/g, ' '),
  );
