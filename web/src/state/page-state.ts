/**
 * Everything that a link can say, as plain data. Token indices (`query`, `key`) are those of the run,
 * special tokens counted, so that hiding or merging tokens does not move a pin.
 */

import { type Controls, DEFAULT_CONTROLS, type Quadrant } from './controls.ts';
import { MODELS, type ModelId } from './models.ts';

export const VIEWS = ['beams', 'matrix', 'columns', 'token'] as const;
export type View = (typeof VIEWS)[number];

export const SORTS = ['layer', 'role', 'entropy'] as const;
export type Sort = (typeof SORTS)[number];

export const SCALES = ['linear', 'sqrt'] as const;
export type Scale = (typeof SCALES)[number];

/** Steps of the inspector, in the order of the arithmetic. */
export const STEPS = [
  'words',
  'vectors',
  'products',
  'scale',
  'row',
  'softmax',
  'context',
  'concat',
  'output',
] as const;
export type Step = (typeof STEPS)[number];

/** null follows the browser or the system. */
export type LanguageChoice = 'en' | 'zh' | null;
export type ThemeChoice = 'light' | 'dark' | null;

export interface HeadIndex {
  layer: number;
  head: number;
}

export interface PageState extends Controls {
  text: string;
  /** The second text of a pair, null without one. */
  pair: string | null;
  model: ModelId;
  layer: number | 'mean';
  head: number | 'mean';
  /** Further heads selected beside the first. */
  also: readonly HeadIndex[];
  query: number | null;
  key: number | null;
  view: View;
  lang: LanguageChoice;
  theme: ThemeChoice;
  specials: boolean;
  /** true: a token lights what it looks at; false: it lights who looks at it. */
  from: boolean;
  words: boolean;
  sort: Sort;
  scale: Scale;
  /** The step at which the head is taken apart; null while it is closed. */
  step: Step | null;
  /** Of two texts: which looks at which, the rest left out of the picture. */
  quad: Quadrant;
}

/** What a bare link means. `text` and `model` are the caller's, since they follow the language. */
export function defaultState(text: string, model: ModelId): PageState {
  return {
    text,
    pair: null,
    model,
    ...MODELS[model].firstHead,
    also: [],
    query: null,
    key: null,
    view: 'beams',
    lang: null,
    theme: null,
    specials: false,
    from: true,
    words: false,
    sort: 'layer',
    scale: 'linear',
    step: null,
    quad: 'all',
    ...DEFAULT_CONTROLS,
  };
}

export function hasHead(model: ModelId, { layer, head }: HeadIndex): boolean {
  return layer < MODELS[model].layers && head < MODELS[model].heads;
}

/** The nearest head that the model has: a head of another model may lie outside. */
export function fitHead<T extends { layer: number | 'mean'; head: number | 'mean' }>(
  choice: T,
  model: ModelId,
): Pick<T, 'layer' | 'head'> {
  const { layers, heads, firstHead } = MODELS[model];
  const outside =
    (choice.layer !== 'mean' && choice.layer >= layers) ||
    (choice.head !== 'mean' && choice.head >= heads);
  return outside ? firstHead : { layer: choice.layer, head: choice.head };
}
