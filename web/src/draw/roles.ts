/**
 * What the heads of the shipped models tend to do, measured on Universal Dependencies treebanks (600 sentences of
 * English EWT, 500 of Chinese GSDSimp). Head and best fixed offset were picked on one half of the sentences and
 * scored on the other, both ways: `score` is the share of cases in which the head's largest weight is right,
 * `baseline` what the best fixed offset, or chance, reaches. Roles are tendencies over many sentences: a head may
 * do something else in the sentence on screen. The texts are in i18n (`role.*`).
 */

import type { HeadRole } from './picture.ts';

type Row = [
  layer: number,
  head: number,
  role: string,
  score: number,
  baseline?: number,
  kind?: 'offset' | 'chance' | 'coin',
];

const MINILM: readonly Row[] = [
  [0, 2, 'role.previousPiece', 1.0],
  [1, 8, 'role.nextPiece', 0.99],
  [2, 9, 'role.samePiece', 0.92, 0.07, 'chance'],
  [1, 3, 'role.pronounName', 0.86, 0.5, 'coin'],
  [2, 8, 'role.determinerNoun', 0.82, 0.6, 'offset'],
  [2, 8, 'role.caseNoun', 0.68, 0.4, 'offset'],
  [2, 8, 'role.subjectVerb', 0.57, 0.36, 'offset'],
  [2, 0, 'role.objectVerb', 0.72, 0.33, 'offset'],
  [2, 0, 'role.nounPreposition', 0.62, 0.41, 'offset'],
  [3, 1, 'role.verbObject', 0.57, 0.33, 'offset'],
];

const BGE: readonly Row[] = [
  [0, 7, 'role.previousCharacter', 0.99],
  [1, 0, 'role.nextCharacter', 0.88],
  [0, 5, 'role.sameCharacter', 0.92, 0.04, 'chance'],
  [0, 0, 'role.otherCharacter', 0.84, 0.53, 'offset'],
  [2, 3, 'role.auxiliaryVerb', 0.63, 0.45, 'offset'],
  [2, 3, 'role.adjectiveNoun', 0.61, 0.36, 'offset'],
  [2, 1, 'role.predicateCopula', 0.51, 0.25, 'offset'],
  [2, 1, 'role.objectVerb', 0.42, 0.27, 'offset'],
  [1, 4, 'role.verbObject', 0.49, 0.27, 'offset'],
  [0, 1, 'role.conjunct', 0.43, 0.23, 'offset'],
];

/** Things measured about a whole layer or a head that a reader of its picture should know. */
export interface MeasuredNote {
  layer: number;
  head: number | null;
  /** Key of an i18n text. */
  text: string;
}

const MINILM_NOTES: readonly MeasuredNote[] = [
  ...[1, 2, 3, 4, 5].map((layer) => ({ layer, head: null, text: 'measured.clsTakes' })),
  { layer: 5, head: null, text: 'measured.stripes' },
  { layer: 2, head: 9, text: 'measured.clearNotImportant' },
];

const BGE_NOTES: readonly MeasuredNote[] = [{ layer: 3, head: null, text: 'measured.diffuse' }];

const TABLES: ReadonlyMap<string, { roles: readonly HeadRole[]; notes: readonly MeasuredNote[] }> =
  new Map([
    ['minilm-en', { roles: MINILM.map(toRole), notes: MINILM_NOTES }],
    ['bge-zh', { roles: BGE.map(toRole), notes: BGE_NOTES }],
  ]);

/** The measured roles of a shipped model; none for other models. */
export function rolesOf(modelId: string): readonly HeadRole[] {
  return TABLES.get(modelId)?.roles ?? [];
}

/** What a role is called where the model reads characters instead of pieces. */
const SAME: readonly (readonly [string, string])[] = [
  ['role.previousPiece', 'role.previousCharacter'],
  ['role.nextPiece', 'role.nextCharacter'],
  ['role.samePiece', 'role.sameCharacter'],
];

/** The head of another model with the same measured role; null where there is none. */
export function counterpart(
  from: string,
  { layer, head }: { layer: number; head: number },
  to: string,
): { layer: number; head: number } | null {
  for (const { role } of rolesOf(from).filter((own) => own.layer === layer && own.head === head)) {
    const names = SAME.find((pair) => pair.includes(role)) ?? [role];
    const found = rolesOf(to).find((other) => names.includes(other.role));
    if (found) return { layer: found.layer, head: found.head };
  }
  return null;
}

/** The measured notes that apply to a head of a shipped model. */
export function notesOf(
  modelId: string,
  layer: number | 'mean',
  head: number | 'mean',
): readonly MeasuredNote[] {
  const notes = TABLES.get(modelId)?.notes ?? [];
  return notes.filter((note) => note.layer === layer && (note.head === null || note.head === head));
}

function toRole([layer, head, role, score, baseline, kind]: Row): HeadRole {
  return { layer, head, role, score, baseline: baseline ?? null, baselineKind: kind ?? null };
}
