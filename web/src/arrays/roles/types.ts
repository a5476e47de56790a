/** What arrays can be for, what is found out about them, and what comes of it. Names are those of the engine's inputs. */
import type { Finding, NamedArray } from '../types.ts';

export const ROLES = [
  'queries',
  'keys',
  'values',
  'x',
  'memory',
  'wQ',
  'wK',
  'wV',
  'wO',
  'weights',
] as const;

export type Role = (typeof ROLES)[number];
export type Roles = Partial<Record<Role, NamedArray>>;

/** Own queries, keys, values; own words and weights; or ready-made attention weights. */
export type Kind = 'attention' | 'projections' | 'weights';

export const ROLES_OF: Readonly<Record<Kind, readonly Role[]>> = {
  attention: ['queries', 'keys', 'values'],
  projections: ['x', 'memory', 'wQ', 'wK', 'wV', 'wO'],
  weights: ['weights'],
};

/** Where heads stand: [H, T, d], [T, H, d] or, of weights, [Tq, Tk, H]. */
export type Layout = 'heads-first' | 'heads-second' | 'heads-last';

/** What a reader decides where shapes leave a choice. */
export interface CheckOptions {
  /** Of arrays that hold all heads side by side. */
  heads?: number;
  layout?: Layout;
  /** Which one of several in a batch, or of layers. */
  batch?: number;
  /** W as [in, out], or as PyTorch keeps it. */
  weightOrder?: 'in-out' | 'out-in';
  /** Arrays to be transposed (last two dimensions). */
  transposed?: readonly Role[];
}

export type ProblemCode =
  | 'missing-role' // a check needs this one too
  | 'empty-array' // no numbers
  | 'too-few-dimensions'
  | 'too-many-dimensions'
  | 'several-in-batch' // one of them is to be chosen
  | 'size-mismatch' // the size of a head, or the width of all
  | 'length-mismatch' // the number of tokens
  | 'heads-mismatch' // the number of heads
  | 'heads-do-not-divide' // heads side by side that are not equally wide
  | 'non-finite' // NaN or infinities
  | 'beyond-single' // values beyond single precision
  | 'columns-sum-to-one' // weights that seem to be transposed
  | 'rows-do-not-sum-to-one'
  | 'negative-weights';

export interface Suggestion {
  readonly message: string;
  /** To be merged into the options. */
  readonly options?: CheckOptions;
  /** The other roles to give. */
  readonly roles?: Roles;
}

export interface Problem {
  readonly code: ProblemCode;
  readonly message: string;
  readonly role?: Role;
  readonly array?: string;
  /** The dimension at fault of the array as it was given, from 0. */
  readonly axis?: number;
  readonly expected?: string | number;
  readonly found?: string | number;
  readonly position?: readonly number[];
  readonly suggestions: readonly Suggestion[];
}

export type StepCode =
  | 'removed-batch' // of one
  | 'picked-batch' // one of several
  | 'transposed'
  | 'moved-heads' // to the front
  | 'split-heads' // [T, H*d] to [H, T, d]
  | 'joined-heads'; // weights of single heads to [in, H*d]

export interface Step {
  readonly code: StepCode;
  readonly role: Role;
  readonly array: string;
  readonly from: readonly number[];
  readonly to: readonly number[];
  readonly message: string;
}

/** As engine.attention takes them. What needed no step shares the memory of the array that was given. */
export interface AttentionArrays {
  readonly queries: Float32Array; // [H*Tq*dk]
  readonly keys: Float32Array; // [Hkv*Tk*dk]
  readonly values: Float32Array; // [Hkv*Tk*dv]
  readonly heads: number;
  readonly kvHeads: number;
  readonly queryLength: number;
  readonly keyLength: number;
  readonly headSize: number;
  readonly valueSize: number;
}

/** As the engine's multi-head attention takes them; W [in, out]. */
export interface ProjectionArrays {
  readonly x: Float32Array; // [Tq*width]
  readonly memory: Float32Array | null; // [Tk*width]; null: x itself
  readonly wQ: Float32Array; // [width * H*dk]
  readonly wK: Float32Array; // [width * Hkv*dk]
  readonly wV: Float32Array; // [width * Hkv*dv]
  readonly wO: Float32Array | null; // [H*dv * outputWidth]; null: none was given
  readonly width: number;
  readonly heads: number;
  readonly kvHeads: number;
  readonly queryLength: number;
  readonly keyLength: number;
  readonly headSize: number;
  readonly valueSize: number;
  readonly outputWidth: number;
}

export interface WeightsArrays {
  readonly weights: Float32Array; // [H*Tq*Tk]
  readonly heads: number;
  readonly queryLength: number;
  readonly keyLength: number;
}

/** Whether weights are what softmax gives. Positions are [head, query, key]. */
export interface WeightsReport {
  readonly rowsSumToOne: boolean;
  /** Allowed for the type in which they were stored. */
  readonly tolerance: number;
  /** Of |sum - 1|, over rows of finite numbers that are not all zero. */
  readonly largestDeviation: number;
  readonly largestAt: { readonly head: number; readonly query: number } | null;
  /** Rows of zeros, as padding leaves them: [head, query]. */
  readonly zeroRows: Finding;
  readonly negative: Finding;
  readonly nonFinite: Finding;
}

/** Another way to read the same arrays, which fits as well. */
export interface Alternative {
  readonly message: string;
  readonly options: CheckOptions;
}

interface Fits<K extends Kind, Input> {
  readonly ok: true;
  readonly kind: K;
  readonly input: Input;
  readonly steps: readonly Step[];
  /** What is worth knowing and does not prevent anything. */
  readonly notes: readonly Problem[];
  readonly alternatives: readonly Alternative[];
  readonly labels: { readonly queries?: string[]; readonly keys?: string[] };
}

export type CheckResult =
  | Fits<'attention', AttentionArrays>
  | Fits<'projections', ProjectionArrays>
  | (Fits<'weights', WeightsArrays> & { readonly report: WeightsReport })
  | { readonly ok: false; readonly kind: Kind | null; readonly problems: readonly Problem[] };
