// A small static server for `npm start` and for the browser tests. It sends what the project promises to work with:
// right types, Range, a strict Content-Security-Policy, any origin may read. Tests ask it to misbehave (see `Options`).
// Not for production: any static host does.
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize, resolve, sep } from 'node:path';
import { pipeline } from 'node:stream';
import { sendFaulty } from './serve-faults.mjs';

/** Everything from the own host, WebAssembly allowed, nothing inline; blob workers for sandboxed frames. */
export const STRICT_CSP =
  "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; worker-src 'self' blob:";

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.md': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.gz': 'application/gzip',
};

/**
 * @typedef {object} Options
 * @property {string} root       folder to serve
 * @property {number} [port]     0 = any free one
 * @property {string} [host]     default 127.0.0.1
 * @property {string} [base]     sub-path, default '/'
 * @property {string | null} [csp]  the policy; null = none; default STRICT_CSP
 * @property {boolean} [range]   false = Range is ignored and the whole file comes
 * @property {Record<string, string>} [headers]  more headers for every answer
 * @property {(path: string, request: object) => import('./serve-faults.mjs').Fault | undefined} [fault]
 *   asked for every file; a fault spoils that answer
 *
 * @param {Options} options
 * @returns {Promise<{ url: string, port: number, requests: { method: string, path: string, range: string | null }[],
 *   close: () => Promise<void> }>}
 */
export async function serve(options) {
  const settings = {
    port: 0,
    host: '127.0.0.1',
    base: '/',
    csp: STRICT_CSP,
    range: true,
    ...options,
  };
  settings.root = resolve(settings.root);
  settings.base = `/${settings.base.replace(/^\/+|\/+$/g, '')}/`.replace('//', '/');
  const requests = [];
  const server = createServer((request, response) => answer(settings, requests, request, response));
  await new Promise((ready, fail) => {
    server.once('error', fail);
    server.listen(settings.port, settings.host, ready);
  });
  const { port } = server.address();
  const name = settings.host.includes(':') ? `[${settings.host}]` : settings.host;
  return {
    url: `http://${name}:${port}${settings.base}`,
    port,
    requests,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

function answer(settings, requests, request, response) {
  for (const [name, value] of Object.entries(commonHeaders(settings)))
    response.setHeader(name, value);
  if (request.method === 'OPTIONS') {
    response.setHeader('Access-Control-Allow-Headers', 'Range');
    return refuse(response, 204);
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(response, 405);
  const path = localPath(settings, request.url);
  if (path === null) return refuse(response, 404);
  requests.push({ method: request.method, path, range: request.headers.range ?? null });

  const fault = settings.fault?.(path, request);
  if (fault?.drop) return void request.socket.destroy();
  if (fault?.status) return refuse(response, fault.status);

  let file = join(settings.root, normalize(path));
  if (file !== settings.root && !file.startsWith(settings.root + sep)) return refuse(response, 404);
  let stat = statSync(file, { throwIfNoEntry: false });
  if (stat?.isDirectory()) {
    if (path !== '' && !path.endsWith('/')) return redirect(response, `${settings.base}${path}/`);
    file = join(file, 'index.html');
    stat = statSync(file, { throwIfNoEntry: false });
  }
  if (!stat?.isFile()) return refuse(response, 404);
  sendFile(settings, request, response, file, stat, fault);
}

function commonHeaders({ csp, headers }) {
  return {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': 'Content-Range, Accept-Ranges, Content-Length, ETag',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-cache',
    ...(csp ? { 'Content-Security-Policy': csp } : {}),
    ...headers,
  };
}

/** The path below `base`, decoded, or null if the address lies outside or is malformed. */
function localPath({ base }, url) {
  try {
    const path = decodeURIComponent(new URL(url, 'http://localhost').pathname);
    return path.startsWith(base) && !path.includes('\0') ? path.slice(base.length) : null;
  } catch {
    return null;
  }
}

function refuse(response, status) {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' });
  response.end(status === 204 ? undefined : `${status}\n`);
}

function redirect(response, to) {
  response.writeHead(301, { Location: encodeURI(to) }).end();
}

function sendFile(settings, request, response, file, stat, fault) {
  const tag = `"${stat.size.toString(16)}-${Math.trunc(stat.mtimeMs).toString(16)}"`;
  response.setHeader('Content-Type', TYPES[extname(file)] ?? 'application/octet-stream');
  response.setHeader('ETag', tag);
  if (settings.range) response.setHeader('Accept-Ranges', 'bytes');
  if (request.headers['if-none-match'] === tag && !fault) return void response.writeHead(304).end();

  const wanted = settings.range && !staleRange(request, tag) ? request.headers.range : undefined;
  const range = parseRange(wanted, stat.size);
  if (range === 'unsatisfiable') {
    response.setHeader('Content-Range', `bytes */${stat.size}`);
    return refuse(response, 416);
  }
  const [start, end] = range ?? [0, stat.size - 1];
  if (range) {
    response.statusCode = 206;
    response.setHeader('Content-Range', `bytes ${start}-${end}/${stat.size}`);
  }
  response.setHeader('Content-Length', end - start + 1);
  if (request.method === 'HEAD' || stat.size === 0) return void response.end();
  if (fault) return void sendFaulty(response, file, start, end, fault);
  pipeline(createReadStream(file, { start, end }), response, () => {});
}

const staleRange = (request, tag) =>
  request.headers['if-range'] !== undefined && request.headers['if-range'] !== tag;

/** [first, last] of a single range; null for none (or several, which may be ignored); 'unsatisfiable'. */
export function parseRange(header, size) {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return null;
  const start = match[1] === '' ? Math.max(0, size - Number(match[2])) : Number(match[1]);
  const end = match[1] === '' || match[2] === '' ? size - 1 : Math.min(Number(match[2]), size - 1);
  if (match[1] !== '' && match[2] !== '' && Number(match[2]) < start) return null;
  return start > end ? 'unsatisfiable' : [start, end];
}
