// Brings node_modules to what package-lock.json says. `npm ci` runs only when they differ.
import { readFileSync } from 'node:fs';
import { run } from '../lib/exec.mjs';
import { inRoot } from '../lib/paths.mjs';

function readLock(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages ?? null;
  } catch {
    return null;
  }
}

/** What differs between the lock file and npm's record of what it installed; empty = nothing. */
export function lockDifferences(wanted, installed) {
  if (!installed) return ['node_modules is missing'];
  const differences = [];
  for (const [path, entry] of Object.entries(wanted)) {
    if (path === '') continue;
    const have = installed[path];
    if (!have && entry.optional) continue; // for another platform
    if (have?.version !== entry.version) differences.push(`${path} ${entry.version}`);
  }
  return differences;
}

export const npmIsCurrent = () =>
  lockDifferences(
    readLock(inRoot('package-lock.json')) ?? {},
    readLock(inRoot('node_modules', '.package-lock.json')),
  ).length === 0;

export async function installNpmPackages() {
  console.log('Adding the npm packages of package-lock.json to node_modules (npm ci)');
  await run('npm', ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund']);
}
