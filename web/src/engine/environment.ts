/**
 * Where this code runs: a page, a worker, or Node. The only place that asks. Node's own modules are fetched
 * here by name, so that bundlers and browsers never meet a `node:` import.
 */

interface NodeModules {
  'node:fs/promises': typeof import('node:fs/promises');
  'node:path': typeof import('node:path');
  'node:url': typeof import('node:url');
  'node:worker_threads': typeof import('node:worker_threads');
}

export const isNode =
  typeof process === 'object' &&
  typeof process.versions?.node === 'string' &&
  typeof document === 'undefined';

export async function nodeModule<Name extends keyof NodeModules>(
  name: Name,
): Promise<NodeModules[Name]> {
  return import(/* @vite-ignore */ /* webpackIgnore: true */ name);
}

/** The reader asked the browser to use little data (Save-Data). */
export function saveData(): boolean {
  const { connection } = navigatorOf() as { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}

function navigatorOf(): object {
  return typeof navigator === 'object' ? navigator : {};
}
