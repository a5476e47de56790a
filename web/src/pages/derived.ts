/**
 * What the page shows, computed from the store: pictures, aims, marks, sentences about the state. Each
 * value is made anew only when something in it changes, so that a keystroke draws only what it changes.
 */

import { computed, type ReadonlySignal } from '@preact/signals-core';
import { maskCells } from '../draw/mask-cells.ts';
import type { HeadChoice, Picture } from '../draw/picture.ts';
import { makePicture } from '../draw/transform.ts';
import { isPlain, openCells } from '../state/controls.ts';
import type { Session } from '../state/session.ts';
import { isCurrent, type Shown, type Store } from '../state/store.ts';
import type { ProgressShown, TroubleShown } from '../views/load-progress.ts';
import type { ModelOffer } from '../views/model-picker.ts';
import type { NoteShown } from '../views/notes.ts';
import type { SentenceMark } from '../views/sentence.ts';
import {
  aimOf,
  choicesOf,
  describeHint,
  describeNotes,
  describeProgress,
  describeTrouble,
  describeWords,
  marksOf,
  modelOffers,
  shownIndex,
} from './describe.ts';

type Theme = 'light' | 'dark';

export interface Values {
  theme: Theme;
  /** Of the model that is wanted; null until it has shown its first layer. */
  picture: Picture | null;
  /** Whether what is shown was computed otherwise than the model was trained: what was measured of heads may not hold. */
  changed: boolean;
  /** The picture is of an older text, and has been for longer than a blink. */
  old: boolean;
  /** Heads and means that are selected, the one on the stage last. */
  choices: readonly HeadChoice[];
  /** Shown tokens under pointer or focus, and pinned. */
  aim: number | null;
  pinned: number | null;
  /** The token that the sentence lights, and every shown token's weight for it. */
  lit: ReturnType<typeof aimOf>;
  marks: readonly SentenceMark[];
  pairMarks: readonly SentenceMark[];
  hint: string;
  offers: readonly ModelOffer[];
  progress: ProgressShown;
  words: ProgressShown | null;
  trouble: TroubleShown | null;
  notes: readonly NoteShown[];
}

export type Derived = { readonly [K in keyof Values]: ReadonlySignal<Values[K]> };

export function derive(
  store: Store,
  session: Session,
  systemTheme: ReadonlySignal<Theme>,
  printing: ReadonlySignal<boolean>,
): Derived {
  // Paper is light.
  const theme = computed(() =>
    printing.value ? 'light' : (store.theme.value ?? systemTheme.value),
  );
  const picture = computed(() => pictureOf(store));
  const choices = computed(() => choicesOf(store));
  const aim = computed(() => shownIndex(picture.value, store.aim.value));
  const pinned = computed(() => shownIndex(picture.value, store.query.value));
  const old = computed(() => store.late.value && picture.value !== null && !isCurrent(store));
  const lit = computed(() => {
    if (old.value) return { lamp: null, weights: null };
    const direction = store.from.value ? 'from' : 'to';
    const choice = choices.value.at(-1)!;
    return aimOf(picture.value, choice, [aim.value, pinned.value], direction);
  });
  return {
    theme,
    picture,
    old,
    changed: computed(() => {
      const shown = store.shown.value;
      return shown !== null && !isPlain(shown.mechanism);
    }),
    choices,
    aim,
    pinned,
    lit,
    marks: computed(() => marksOf(store, picture.value, 0)),
    pairMarks: computed(() => marksOf(store, picture.value, 1)),
    hint: computed(() => describeHint(store, picture.value, aim.value, pinned.value)),
    offers: computed(() => modelOffers()),
    progress: computed(() => describeProgress(store)),
    words: computed(() => describeWords(store)),
    trouble: computed(() => describeTrouble(store)),
    notes: computed(() => describeNotes(store, session)),
  };
}

const QUADRANT_SEGMENTS = {
  all: null,
  aa: [0, 0],
  ab: [0, 1],
  ba: [1, 0],
  bb: [1, 1],
} as const;

/** Who may look at whom in what is shown; null where everyone may look at everyone. */
function maskOf({ mechanism, tokens }: Shown): Uint8Array | null {
  const { mask, radius, cells, off } = mechanism;
  const open = (mask !== 'none' || off.length > 0) && tokens.length > 0;
  return open ? maskCells(mask, tokens.length, radius, openCells(cells, tokens.length), off) : null;
}

function pictureOf(store: Store): Picture | null {
  const shown = store.shown.value;
  if (!shown || shown.model !== store.model.value) return null;
  return makePicture(
    {
      tokens: shown.tokens,
      typedText: shown.text,
      ...(shown.pair === null ? {} : { typedPair: shown.pair }),
      layers: shown.layers,
      heads: shown.heads,
      layersReady: shown.layersReady,
      attentions: shown.attentions,
      open: maskOf(shown),
    },
    {
      showSpecials: store.specials.value,
      mergeWords: store.words.value,
      quadrant: shown.pair === null ? null : QUADRANT_SEGMENTS[store.quad.value],
    },
  );
}
