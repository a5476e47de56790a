/** The attention pattern that a caller names, as the compiled code wants it. */
import type { Pattern } from '../types.ts';
import { PATTERN_KINDS } from '../wasm/module.ts';
import { badArgument, boolean, integer, mask, object } from './arguments.ts';

export interface CheckedPattern {
  kind: (typeof PATTERN_KINDS)[number];
  radius: number;
  /** [Tq*Tk] of 0 and 1 for `given`. */
  given: Uint8Array | null;
}

/** `everything`: the names that mean no restriction. */
export function checkPattern(
  value: Pattern | 'none' | undefined,
  name: string,
  queryLength: number,
  keyLength: number,
  everything: readonly string[],
): CheckedPattern {
  if (value === undefined || (typeof value === 'string' && everything.includes(value)))
    return { kind: 'none', radius: 0, given: null };
  if (value === 'causal') return { kind: 'causal', radius: 0, given: null };
  if (value instanceof Uint8Array) {
    const cells = queryLength * keyLength;
    const given = mask(value, name, cells, `${queryLength} queries by ${keyLength} keys`);
    return { kind: 'given', radius: 0, given };
  }
  if (typeof value === 'object' && value !== null && 'window' in value) {
    const { window, causal } = object(value, name);
    const radius = integer(window, `${name}.window`, 0, 0x7fff_ffff);
    const back = boolean(causal, `${name}.causal`, false);
    return { kind: back ? 'causalWindow' : 'window', radius, given: null };
  }
  const names = [...everything, 'causal'].map((choice) => `'${choice}'`).join(', ');
  throw badArgument(name, value, `${names}, { window } or a Uint8Array`);
}

export function patternIndex(kind: CheckedPattern['kind']): number {
  return PATTERN_KINDS.indexOf(kind);
}
