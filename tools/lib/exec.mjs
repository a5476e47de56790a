// Starting other programs. Not for pipelines or shells: one program, its arguments, its exit code.
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Failure } from './failure.mjs';
import { ROOT } from './paths.mjs';

/** The command as a person would type it. */
export const shown = (command, args) =>
  [command, ...args].map((word) => (/[^\w@%+=:,./-]/.test(word) ? `'${word}'` : word)).join(' ');

/**
 * Runs a program to its end and fails unless it exits with 0.
 * `quiet` keeps its output back and shows it only when it fails; `allowFailure` returns the code instead.
 */
export function run(command, args, options = {}) {
  const { quiet = false, allowFailure = false, env = process.env, cwd = ROOT } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: ['ignore', quiet ? 'pipe' : 'inherit', quiet ? 'pipe' : 'inherit'],
    });
    const held = [];
    child.stdout?.on('data', (data) => held.push(data));
    child.stderr?.on('data', (data) => held.push(data));
    child.on('error', (error) => reject(new Failure(`cannot start ${command}: ${error.message}`)));
    child.on('close', (code, signal) => {
      if (code === 0 || (allowFailure && code !== null)) return resolve(code);
      if (quiet) process.stderr.write(Buffer.concat(held));
      const how = signal ? `was ended by ${signal}` : `failed with code ${code}`;
      reject(new Failure(`${how}: ${shown(command, args)}`));
    });
  });
}

/** What a program prints, or null when it is missing or fails. */
export function output(command, args, options = {}) {
  const result = spawnSync(command, args, { encoding: 'utf8', cwd: ROOT, ...options });
  return result.status === 0 ? result.stdout : null;
}

/** The full path of a program on PATH, or null. */
export function which(program, path = process.env.PATH ?? '') {
  for (const folder of path.split(delimiter)) {
    const candidate = join(folder, program);
    try {
      accessSync(candidate, constants.X_OK);
      return candidate;
    } catch {
      // Not in this folder.
    }
  }
  return null;
}
