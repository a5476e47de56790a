// Adds up what the test runners reported: ctest as JUnit, Vitest as JSON.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { REPORTS } from './paths.mjs';

/** Called before a run, so that an old report is never counted. */
export function forgetReports(folder = REPORTS) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}

/** `{ passed, failed, skipped }` over every report in the folder. */
export function tally(folder = REPORTS) {
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const text = readFileSync(join(folder, name), 'utf8');
    const part = name.endsWith('.xml') ? fromJUnit(text) : fromVitest(text);
    for (const key of Object.keys(sum)) sum[key] += part[key];
  }
  return sum;
}

/** ctest counts in the attributes of <testsuite>. */
export function fromJUnit(text) {
  const count = (name) =>
    Number(new RegExp(`<testsuite[^>]*\\b${name}="(\\d+)"`, 's').exec(text)?.[1] ?? 0);
  const failed = count('failures') + count('errors');
  const skipped = count('skipped') + count('disabled');
  return { passed: count('tests') - failed - skipped, failed, skipped };
}

/** A file that could not even be loaded counts as one failure. */
export function fromVitest(text) {
  const report = JSON.parse(text);
  const broken = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  ).length;
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken,
    skipped: report.numPendingTests + (report.numTodoTests ?? 0),
  };
}

/**
 * "12 passed, 0 failed", and ", 1 skipped" if any. `failedSteps`: how many runners failed; one that died before it
 * could report its failure counts all the same.
 */
export function closingLine(failedSteps = 0, folder = REPORTS) {
  const { passed, failed, skipped } = tally(folder);
  const line = `${passed} passed, ${Math.max(failed, failedSteps)} failed`;
  return skipped > 0 ? `${line}, ${skipped} skipped` : line;
}
