// Which Node the project runs on.
import { Failure } from '../lib/failure.mjs';
import { compareVersions, parseVersion } from './versions.mjs';

export const OLDEST_NODE = [20, 19, 0];

/** Fails for a Node that is too old; returns a note for one that nobody tries, else null. */
export function checkNode(text = process.version) {
  const version = parseVersion(text);
  if (!version || compareVersions(version, OLDEST_NODE) < 0)
    throw new Failure(
      `Node ${OLDEST_NODE.join('.')} or newer is needed, this is ${text}; Node 20 and 22 are known to work`,
    );
  if (version[0] % 2 === 1)
    return `Node ${text} is an in-between release that the test tools do not list; take 20, 22 or 24 if something fails`;
  return null;
}
