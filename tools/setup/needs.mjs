// What each command needs from the system, how to see that it is there, and Debian's package that brings it.
import { existsSync } from 'node:fs';
import { output, which } from '../lib/exec.mjs';
import { findEmscripten } from './emscripten.mjs';
import { findDoctest, findXsimd } from './include-root.mjs';

const program =
  (...names) =>
  () =>
    names.some((name) => which(name) !== null);

/**
 * `newer`: Debian 12's own version is too old, the one of Debian 13 is taken.
 * `for`: the commands that need it ('build' is what `npm start` needs). What the model conversion needs besides
 * (Python, Maven) tools/models brings itself.
 */
export const NEEDS = [
  {
    what: 'emcc 3.1.69 or newer',
    package: 'emscripten',
    newer: true,
    for: ['build'],
    there: () => findEmscripten()?.recent === true,
  },
  {
    what: 'xsimd 13',
    package: 'libxsimd-dev',
    newer: true,
    for: ['build'],
    there: () => findXsimd() !== null,
  },
  {
    what: 'doctest',
    package: 'doctest-dev',
    newer: true,
    for: ['build'],
    there: () => findDoctest() !== null,
  },
  { what: 'cmake', package: 'cmake', for: ['build'], there: program('cmake') },
  { what: 'ninja', package: 'ninja-build', for: ['build'], there: program('ninja') },
  { what: 'g++', package: 'g++', for: ['test'], there: program('g++') },
  { what: 'clang-format', package: 'clang-format', for: ['lint'], there: program('clang-format') },
  { what: 'Chromium', package: 'chromium', for: ['test'], there: program('chromium') },
  {
    what: 'Firefox',
    package: 'firefox-esr',
    for: ['test'],
    there: program('firefox-esr', 'firefox'),
  },
  {
    what: 'WebKitWebDriver',
    package: 'webkit2gtk-driver',
    for: ['test'],
    there: program('WebKitWebDriver'),
  },
  { what: 'Xvfb', package: 'xvfb', for: ['test'], there: program('Xvfb') },
  {
    what: 'a Chinese font',
    package: 'fonts-noto-cjk',
    for: ['test'],
    there: () => hasChineseFont(),
  },
];

/** Fonts without fontconfig are of no use to a browser either. */
function hasChineseFont() {
  if (existsSync('/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc')) return true;
  return (output('fc-list', [':lang=zh', 'family']) ?? '').trim() !== '';
}

/** The entries that the given commands need and the system lacks. */
export const missingFor = (needs) =>
  NEEDS.filter((need) => need.for.some((name) => needs.includes(name)) && !need.there());
