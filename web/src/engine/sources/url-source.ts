/**
 * A file at an http(s) address, asked for by Range. A connection that breaks or falls silent is taken up again
 * where it stopped, a few times, with growing pauses. A host that answers a Range with the whole file is
 * believed (`whole`); what lies before the wanted start is then read and dropped.
 */
import { HeadlightsError } from '../errors.ts';
import { cancelled, delay } from '../signals.ts';
import type { ByteSource, Folder, OpenedStream, OpenOptions } from './byte-source.ts';
import { unreachable } from './unreachable.ts';

export interface RetryPolicy {
  /** Times a broken stream is taken up again without a byte of progress. */
  attempts: number;
  /** Milliseconds before the first of them; doubled each time. */
  pause: number;
  /** Milliseconds of silence after which a connection counts as broken. */
  silence: number;
}

export const RETRIES: RetryPolicy = { attempts: 4, pause: 250, silence: 30_000 };

/** Addresses whose bytes once were wrong: no cache is asked for them again, by later loads neither. */
const doubted = new Set<string>();

interface Answer {
  body: ReadableStreamDefaultReader<Uint8Array> | null;
  whole: boolean;
  /** Where the body ends if the host says so; null where only the end of the stream tells. */
  end: number | null;
  abort: () => void;
}

export class UrlSource implements ByteSource {
  ranges = true;
  size: number | null = null;
  private tag: string | null = null;

  constructor(
    readonly name: string,
    private readonly url: URL,
    private readonly policy: RetryPolicy = RETRIES,
  ) {}

  doubt(): void {
    doubted.add(this.url.href);
  }

  async open(from: number, to: number | null, options: OpenOptions = {}): Promise<OpenedStream> {
    const answer = await this.persistently(from, to, options, 1);
    return { whole: answer.whole, chunks: this.chunks(from, to, answer, options) };
  }

  private async *chunks(from: number, to: number | null, first: Answer, options: OpenOptions) {
    const { signal } = options;
    let answer = first;
    let position = from;
    let attempts = 0;
    let skip = answer.whole ? from : 0;
    try {
      for (;;) {
        let chunk: Uint8Array | null = null;
        let broken: unknown = null;
        try {
          chunk = await this.next(answer);
        } catch (cause) {
          if (signal?.aborted) throw cancelled(`Loading ${this.name}`);
          broken = cause;
        }
        if (chunk !== null) {
          const dropped = Math.min(skip, chunk.length);
          skip -= dropped;
          if (dropped === chunk.length) continue;
          attempts = 0;
          position += chunk.length - dropped;
          yield dropped > 0 ? chunk.subarray(dropped) : chunk;
          continue;
        }
        if (broken === null && (answer.end === null || position >= answer.end)) {
          if (!this.isMissing(position, to, answer)) return;
          // Part of what was asked for is a proper answer too (RFC 9110, 15.3.7), and a browser's cache gives
          // one where the file grew on the host: ask for the rest.
          answer.abort();
          answer = await this.persistently(position, to, options, 1);
          skip = answer.whole ? position : 0;
          continue;
        }
        if (attempts >= this.policy.attempts) throw this.brokenOff(position, broken);
        answer.abort();
        await delay(this.policy.pause * 2 ** attempts, signal);
        attempts += 1;
        answer = await this.persistently(position, to, options, this.policy.attempts - attempts);
        skip = answer.whole ? position : 0;
      }
    } finally {
      answer.abort();
    }
  }

  /** Whether a properly ended answer left bytes out that were asked for and that the file has. */
  private isMissing(position: number, to: number | null, answer: Answer): boolean {
    const last = Math.min(to ?? Number.POSITIVE_INFINITY, this.size ?? position);
    return !answer.whole && answer.end !== null && position < last;
  }

  /** One chunk, null at the end of the body; throws when the connection breaks or falls silent. */
  private async next(answer: Answer): Promise<Uint8Array | null> {
    if (answer.body === null) return null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const silence = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        reject(new Error(`no byte for ${this.policy.silence / 1000} seconds`));
      }, this.policy.silence);
    });
    try {
      const { done, value } = await Promise.race([answer.body.read(), silence]);
      return done ? null : value;
    } finally {
      clearTimeout(timer);
    }
  }

  /** A request, repeated where that may help: no connection, or a host that says it is busy. */
  private async persistently(
    from: number,
    to: number | null,
    options: OpenOptions,
    attempts: number,
  ): Promise<Answer> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.request(from, to, options);
      } catch (error) {
        const final = !(error instanceof HeadlightsError) || error.code !== 'network';
        if (final || attempt >= attempts) throw error;
        await delay(this.policy.pause * 2 ** attempt, options.signal);
      }
    }
  }

  private async request(from: number, to: number | null, options: OpenOptions): Promise<Answer> {
    const { signal } = options;
    if (signal?.aborted) throw cancelled(`Loading ${this.name}`);
    const controller = new AbortController();
    const onAbort = () => controller.abort();
    signal?.addEventListener('abort', onAbort, { once: true });
    const abort = () => {
      signal?.removeEventListener('abort', onAbort);
      controller.abort();
    };
    const asksRange = from > 0 || to !== null;
    const timer = setTimeout(() => controller.abort(), this.policy.silence);
    try {
      const response = await fetch(this.url, {
        headers: asksRange ? { Range: `bytes=${from}-${to === null ? '' : to - 1}` } : {},
        cache: doubted.has(this.url.href) ? 'reload' : 'default',
        signal: controller.signal,
      }).catch(async (cause: unknown) => {
        if (signal?.aborted) throw cancelled(`Loading ${this.name}`);
        throw await unreachable(this.name, this.url, cause);
      });
      this.refuse(response, from);
      this.identify(response);
      const body = response.body?.getReader() ?? null;
      if (response.status === 206)
        return { body, whole: false, end: this.span(response, from, to), abort };
      if (asksRange) this.ranges = false;
      const length = contentLength(response);
      this.size = length ?? this.size;
      return { body, whole: true, end: length, abort };
    } catch (error) {
      abort();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Throws for every answer that does not bring the file. */
  private refuse(response: Response, from: number): void {
    const { status } = response;
    const details = { file: this.name, url: this.url.href, status };
    if (status === 416) {
      const total = /\*\/(\d+)/.exec(response.headers.get('Content-Range') ?? '')?.[1];
      throw new HeadlightsError(
        'truncated',
        `${this.name} ends ${total === undefined ? 'before' : `after ${total} bytes, before`} byte ${from}, where more should follow.`,
        { ...details, needed: from },
      );
    }
    const page =
      status === 200 && /^text\/html\b/i.test(response.headers.get('Content-Type') ?? '');
    if (status === 404 || status === 410 || page) {
      throw new HeadlightsError(
        'not-found',
        page
          ? `The host answered with a web page where ${this.name} should be.`
          : `The host has no file ${this.name}.`,
        details,
      );
    }
    if (status === 401 || status === 403 || status === 451)
      throw new HeadlightsError(
        'gated',
        `The host does not give ${this.name} out (${status}).`,
        details,
      );
    if (status !== 200 && status !== 206)
      throw new HeadlightsError(
        'network',
        `The host answered ${status} for ${this.name}.`,
        details,
      );
  }

  /** Notices a file that was replaced on the host while it was being read. */
  private identify(response: Response): void {
    const tag = response.headers.get('ETag');
    if (tag !== null && this.tag !== null && tag !== this.tag) {
      this.tag = null;
      throw new HeadlightsError(
        'corrupt',
        `${this.name} was replaced on the host while it was being loaded; load it again.`,
        { file: this.name, url: this.url.href },
      );
    }
    this.tag = tag ?? this.tag;
  }

  private span(response: Response, from: number, to: number | null): number | null {
    const range = /bytes (\d+)-(\d+)\/(\d+|\*)/.exec(response.headers.get('Content-Range') ?? '');
    if (range === null) {
      const length = contentLength(response);
      return length === null ? to : from + length;
    }
    if (Number(range[1]) !== from) {
      throw new HeadlightsError(
        'network',
        `The host sent other bytes of ${this.name} than were asked for.`,
        { file: this.name, url: this.url.href },
      );
    }
    if (range[3] !== '*') this.size = Number(range[3]);
    return Number(range[2]) + 1;
  }

  private brokenOff(position: number, cause: unknown): HeadlightsError {
    return new HeadlightsError(
      'network',
      `The connection broke off after ${position} bytes of ${this.name}, and ${this.policy.attempts} attempts to go on failed.`,
      { file: this.name, url: this.url.href, loaded: position },
      { cause },
    );
  }
}

/** Null where the header is missing or counts compressed bytes. */
function contentLength(response: Response): number | null {
  if ((response.headers.get('Content-Encoding') ?? 'identity') !== 'identity') return null;
  const length = response.headers.get('Content-Length');
  return length === null ? null : Number(length);
}

/** Files beside each other at an address that ends in a slash; a query goes along to each of them. */
export class UrlFolder implements Folder {
  constructor(
    readonly name: string,
    private readonly base: URL,
  ) {}

  file(name: string): ByteSource {
    const url = new URL(encodeURIComponent(name), this.base);
    url.search = this.base.search;
    return new UrlSource(this.name + name, url);
  }
}
