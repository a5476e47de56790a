/** Token ids that a caller gives instead of a text: copied on the caller's side, checked beside the model. */
import { HeadlightsError } from '../errors.ts';
import { badArgument, integer } from './arguments.ts';

export interface TokenIds {
  ids: Int32Array;
  /** null where none were given: all of the first type. */
  typeIds: Int32Array | null;
}

/** No text that any model takes is longer. */
const LONGEST = 1 << 24;

export function copyIds(input: { ids: unknown; typeIds?: unknown }): TokenIds {
  return {
    ids: copyList(input.ids, 'ids'),
    typeIds: input.typeIds === undefined ? null : copyList(input.typeIds, 'typeIds'),
  };
}

function copyList(value: unknown, name: string): Int32Array {
  const length: unknown = (value as ArrayLike<number> | null)?.length;
  if (typeof value !== 'object' || !Number.isInteger(length))
    throw badArgument(name, value, 'a list of whole numbers');
  if ((length as number) > LONGEST) {
    throw new HeadlightsError('too-long', `${name} has ${length} entries.`, {
      argument: name,
      length,
    });
  }
  return Int32Array.from(value as ArrayLike<number>, (entry, i) =>
    integer(entry, `${name}[${i}]`, 0, 0x7fff_ffff),
  );
}

/** `types`: how many token types the model has. */
export function checkIds(
  { ids, typeIds }: TokenIds,
  sizes: { vocabulary: number; types: number; maxTokens: number },
): void {
  const { vocabulary, types, maxTokens } = sizes;
  if (ids.length === 0) {
    throw new HeadlightsError('bad-shape', 'ids is empty; a run needs at least one token.', {
      argument: 'ids',
      length: 0,
    });
  }
  if (ids.length > maxTokens) {
    throw new HeadlightsError(
      'too-long',
      `There are ${ids.length} ids, but the model takes at most ${maxTokens} tokens.`,
      { argument: 'ids', length: ids.length, limit: maxTokens },
    );
  }
  if (typeIds !== null && typeIds.length !== ids.length) {
    throw new HeadlightsError(
      'bad-shape',
      `There are ${ids.length} ids but ${typeIds.length} typeIds.`,
      { argument: 'typeIds', length: typeIds.length, expected: ids.length },
    );
  }
  for (const [i, id] of ids.entries()) integer(id, `ids[${i}]`, 0, vocabulary - 1);
  for (const [i, type] of typeIds?.entries() ?? []) integer(type, `typeIds[${i}]`, 0, types - 1);
}
