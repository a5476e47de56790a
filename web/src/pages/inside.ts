/**
 * Fetches what the inspector shows: for the head on the stage, the pinned tokens and the newest run, as long as a
 * step is open. The newest wish wins; what comes too late is dropped.
 */

import { computed, effect, type ReadonlySignal, signal } from '@preact/signals-core';
import type { Inside } from '../draw/inside.ts';
import { shortText } from '../draw/labels.ts';
import type { HeadChoice, Picture } from '../draw/picture.ts';
import { strongest, suggestedToken, weightsOf } from '../draw/statistics.ts';
import { shownTokens } from '../draw/transform.ts';
import type { Run } from '../engine/types.ts';
import { isCurrent, type Shown, type Store } from '../state/store.ts';

interface Wish {
  run: Run;
  shown: Shown;
  layer: number;
  head: number;
  query: number;
  key: number;
}

export class InsideLook {
  /** null while nothing is open or nothing can be taken apart. */
  readonly inside = signal<Inside | null>(null);
  private readonly wish: ReadonlySignal<Wish | null>;
  private turn = 0;
  private fetching: Promise<void> = Promise.resolve();
  private readonly stop: () => void;

  constructor(
    private readonly store: Store,
    private readonly picture: ReadonlySignal<Picture | null>,
  ) {
    this.wish = computed(() => this.wished());
    this.stop = effect(() => {
      const wish = this.wish.value;
      if (wish === null) {
        this.turn += 1;
        this.inside.value = null;
      } else this.fetching = this.fetch(wish);
    });
  }

  dispose(): void {
    this.stop();
  }

  /** Resolves when the newest numbers are there. */
  settled(): Promise<void> {
    return this.fetching;
  }

  private wished(): Wish | null {
    const { step, shown, layer, head, query, key } = this.store;
    const now = shown.value;
    const picture = this.picture.value;
    const at = layer.value;
    const of = head.value;
    if (step.value === null || !now?.run || !picture || at === 'mean' || of === 'mean') return null;
    const choice = { layer: at, head: of };
    const from = query.value ?? suggestedQuery(picture, choice);
    if (from === null || from >= now.tokens.length) return null;
    const to = key.value ?? strongestKey(picture, choice, from);
    if (to >= now.tokens.length) return null;
    return { run: now.run, shown: now, ...choice, query: from, key: to };
  }

  private async fetch(wish: Wish): Promise<void> {
    this.turn += 1;
    const { turn } = this;
    const { run, shown, layer, head, query, key } = wish;
    // The heads first: their drawing is under way when a new run makes a new wish.
    await new Promise((done) => setTimeout(done));
    if (turn !== this.turn) return;
    try {
      const [steps, additions, hidden] = await Promise.all([
        run.steps(layer, head, query, key),
        run.additions(layer, query),
        run.hidden(layer),
      ]);
      if (turn !== this.turn) return;
      const width = hidden.length / shown.tokens.length;
      const names = namesOf(shown);
      this.inside.value = {
        layer,
        head,
        query,
        key,
        queryTokens: names,
        keyTokens: names,
        queryInput: hidden.slice(query * width, (query + 1) * width),
        keyInput: hidden.slice(key * width, (key + 1) * width),
        steps,
        additions,
      };
    } catch (error) {
      // A run that was replaced meanwhile is followed by the next wish; anything else is a fault to be seen.
      const code = (error as { code?: string }).code;
      if (turn === this.turn && code !== 'disposed' && code !== 'crashed') throw error;
    }
  }

  /** Why there is nothing to show, as the key of a text. */
  reason(): 'inside.mean' | 'inside.loading' | 'inside.empty' {
    const { layer, head, shown } = this.store;
    if (layer.value === 'mean' || head.value === 'mean') return 'inside.mean';
    return shown.value && !(shown.value.run && isCurrent(this.store))
      ? 'inside.loading'
      : 'inside.empty';
  }
}

function suggestedQuery(picture: Picture, choice: HeadChoice): number | null {
  const shown = suggestedToken(picture, choice, 'from');
  return shown === null ? null : (picture.tokens[shown]?.sources[0] ?? null);
}

/** The token that the query looks at most, of those that are shown. */
function strongestKey(picture: Picture, choice: HeadChoice, query: number): number {
  const row = picture.tokens.findIndex(({ sources }) => sources.includes(query));
  if (row < 0) return query;
  const weights = weightsOf(picture.weights(choice), picture.tokens.length, row, 'from');
  const best = strongest(weights, 1)[0];
  return best === undefined ? query : (picture.tokens[best.index]?.sources[0] ?? query);
}

const known = new WeakMap<Shown, readonly string[]>();

/** Every token of the run by what was typed, special ones and pieces too. */
export function namesOf(shown: Shown): readonly string[] {
  let names = known.get(shown);
  if (!names) {
    const { tokens, text, pair } = shown;
    names = shownTokens({ tokens, typedText: text, typedPair: pair ?? undefined }).map((token) =>
      shortText(token),
    );
    known.set(shown, names);
  }
  return names;
}
