/** The settings as typed: each field's text, and which of them are not right. The last right ones stay in force. */
import type { DemoSettings } from './demos.ts';
import { numbered } from './demos.ts';
import { decimal, LIMITS, parseTokens, whole } from './link.ts';

export type DraftField = 'seed' | 'scale' | 'd' | 'h' | 'tokens' | 'n';
export type DraftFault = 'whole' | 'decimal' | 'divides' | 'tokens';

export type Draft = Readonly<Record<DraftField, string>>;

export function draftOf({ seed, scale, width, heads, tokens }: DemoSettings): Draft {
  return {
    seed: String(seed),
    scale: String(scale),
    d: String(width),
    h: String(heads),
    tokens: tokens.join(' '),
    n: String(tokens.length),
  };
}

export interface ReadDraft {
  /** null while a field is wrong. */
  settings: DemoSettings | null;
  faults: Partial<Record<DraftField, DraftFault>>;
}

/** `counted`: the words are numbers 1..n. */
export function readDraft(draft: Draft, counted: boolean): ReadDraft {
  const faults: ReadDraft['faults'] = {};
  const seed = whole(draft.seed, LIMITS.seed);
  const scale = decimal(draft.scale, LIMITS.scale);
  const width = whole(draft.d, LIMITS.width);
  const heads = whole(draft.h, LIMITS.width);
  const count = counted ? whole(draft.n, LIMITS.tokens) : null;
  const tokens = counted ? (count === null ? null : numbered(count)) : parseTokens(draft.tokens);
  if (seed === null) faults.seed = 'whole';
  if (scale === null) faults.scale = 'decimal';
  if (width === null) faults.d = 'whole';
  if (heads === null) faults.h = 'whole';
  else if (width !== null && width % heads !== 0) faults.h = 'divides';
  if (!tokens) faults[counted ? 'n' : 'tokens'] = counted ? 'whole' : 'tokens';
  const right = Object.keys(faults).length === 0;
  return {
    settings: right
      ? { seed: seed!, scale: scale!, width: width!, heads: heads!, tokens: tokens! }
      : null,
    faults,
  };
}
