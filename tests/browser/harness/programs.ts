/** Finds the installed browsers. An environment variable (CHROMIUM, FIREFOX, MINIBROWSER) wins. */
import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const PROGRAMS = {
  CHROMIUM: ['chromium', 'chromium-browser', 'google-chrome'],
  FIREFOX: ['firefox-esr', 'firefox'],
  WEBKIT_DRIVER: ['WebKitWebDriver'],
  XVFB: ['Xvfb'],
} as const;

export function findProgram(kind: keyof typeof PROGRAMS): string {
  const given = process.env[kind];
  if (given) return given;
  for (const name of PROGRAMS[kind])
    for (const folder of (process.env.PATH ?? '').split(delimiter))
      if (mayRun(join(folder, name))) return join(folder, name);
  throw new Error(`${PROGRAMS[kind].join(' or ')} is not on PATH; node tools/setup.mjs test`);
}

/** WebKitGTK's small browser lies outside PATH, in a folder named after the processor. */
export function findMiniBrowser(): string {
  if (process.env.MINIBROWSER) return process.env.MINIBROWSER;
  for (const folder of ['/usr/lib', ...readdirSync('/usr/lib').map((name) => `/usr/lib/${name}`)])
    for (const version of ['webkit2gtk-4.1', 'webkit2gtk-4.0', 'webkitgtk-6.0']) {
      const path = join(folder, version, 'MiniBrowser');
      if (mayRun(path)) return path;
    }
  throw new Error('MiniBrowser of WebKitGTK is missing; node tools/setup.mjs test');
}

function mayRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
