/** The set-up decides from the system's own files; these tests give it systems that this machine is not. */
import { chmodSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  parseDeb822,
  parseOneLine,
  readSources,
  readSystem,
  sourceForSuite,
  sourceOf,
} from '../../tools/setup/debian.mjs';
import { findEmscripten } from '../../tools/setup/emscripten.mjs';
import { findDoctest, findXsimd } from '../../tools/setup/include-root.mjs';
import { checkNode } from '../../tools/setup/node-version.mjs';
import { lockDifferences } from '../../tools/setup/npm-packages.mjs';
import { makePlan, planAsCommands } from '../../tools/setup/plan.mjs';
import { folderWith } from './fixture.ts';

const bookworm = { id: 'debian', codename: 'bookworm', name: 'Debian 12' };
const trixie = { id: 'debian', codename: 'trixie', name: 'Debian 13' };
const need = (name: string, newer = false) => ({
  what: name,
  package: name,
  newer,
  for: ['build'],
});
const missing = [need('emscripten', true), need('cmake')] as never[];

it('reads the name of the system', () => {
  const text =
    'ID=debian\nVERSION_CODENAME=bookworm\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n';
  expect(readSystem(text)).toEqual({
    id: 'debian',
    codename: 'bookworm',
    name: 'Debian GNU/Linux 12 (bookworm)',
  });
  expect(readSystem('')).toEqual({ id: '', codename: '', name: '' });
});

it('reads deb822 sources, without disabled ones, comments and source packages', () => {
  const sources = parseDeb822(`# a comment
Types: deb deb-src
# another
URIs: http://mirror.example/debian
Suites: bookworm bookworm-updates
Components: main contrib
Signed-By:
 -----BEGIN PGP-----
 .
 abc

Enabled: no
Types: deb
URIs: http://off.example
Suites: bookworm
Components: main

Types: deb-src
URIs: http://src.example
Suites: bookworm
Components: main
`);
  expect(sources).toEqual([
    {
      uris: ['http://mirror.example/debian'],
      suites: ['bookworm', 'bookworm-updates'],
      components: ['main', 'contrib'],
      extra: ['Signed-By: -----BEGIN PGP-----\n .\n abc'],
    },
  ]);
});

it('reads one-line sources with options', () => {
  const sources = parseOneLine(`# deb http://off.example bookworm main
deb cdrom:[Debian]/ bookworm main
deb [signed-by=/usr/share/keyrings/a.gpg arch=amd64,arm64] http://mirror.example/debian bookworm main # end
deb-src http://mirror.example/debian bookworm main
`);
  expect(sources).toEqual([
    {
      uris: ['http://mirror.example/debian'],
      suites: ['bookworm'],
      components: ['main'],
      extra: ['Signed-By: /usr/share/keyrings/a.gpg', 'Architectures: amd64 arm64'],
    },
  ]);
});

it('finds both kinds in a configuration folder and takes the main archive, not security', () => {
  const folder = folderWith({
    'sources.list': 'deb http://security.example bookworm-security main\n',
    'sources.list.d/a.list': 'deb http://mirror.example/debian bookworm main\n',
    'sources.list.d/b.sources':
      'Types: deb\nURIs: http://x.example\nSuites: other\nComponents: main\n',
    'sources.list.d/c.sources.disabled': 'Types: deb\nURIs: http://y.example\nSuites: bookworm\n',
  });
  const sources = readSources(folder);
  expect(sources).toHaveLength(3);
  expect(sourceOf(sources, ['bookworm'])?.uris).toEqual(['http://mirror.example/debian']);
  expect(sourceOf(sources, ['sid'])).toBeUndefined();
});

it('on Debian 12 adds a pinned source beside the own one and takes the newer packages from it', () => {
  const sources = parseOneLine('deb [signed-by=/k.gpg] http://mirror.example/debian bookworm main');
  const { actions } = makePlan({ missing, system: bookworm, sources, linkModules: true });
  expect(actions?.[0]).toEqual({
    write: '/etc/apt/sources.list.d/headlights-trixie.sources',
    text: 'Types: deb\nURIs: http://mirror.example/debian\nSuites: trixie\nComponents: main\nSigned-By: /k.gpg\n',
  });
  expect(actions?.[1]?.text).toContain('Pin-Priority: 100');
  const commands = planAsCommands(actions ?? [], { sudo: true });
  expect(commands).toContain(
    'sudo apt-get install --yes --no-install-recommends emscripten/trixie cmake\n',
  );
  expect(commands).toContain('sudo ln -sfn /usr/share/nodejs /usr/share/emscripten/node_modules');
});

it('adds no source that is there already, and none where none is needed', () => {
  const own = parseOneLine('deb http://m.example bookworm main\ndeb http://m.example trixie main');
  const written = (options: object) =>
    makePlan({
      missing,
      system: bookworm,
      sources: own,
      linkModules: false,
      ...options,
    } as never).actions?.filter((action: { write?: string }) => action.write);
  expect(written({})).toEqual([]);
  expect(written({ system: trixie })).toEqual([]);
  expect(written({ missing: [need('cmake')], sources: [] })).toEqual([]);
  expect(
    makePlan({ missing: [], system: bookworm, sources: [], linkModules: false }).actions,
  ).toEqual([]);
});

it('on Debian 13 takes the plain names', () => {
  const { actions } = makePlan({ missing, system: trixie, sources: [], linkModules: false });
  expect(actions?.at(-1)?.run?.slice(-2)).toEqual(['emscripten', 'cmake']);
});

it('says so when the archive of Debian 12 is not configured', () => {
  const { unknown } = makePlan({ missing, system: bookworm, sources: [], linkModules: false });
  expect(unknown).toContain('no apt source');
});

it('writes a source that it can read again', () => {
  const [source] = parseDeb822(
    sourceForSuite({ uris: ['http://a.example'], extra: ['Trusted: yes'] }, 'trixie'),
  );
  expect(source).toEqual({
    uris: ['http://a.example'],
    suites: ['trixie'],
    components: ['main'],
    extra: ['Trusted: yes'],
  });
});

it('sees an npm package that is missing or of another version, and skips those for other platforms', () => {
  const wanted = {
    '': { version: '0.1.0' },
    'node_modules/a': { version: '1.0.0' },
    'node_modules/b-windows': { version: '1.0.0', optional: true },
  };
  expect(lockDifferences(wanted, { 'node_modules/a': { version: '1.0.0' } })).toEqual([]);
  expect(lockDifferences(wanted, { 'node_modules/a': { version: '1.0.1' } })).toHaveLength(1);
  expect(lockDifferences(wanted, {})).toHaveLength(1);
  expect(lockDifferences(wanted, null)).toHaveLength(1);
});

it('refuses a Node that is too old with a sentence, and notes in-between releases', () => {
  expect(() => checkNode('v18.20.4')).toThrow('Node 20.19.0 or newer is needed, this is v18.20.4');
  expect(() => checkNode('v20.18.9')).toThrow('is needed');
  expect(checkNode('v20.19.0')).toBeNull();
  expect(checkNode('v24.1.0')).toBeNull();
  expect(checkNode('v23.1.0')).toContain('in-between');
});

it('takes xsimd only if it knows wasm', () => {
  const prefix = (major: number) =>
    folderWith({ 'xsimd/config/xsimd_config.hpp': `#define XSIMD_VERSION_MAJOR ${major}\n` });
  expect(findXsimd([prefix(8)])).toBeNull();
  const good = prefix(13);
  expect(findXsimd([prefix(8), good])).toBe(`${good}/xsimd`);
  expect(findDoctest([good])).toBeNull();
});

it('takes an emsdk that is on PATH with its own binaryen, and sees that an old one is too old', () => {
  const emsdk = (version: string) => {
    const root = folderWith({
      'upstream/emscripten/emcc': `#!/bin/sh\necho "emcc (Emscripten gcc/clang-like) ${version} (abc)"\n`,
      'upstream/bin/wasm-opt': '',
    });
    chmodSync(`${root}/upstream/emscripten/emcc`, 0o755);
    return `${root}/upstream/emscripten`;
  };
  const folder = emsdk('4.0.10');
  expect(findEmscripten({ again: true, path: folder })).toMatchObject({
    root: folder,
    version: [4, 0, 10],
    debian: false,
    ownBinaryen: true,
    recent: true,
  });
  expect(findEmscripten({ again: true, path: emsdk('3.1.50') })?.recent).toBe(false);
  expect(findEmscripten({ again: true, path: folderWith({}) })).toBeNull();
});
