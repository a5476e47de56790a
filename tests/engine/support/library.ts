/** Small helpers around the built library for tests. */
import { HeadlightsError, type LoadProgress } from 'headlights';
import { expect } from 'vitest';

interface Hooks {
  bytesInUse(): Promise<number>;
  trap(): Promise<never>;
}

/** The hooks that only tests use (see worker/client.ts). */
export function hooks(engine: object): Hooks {
  return (engine as Record<symbol, Hooks>)[Symbol.for('headlights.testing')]!;
}

/** The error of a promise that must fail with one. */
export async function failure(promise: Promise<unknown>): Promise<HeadlightsError> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(HeadlightsError);
  return error as HeadlightsError;
}

/** Collects what onProgress gets; `until` resolves when a report passes the test. */
export function progressLog() {
  const reports: LoadProgress[] = [];
  const waiting: { test: (report: LoadProgress) => boolean; resolve: () => void }[] = [];
  return {
    reports,
    onProgress: (report: LoadProgress) => {
      reports.push(report);
      for (const { test, resolve } of waiting) if (test(report)) resolve();
    },
    until: (test: (report: LoadProgress) => boolean) =>
      new Promise<void>((resolve) => {
        if (reports.some(test)) resolve();
        else waiting.push({ test, resolve });
      }),
  };
}

export const pause = (milliseconds: number) =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
