// The changes that the set-up makes to the system, as a list that can be shown before it is carried out:
// { write: path, text } and { run: [program, ...arguments] }.
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, writeFileSync } from 'node:fs';
import { run, shown } from '../lib/exec.mjs';
import { Failure } from '../lib/failure.mjs';
import { sourceForSuite, sourceOf } from './debian.mjs';

const OLD = 'bookworm';
const NEW = 'trixie';
const SOURCE_FILE = `/etc/apt/sources.list.d/headlights-${NEW}.sources`;
const PIN_FILE = `/etc/apt/preferences.d/headlights-${NEW}`;
/** Below the 500 of the system's own packages: nothing is upgraded unless a package is asked for by suite. */
const PIN = `Package: *\nPin: release n=${NEW}\nPin-Priority: 100\n`;

/** Where Debian's Emscripten looks for acorn, and where Debian puts it. */
const EMSCRIPTEN_MODULES = '/usr/share/emscripten/node_modules';
const DEBIAN_MODULES = '/usr/share/nodejs';

/**
 * What brings the missing entries of needs.mjs on this system.
 * `{ actions }`, or `{ unknown: reason }` when there is no known way.
 */
export function makePlan({ missing, system, sources, linkModules }) {
  const actions = [];
  if (missing.length > 0) {
    const newer = missing.some((need) => need.newer) && system.codename === OLD;
    if (newer && !sourceOf(sources, [NEW])) {
      const own = sourceOf(sources, [OLD, 'oldstable']);
      if (!own)
        return { unknown: `no apt source for ${OLD} was found to take the archive's address from` };
      actions.push(
        { write: SOURCE_FILE, text: sourceForSuite(own, NEW) },
        { write: PIN_FILE, text: PIN },
      );
    }
    const names = missing.map((need) =>
      need.newer && system.codename === OLD ? `${need.package}/${NEW}` : need.package,
    );
    actions.push(
      { run: ['apt-get', 'update'] },
      { run: ['apt-get', 'install', '--yes', '--no-install-recommends', ...names] },
    );
  }
  if (linkModules) actions.push({ run: ['ln', '-sfn', DEBIAN_MODULES, EMSCRIPTEN_MODULES] });
  return { actions };
}

/** Debian's Emscripten is there (or about to be) and its link to acorn is not. */
export const needsModulesLink = (willInstall) =>
  (willInstall || existsSync('/usr/share/emscripten/emcc.py')) &&
  lstatSync(EMSCRIPTEN_MODULES, { throwIfNoEntry: false }) === undefined;

/** What a person would type to do the same. */
export function planAsCommands(actions, { sudo }) {
  const prefix = sudo ? 'sudo ' : '';
  return actions
    .map((action) =>
      action.write
        ? `${prefix}tee ${action.write} >/dev/null <<'END'\n${action.text}END`
        : prefix + shown(action.run[0], action.run.slice(1)),
    )
    .join('\n');
}

export async function carryOut(actions, { sudo }) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const action of actions) {
    if (action.write) writeAsRoot(action, sudo);
    else if (sudo) await run('sudo', ['DEBIAN_FRONTEND=noninteractive', ...action.run], { env });
    else await run(action.run[0], action.run.slice(1), { env });
  }
}

function writeAsRoot({ write, text }, sudo) {
  if (!sudo) return writeFileSync(write, text);
  const result = spawnSync('sudo', ['tee', write], {
    input: text,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  if (result.status !== 0) throw new Failure(`cannot write ${write}`);
}
