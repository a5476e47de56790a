/** One task after the other, in the order in which they came; a cancelled one gives up its place at once. */
import { abandonable, throwIfAborted } from './signals.ts';

export class Queue {
  private last: Promise<void> = Promise.resolve();

  /** Rejects with `cancelled` (saying `what`) when the signal aborts before the task's turn. */
  enter<T>(task: () => Promise<T>, signal: AbortSignal | undefined, what: string): Promise<T> {
    const before = this.last;
    let leave = () => {};
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    this.last = before.then(() => left);
    return abandonable(before, signal, what)
      .then(() => {
        throwIfAborted(signal, what);
        return task();
      })
      .finally(leave);
  }
}
