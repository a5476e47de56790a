/** The static server: what it promises to pages, and how it misbehaves when a test asks. */
import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { parseRange, STRICT_CSP, serve } from '../../tools/serve.mjs';
import { folderWith } from './fixture.ts';

const bytes = Uint8Array.from({ length: 1000 }, (_, i) => i % 251);

async function start(options: Partial<Parameters<typeof serve>[0]> = {}) {
  const root = folderWith({
    'site/index.html': '<!doctype html>',
    'site/a.mjs': 'export {}',
    'site/m.wasm': bytes,
    'site/models/x/model.gguf': bytes,
    'site/empty.json': '',
    'secret.txt': 'not to be served',
  });
  const server = await serve({ root: `${root}/site`, ...options });
  onTestFinished(() => server.close());
  return server;
}

/** Sends a path as it is; fetch would tidy it up. */
const raw = (port: number, path: string) =>
  new Promise<string>((done) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
    );
    socket.on('data', (data) => {
      answer += data;
    });
    socket.on('close', () => done(answer));
  });

it('sends right types, the strict policy, and lets any origin read', async () => {
  const { url } = await start();
  const type = async (path: string) => (await fetch(url + path)).headers.get('content-type');
  expect(await type('')).toBe('text/html; charset=utf-8');
  expect(await type('a.mjs')).toBe('text/javascript; charset=utf-8');
  expect(await type('m.wasm')).toBe('application/wasm');
  expect(await type('empty.json')).toBe('application/json; charset=utf-8');
  expect(await type('models/x/model.gguf')).toBe('application/octet-stream');
  const { headers } = await fetch(url);
  expect(headers.get('content-security-policy')).toBe(STRICT_CSP);
  expect(headers.get('access-control-allow-origin')).toBe('*');
});

it('serves below a sub-path only, and redirects a folder to its slash', async () => {
  const { url, port } = await start({ base: '/deep/er' });
  expect(url.endsWith('/deep/er/')).toBe(true);
  expect((await fetch(`${url}a.mjs`)).status).toBe(200);
  expect((await fetch(new URL('/a.mjs', url))).status).toBe(404);
  const folder = await fetch(`${url}models`, { redirect: 'manual' });
  expect([folder.status, folder.headers.get('location')]).toEqual([301, '/deep/er/models/']);
  expect((await raw(port, '/deep/er/..%2fsecret.txt')).split('\r\n')[0]).toContain('404');
  expect((await raw(port, '/deep/er/../../../secret.txt')).split('\r\n')[0]).toContain('404');
});

it('sends ranges, several requests of one file, and 416 beyond its end', async () => {
  const { url, requests } = await start();
  const get = (range: string) => fetch(`${url}m.wasm`, { headers: { range } });
  const middle = await get('bytes=100-199');
  expect([middle.status, middle.headers.get('content-range')]).toEqual([206, 'bytes 100-199/1000']);
  expect(new Uint8Array(await middle.arrayBuffer())).toEqual(bytes.slice(100, 200));
  expect(new Uint8Array(await (await get('bytes=-10')).arrayBuffer())).toEqual(bytes.slice(990));
  expect((await get('bytes=1000-')).status).toBe(416);
  expect(requests.map((one) => one.range)).toEqual(['bytes=100-199', 'bytes=-10', 'bytes=1000-']);
});

it.each([
  ['bytes=0-0', [0, 0]],
  ['bytes=5-', [5, 9]],
  ['bytes=5-99', [5, 9]],
  ['bytes=-99', [0, 9]],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=5-4', null],
  ['bytes=0-1,3-4', null],
  ['lines=0-1', null],
  [undefined, null],
])('reads the Range header %s for a file of 10 bytes', (header, expected) => {
  expect(parseRange(header, 10)).toEqual(expected);
});

it('can be a host without ranges and without a policy', async () => {
  const { url } = await start({ range: false, csp: null });
  const answer = await fetch(`${url}m.wasm`, { headers: { range: 'bytes=0-9' } });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('accept-ranges')).toBeNull();
  expect(answer.headers.get('content-security-policy')).toBeNull();
  expect((await answer.arrayBuffer()).byteLength).toBe(1000);
});

it('breaks the connection half-way, shortens, alters, refuses and delays when asked', async () => {
  const faults: Record<string, object> = {
    truncated: { truncateAt: 500 },
    short: { endAt: 500 },
    altered: { alter: [0, 999] },
    dropped: { drop: true },
    refused: { status: 503 },
    late: { delay: 120 },
    slow: { bytesPerSecond: 5000 },
  };
  let fault = '';
  const { url } = await start({ fault: () => faults[fault] });
  const get = async (name: string) => {
    fault = name;
    const begin = performance.now();
    const answer = await fetch(`${url}m.wasm`);
    const body = new Uint8Array(await answer.arrayBuffer());
    return { status: answer.status, body, ms: performance.now() - begin };
  };
  await expect(get('truncated')).rejects.toThrow();
  await expect(get('dropped')).rejects.toThrow();
  expect((await get('short')).body).toEqual(bytes.slice(0, 500));
  const altered = (await get('altered')).body;
  expect([altered[0], altered[1], altered[999]]).toEqual([255, 1, bytes[999]! ^ 255]);
  expect((await get('refused')).status).toBe(503);
  expect((await get('late')).ms).toBeGreaterThan(110);
  const slow = await get('slow');
  expect(slow.body).toEqual(bytes);
  expect(slow.ms).toBeGreaterThan(150);
});
