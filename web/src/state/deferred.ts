/** A promise that is settled from outside. A rejection that nobody waits for is not reported. */

export interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly done: boolean;
  resolve(value: T | PromiseLike<T>): void;
  reject(reason: unknown): void;
}

export function deferred<T>(): Deferred<T> {
  let resolve!: (value: T | PromiseLike<T>) => void;
  let reject!: (reason: unknown) => void;
  let done = false;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  promise.catch(() => {});
  return {
    promise,
    get done() {
      return done;
    },
    resolve: (value) => {
      done = true;
      resolve(value);
    },
    reject: (reason) => {
      done = true;
      reject(reason);
    },
  };
}
