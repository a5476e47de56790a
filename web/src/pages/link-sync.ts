/**
 * Keeps the address bar and this browser's memory in step with the store, and the store with the
 * address bar: what is typed is written a moment later (browsers limit how often), what somebody
 * writes into the address is read at once.
 */

import { effect } from '@preact/signals-core';
import { language, t } from '../i18n/index.ts';
import { decodeLink, encodeLink, encodeRest } from '../state/link.ts';
import { addNote } from '../state/notes.ts';
import { keepState, recallPreferences } from '../state/remember.ts';
import type { Session } from '../state/session.ts';
import { completeState, type Start } from '../state/start.ts';
import { type Store, snapshot } from '../state/store.ts';

/** WebKit allows a hundred changes of the address in ten seconds, others more. */
const WRITE_MS = 300;

export class LinkSync {
  /** The fragment that the store is in step with. */
  private known = location.hash;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private writes = 0;

  constructor(
    private readonly store: Store,
    private readonly session: Session,
  ) {}

  start(): void {
    let first = true;
    effect(() => {
      snapshot(this.store);
      if (first) first = false;
      else this.writeSoon();
    });
    addEventListener('hashchange', () => this.read());
    addEventListener('pagehide', () => this.keep());
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'hidden') void this.write();
    });
  }

  /** Takes over what the address says now, if that is news. */
  read(): void {
    if (location.hash === this.known) return;
    this.known = location.hash;
    clearTimeout(this.timer);
    const opening = this.session.opening(async () => {
      const start = completeState(
        await decodeLink(location.hash),
        this.store.lang.value ?? language.value,
        recallPreferences(),
      );
      this.session.open(start.state, start.modelChosen);
      tellFaults(this.store, start);
    });
    void opening;
  }

  private writeSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.write(), WRITE_MS);
  }

  private async write(): Promise<void> {
    clearTimeout(this.timer);
    const turn = ++this.writes;
    const fragment = `#${await encodeLink(snapshot(this.store))}`;
    if (turn !== this.writes || location.hash !== this.known) return;
    try {
      history.replaceState(history.state, '', fragment);
      this.known = location.hash;
    } catch {
      // A sandbox or a limit forbids it: the text is still kept below.
    }
    this.keep();
  }

  private keep(): void {
    const state = snapshot(this.store);
    keepState({
      fragment: this.known,
      text: state.text,
      pair: state.pair,
      rest: encodeRest(state),
      modelChosen: this.store.modelChosen.value,
    });
  }
}

/** Says which parts of a link could not be read. */
export function tellFaults({ notes }: Store, { bad, newer }: Start): void {
  for (const key of bad) {
    addNote(notes, {
      id: `link-${key}`,
      kind: 'warning',
      dismissible: true,
      text: () => (key === 'z' ? t('note.link.text') : t('note.link.value', { key })),
    });
  }
  if (newer) {
    addNote(notes, {
      id: 'link-version',
      kind: 'warning',
      dismissible: true,
      text: () => t('note.link.version'),
    });
  }
}
