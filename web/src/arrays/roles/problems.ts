/** Problems in words, and the words for roles. */
import type { NamedArray } from '../types.ts';
import type { Problem, ProblemCode, Role } from './types.ts';

export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  queries: 'queries',
  keys: 'keys',
  values: 'values',
  x: 'X',
  memory: 'memory',
  wQ: 'W_Q',
  wK: 'W_K',
  wV: 'W_V',
  wO: 'W_O',
  weights: 'attention weights',
};

export const shapeText = (shape: readonly number[]) => `[${shape.join(', ')}]`;

/** Keys "K" [7, 8] */
export const describe = (role: Role, { name, shape }: NamedArray) =>
  `${capital(ROLE_NAMES[role])} "${name}" ${shapeText(shape)}`;

/** `what` follows the description of the array. */
export function problem(
  code: ProblemCode,
  role: Role,
  array: NamedArray,
  what: string,
  details: Partial<Problem> = {},
): Problem {
  return {
    code,
    message: `${describe(role, array)}: ${what}.`,
    role,
    array: array.name,
    suggestions: [],
    ...details,
  };
}

/** A dimension that is not what another array asks for. */
export function misfit(
  code: ProblemCode,
  role: Role,
  array: NamedArray,
  axis: number,
  expected: string | number,
  why: string,
): Problem {
  const found = array.shape[axis]!;
  const what = `dimension ${axis + 1} is ${found}, expected ${expected}, ${why}`;
  return problem(code, role, array, what, { axis, expected, found });
}

export function missing(role: Role): Problem {
  return {
    code: 'missing-role',
    message: `No array was chosen for ${ROLE_NAMES[role]}.`,
    role,
    suggestions: [],
  };
}

const capital = (text: string) => text[0]!.toUpperCase() + text.slice(1);
