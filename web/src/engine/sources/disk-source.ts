/** Files on Node's disk. */
import { isNode, nodeModule } from '../environment.ts';
import { HeadlightsError } from '../errors.ts';
import { throwIfAborted } from '../signals.ts';
import type { ByteSource, Folder, OpenedStream, OpenOptions } from './byte-source.ts';

const CHUNK = 1 << 20;

export class DiskSource implements ByteSource {
  readonly ranges = true;
  size: number | null = null;

  constructor(
    readonly name: string,
    private readonly path: string | URL,
  ) {}

  async open(from: number, to: number | null, options: OpenOptions = {}): Promise<OpenedStream> {
    if (!isNode) {
      throw new HeadlightsError(
        'unsupported',
        `${this.name} is a path on a disk, which a web page cannot read; give an address or File objects.`,
        { file: this.name },
      );
    }
    const fs = await nodeModule('node:fs/promises');
    const status = await fs.stat(this.path).catch((cause) => {
      throw readError(this.name, cause);
    });
    if (status.isDirectory()) throw readError(this.name, { code: 'EISDIR' });
    this.size = status.size;
    return { whole: false, chunks: this.chunks(from, to ?? this.size, options.signal) };
  }

  private async *chunks(from: number, to: number, signal: AbortSignal | undefined) {
    const fs = await nodeModule('node:fs/promises');
    const handle = await fs.open(this.path, 'r').catch((cause) => {
      throw readError(this.name, cause);
    });
    try {
      for (let position = from; position < to; ) {
        throwIfAborted(signal, `Reading ${this.name}`);
        const buffer = new Uint8Array(Math.min(CHUNK, to - position));
        const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
        if (bytesRead === 0) return;
        position += bytesRead;
        yield buffer.subarray(0, bytesRead);
      }
    } finally {
      await handle.close();
    }
  }
}

/** A folder by its path or its `file:` address, ending in a slash. */
export class DiskFolder implements Folder {
  readonly name: string;

  constructor(private readonly folder: string) {
    this.name = folder.replace(/^file:\/\//, '');
  }

  file(name: string): ByteSource {
    const path = this.folder.startsWith('file:')
      ? new URL(encodeURIComponent(name), this.folder)
      : this.folder + name;
    return new DiskSource(this.name + name, path);
  }
}

function readError(name: string, cause: unknown): HeadlightsError {
  const code = (cause as { code?: string }).code ?? '';
  const details = { file: name, reason: code };
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return new HeadlightsError('not-found', `There is no file ${name}.`, details, { cause });
  if (code === 'EACCES' || code === 'EPERM')
    return new HeadlightsError('blocked', `${name} may not be read (${code}).`, details, { cause });
  return new HeadlightsError('not-found', `${name} cannot be read (${code || cause}).`, details, {
    cause,
  });
}
