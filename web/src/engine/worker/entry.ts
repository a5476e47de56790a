/** The worker's entry file (headlights-worker.js): a host on the worker's message line, in browser and Node. */
import { isNode, nodeModule } from '../environment.ts';
import { Host } from './host.ts';
import type { FromHost, Port, ToHost } from './protocol.ts';

async function line(): Promise<Port<FromHost, ToHost>> {
  if (isNode) {
    const { parentPort } = await nodeModule('node:worker_threads');
    if (parentPort === null) throw new Error('headlights-worker.js must be started as a worker');
    const port: Port<FromHost, ToHost> = {
      post: (message, transfer) => parentPort.postMessage(message, transfer as never),
      onMessage: () => {},
      close: () => parentPort.close(),
    };
    parentPort.on('message', (message: ToHost) => port.onMessage(message));
    return port;
  }
  const scope = globalThis as unknown as DedicatedWorkerGlobalScope;
  const port: Port<FromHost, ToHost> = {
    post: (message, transfer = []) => scope.postMessage(message, transfer),
    onMessage: () => {},
    close: () => scope.close(),
  };
  scope.onmessage = (event: MessageEvent<ToHost>) => port.onMessage(event.data);
  return port;
}

const port = await line();
new Host(port);
port.post({ kind: 'hello' });
