/**
 * Starts a host and gives the client's end of the line to it: a module worker where one can be started; in an
 * opaque origin (a sandboxed frame) a classic worker from a blob that imports the same file, where the page's
 * policy allows that; else a host in this thread.
 */
import { isNode, nodeModule } from '../environment.ts';
import { HeadlightsError } from '../errors.ts';
import type { FromHost, Port, ToHost } from './protocol.ts';

export interface ClientPort extends Port<ToHost, FromHost> {
  /** The worker ended or threw outside every request. Set once by the client. */
  onCrash: (reason: string) => void;
  /** While true the line keeps Node's process alive. */
  hold(busy: boolean): void;
}

export interface Line {
  port: ClientPort;
  thread: 'worker' | 'main';
}

/** 'auto' means a worker in browsers and this thread in Node, where a script has no page to keep live. */
export async function openLine(wish: 'auto' | boolean): Promise<Line> {
  if (wish === false || (wish === 'auto' && isNode))
    return { port: await ownThread(), thread: 'main' };
  const url = new URL('headlights-worker.js', import.meta.url);
  const reasons: string[] = [];
  const ways = isNode ? [nodeWorker] : opaqueOrigin() ? [blobWorker] : [moduleWorker, blobWorker];
  for (const way of ways) {
    try {
      return { port: await way(url), thread: 'worker' };
    } catch (error) {
      reasons.push(String((error as Error)?.message ?? error));
    }
  }
  if (wish === true) {
    throw new HeadlightsError('blocked', `No worker can be started here: ${reasons.join('; ')}.`, {
      reasons,
    });
  }
  return { port: await ownThread(), thread: 'main' };
}

/** In a sandboxed frame; there a module worker cannot be started and the attempt fills the console. */
function opaqueOrigin(): boolean {
  return globalThis.origin === 'null';
}

async function ownThread(): Promise<ClientPort> {
  const { Host } = await import('./host.ts');
  const hostEnd: Port<FromHost, ToHost> = {
    post: (message) => queueMicrotask(() => clientEnd.onMessage(message)),
    onMessage: () => {},
    close: () => {},
  };
  const host = new Host(hostEnd);
  const clientEnd: ClientPort = {
    post: (message) => queueMicrotask(() => hostEnd.onMessage(message)),
    onMessage: () => {},
    onCrash: () => {},
    hold: () => {},
    close: () => host.close(),
  };
  return clientEnd;
}

async function moduleWorker(url: URL): Promise<ClientPort> {
  return webWorker(new Worker(url, { type: 'module', name: 'headlights' }));
}

async function blobWorker(url: URL): Promise<ClientPort> {
  const source = `import(${JSON.stringify(url.href)}).catch((error) => {
    postMessage({ kind: 'fatal', reason: String(error) });
  });`;
  const address = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  try {
    return await webWorker(new Worker(address, { name: 'headlights' }));
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** Resolves when the host in the worker says hello. */
function webWorker(worker: Worker): Promise<ClientPort> {
  const port: ClientPort = {
    post: (message, transfer = []) => worker.postMessage(message, transfer),
    onMessage: () => {},
    onCrash: () => {},
    hold: () => {},
    close: () => worker.terminate(),
  };
  worker.onmessage = (event: MessageEvent<FromHost>) => port.onMessage(event.data);
  worker.onerror = (event) => {
    event.preventDefault();
    port.onCrash(event.message ?? 'the worker could not be loaded');
  };
  worker.onmessageerror = () => port.onCrash('a message could not be read');
  return untilHello(port);
}

async function nodeWorker(url: URL): Promise<ClientPort> {
  const { Worker: NodeWorker } = await nodeModule('node:worker_threads');
  // Not the caller's flags: --input-type, which `node -e` takes, would keep the worker from starting.
  const worker = new NodeWorker(url, { name: 'headlights', execArgv: [] });
  let closed = false;
  const port: ClientPort = {
    post: (message, transfer) => worker.postMessage(message, transfer as never),
    onMessage: () => {},
    onCrash: () => {},
    hold: (busy) => (busy ? worker.ref() : worker.unref()),
    close: () => {
      closed = true;
      void worker.terminate();
    },
  };
  worker.on('message', (message: FromHost) => port.onMessage(message));
  worker.on('error', (error: unknown) => port.onCrash(String(error)));
  worker.on('exit', (code) => {
    if (!closed) port.onCrash(`the worker ended with code ${code}`);
  });
  return untilHello(port);
}

function untilHello(port: ClientPort): Promise<ClientPort> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => {
      port.close();
      reject(new Error(reason));
    };
    port.onCrash = fail;
    port.onMessage = (message) => {
      if (message.kind === 'hello') resolve(port);
      else if (message.kind === 'fatal') fail(message.reason);
    };
  });
}
