/** Which array is which: by names, and for those that names leave open, by their number and order. */
import type { NamedArray } from '../types.ts';
import { roleOfName } from './names.ts';
import { type Kind, ROLES_OF, type Role, type Roles } from './types.ts';

export interface RoleSuggestion {
  readonly kind: Kind | null;
  readonly roles: Roles;
  /** Why a role was given: the array's name, or its place among arrays whose names do not say. */
  readonly reasons: Partial<Record<Role, 'name' | 'order'>>;
  readonly unused: readonly NamedArray[];
}

/** What must be there before a kind is believed, in order of preference. */
const SIGNS: readonly (readonly [Kind, readonly Role[]])[] = [
  ['attention', ['queries', 'keys']],
  ['projections', ['x', 'wQ']],
  ['weights', ['weights']],
  ['attention', ['queries']],
  ['attention', ['keys']],
  ['projections', ['wQ']],
  ['projections', ['x']],
];

export function suggestRoles(arrays: readonly NamedArray[]): RoleSuggestion {
  const named: Roles = {};
  const open: NamedArray[] = [];
  for (const array of arrays) {
    const role = roleOfName(array.name);
    if (role === null) open.push(array);
    else named[role] ??= array;
  }
  const usable = open.filter(({ shape }) => shape.length >= 2);
  const kind = SIGNS.find(([, roles]) => roles.every((role) => named[role]))?.[0] ?? null;
  if (kind === null) return finish(arrays, kindByCount(usable), {}, usable);
  const missing = ROLES_OF[kind].filter((role) => !named[role] && !OPTIONAL.has(role));
  const clear = missing.length === 1 && usable.length === 1;
  return finish(arrays, kind, named, clear ? usable : []);
}

const OPTIONAL: ReadonlySet<Role> = new Set(['memory', 'wO']);

/** Kinds of arrays that no name tells apart. */
function kindByCount(arrays: readonly NamedArray[]): Kind | null {
  if (arrays.length === 1) return 'weights';
  if (arrays.length === 2 || arrays.length === 3) return 'attention';
  return arrays.length === 4 || arrays.length === 5 ? 'projections' : null;
}

/** Memory is never guessed: few have it. */
function finish(
  arrays: readonly NamedArray[],
  kind: Kind | null,
  named: Roles,
  open: readonly NamedArray[],
): RoleSuggestion {
  const roles: Roles = {};
  const reasons: RoleSuggestion['reasons'] = {};
  const rest = [...open];
  for (const role of kind ? ROLES_OF[kind] : []) {
    const array = named[role] ?? (role === 'memory' ? undefined : rest.shift());
    if (!array) continue;
    roles[role] = array;
    reasons[role] = named[role] ? 'name' : 'order';
  }
  const used = new Set(Object.values(roles));
  return { kind, roles, reasons, unused: arrays.filter((array) => !used.has(array)) };
}
