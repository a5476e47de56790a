/** What reading and checking found, in the page's language: from codes and details, never from their English. */

import type { ArrayError, CheckOptions, Problem, Role, Step, Suggestion } from '../arrays/index.ts';
import { formatBytes, formatNumber, t } from '../i18n/index.ts';
import '../i18n/lab.ts';

export const shapeText = (shape: readonly number[]) => `[${shape.join(', ')}]`;

/** A place as a reader counts: row and column from 1; of higher dimensions the index as given. */
export function placeText(position: readonly number[]): string {
  const counted = position.map((index) => index + 1);
  if (counted.length !== 2) return t('lab.place.index', { index: shapeText(counted) });
  return t('lab.place.cell', { row: counted[0]!, column: counted[1]! });
}

export function errorText(error: ArrayError): string {
  return t('lab.error.said', { place: sourceText(error), what: whatText(error) });
}

function sourceText({ code, details }: ArrayError): string {
  const { file = '', array, row, column, path } = details;
  const source =
    array === undefined || array === file || code === 'duplicate-name'
      ? t('lab.error.place.file', { file })
      : t('lab.error.place.array', { file, array });
  if (path !== undefined) return t('lab.error.place.path', { source, path });
  if (row === undefined) return source;
  if (column === undefined) return t('lab.error.place.row', { source, row });
  const kind = code === 'bad-json' ? 'character' : 'cell';
  return t(`lab.error.place.${kind}`, { source, row, column });
}

function whatText({ code, details }: ArrayError): string {
  const { found = '', expected = '', limit, size, dtype = '', array = '' } = details;
  switch (code) {
    case 'not-a-number':
      return found === ''
        ? t('lab.error.not-a-number.blank')
        : t(`lab.error.${code}`, { found: foundText(found, true) });
    case 'ragged':
      return typeof expected === 'string'
        ? t('lab.error.ragged.mixed', { found: foundText(found), expected: foundText(expected) })
        : t('lab.error.ragged', { found, expected });
    case 'too-large':
      if (limit === undefined) return t('lab.error.too-large.memory');
      return found === ''
        ? t('lab.error.too-large.text', { size: formatBytes(size ?? 0), limit: formatBytes(limit) })
        : t('lab.error.too-large.numbers', { found, limit });
    case 'truncated':
      return expected === ''
        ? t('lab.error.truncated.short')
        : t('lab.error.truncated', { found, expected });
    case 'unknown-format':
      return t('lab.error.unknown-format', { found: formatText(String(found)) });
    case 'bad-json':
      return t('lab.error.bad-json', {
        found: foundText(found),
        expected: foundText(expected),
      });
    case 'ambiguous':
      return t('lab.error.ambiguous', { found: quoted(found) });
    case 'too-deep':
      return t('lab.error.too-deep', { limit: limit ?? '' });
    default:
      return t(`lab.error.${code}`, { found, dtype, array });
  }
}

const quoted = (text: string | number) => {
  const bare = String(text).replace(/^"(.*)"$/s, '$1');
  return `“${bare.length > 40 ? `${bare.slice(0, 37)}…` : bare}”`;
};

/** The few words in which the readers say what they met or wanted. */
function foundText(found: string | number, isCell = false): string {
  const text = String(found);
  if (text === 'an object') return t('lab.found.object');
  if (text === 'a list') return t('lab.found.list');
  if (text === 'a number') return t('lab.found.number');
  if (text === 'the end') return t('lab.found.end');
  if (text === 'a number or a list') return t('lab.found.numberOrList');
  if (text === 'a name in double quotes') return t('lab.found.name');
  if (text === 'a string that ends with a double quote') return t('lab.found.string');
  const either = /^"," or "(.)"$/.exec(text);
  if (either) return t('lab.found.commaOr', { sign: either[1]! });
  return isCell || /^".*"$/s.test(text) ? quoted(text) : text;
}

const FORMATS = [
  ['HDF5', 'hdf5'],
  ['GGUF', 'gguf'],
  ['Parquet', 'parquet'],
  ['MATLAB', 'matlab'],
  ['gzip', 'gzip'],
  ['pickle', 'pickle'],
  ['PDF', 'pdf'],
  ['picture', 'picture'],
] as const;

function formatText(found: string): string {
  const known = FORMATS.find(([sign]) => found.includes(sign))?.[1];
  return t(`lab.found.${known ?? 'binary'}`);
}

export const roleText = (role: Role) => t(`lab.role.${role}`);

export function problemText(problem: Problem): string {
  const { code, role, axis, found = '', expected = '', position = [] } = problem;
  if (code === 'missing-role')
    return role
      ? t('lab.problem.missing-role', { role: roleText(role) })
      : t('lab.problem.nothing');
  return t(`lab.problem.${code}`, {
    axis: (axis ?? 0) + 1,
    found,
    expected: expectedText(expected),
    count: found,
    place: placeText(position),
  });
}

function expectedText(expected: string | number): string | number {
  if (typeof expected === 'number') return expected;
  const count = Number(/\d+/.exec(expected)?.[0]);
  if (expected.startsWith('a multiple of')) return t('lab.expected.multiple', { count });
  if (expected.startsWith('a divisor of')) return t('lab.expected.divisor', { count });
  return t('lab.expected.times', { count });
}

export function stepText({ code, array, from, to }: Step): string {
  return t(`lab.step.${code}`, { name: array, from: shapeText(from), to: shapeText(to) });
}

/** What a suggestion changes, against what is chosen now. */
export function suggestionText(
  { options, roles }: Suggestion,
  problem: Problem,
  now: CheckOptions,
  nameOf: (role: Role) => string,
): string {
  if (roles) {
    const [first, second] = (Object.keys(roles) as Role[]).filter(
      (role) => roles[role]!.name !== nameOf(role),
    );
    if (first && second)
      return t('lab.suggest.swap', {
        a: roles[first]!.name,
        roleA: roleText(first),
        b: roles[second]!.name,
        roleB: roleText(second),
      });
  }
  if (options?.heads !== undefined && options.heads !== now.heads)
    return t('lab.suggest.heads', { heads: options.heads });
  if (options?.batch !== undefined && options.batch !== now.batch) return t('lab.suggest.batch');
  const turned = options?.transposed?.find((role) => !now.transposed?.includes(role));
  if (turned) return t('lab.suggest.transpose', { name: problem.array ?? nameOf(turned) });
  if (options?.layout && options.layout !== now.layout) return layoutText(options.layout);
  if (options?.weightOrder) return t(`lab.alternative.${options.weightOrder}`);
  return t('lab.suggest.reset');
}

export const layoutText = (layout: NonNullable<CheckOptions['layout']>) =>
  t(`lab.suggest.${layout}`);

/** How far a sum is off: 0, or two digits. */
export function deviationText(value: number): string {
  if (value === 0) return '0';
  return value >= 1e-3 ? formatNumber(value, 4) : value.toExponential(1).replace('-', '−');
}
