/**
 * Language and theme of the pages beside the explorer: as remembered, as the system has them, changed by the
 * header's controls. A Lit controller: the page draws itself again when one of them changes.
 */

import type { LitElement, ReactiveController } from 'lit';
import {
  LANGUAGE_TAGS,
  LanguageController,
  language,
  preferredLanguage,
  setLanguage,
} from '../i18n/index.ts';
import type { ThemeChoice } from '../state/page-state.ts';
import { keepPreferences, recallPreferences } from '../state/remember.ts';
import type { PageEvents } from '../views/page-events.ts';

export class SitePreferences implements ReactiveController {
  private kept = recallPreferences();
  private readonly dark = matchMedia('(prefers-color-scheme: dark)');

  constructor(private readonly host: LitElement) {
    host.addController(this);
    new LanguageController(host);
    const asked = /[#&]lang=(en|zh)(?:&|$)/.exec(location.hash)?.[1] as 'en' | 'zh' | undefined;
    const theme = /[#&]theme=(light|dark)(?:&|$)/.exec(location.hash)?.[1];
    if (asked) this.kept = { ...this.kept, lang: asked };
    if (theme) this.kept = { ...this.kept, theme: theme as ThemeChoice };
    setLanguage(this.kept.lang ?? preferredLanguage(navigator.languages));
    this.show();
  }

  hostConnected(): void {
    this.dark.addEventListener('change', () => this.host.requestUpdate());
    this.host.addEventListener('hl-language', (event) => {
      this.keep({ lang: (event as CustomEvent<PageEvents['hl-language']>).detail.language });
    });
    this.host.addEventListener('hl-theme', (event) => {
      this.keep({ theme: (event as CustomEvent<PageEvents['hl-theme']>).detail.theme });
    });
  }

  /** What the reader chose; null follows the system. */
  get chosenTheme(): ThemeChoice {
    return this.kept.theme;
  }

  get theme(): 'light' | 'dark' {
    return this.kept.theme ?? (this.dark.matches ? 'dark' : 'light');
  }

  private keep(change: Partial<typeof this.kept>): void {
    this.kept = { ...this.kept, ...change };
    keepPreferences(this.kept);
    if (change.lang) setLanguage(change.lang);
    this.show();
    this.host.requestUpdate();
  }

  private show(): void {
    const root = document.documentElement;
    root.lang = LANGUAGE_TAGS[language.value];
    if (this.kept.theme) root.dataset.theme = this.kept.theme;
    else delete root.dataset.theme;
  }
}
