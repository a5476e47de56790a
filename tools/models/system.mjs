// What the conversion needs from the machine: Python with a private environment of pinned packages,
// and Maven. Installs what is missing by apt after saying so, or prints the commands to type.
// Knows nothing about models.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const here = path.dirname(fileURLToPath(import.meta.url));
export const root = path.resolve(here, '../..');
export const cache = path.join(root, '.cache/models');

/** Ends the program with one sentence instead of a stack trace. */
export function fail(message) {
  console.error(message);
  process.exit(1);
}

export function sha256(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

function works(command, args) {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

/** Runs a command with its output on ours; ends the program if it fails. */
export function run(command, args, { what, env = {} }) {
  const { status, error } = spawnSync(command, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
  });
  if (error || status !== 0) {
    fail(
      `${what} failed (${error ? error.message : `${path.basename(command)} ended with ${status}`}).`,
    );
  }
}

function aptInstall(packages, reason) {
  const commands = [
    'apt-get update',
    `apt-get install -y --no-install-recommends ${packages.join(' ')}`,
  ];
  if (!works('apt-get', ['--version']) || process.getuid?.() !== 0) {
    const sudo = commands.map((command) => `  sudo ${command}`).join('\n');
    fail(`${reason}. On Debian or Ubuntu, type this and try again:\n${sudo}`);
  }
  console.log(`${reason}: installing ${packages.join(', ')} by apt.`);
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  for (const command of commands) {
    const [program, ...args] = command.split(' ');
    run(program, [...args, '-q'], { what: command, env });
  }
}

/** The interpreter of .cache/models/python, made and filled if it is missing or out of date. */
export function python() {
  const usable = ['-c', 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))'];
  if (!works('python3', usable)) {
    aptInstall(['python3', 'python3-venv'], 'Python 3.11 or newer with venv is missing');
    if (!works('python3', usable)) {
      fail('The conversion needs Python 3.11 or newer; `python3` is older than that.');
    }
  }
  const folder = path.join(cache, 'python');
  const interpreter = path.join(folder, 'bin/python');
  const requirements = path.join(here, 'requirements.txt');
  const stamp = path.join(folder, 'requirements.sha256');
  const wanted = sha256(requirements);
  const current = existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
  if (!current || !works(interpreter, ['-c', 'import gguf, onnx, safetensors, tokenizers'])) {
    console.log('Setting up Python packages (numpy, gguf, onnx, tokenizers, ...) under .cache/.');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(cache, { recursive: true });
    run('python3', ['-m', 'venv', folder], { what: 'Making the Python environment' });
    const args = ['-m', 'pip', 'install', '-q', '--disable-pip-version-check', '--no-deps'];
    run(interpreter, [...args, '-r', requirements], { what: 'Installing the Python packages' });
    writeFileSync(stamp, wanted);
  }
  return interpreter;
}

/** Makes sure that `mvn` can be started. */
export function maven() {
  if (!works('mvn', ['--version'])) {
    aptInstall(['maven', 'default-jre-headless'], 'Maven is missing');
  }
}
