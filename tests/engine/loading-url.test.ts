/** One file at an address: ranges, silence, replaced files, odd hosts. With short pauses, so from the source. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HeadlightsError } from '../../web/src/engine/errors.ts';
import { readAll, readRange } from '../../web/src/engine/sources/byte-source.ts';
import { Feed } from '../../web/src/engine/sources/feed.ts';
import { UrlSource } from '../../web/src/engine/sources/url-source.ts';
import { FaultServer } from './support/server.ts';

const POLICY = { attempts: 3, pause: 5, silence: 1500 };
const bytes = Uint8Array.from({ length: 200_000 }, (_, i) => (i * 31 + (i >> 8)) & 0xff);

let server: FaultServer;
beforeAll(async () => {
  server = await FaultServer.start([['file', bytes]]);
});
beforeEach(() => server.reset());
afterAll(() => server.close());

const source = () => new UrlSource('file', new URL(`${server.url}file`), POLICY);

async function code(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(HeadlightsError);
  return (error as HeadlightsError).code;
}

describe('a file at an address', () => {
  it('gives a range, and knows its size afterwards', async () => {
    const file = source();
    expect(file.size).toBeNull();
    expect(await readRange(file, 1000, 1500)).toEqual(bytes.slice(1000, 1500));
    expect(file.size).toBe(bytes.length);
    expect(file.ranges).toBe(true);
  });

  it('gives a range from a host that sends the whole file', async () => {
    server.reset({ ranges: false });
    const file = source();
    expect(await readRange(file, 150_000, 150_010)).toEqual(bytes.slice(150_000, 150_010));
    expect(file.ranges).toBe(false);
  });

  it('comes whole from a host or a cache that answers with a part of what was asked for', async () => {
    server.reset({ atMost: 60_000 });
    expect(await readRange(source(), 10_000, 190_000)).toEqual(bytes.slice(10_000, 190_000));
    expect(server.requests.map(({ range }) => range![0])).toEqual([10_000, 70_000, 130_000]);
    expect(await code(readRange(source(), 100_000, 200_001))).toBe('truncated');
  });

  it('is asked for without a range when all of it is wanted', async () => {
    expect(await readAll(source(), 1e6)).toEqual(bytes);
    expect(server.requests[0]!.range).toBeNull();
  });

  it('is truncated when a range goes beyond its end, or lies beyond it', async () => {
    expect(await code(readRange(source(), 199_999, 200_001))).toBe('truncated');
    expect(await code(readRange(source(), 300_000, 300_001))).toBe('truncated');
  });

  it('is refused when it is larger than it may be', async () => {
    expect(await code(readAll(source(), 1000))).toBe('corrupt');
  });

  it.each([true, false])('comes whole through broken connections (ranges: %s)', async (ranges) => {
    let breaks = 3;
    server.reset({ ranges, breakAfter: () => (breaks-- > 0 ? 60_000 : null) });
    expect(await readRange(source(), 0, bytes.length)).toEqual(bytes);
    expect(server.requests.length).toBe(ranges ? 4 : 4);
  });

  it('counts as broken when it falls silent, and is taken up again', async () => {
    let silent = 1;
    server.reset({
      pace: () => 16_384,
      silentAfter: () => (silent-- > 0 ? 50_000 : null),
    });
    expect(await readRange(source(), 0, bytes.length)).toEqual(bytes);
    expect(server.requests).toHaveLength(2);
    expect(server.requests[1]!.range![0]).toBeGreaterThan(0);
  });

  it('fails as network when it stays silent', async () => {
    server.reset({ silentAfter: () => 0 });
    expect(await code(readRange(source(), 0, 10))).toBe('network');
  });

  it('is corrupt when it is replaced while it is read', async () => {
    let version = 0;
    server.reset({
      breakAfter: ({ range }) => (range?.[0] === 0 ? 60_000 : null),
      tag: () => `"${version++}"`,
    });
    expect(await code(readRange(source(), 0, bytes.length))).toBe('corrupt');
  });

  it('is not believed when other bytes come than were asked for', async () => {
    server.reset({ headers: { 'Content-Range': 'bytes 5-9/200000' } });
    expect(await code(readRange(source(), 1000, 1005))).toBe('network');
  });

  it('is asked for again when the host is busy, and given up in the end', async () => {
    let busy = 1;
    server.reset({ status: () => (busy-- > 0 ? 503 : null) });
    expect(await readRange(source(), 0, 10)).toEqual(bytes.slice(0, 10));
    server.reset({ status: () => 503 });
    expect(await code(readRange(source(), 0, 10))).toBe('network');
    expect(server.requests).toHaveLength(2);
  });

  it('is cancelled by its signal, before and between', async () => {
    expect(await code(readRange(source(), 0, 10, { signal: AbortSignal.abort() }))).toBe(
      'cancelled',
    );
    server.reset({ pace: () => 1000 });
    const controller = new AbortController();
    const reading = code(readRange(source(), 0, bytes.length, { signal: controller.signal }));
    setTimeout(() => controller.abort(), 40);
    expect(await reading).toBe('cancelled');
  });
});

describe('a feed over it', () => {
  async function drain(feed: Feed): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    for (let chunk = await feed.next(); chunk !== null; chunk = await feed.next())
      parts.push(chunk);
    return new Uint8Array(Buffer.concat(parts));
  }

  it('gives back what was unread, in order', async () => {
    const feed = new Feed(source(), 0, null);
    const first = (await feed.next())!;
    feed.unread(first.slice(10));
    expect(feed.position).toBe(10);
    expect(await drain(feed)).toEqual(bytes.slice(10));
    expect(feed.position).toBe(bytes.length);
  });

  it('goes on after a stop where it stopped', async () => {
    server.reset({ pace: () => 10_000 });
    const feed = new Feed(source(), 0, null);
    const first = (await feed.next())!;
    const { position } = feed;
    feed.stop();
    expect(await drain(feed)).toEqual(bytes.slice(position));
    expect(position).toBe(first.length);
  });

  it('reads again from where it is set back to, past the caches', async () => {
    const feed = new Feed(source(), 0, null);
    await drain(feed);
    feed.rewind(100_000);
    expect(await drain(feed)).toEqual(bytes.slice(100_000));
  });

  it('set back is doubted: a later source of the address asks no cache either', async () => {
    const asked: (RequestCache | undefined)[] = [];
    const { fetch } = globalThis;
    globalThis.fetch = (input, init) => {
      asked.push(init?.cache);
      return fetch(input, init);
    };
    try {
      const at = (query: string) =>
        new UrlSource('file', new URL(`${server.url}file?${query}`), POLICY);
      await readRange(at('doubted'), 0, 10);
      new Feed(at('doubted'), 0, 10).rewind(0);
      await readRange(at('doubted'), 0, 10);
      await readRange(at('trusted'), 0, 10);
    } finally {
      globalThis.fetch = fetch;
    }
    expect(asked).toEqual(['default', 'reload', 'default']);
  });

  it('ends where it should, unless the host knows no ranges', async () => {
    expect(await drain(new Feed(source(), 5, 20_000))).toEqual(bytes.slice(5, 20_000));
    server.reset({ ranges: false });
    const feed = new Feed(source(), 5, 20_000);
    expect(await drain(feed)).toEqual(bytes.slice(5));
    expect(feed.whole).toBe(true);
  });
});
