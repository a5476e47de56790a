/** Sizes, scale and masks of attention over given matrices: checked once for whatever brings the matrices. */
import { HeadlightsError } from '../errors.ts';
import type { AttentionInput } from '../types.ts';
import { finite, integer, mask } from './arguments.ts';
import { type CheckedPattern, checkPattern } from './pattern.ts';

export interface Geometry {
  heads: number;
  kvHeads: number;
  queryLength: number;
  keyLength: number;
  headSize: number;
  valueSize: number;
  scale: number;
  pattern: CheckedPattern;
  keyMask: Uint8Array | null;
}

type Given = Pick<
  AttentionInput,
  | 'heads'
  | 'queryLength'
  | 'headSize'
  | 'kvHeads'
  | 'keyLength'
  | 'valueSize'
  | 'scale'
  | 'mask'
  | 'keyMask'
>;

/** Every default filled in, masks copied. Lengths may be 0. */
export function checkGeometry(input: Given): Geometry {
  const heads = integer(input.heads, 'heads', 1);
  const queryLength = integer(input.queryLength, 'queryLength', 0);
  const headSize = integer(input.headSize, 'headSize', 1);
  const kvHeads = integer(input.kvHeads ?? heads, 'kvHeads', 1);
  const keyLength = integer(input.keyLength ?? queryLength, 'keyLength', 0);
  const valueSize = integer(input.valueSize ?? headSize, 'valueSize', 1);
  if (heads % kvHeads !== 0) {
    throw new HeadlightsError(
      'bad-shape',
      `${heads} query heads cannot share ${kvHeads} key/value heads equally.`,
      { heads, kvHeads },
    );
  }
  return {
    heads,
    kvHeads,
    queryLength,
    keyLength,
    headSize,
    valueSize,
    scale: finite(input.scale ?? 1 / Math.sqrt(headSize), 'scale'),
    pattern: checkPattern(input.mask, 'mask', queryLength, keyLength, ['none']),
    keyMask:
      input.keyMask === undefined
        ? null
        : mask(input.keyMask, 'keyMask', keyLength, `${keyLength} keys`),
  };
}
