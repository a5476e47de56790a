// Brings what a command needs and the machine lacks: compiler, header libraries, npm packages, browsers.
// Says what it will add before it does. Where it cannot, it prints the commands to type.
// `node tools/setup.mjs [build] [lint] [test]` runs it alone.
import { pathToFileURL } from 'node:url';
import { output, which } from './lib/exec.mjs';
import { Failure } from './lib/failure.mjs';
import { readSources, readSystem } from './setup/debian.mjs';
import { findEmscripten, OLDEST_EMSCRIPTEN } from './setup/emscripten.mjs';
import { linkIncludeRoot } from './setup/include-root.mjs';
import { missingFor } from './setup/needs.mjs';
import { checkNode } from './setup/node-version.mjs';
import { installNpmPackages, npmIsCurrent } from './setup/npm-packages.mjs';
import { carryOut, makePlan, needsModulesLink, planAsCommands } from './setup/plan.mjs';

/** `needs`: 'build' (all that `npm start` needs), 'lint', 'test'; none = the npm packages only. */
export async function setup(needs = ['build']) {
  const note = checkNode();
  if (note) console.log(note);
  let changed = await bringSystemPackages(needs);
  if (!npmIsCurrent()) {
    await installNpmPackages();
    changed = true;
  }
  if (needs.includes('build')) linkIncludeRoot();
  return changed ? undefined : 'nothing to add';
}

/** Returns whether anything had to be added. */
async function bringSystemPackages(needs) {
  const missing = missingFor(needs);
  const willInstall = missing.some((need) => need.package === 'emscripten');
  const linkModules = needs.includes('build') && needsModulesLink(willInstall);
  if (missing.length === 0 && !linkModules) return false;

  refuseOldEmsdk();
  const system = readSystem();
  const list = missing.map((need) => need.what).join(', ');
  const apt =
    which('apt-get') !== null && ['bookworm', 'trixie', 'forky', 'sid'].includes(system.codename);
  if (!apt) throw new Failure(byHand(missing, system));

  const { actions, unknown } = makePlan({ missing, system, sources: readSources(), linkModules });
  if (unknown) throw new Failure(`${unknown}\n${byHand(missing, system)}`);
  const root = process.getuid?.() === 0;
  const commands = planAsCommands(actions, { sudo: !root && which('sudo') !== null });
  if (!root && !mayUseSudo()) {
    const who = which('sudo') ? 'Type' : 'As root, type';
    throw new Failure(`missing: ${list || 'a link'}. ${who}:\n\n${commands}\n`);
  }

  console.log(`Missing: ${list || "a link to Emscripten's JavaScript packages"}.`);
  console.log(`Adding it with these commands:\n\n${commands}\n`);
  await carryOut(actions, { sudo: !root });
  findEmscripten({ again: true });
  const still = missingFor(needs).map((need) => need.what);
  if (still.length > 0) throw new Failure(`installed, but still missing: ${still.join(', ')}`);
  return true;
}

/** A compiler of somebody's own that comes first on PATH would hide the one that is installed. */
function refuseOldEmsdk() {
  const emscripten = findEmscripten();
  if (!emscripten || emscripten.recent || emscripten.debian) return;
  throw new Failure(
    `${emscripten.emcc} is version ${emscripten.version.join('.')}; ${OLDEST_EMSCRIPTEN.join('.')} or newer is needed. ` +
      'Update it (emsdk install 3.1.69), or take it off PATH and run this again.',
  );
}

/** sudo is there, and asks for no password or can ask somebody. */
const mayUseSudo = () =>
  which('sudo') !== null && (process.stdin.isTTY || output('sudo', ['-n', 'true']) !== null);

/** Instructions for systems that are not Debian 12 or later. */
function byHand(missing, system) {
  const names = missing.filter((need) => need.package !== 'emscripten');
  const lines = [
    `missing on ${system.name || 'this system'}: ${missing.map((need) => need.what).join(', ')}`,
    'This set-up installs by itself on Debian 12 and 13 only. Here:',
  ];
  if (names.length < missing.length)
    lines.push(
      '  in a checkout of emsdk:  ./emsdk install 3.1.69 && ./emsdk activate 3.1.69 && . ./emsdk_env.sh',
    );
  if (names.length > 0) {
    const packages = names.map((need) => need.package).join(' ');
    if (which('apt-get')) lines.push(`  sudo apt-get install --no-install-recommends ${packages}`);
    else lines.push(`  with your package manager (Debian's names):  ${packages}`);
  }
  lines.push('Then run the same command again.');
  return lines.join('\n');
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    const needs = process.argv.slice(2);
    const note = await setup(needs.length > 0 ? needs : ['build', 'lint', 'test']);
    console.log(`set up${note ? `: ${note}` : ''}`);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}
