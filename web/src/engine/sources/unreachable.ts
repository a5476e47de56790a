/**
 * Why a fetch failed. Browsers say only "failed" whether the host is down, the page's policy (CSP) forbids the
 * address, or the host does not allow other sites to read it (CORS); this tells the three apart.
 */
import { isNode } from '../environment.ts';
import { HeadlightsError } from '../errors.ts';

const forbidden = new Set<string>();
let listening = false;

/** Remembers what the page's policy refuses; call before the first request. */
function listen(): void {
  if (listening || isNode || typeof addEventListener !== 'function') return;
  listening = true;
  const target: EventTarget = typeof document === 'object' ? document : globalThis;
  target.addEventListener('securitypolicyviolation', (event) => {
    forbidden.add((event as SecurityPolicyViolationEvent).blockedURI);
  });
}
listen();

export async function unreachable(
  name: string,
  url: URL,
  cause: unknown,
): Promise<HeadlightsError> {
  const details = { file: name, url: url.href, reason: reasonOf(cause) };
  await new Promise((resolve) => setTimeout(resolve, 0)); // the violation's event comes after the rejection
  if (forbidden.has(url.href) || forbidden.has(url.origin)) {
    return new HeadlightsError(
      'blocked',
      `This page's security policy does not allow loading ${name} from ${url.host}.`,
      details,
      { cause },
    );
  }
  if (await answersWithoutReading(url)) {
    return new HeadlightsError(
      'blocked',
      `${url.host} does not allow other sites to read ${name} (no Access-Control-Allow-Origin).`,
      details,
      { cause },
    );
  }
  return new HeadlightsError(
    'network',
    `${name} could not be loaded: no connection to ${url.host}.`,
    details,
    { cause },
  );
}

/** True if a foreign host is there but its answers may not be read. Asks only hosts that the user named. */
async function answersWithoutReading(url: URL): Promise<boolean> {
  if (isNode || typeof location === 'undefined' || url.origin === location.origin) return false;
  try {
    await fetch(url, { method: 'HEAD', mode: 'no-cors' });
    return true;
  } catch {
    return false;
  }
}

function reasonOf(cause: unknown): string {
  const inner = (cause as { cause?: { code?: string } }).cause?.code;
  return inner ?? String((cause as Error).message ?? cause);
}
