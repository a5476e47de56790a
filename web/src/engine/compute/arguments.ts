/** Checks of single arguments, in sentences: Embind does none in a release build. */
import { HeadlightsError } from '../errors.ts';

/** A whole number in [least, most]. */
export function integer(value: unknown, name: string, least: number, most = 0xffff_ffff): number {
  if (Number.isInteger(value) && (value as number) >= least && (value as number) <= most)
    return value as number;
  const range = most === 0xffff_ffff ? `of at least ${least}` : `from ${least} to ${most}`;
  throw badArgument(name, value, `a whole number ${range}`);
}

/** A number that is finite in single precision too. */
export function finite(value: unknown, name: string): number {
  if (typeof value === 'number' && Number.isFinite(Math.fround(value))) return value;
  throw badArgument(name, value, 'a finite number');
}

/** true or false; `otherwise` where nothing was given. */
export function boolean(value: unknown, name: string, otherwise: boolean): boolean {
  if (value === undefined) return otherwise;
  if (typeof value === 'boolean') return value;
  throw badArgument(name, value, 'true or false');
}

/** One of a list; `otherwise` where nothing was given. */
export function oneOf<T extends string>(
  value: unknown,
  name: string,
  choices: readonly T[],
  otherwise: T,
): T {
  if (value === undefined) return otherwise;
  if (choices.includes(value as T)) return value as T;
  throw badArgument(name, value, `one of ${choices.map((choice) => `'${choice}'`).join(', ')}`);
}

/** A copy of a Float32Array of exactly `length` numbers. */
export function floats(
  value: unknown,
  name: string,
  length: number,
  meaning: string,
): Float32Array {
  if (!(value instanceof Float32Array)) throw badArgument(name, value, 'a Float32Array');
  if (value.length !== length) throw badShape(name, value.length, length, meaning);
  return new Float32Array(value);
}

/** A copy of a Uint8Array of exactly `length` entries, each made 0 or 1. */
export function mask(value: unknown, name: string, length: number, meaning: string): Uint8Array {
  if (!(value instanceof Uint8Array)) throw badArgument(name, value, 'a Uint8Array');
  if (value.length !== length) throw badShape(name, value.length, length, meaning);
  return value.map((entry) => (entry === 0 ? 0 : 1));
}

export function object(value: unknown, name: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw badArgument(name, value, 'an object');
}

export function badArgument(name: string, value: unknown, wanted: string): HeadlightsError {
  return new HeadlightsError('bad-argument', `${name} must be ${wanted}, not ${shown(value)}.`, {
    argument: name,
    given: shown(value),
  });
}

function badShape(
  name: string,
  length: number,
  expected: number,
  meaning: string,
): HeadlightsError {
  return new HeadlightsError(
    'bad-shape',
    `${name} has ${length} entries, but ${meaning} makes ${expected}.`,
    { argument: name, length, expected },
  );
}

/** Short enough for a message. */
function shown(value: unknown): string {
  if (typeof value === 'string') return `'${value.length > 40 ? `${value.slice(0, 40)}…` : value}'`;
  if (typeof value === 'number' || typeof value === 'boolean' || value == null)
    return String(value);
  if (typeof value === 'object') return `a value of type ${value.constructor?.name ?? 'object'}`;
  return `a ${typeof value}`;
}
