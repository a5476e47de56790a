/**
 * What the page starts with: the link, else what this browser kept, else the first example. A kept
 * state that belongs to the link in the address bar is newer than it (the link is written a moment
 * after typing), so it wins.
 */

import { type Example, firstExample } from './examples.ts';
import { type DecodedLink, decodeLink } from './link.ts';
import { defaultState, fitHead, type HeadIndex, hasHead, type PageState } from './page-state.ts';
import type { Preferences, Remembered } from './remember.ts';
import { suggestModel } from './script.ts';

export interface Start {
  state: PageState;
  modelChosen: boolean;
  bad: readonly string[];
  newer: boolean;
}

export async function startState(
  fragment: string,
  remembered: Remembered | null,
  preferences: Preferences,
  language: 'en' | 'zh',
): Promise<Start> {
  const bare = fragment.replace(/^#/, '') === '';
  if (remembered && (bare || remembered.fragment === fragment)) {
    const decoded = await decodeLink(remembered.rest);
    decoded.state.text = remembered.text;
    decoded.state.pair = remembered.pair;
    const start = completeState(decoded, language, preferences);
    return { ...start, modelChosen: remembered.modelChosen, bad: [], newer: false };
  }
  return completeState(await decodeLink(fragment), language, preferences);
}

/** A decoded link with everything that it does not name filled in. */
export function completeState(
  { state: named, bad, newer }: DecodedLink,
  language: 'en' | 'zh',
  preferences: Preferences = { lang: null, theme: null, wholeFirst: false },
): Start {
  const example = firstExample(named.lang ?? preferences.lang ?? language);
  const text = named.text ?? example.text;
  const model = named.model ?? suggestModel(`${text} ${named.pair ?? ''}`) ?? example.model;
  const untouched = named.text === undefined && model === example.model;
  const state: PageState = {
    ...defaultState(text, model),
    ...(untouched ? headOf(example) : {}),
    lang: preferences.lang,
    theme: preferences.theme,
    ...named,
  };
  // A textarea knows one kind of line break.
  state.text = oneLineBreak(state.text);
  if (state.pair !== null) state.pair = oneLineBreak(state.pair);
  const faults = [...bad];
  const head = fitHead(state, model);
  if (head.layer !== state.layer || head.head !== state.head) {
    faults.push(state.layer === head.layer ? 'head' : 'layer');
  }
  const also = state.also.filter((other) => hasHead(model, other));
  if (also.length < state.also.length) faults.push('also');
  return {
    state: {
      ...state,
      ...head,
      also: also.filter((other, i) => isNew(other, [head, ...also.slice(0, i)])),
    },
    modelChosen: named.model !== undefined,
    bad: faults,
    newer,
  };
}

function isNew(head: HeadIndex, others: readonly Pick<PageState, 'layer' | 'head'>[]): boolean {
  return !others.some(({ layer, head: index }) => layer === head.layer && index === head.head);
}

function headOf({ layer, head, query }: Example): Pick<PageState, 'layer' | 'head' | 'query'> {
  return { layer, head, query };
}

function oneLineBreak(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}
