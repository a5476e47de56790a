/**
 * `window.headlights`, for console users and tests: the library's objects that are on screen now, the
 * state as a link says it, and `ready`, a new promise at every change of the link, which resolves
 * when every head is drawn and rejects with the error that is shown.
 */

import type { Engine, Model, Run } from '../engine/types.ts';
import type { PageState } from '../state/page-state.ts';
import type { Session } from '../state/session.ts';
import { type Store, snapshot } from '../state/store.ts';
import type { LinkSync } from './link-sync.ts';

export interface HeadlightsConsole {
  readonly ready: Promise<void>;
  readonly engine: Engine | null;
  readonly model: Model | null;
  readonly run: Run | null;
  readonly state: Readonly<PageState>;
}

declare global {
  interface Window {
    headlights?: HeadlightsConsole;
  }
}

export function exposeToConsole(store: Store, session: Session, link: LinkSync): void {
  window.headlights = {
    get ready() {
      // An address changed in the line before is read now, not when its event comes.
      link.read();
      return session.ready;
    },
    get engine() {
      return session.engine;
    },
    get model() {
      return session.model;
    },
    get run() {
      return session.run;
    },
    get state() {
      return snapshot(store);
    },
  };
}
