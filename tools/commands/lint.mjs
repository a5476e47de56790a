// Steps of `npm run lint`: one check a file in tools/lint.
import { Failure } from '../lib/failure.mjs';
import { ROOT } from '../lib/paths.mjs';
import { BUILT_CHECKS, SOURCE_CHECKS } from '../lint/checks.mjs';

/** `part`: 'sources' needs no build, 'built' looks at what the build made, 'all' is both. */
export function lintSteps({ part = 'all' } = {}) {
  const checks = [
    ...(part !== 'built' ? SOURCE_CHECKS : []),
    ...(part !== 'sources' ? BUILT_CHECKS : []),
  ];
  return checks.map(({ name, check }) => [
    `lint: ${name}`,
    async () => {
      const faults = await check(ROOT);
      for (const fault of faults) console.error(fault);
      if (faults.length > 0)
        throw new Failure(faults.length === 1 ? '1 fault' : `${faults.length} faults`);
    },
  ]);
}
