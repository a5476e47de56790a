/**
 * What the lab holds: arrays from the text field and from files, what each is used as, and whether they fit. Roles are
 * guessed for what the reader has not decided.
 */

import type {
  ArrayError,
  CheckOptions,
  CheckResult,
  NamedArray,
  Role,
  Roles,
  Suggestion,
} from '../arrays/index.ts';

/** Loaded when there is something to read: the first picture does without. */
export const arraysModule = () => import('../arrays/index.ts');
type ArraysModule = Awaited<ReturnType<typeof arraysModule>>;

export class LabArrays {
  private typed: readonly NamedArray[] = [];
  private filed: readonly NamedArray[] = [];
  /** What the reader decided, by name. */
  private byHand = new Map<string, Role | 'none'>();
  roles: Roles = {};
  /** Where shapes leave a choice; the number of heads is typed elsewhere. */
  options: CheckOptions = {};

  get all(): NamedArray[] {
    const names = new Set(this.typed.map(({ name }) => name));
    return [...this.typed, ...this.filed.filter(({ name }) => !names.has(name))];
  }

  /** Tells whether these are other arrays than before, and not the same with other rows. */
  setTyped(arrays: readonly NamedArray[], module: ArraysModule): boolean {
    const isOther = widthsOf(arrays) !== widthsOf(this.typed);
    if (isOther) this.options = {};
    this.typed = arrays;
    this.guess(module);
    return isOther;
  }

  /** What names alone make complete replaces the files before; the rest is added. */
  addFiles(arrays: readonly NamedArray[], module: ArraysModule): void {
    const { roles, reasons } = module.suggestRoles(arrays);
    const isNamed = Object.values(reasons).every((reason) => reason === 'name');
    const isComplete = isNamed && module.checkRoles(roles).ok;
    const names = new Set(arrays.map(({ name }) => name));
    const before = isComplete ? [] : this.filed.filter(({ name }) => !names.has(name));
    this.filed = [...before, ...arrays];
    this.options = {};
    this.guess(module);
  }

  remove(gone: string, module: ArraysModule): void {
    this.typed = this.typed.filter(({ name }) => name !== gone);
    this.filed = this.filed.filter(({ name }) => name !== gone);
    this.byHand.delete(gone);
    this.guess(module);
  }

  clear(): void {
    [this.typed, this.filed, this.roles, this.options] = [[], [], {}, {}];
    this.byHand.clear();
  }

  roleOf({ name }: NamedArray): Role | 'none' {
    const found = Object.entries(this.roles).find(([, array]) => array.name === name);
    return (found?.[0] as Role | undefined) ?? 'none';
  }

  setRole(name: string, role: Role | 'none', module: ArraysModule): void {
    // One decision is no reason to guess anew about the others; a role has one holder.
    for (const array of this.all) {
      const own = this.roleOf(array);
      this.byHand.set(array.name, own === role ? 'none' : own);
    }
    this.byHand.set(name, role);
    this.options = {};
    this.guess(module);
  }

  /** Takes what a check suggests; gives back a number of heads to be shown in its field. */
  take({ options, roles }: Suggestion, module: ArraysModule): number | undefined {
    if (roles)
      for (const [role, array] of Object.entries(roles)) this.byHand.set(array.name, role as Role);
    const { heads, ...others } = options ?? {};
    // With a number of heads come all options; without, what is to be added.
    if (options) this.options = 'heads' in options ? others : { ...this.options, ...others };
    this.guess(module);
    return heads;
  }

  check(heads: number | undefined, module: ArraysModule): CheckResult {
    return module.checkRoles(this.roles, {
      ...this.options,
      ...(heads !== undefined && { heads }),
    });
  }

  /** What the same arrays are with other options. */
  sizesWith(options: CheckOptions, module: ArraysModule) {
    const read = module.checkRoles(this.roles, options);
    const input = read.ok ? read.input : { heads: 0, queryLength: 0, keyLength: 0 };
    return { heads: input.heads, queries: input.queryLength, keys: input.keyLength };
  }

  private guess(module: ArraysModule): void {
    const { all, byHand } = this;
    const decided: Roles = {};
    for (const array of all) {
      const role = byHand.get(array.name);
      if (role && role !== 'none') decided[role] = array;
    }
    const open = all.filter(({ name }) => !byHand.has(name));
    this.roles = { ...module.suggestRoles(open).roles, ...decided };
  }
}

const widthsOf = (arrays: readonly NamedArray[]) =>
  arrays.map(({ name, shape }) => `${name}:${shape.length}:${shape.at(-1)}`).join(' ');

export interface Reading {
  arrays: NamedArray[];
  errors: ArrayError[];
}

/** Everything that can be read, and why the rest cannot. Of one name the first counts. */
export async function readAll(
  inputs: readonly ({ name: string; text: string } | File)[],
): Promise<Reading> {
  const { readArrays, ArrayError: Known } = await arraysModule();
  const found = new Map<string, NamedArray>();
  const errors: ArrayError[] = [];
  for (const input of inputs) {
    try {
      const { arrays, skipped } = await readArrays(
        input instanceof Blob ? { name: input.name, bytes: input } : input,
      );
      errors.push(...skipped);
      for (const array of arrays) {
        const { name } = array;
        const where = { file: input.name, array: name };
        if (!found.has(name)) found.set(name, array);
        else errors.push(new Known('duplicate-name', `There is another "${name}".`, where));
      }
    } catch (error) {
      if (!(error instanceof Known)) throw error;
      errors.push(error);
    }
  }
  return { arrays: [...found.values()], errors };
}
