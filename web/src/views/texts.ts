/** Sentences that several views write: the name of a choice, a role with its score and baseline. */

import { percent, shortText, shortWeight } from '../draw/labels.ts';
import type { HeadChoice, HeadRole, Picture } from '../draw/picture.ts';
import { shownPart } from '../draw/statistics.ts';
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
export function roleShort({ role }: HeadRole): string {
  return roleName(role);
}

export function roleName(role: string): string {
  const key = `roleShort.${role.replace(/^role\./, '')}`;
  return hasText(key) ? t(key) : role;
}

/** "from a verb to its object" */
export function roleTends(role: HeadRole): string {
  return hasText(role.role) ? t(role.role) : role.role;
}

/** "right 57% of the time · a fixed guess: 33%", and what that means. */
export function roleEvidence(role: HeadRole): { text: string; hint: string } {
  const score = t('role.score', { score: inPercent(role.score) });
  const meaning = t('role.score.hint');
  if (role.baseline === null || role.baselineKind === null) return { text: score, hint: meaning };
  const key = `role.baseline.${role.baselineKind}` as const;
  const baseline = t(key, { baseline: inPercent(role.baseline) });
  return {
    text: `${score}${t('list.dot')}${baseline}`,
    hint: `${meaning}\n${t(`${key}.hint`)}`,
  };
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

/** What hidden tokens took of one token's row, or of an average row; null while none is hidden. */
export function removedShare(
  picture: Picture,
  choice: HeadChoice,
  row: number | null,
): number | null {
  const removed = picture.removed(choice);
  if (!removed || removed.length === 0) return null;
  if (row !== null) return removed[row] ?? null;
  return removed.reduce((sum, value) => sum + value, 0) / removed.length;
}

/** "[CLS] and [SEP]": the hidden tokens that a word (null: any word) may look at; empty where it may look at none. */
export function hiddenNames(picture: Picture, query: number | null): string {
  return picture.hidden(query).join(t('list.and'));
}

/** ".50", or ".50 (.21)" where hidden tokens take a part of the row: its share of what is shown, and the weight. */
export function shareText(picture: Picture, choice: HeadChoice, query: number, share: number) {
  const part = shownPart(picture, choice, query);
  const shown = shortWeight(share);
  return part === 1 || share === 0
    ? shown
    : t('weight.both', { share: shown, weight: shortWeight(share * part) });
}

/** Whether the reader's pointer cannot hover: then texts speak of taps. */
export function byTouch(): boolean {
  return matchMedia('(hover: none)').matches;
}

/** What to do where nothing is lit yet. */
export function aimText(): string {
  return t(byTouch() ? 'stage.tap' : 'stage.aim');
}

export { percent, shortText, shortWeight };

function inPercent(value: number): string {
  return `${percent(value)}%`;
}
