// Version numbers of three parts.

/** Below zero if version `a` is older than `b`. */
export function compareVersions(a, b) {
  for (let i = 0; i < 3; i++) if (a[i] !== b[i]) return a[i] - b[i];
  return 0;
}

/** The first a.b.c in a text as numbers, or undefined. */
export const parseVersion = (text) =>
  /(\d+)\.(\d+)\.(\d+)/
    .exec(text ?? '')
    ?.slice(1)
    .map(Number);
