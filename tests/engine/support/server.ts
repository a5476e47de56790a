/**
 * A small static server whose faults can be chosen: no Range, broken connections, slowness, altered bytes. It
 * remembers what was asked of it. Only for tests.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Request {
  path: string;
  /** [from, to) of a Range; null where none was asked. */
  range: [number, number] | null;
  /** Bytes of the body handed to the connection so far. */
  sent: number;
}

export interface Faults {
  /** Answer with ranges; default true. */
  ranges?: boolean;
  /** Break the connection after so many bytes of an answer; asked once a request, null = do not. */
  breakAfter?: (request: Request) => number | null;
  /** Send nothing more after so many bytes, and keep the connection open. */
  silentAfter?: (request: Request) => number | null;
  /** Answer a range with at most so many bytes of it, and say so: a proper answer. */
  atMost?: number;
  /** The ETag of an answer. */
  tag?: (request: Request) => string;
  /** Bytes a tick of 5 ms; default all at once. */
  pace?: (request: Request) => number | null;
  /** Another answer than the file. */
  status?: (request: Request) => number | null;
  /** Besides the usual ones; undefined takes one away. */
  headers?: Record<string, string | undefined>;
}

export class FaultServer {
  readonly requests: Request[] = [];
  faults: Faults = {};
  private constructor(
    private readonly server: Server,
    readonly files: Map<string, Uint8Array>,
  ) {}

  /** `files` by path without the leading slash. */
  static async start(files: Iterable<[string, Uint8Array]>): Promise<FaultServer> {
    const server = createServer();
    const instance = new FaultServer(server, new Map(files));
    server.on('request', (request, response) => void instance.answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return instance;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  /** Requests for one file, in order. */
  of(name: string): Request[] {
    return this.requests.filter(({ path }) => path.endsWith(name));
  }

  reset(faults: Faults = {}): void {
    this.requests.length = 0;
    this.faults = faults;
  }

  private async answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = decodeURIComponent((incoming.url ?? '/').slice(1).replace(/\?.*$/, ''));
    const file = this.files.get(path);
    const asked = /^bytes=(\d+)-(\d*)$/.exec(incoming.headers.range ?? '');
    const size = file?.length ?? 0;
    const range: [number, number] | null =
      asked === null
        ? null
        : [Number(asked[1]), asked[2] === '' ? size : Math.min(size, Number(asked[2]) + 1)];
    const request: Request = { path, range, sent: 0 };
    this.requests.push(request);
    const {
      ranges = true,
      breakAfter,
      silentAfter,
      tag,
      pace,
      status,
      headers,
      atMost,
    } = this.faults;
    const forced = status?.(request) ?? null;
    if (forced !== null || file === undefined) {
      response.writeHead(forced ?? 404).end();
      return;
    }
    const partial = ranges && range !== null;
    const [from, last] = partial ? range : [0, size];
    const to = partial && atMost !== undefined ? Math.min(last, from + atMost) : last;
    if (partial && from >= size) {
      response.writeHead(416, { 'Content-Range': `bytes */${size}` }).end();
      return;
    }
    const all: Record<string, string | undefined> = {
      'Content-Type': 'application/octet-stream',
      'Content-Length': String(to - from),
      'Content-Range': partial ? `bytes ${from}-${to - 1}/${size}` : undefined,
      ETag: tag?.(request),
      ...headers,
    };
    const kept = Object.entries(all).filter((entry): entry is [string, string] => !!entry[1]);
    response.writeHead(partial ? 206 : 200, Object.fromEntries(kept));
    const silent = silentAfter?.(request) ?? null;
    const limit = silent ?? breakAfter?.(request) ?? null;
    if (silent === 0) response.flushHeaders();
    const end = limit === null ? to : Math.min(to, from + limit);
    const step = pace?.(request) ?? 1 << 16;
    for (let at = from; at < end; at += step) {
      const piece = file.subarray(at, Math.min(end, at + step));
      if (response.destroyed) return;
      const room = response.write(piece);
      request.sent += piece.length;
      if (pace !== undefined) await new Promise((resolve) => setTimeout(resolve, 5));
      else if (!room)
        await new Promise((resolve) => response.once('drain', resolve).once('close', resolve));
    }
    if (silent !== null) return;
    if (end < to) {
      await new Promise((resolve) => setTimeout(resolve, 20)); // lets the bytes reach the reader
      response.destroy();
      return;
    }
    response.end();
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
