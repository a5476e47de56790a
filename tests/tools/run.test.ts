/** Steps, stamps and the closing line of the commands. */
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { run } from '../../tools/lib/exec.mjs';
import { Failure } from '../../tools/lib/failure.mjs';
import { whenChanged } from '../../tools/lib/stamp.mjs';
import { runSteps } from '../../tools/lib/steps.mjs';
import { closingLine, tally } from '../../tools/lib/tally.mjs';
import { folderWith } from './fixture.ts';

type Step = [string, () => Promise<string | undefined>];

const steps = (log: string[]): Step[] => [
  ['first', async () => void log.push('first ran') as undefined],
  [
    'second',
    async () => {
      throw new Failure('as told');
    },
  ],
  ['third', async () => void log.push('third ran') as undefined],
];

it('stops at the first step that fails and names it', async () => {
  const log: string[] = [];
  const running = runSteps(steps(log), { log: (line: string) => log.push(line) });
  await expect(running).rejects.toThrow('step "second" failed');
  expect(log).not.toContain('third ran');
  expect(log.at(-1)).toMatch(/^== second: FAILED after [\d.]+ s: as told$/);
});

it('goes on to the end when told so, and fails all the same', async () => {
  const log: string[] = [];
  const running = runSteps(steps(log), { keepGoing: true, log: (line: string) => log.push(line) });
  await expect(running).rejects.toThrow('step "second" failed');
  expect(log).toContain('third ran');
});

it('a program that fails is a failure with its command line', async () => {
  const failing = run(process.execPath, ['-e', 'process.exit(3)'], { quiet: true });
  await expect(failing).rejects.toThrow(/failed with code 3: .*process\.exit\(3\)/);
  await expect(run('no-such-program', [])).rejects.toThrow('cannot start no-such-program');
});

it('a step runs again only when its inputs change or its output is gone', async () => {
  const root = folderWith({ 'in/a.txt': 'one', out: '' });
  let runs = 0;
  const step = () =>
    whenChanged(
      'x',
      { inputs: [`${root}/in`], outputs: [`${root}/out`], folder: `${root}/stamps` },
      async () => {
        runs++;
        writeFileSync(`${root}/out`, '');
      },
    );
  await step();
  expect(await step()).toBe('unchanged');
  utimesSync(`${root}/in/a.txt`, 1, 1);
  expect(await step()).toBe('unchanged');
  writeFileSync(`${root}/in/a.txt`, 'two');
  await step();
  writeFileSync(`${root}/in/b.txt`, '');
  await step();
  rmSync(`${root}/out`);
  await step();
  expect([runs, existsSync(`${root}/out`)]).toEqual([4, true]);
});

it('a step that failed is not remembered as done', async () => {
  const root = folderWith({ 'in.txt': '' });
  const settings = { inputs: [`${root}/in.txt`], folder: `${root}/stamps` };
  const failing = whenChanged('x', settings, async () => {
    throw new Failure('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await whenChanged('x', settings, async () => 'ran')).toBe('ran');
});

const JUNIT = (tests: number, failures: number, disabled: number, skipped: number) =>
  `<?xml version="1.0"?>\n<testsuite name="x"\n\ttests="${tests}"\n\tfailures="${failures}"\n\tdisabled="${disabled}"\n\tskipped="${skipped}"\n>\n<testcase name="tests=9"/></testsuite>`;

it('adds up what ctest and Vitest report', () => {
  const root = folderWith({
    'ctest-a.xml': JUNIT(10, 2, 1, 0),
    'vitest.json': JSON.stringify({
      numPassedTests: 5,
      numFailedTests: 1,
      numPendingTests: 2,
      testResults: [
        { status: 'failed', assertionResults: [] },
        { status: 'failed', assertionResults: [{}] },
        { status: 'passed', assertionResults: [{}] },
      ],
    }),
  });
  expect(tally(root)).toEqual({ passed: 12, failed: 4, skipped: 3 });
  expect(closingLine(0, root)).toBe('12 passed, 4 failed, 3 skipped');
});

it('counts a runner that died without a report as failed', () => {
  expect(closingLine(1, folderWith({ 'ctest-a.xml': JUNIT(3, 0, 0, 0) }))).toBe(
    '3 passed, 1 failed',
  );
  expect(closingLine(0, folderWith({}))).toBe('0 passed, 0 failed');
});

it('an unknown command lists the known ones', () => {
  const script = fileURLToPath(new URL('../../tools/run.mjs', import.meta.url));
  const result = spawnSync(process.execPath, [script, 'nonsense'], { encoding: 'utf8' });
  expect(result.status).toBe(2);
  expect(result.stderr).toContain('start | build | lint | test | test-exact | models');
});
