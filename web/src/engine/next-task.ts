/**
 * Gives the thread back for one turn of its event loop, so that a page stays live and a worker hears a
 * cancellation between two layers. A MessageChannel rather than a timer: timers are clamped to 4 ms once
 * nested, and rather than scheduler.yield, which may run ahead of messages that are waiting.
 */

const waiting: (() => void)[] = [];
let channel: MessageChannel | null = null;

export function nextTask(): Promise<void> {
  if (typeof setImmediate === 'function') return new Promise((resolve) => setImmediate(resolve));
  if (channel === null) {
    channel = new MessageChannel();
    channel.port1.onmessage = () => waiting.shift()?.();
  }
  const { port2 } = channel;
  return new Promise((resolve) => {
    waiting.push(resolve);
    port2.postMessage(null);
  });
}
