/** Dropped or chosen files, read piece by piece with `slice`; nothing is held in memory twice. */
import { HeadlightsError } from '../errors.ts';
import { throwIfAborted } from '../signals.ts';
import type { ByteSource, Folder, OpenedStream, OpenOptions } from './byte-source.ts';

export class FileSource implements ByteSource {
  readonly ranges = true;

  constructor(
    readonly name: string,
    private readonly blob: Blob,
  ) {}

  get size(): number {
    return this.blob.size;
  }

  async open(from: number, to: number | null, options: OpenOptions = {}): Promise<OpenedStream> {
    return { whole: false, chunks: this.chunks(from, to ?? this.size, options.signal) };
  }

  private async *chunks(from: number, to: number, signal: AbortSignal | undefined) {
    const reader = this.blob.slice(from, to).stream().getReader();
    try {
      for (;;) {
        throwIfAborted(signal, `Reading ${this.name}`);
        const { done, value } = await reader.read().catch((cause: unknown) => {
          throw new HeadlightsError(
            'not-found',
            `${this.name} can no longer be read; it may have been changed, moved or deleted. Choose it again.`,
            { file: this.name },
            { cause },
          );
        });
        if (done) return;
        yield value;
      }
    } finally {
      reader.cancel().catch(() => {});
    }
  }
}

/** Files of one folder by their names. */
export class FileFolder implements Folder {
  constructor(
    readonly name: string,
    private readonly files: ReadonlyMap<string, Blob>,
  ) {}

  file(name: string): ByteSource {
    const blob = this.files.get(name);
    return blob === undefined ? new MissingFile(name, this.files) : new FileSource(name, blob);
  }
}

/** Stands for a file that was not among those given; opening it says so. */
class MissingFile implements ByteSource {
  readonly size = null;
  readonly ranges = true;

  constructor(
    readonly name: string,
    private readonly files: ReadonlyMap<string, Blob>,
  ) {}

  async open(): Promise<OpenedStream> {
    const given = [...this.files.keys()];
    throw new HeadlightsError(
      'not-found',
      `${this.name} is not among the files given (${given.slice(0, 8).join(', ')}${given.length > 8 ? ', …' : ''}).`,
      { file: this.name, given },
    );
  }
}
