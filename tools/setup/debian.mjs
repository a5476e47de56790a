// Reads the system's own apt configuration: which Debian this is, where its packages come from.
// Nothing here changes the system or names an address of its own.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** `{ id, codename, name }` of /etc/os-release; empty strings where it says nothing. */
export function readSystem(text = readIfThere('/etc/os-release')) {
  const field = (name) => new RegExp(`^${name}="?([^"\\n]*)"?$`, 'm').exec(text)?.[1] ?? '';
  return { id: field('ID'), codename: field('VERSION_CODENAME'), name: field('PRETTY_NAME') };
}

const readIfThere = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '');

/** Every enabled binary source of the system: `{ uris, suites, components, extra }`, extra = further deb822 lines. */
export function readSources(folder = '/etc/apt') {
  const parts = join(folder, 'sources.list.d');
  const names = existsSync(parts) ? readdirSync(parts).sort() : [];
  const read = (ending) =>
    names.filter((name) => name.endsWith(ending)).map((name) => readIfThere(join(parts, name)));
  return [
    ...read('.sources').flatMap(parseDeb822),
    ...[readIfThere(join(folder, 'sources.list')), ...read('.list')].flatMap(parseOneLine),
  ];
}

/** Stanzas "Types: deb / URIs: … / Suites: …", separated by empty lines. */
export function parseDeb822(text) {
  const sources = [];
  const bare = text.replace(/^#.*\n?/gm, '');
  for (const stanza of bare.split(/\n\s*\n/)) {
    const fields = new Map();
    for (const [, name, value] of stanza.matchAll(/^([\w-]+):(.*(?:\n[ \t].*)*)/gm))
      fields.set(name.toLowerCase(), value.trim());
    const words = (name) => fields.get(name)?.split(/\s+/) ?? [];
    if (!words('types').includes('deb') || /^(no|false|0|off)$/i.test(fields.get('enabled') ?? ''))
      continue;
    const extra = ['Signed-By', 'Trusted', 'Check-Valid-Until', 'Architectures']
      .filter((name) => fields.has(name.toLowerCase()))
      .map((name) => `${name}: ${fields.get(name.toLowerCase())}`);
    sources.push({
      uris: words('uris'),
      suites: words('suites'),
      components: words('components'),
      extra,
    });
  }
  return sources;
}

const ONE_LINE_OPTIONS = {
  'signed-by': 'Signed-By',
  trusted: 'Trusted',
  'check-valid-until': 'Check-Valid-Until',
  arch: 'Architectures',
};

/** Lines "deb [signed-by=… arch=…] uri suite component…". */
export function parseOneLine(text) {
  const sources = [];
  for (const line of text.split('\n')) {
    const match = /^\s*deb\s+(?:\[([^\]]*)\]\s+)?(\S+)\s+(\S+)\s*([^#]*)/.exec(line);
    if (!match || match[2].startsWith('cdrom:')) continue;
    const extra = [];
    for (const option of (match[1] ?? '').trim().split(/\s+/).filter(Boolean)) {
      const [key, value] = option.split(/=(.*)/);
      if (ONE_LINE_OPTIONS[key])
        extra.push(`${ONE_LINE_OPTIONS[key]}: ${value.replaceAll(',', ' ')}`);
    }
    const components = match[4].trim().split(/\s+/).filter(Boolean);
    sources.push({ uris: [match[2]], suites: [match[3]], components, extra });
  }
  return sources;
}

/** The source that holds the main archive of one of the suites, or undefined. */
export const sourceOf = (sources, suites) =>
  sources.find(
    (source) =>
      source.suites.some((suite) => suites.includes(suite)) && source.components.includes('main'),
  );

/** A deb822 source for another suite of the archive that `like` names. */
export const sourceForSuite = (like, suite) =>
  [
    'Types: deb',
    `URIs: ${like.uris.join(' ')}`,
    `Suites: ${suite}`,
    'Components: main',
    ...like.extra,
    '',
  ].join('\n');
