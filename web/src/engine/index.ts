/**
 * The library `headlights`: the same in a page, a worker and Node. `createEngine` is the only way in; all
 * types, units and errors are in types.ts and errors.ts.
 */

import { badArgument, object, oneOf } from './compute/arguments.ts';
import { isNode, nodeModule } from './environment.ts';
import { HeadlightsError } from './errors.ts';
import type { Engine, EngineOptions } from './types.ts';
import { EngineClient } from './worker/client.ts';

export { type ErrorCode, HeadlightsError } from './errors.ts';
export type * from './types.ts';

/** Starts an engine: compiles the WebAssembly module and, where wanted, a worker for it to live in. */
export async function createEngine(options: EngineOptions = {}): Promise<Engine> {
  object(options, 'The argument of createEngine');
  const variant = oneOf(options.variant, 'variant', ['auto', 'baseline', 'relaxed'], 'auto');
  const { worker = 'auto' } = options;
  if (worker !== 'auto' && typeof worker !== 'boolean')
    throw badArgument('worker', worker, "'auto', true or false");
  return EngineClient.start({ variant, worker, base: await baseUrl(options.base) });
}

/** Absolute and with a slash at the end; a relative one counts from the page, in Node from the working folder. */
async function baseUrl(base: unknown): Promise<URL> {
  if (base === undefined) return new URL('models/', import.meta.url);
  if (!(base instanceof URL) && typeof base !== 'string')
    throw badArgument('base', base, 'an address');
  try {
    const url = new URL(base, await home());
    if (!url.pathname.endsWith('/')) url.pathname += '/';
    return url;
  } catch (cause) {
    throw new HeadlightsError(
      'bad-argument',
      `base is not a valid address: '${base}'.`,
      { argument: 'base' },
      { cause },
    );
  }
}

async function home(): Promise<string> {
  if (!isNode) return typeof document === 'object' ? document.baseURI : location.href;
  const { pathToFileURL } = await nodeModule('node:url');
  return pathToFileURL(`${process.cwd()}/`).href;
}
