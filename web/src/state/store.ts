/**
 * The one store: a signal for each field of a link, and signals for what happens now. Pages read it,
 * the session and the page's event handlers write it. No DOM, no engine calls.
 */

import { batch, type Signal, signal } from '@preact/signals-core';
import type { LoadProgress, Run, Token, Truncation } from '../engine/types.ts';
import { CONTROL_FIELDS, type Controls, controlsKey } from './controls.ts';
import type { ModelId } from './models.ts';
import type { Note } from './notes.ts';
import type { PageState } from './page-state.ts';

/** What the picture on screen was made from. */
export interface Shown {
  model: ModelId;
  text: string;
  pair: string | null;
  tokens: readonly Token[];
  truncated: Truncation | null;
  /** With which controls it was computed (`controlsKey`). */
  controls: string;
  /** The same, to read. */
  mechanism: Controls;
  layers: number;
  heads: number;
  /** Layers whose weights are here; higher ones are drawn as waiting. */
  layersReady: number;
  /** [H*T*T] of a layer that is ready. */
  attentions: (layer: number) => Float32Array;
  /** null until every layer is here. */
  run: Run | null;
}

export type LoadPhase =
  | 'idle'
  | 'engine' // the engine is starting
  | 'asking' // waits for the reader's word, because the browser asks to save data
  | 'loading'
  | 'paused'
  | 'cancelled'
  | 'failed'
  | 'ready'; // every layer is here; the word table may still be arriving

export interface LoadState {
  phase: LoadPhase;
  model: ModelId;
  progress: LoadProgress | null;
  /** Whether there is something that can be paused. */
  pausable: boolean;
  /** Nothing has arrived for a while. */
  stalled: boolean;
}

/** An error that is shown until the next success or retry. */
export interface Failure {
  code: string;
  message: string;
  details: Readonly<Record<string, unknown>>;
  error: unknown;
}

export interface LiveState {
  /** The reader picked the model; it is no longer changed to suit the text. */
  modelChosen: boolean;
  /** An input method is composing: the text is not final. */
  composing: boolean;
  /** The token (of the run) under pointer or focus. */
  aim: number | null;
  shown: Shown | null;
  /** The picture has been older than the text for longer than a blink. */
  late: boolean;
  load: LoadState;
  failure: Failure | null;
  notes: readonly Note[];
  /** Models whose suggestion the reader has put away. */
  dismissed: readonly ModelId[];
  /** Runs wait until the whole word table is here. */
  wholeFirst: boolean;
}

export type Store = { readonly [K in keyof PageState]: Signal<PageState[K]> } & {
  readonly [K in keyof LiveState]: Signal<LiveState[K]>;
};

export function createStore(initial: PageState, live: Partial<LiveState> = {}): Store {
  const fields: PageState & LiveState = {
    ...initial,
    modelChosen: false,
    composing: false,
    aim: null,
    shown: null,
    late: false,
    load: { phase: 'idle', model: initial.model, progress: null, pausable: false, stalled: false },
    failure: null,
    notes: [],
    dismissed: [],
    wholeFirst: false,
    ...live,
  };
  const store: Record<string, Signal<unknown>> = {};
  for (const [key, value] of Object.entries(fields)) store[key] = signal(value);
  return store as unknown as Store;
}

/** The state that a link would say now. Reads every field, so an effect around it follows them all. */
export function snapshot(store: Store): PageState {
  return {
    text: store.text.value,
    pair: store.pair.value,
    model: store.model.value,
    layer: store.layer.value,
    head: store.head.value,
    also: store.also.value,
    query: store.query.value,
    key: store.key.value,
    view: store.view.value,
    lang: store.lang.value,
    theme: store.theme.value,
    specials: store.specials.value,
    from: store.from.value,
    words: store.words.value,
    sort: store.sort.value,
    scale: store.scale.value,
    step: store.step.value,
    quad: store.quad.value,
    ...controlsNow(store),
  };
}

/** The controls as they stand. Reads each of them, so an effect around it follows them all. */
export function controlsNow(store: Store): Controls {
  return Object.fromEntries(
    CONTROL_FIELDS.map((field) => [field, store[field].value]),
  ) as unknown as Controls;
}

/** Sets several fields at once: whoever watches sees only the end of it. */
export function apply(store: Store, state: Partial<PageState>): void {
  batch(() => {
    for (const [key, value] of Object.entries(state)) {
      (store[key as keyof PageState] as Signal<unknown>).value = value;
    }
  });
}

/** Whether the picture on screen is of the text and model that are wanted now. */
export function isCurrent(store: Store): boolean {
  const shown = store.shown.value;
  return (
    shown !== null &&
    shown.text === store.text.value &&
    shown.pair === store.pair.value &&
    shown.model === store.model.value &&
    shown.controls === controlsKey(controlsNow(store))
  );
}
