// NOTICE names every npm package that the build ships, with its licence; no other is a runtime dependency.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../lib/paths.mjs';
import { shippedPackages } from '../licences.mjs';

export const name = 'notices';

export async function check(root = ROOT) {
  const shipped = await shippedPackages(root);
  const notice = existsSync(join(root, 'NOTICE')) ? readFileSync(join(root, 'NOTICE'), 'utf8') : '';
  const { dependencies = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const named = (one) => notice.split(/[\s,:()]+/).includes(one);
  return [
    ...shipped.filter((one) => !named(one)).map((one) => `NOTICE: ${one} is shipped and not named`),
    ...Object.keys(dependencies)
      .filter((one) => !shipped.includes(one))
      .map((one) => `package.json: ${one} is a dependency that web/src does not import`),
  ];
}
