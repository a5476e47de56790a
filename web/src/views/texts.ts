/** Sentences that several views write: the name of a choice, a role with its score and baseline. */

import { percent, shortText, shortWeight } from '../draw/labels.ts';
import type { HeadChoice, HeadRole, Picture } from '../draw/picture.ts';
import { hasText, t } from '../i18n/index.ts';

/** L3·H5, or which mean it is. */
export function headLabel({ layer, head }: HeadChoice): string {
  if (layer === 'mean') return head === 'mean' ? t('head.meanAll') : t('head.meanLayers', { head });
  return head === 'mean' ? t('head.meanHeads', { layer }) : t('head.one', { layer, head });
}

export function tokenText(picture: Picture, index: number): string {
  const token = picture.tokens[index];
  return token ? `“${shortText(token)}”` : '';
}

/** "previous", "verb → object" */
export function roleShort(role: HeadRole): string {
  const key = `roleShort.${role.role.replace(/^role\./, '')}`;
  return hasText(key) ? t(key) : role.role;
}

/** "from a verb to its object" */
export function roleTends(role: HeadRole): string {
  return hasText(role.role) ? t(role.role) : role.role;
}

/** "57% of the time · best fixed distance 33%" */
export function roleEvidence(role: HeadRole): string {
  const score = t('role.score', { score: shareText(role.score) });
  if (role.baseline === null || role.baselineKind === null) return score;
  const baseline = t(`role.baseline.${role.baselineKind}`, { baseline: shareText(role.baseline) });
  return `${score} · ${baseline}`;
}

export function rolesAt(roles: readonly HeadRole[], choice: HeadChoice): HeadRole[] {
  return roles.filter((role) => role.layer === choice.layer && role.head === choice.head);
}

export function sameChoice(a: HeadChoice, b: HeadChoice): boolean {
  return a.layer === b.layer && a.head === b.head;
}

/** Whether a choice can be drawn with the layers that are there. */
export function isReady(picture: Picture, { layer }: HeadChoice): boolean {
  return layer === 'mean' ? picture.layersReady > 0 : layer < picture.layersReady;
}

/** What was taken from the rows of a choice: of one token's row, or on average. */
export function removedText(
  picture: Picture,
  choice: HeadChoice,
  row: number | null,
): string | null {
  const removed = picture.removed(choice);
  if (!removed || removed.length === 0) return null;
  if (row === null) {
    const mean = removed.reduce((sum, value) => sum + value, 0) / removed.length;
    return t('stage.removed.mean', { percent: percent(mean) });
  }
  const value = removed[row];
  if (value === undefined) return null;
  if (value === 1) return t('stage.removed.all');
  return t('stage.removed', { percent: percent(value) });
}

export { percent, shortText, shortWeight };

function shareText(value: number): string {
  return `${percent(value)}%`;
}
