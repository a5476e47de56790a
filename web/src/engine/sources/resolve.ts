/**
 * What the argument of loadModel means, in the order of the documentation: a shipped id, an address with a
 * scheme, a path, a hub id, or File objects. `resolveSource` only reads the argument (the caller's side, which
 * knows the page's address); `openSource` runs where the engine lives.
 */
import { isNode } from '../environment.ts';
import { HeadlightsError } from '../errors.ts';
import type { Folder } from './byte-source.ts';
import { DiskFolder } from './disk-source.ts';
import { FileFolder } from './file-source.ts';
import { UrlFolder } from './url-source.ts';

/** Where a model lies, in a form that can be sent to a worker. */
export type ModelSource = {
  /** The id that `model.info` shows unless a card names another. */
  id: string;
  /** The name of a .gguf file in it that was named itself; null where the folder is meant. */
  gguf: string | null;
} & (
  | { kind: 'shipped' | 'url' /** Ends in a slash. */; folder: string }
  | { kind: 'path'; folder: string }
  | { kind: 'files'; files: { name: string; blob: Blob }[] }
);

const KNOWN_FILES =
  /^(card\.json|config\.json|tokenizer\.json|model\.safetensors(\.index\.json)?)$/;

/** `base` [absolute, ends in a slash]: where shipped ids lie. */
export function resolveSource(source: unknown, base: URL): ModelSource {
  if (source instanceof URL) return fromUrl(source);
  if (typeof source === 'string') return fromText(source, base);
  if (Array.isArray(source) || (typeof FileList === 'function' && source instanceof FileList))
    return fromFiles([...(source as Iterable<unknown>)]);
  throw new HeadlightsError(
    'bad-argument',
    'loadModel takes a model id, an address, a path, or a list of files.',
    { given: typeof source },
  );
}

function fromText(text: string, base: URL): ModelSource {
  if (text.trim() === '')
    throw new HeadlightsError('bad-argument', 'loadModel was given an empty name.', {
      given: text,
    });
  if (/^[\w][\w.-]*$/.test(text))
    return { kind: 'shipped', id: text, gguf: null, folder: new URL(`${text}/`, base).href };
  if (/^[a-z][a-z0-9+.-]+:/i.test(text)) {
    const url = parsed(text);
    if (url === null) {
      throw new HeadlightsError('bad-argument', `"${text}" is not a valid address.`, {
        given: text,
      });
    }
    return fromUrl(url);
  }
  if (/^(\/|\.{1,2}[/\\]|[a-z]:[/\\])/i.test(text)) return fromPath(text);
  if (/^[\w.-]+\/[\w.-]+(@[\w./-]+)?$/.test(text)) {
    throw new HeadlightsError(
      'unsupported',
      `"${text}" names a model on a hub; loading from a hub comes in a later version. ` +
        `Give the folder's full address, or "./${text}" for a folder here.`,
      { given: text },
    );
  }
  throw new HeadlightsError(
    'bad-argument',
    `"${text}" is neither a model id, an address, a path nor a hub id.`,
    { given: text },
  );
}

function parsed(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

function fromUrl(url: URL): ModelSource {
  if (url.protocol === 'http:' || url.protocol === 'https:') {
    const { folder, gguf } = splitFile(url.pathname, decodeURIComponent);
    const base = new URL(url);
    base.pathname = folder;
    base.hash = '';
    return { kind: 'url', id: lastPart(gguf ?? folder) || url.host, gguf, folder: base.href };
  }
  if (url.protocol === 'file:' && isNode) {
    const { folder, gguf } = splitFile(url.href.replace(/[?#].*$/, ''), decodeURIComponent);
    return { kind: 'path', id: lastPart(gguf ?? folder), gguf, folder };
  }
  throw new HeadlightsError(
    'unsupported',
    `Addresses that begin with "${url.protocol}" cannot be loaded here.`,
    { given: url.href },
  );
}

function fromPath(path: string): ModelSource {
  if (!isNode) {
    const home = typeof document === 'object' ? document.baseURI : location.href;
    return fromUrl(new URL(path, home));
  }
  const { folder, gguf } = splitFile(path);
  return { kind: 'path', id: lastPart(gguf ?? folder) || path, gguf, folder };
}

/** A folder and, where a .gguf file was named, that file; names of other known files mean their folder. */
function splitFile(
  path: string,
  decode: (text: string) => string = String,
): { folder: string; gguf: string | null } {
  const cut = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1;
  const last = path.slice(cut);
  if (/\.gguf$/i.test(last)) return { folder: path.slice(0, cut), gguf: decode(last) };
  if (KNOWN_FILES.test(last)) return { folder: path.slice(0, cut), gguf: null };
  return { folder: /[/\\]$/.test(path) ? path : `${path}/`, gguf: null };
}

function lastPart(path: string): string {
  return path.split(/[/\\]/).filter(Boolean).pop() ?? '';
}

function fromFiles(given: unknown[]): ModelSource {
  const files = given.map((file) => {
    const name = (file as File | null)?.name;
    if (!(file instanceof Blob) || typeof name !== 'string') {
      throw new HeadlightsError(
        'bad-argument',
        'The list given to loadModel holds something that is not a File.',
        {
          given: typeof file,
        },
      );
    }
    return { path: (file as File).webkitRelativePath || name, blob: file };
  });
  const called = (name: string) =>
    files.filter(({ path }) => path === name || path.endsWith(`/${name}`));
  const ending = (end: string) => files.filter(({ path }) => path.endsWith(end));
  const configs = called('config.json');
  const weights = ending('.safetensors').length > 0;
  const main = [called('card.json'), weights ? configs : [], ending('.gguf'), configs]
    .flat()
    .sort((a, b) => depth(a.path) - depth(b.path))[0];
  if (main === undefined) {
    throw new HeadlightsError(
      'not-found',
      'Among the files given there is no card.json (a pack), config.json (a Hugging Face folder) or .gguf file.',
      { given: files.map(({ path }) => path) },
    );
  }
  const folder = main.path.slice(0, main.path.lastIndexOf('/') + 1);
  const beside = files
    .filter(({ path }) => path.startsWith(folder) && !path.slice(folder.length).includes('/'))
    .map(({ path, blob }) => ({ name: path.slice(folder.length), blob }));
  const gguf = main.path.endsWith('.gguf') ? main.path.slice(folder.length) : null;
  const models = beside.filter(({ name }) => name.endsWith('.gguf'));
  if (gguf !== null && models.length > 1) {
    throw new HeadlightsError(
      'bad-argument',
      `Several .gguf files were given (${models.map(({ name }) => name).join(', ')}); give one.`,
      { given: models.map(({ name }) => name) },
    );
  }
  return { kind: 'files', id: lastPart(gguf ?? folder) || 'files', gguf, files: beside };
}

function depth(path: string): number {
  return path.split('/').length;
}

/** The folder that a source names, ready to be read. */
export function openSource(source: ModelSource): Folder {
  switch (source.kind) {
    case 'files':
      return new FileFolder('', new Map(source.files.map(({ name, blob }) => [name, blob])));
    case 'path':
      return new DiskFolder(source.folder);
    default: {
      const url = new URL(source.folder);
      if (url.protocol === 'file:') return new DiskFolder(source.folder);
      return new UrlFolder(source.kind === 'shipped' ? `${source.id}/` : nameOf(url), url);
    }
  }
}

/** Short enough for a sentence: the host and the path, no query. */
function nameOf(url: URL): string {
  return `${url.host}${url.pathname}`;
}
