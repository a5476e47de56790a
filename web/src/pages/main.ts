/** Entry of the explorer page: state from link and memory, then engine, element, link and console. */

import { effect } from '@preact/signals-core';
import { createEngine } from 'headlights';
import { counterpart } from '../draw/roles.ts';
import { preferredLanguage, setLanguage, t } from '../i18n/index.ts';
import { recallPreferences, recallState } from '../state/remember.ts';
import { Session } from '../state/session.ts';
import { startState } from '../state/start.ts';
import { createStore } from '../state/store.ts';
import { exposeToConsole } from './console.ts';
import { Explorer } from './explorer.ts';
import { LinkSync, tellFaults } from './link-sync.ts';

const preferences = recallPreferences();
const browserLanguage = preferredLanguage(navigator.languages);
setLanguage(preferences.lang ?? browserLanguage);

const start = await startState(location.hash, recallState(), preferences, browserLanguage);
const store = createStore(start.state, {
  modelChosen: start.modelChosen,
  wholeFirst: preferences.wholeFirst,
});
tellFaults(store, start);

const page = new Explorer();
page.className = 'page';

const session = new Session(store, {
  createEngine: () => createEngine(),
  saveData: connectionSavesData(),
  painted: (stamp) => page.painted(stamp),
  counterpart,
});
const link = new LinkSync(store, session);
page.connect(store, session);
document.getElementById('page')?.replaceWith(page);
connectSkip(page);
exposeToConsole(store, session, link);
session.start();
link.start();

function connectionSavesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}

/** Not a link, because the fragment is the page's state. */
function connectSkip(to: HTMLElement): void {
  const skip = document.getElementById('skip');
  effect(() => {
    if (skip) skip.textContent = t('page.skip');
  });
  skip?.addEventListener('click', () => to.querySelector<HTMLElement>('#heads')?.focus());
}
