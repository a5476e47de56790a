/**
 * Which writing a text is mostly in, to suggest a model. Han characters are counted against words in
 * Latin letters, since a Han character carries about as much as a word. Other writing says nothing.
 */

import { MODEL_IDS, MODELS, type ModelId, type Script } from './models.ts';

const HAN = /\p{Script=Han}/gu;
const LATIN_WORD = /\p{Script=Latin}[\p{Script=Latin}\p{M}'’-]*/gu;

/** null when the text has neither, or as much of one as of the other. */
export function scriptOf(text: string): Script | null {
  const han = count(text, HAN);
  const latin = count(text, LATIN_WORD);
  if (han === latin) return null;
  return han > latin ? 'han' : 'latin';
}

/** The model that was trained on this writing; null when the text does not say. */
export function suggestModel(text: string): ModelId | null {
  const script = scriptOf(text);
  return MODEL_IDS.find((id) => MODELS[id].script === script) ?? null;
}

function count(text: string, pattern: RegExp): number {
  let found = 0;
  for (const _ of text.matchAll(pattern)) found += 1;
  return found;
}
