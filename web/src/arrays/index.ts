/** A reader's own numbers: read from files and pasted text. No DOM: runs in a page, a worker and Node. */
export { ArrayError, type ArrayErrorCode, type ArrayErrorDetails } from './errors.ts';
export {
  type ArrayFile,
  type ArrayList,
  listArrays,
  type ReadOptions,
  readArrays,
} from './read.ts';
export { checkRoles } from './roles/check.ts';
export { roleOfName } from './roles/names.ts';
export { type RoleSuggestion, suggestRoles } from './roles/suggest.ts';
export * from './roles/types.ts';
export {
  type ArrayEntry,
  type ArrayInput,
  type Finding,
  MOST_NUMBERS,
  MOST_TEXT,
  type NamedArray,
} from './types.ts';
