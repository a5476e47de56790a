/**
 * The calculator page: fields on one side, results on the other. What was typed is the draft; the last
 * draft without a fault is what is shown and what the link says. No engine, no arithmetic here.
 */

import { html, LitElement, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { decodeLink, encodeLink, type LinkState, type PageChoices } from '../calculator/link.ts';
import { type PresetId, presetDraft, presetOf } from '../calculator/presets.ts';
import {
  type Draft,
  type NumberType,
  type Output,
  readDraft,
  type Settings,
} from '../calculator/settings.ts';
import '../i18n/calculator.ts';
import { LANGUAGE_TAGS, setLanguage, t } from '../i18n/index.ts';
import type { CalculatorEvents } from '../views/calculator-events.ts';
import { figures } from '../views/calculator-figures.ts';
import type { NoteShown } from '../views/notes.ts';
import type { PageEvents } from '../views/page-events.ts';
import { SitePreferences } from './site-preferences.ts';
import '../views/calculator-comparison.ts';
import '../views/calculator-growth.ts';
import '../views/calculator-inputs.ts';
import '../views/calculator-memory.ts';
import '../views/calculator-parameters.ts';
import '../views/calculator-work.ts';
import '../views/notes.ts';
import '../views/preferences.ts';
import '../views/site-nav.ts';

type Events = CalculatorEvents & Pick<PageEvents, 'hl-language' | 'hl-theme' | 'hl-note-dismiss'>;
type Handlers = { [Name in keyof Events]: (detail: Events[Name]) => void };

/** Browsers allow about a hundred changes of the address in ten seconds. */
const WRITE_MS = 300;
/** A screen reader is told the results when typing has come to rest. */
const SAY_MS = 800;

@customElement('hl-calculator')
export class Calculator extends LitElement {
  @state() private draft!: Draft;
  @state() private choices!: PageChoices;
  @state() private bad: LinkState['bad'] = [];
  @state() private said = '';

  private readonly preferences = new SitePreferences(this);
  /** The last draft that could be used, and its numbers. */
  private good!: { draft: Draft; settings: Settings };
  private known = location.hash;
  private writing: ReturnType<typeof setTimeout> | undefined;
  private saying: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.take(decodeLink(location.hash));
  }

  /** The shell's styles are the page's style sheet, so the element lives in the page. */
  protected override createRenderRoot(): HTMLElement {
    this.replaceChildren();
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    for (const [name, handle] of Object.entries(this.handlers))
      this.addEventListener(name, (event) => handle((event as CustomEvent).detail as never));
    addEventListener('hashchange', () => this.follow());
  }

  private take({ draft, choices, bad }: LinkState): void {
    const { settings } = readDraft(draft);
    if (!settings) throw new Error('a link gives a draft without faults');
    this.good = { draft, settings };
    Object.assign(this, { draft, choices, bad });
  }

  /** Takes over what the address says, if that is news. */
  private follow(): void {
    if (location.hash === this.known) return;
    this.known = location.hash;
    clearTimeout(this.writing);
    this.take(decodeLink(location.hash));
    const { lang, theme } = this.choices;
    if (lang) {
      setLanguage(lang);
      document.documentElement.lang = LANGUAGE_TAGS[lang];
    }
    if (theme) document.documentElement.dataset.theme = theme;
  }

  private change(draft: Draft): void {
    const { settings } = readDraft(draft);
    this.draft = draft;
    if (settings) this.good = { draft, settings };
    this.writeSoon();
    this.saySoon();
  }

  private choose(choices: Partial<PageChoices>): void {
    this.choices = { ...this.choices, ...choices };
    this.writeSoon();
  }

  private writeSoon(): void {
    clearTimeout(this.writing);
    this.writing = setTimeout(() => {
      try {
        history.replaceState(history.state, '', `#${encodeLink(this.good.draft, this.choices)}`);
        this.known = location.hash;
      } catch {
        // A sandbox forbids it: the page works, only its address stays.
      }
    }, WRITE_MS);
  }

  private saySoon(): void {
    clearTimeout(this.saying);
    this.saying = setTimeout(() => {
      if (readDraft(this.draft).settings)
        this.said = t('calculator.status', { ...figures(this.good.settings, false) });
    }, SAY_MS);
  }

  protected override willUpdate(): void {
    document.title = t('calculator.title');
  }

  protected override render() {
    const { draft, choices, good } = this;
    const { full } = choices;
    const { settings } = good;
    const { faults } = readDraft(draft);
    const stale = Object.keys(faults).length > 0;
    return html`
      <button class="skip" type="button" @click=${this.skip}>${t('calculator.skip')}</button>
      <header class="top">
        <p class="brand"><a href="./index.html"><svg viewBox="0 0 32 32" aria-hidden="true"><path class="beam" d="M13 16 30 6v20z"/><path d="M13 9v14h-2a7 7 0 0 1 0-14z"/></svg><span>Headlights</span></a></p>
        <hl-site-nav current="calculator"></hl-site-nav>
        <hl-preferences .theme=${choices.theme ?? this.preferences.chosenTheme}></hl-preferences>
      </header>
      <main>
        <div class="claim">
          <h1>${t('calculator.heading')}</h1>
          <p>${t('calculator.claim')}</p>
        </div>
        <section class="inputs" aria-label=${t('calculator.inputs')}>
          <hl-calculator-inputs
            .draft=${draft}
            .faults=${faults}
            .preset=${stale ? null : presetOf(settings)}
            .full=${full}
          ></hl-calculator-inputs>
        </section>
        <div class=${stale ? 'results older' : 'results'} id="results" tabindex="-1">
          <hl-notes class=${this.bad.length > 0 ? 'some' : ''} .notes=${this.notes()}></hl-notes>
          <p class="stale" role="status">${stale ? t('calculator.stale') : nothing}</p>
          <section class="part">
            <hl-calculator-figures .settings=${settings} ?full=${full}></hl-calculator-figures>
          </section>
          <section class="part">
            <hl-calculator-parameters .settings=${settings} .full=${full}></hl-calculator-parameters>
          </section>
          <section class="part">
            <hl-calculator-work .settings=${settings} .full=${full}></hl-calculator-work>
          </section>
          <section class="part">
            <hl-calculator-memory .settings=${settings} .full=${full}></hl-calculator-memory>
          </section>
          <section class="part">
            <hl-calculator-growth .settings=${settings} .full=${full}></hl-calculator-growth>
          </section>
          <section class="part">
            <hl-calculator-comparison
              .settings=${settings}
              .draft=${draft}
              .faults=${faults}
              .full=${full}
            ></hl-calculator-comparison>
          </section>
        </div>
        <p class="hidden" role="status" id="said">${this.said}</p>
      </main>
    `;
  }

  private notes(): NoteShown[] {
    return this.bad.map(({ key, value, used }) => ({
      id: key,
      kind: 'warning',
      dismissible: true,
      text: t('calculator.note.link', {
        key,
        value: value.length > 40 ? `${value.slice(0, 40)}…` : value,
        used: used || t('calculator.note.empty'),
      }),
    }));
  }

  private skip(): void {
    this.renderRoot.querySelector<HTMLElement>('#results')?.focus();
  }

  private readonly handlers: Handlers = {
    'hl-calculator-field': ({ id, text }) =>
      this.change({ ...this.draft, text: { ...this.draft.text, [id]: text } }),
    'hl-calculator-choice': ({ name, value }) =>
      this.change({ ...this.draft, [name]: value as NumberType | Output }),
    'hl-calculator-switch': ({ name, on }) => {
      if (name === 'full') this.choose({ full: on });
      else this.change({ ...this.draft, [name]: on });
    },
    'hl-calculator-preset': ({ id }: { id: PresetId }) => {
      const { k, r } = this.good.draft.text;
      this.change(presetDraft(id, { k, r }));
    },
    'hl-language': ({ language: lang }) => this.choose({ lang }),
    'hl-theme': ({ theme }) => this.choose({ theme }),
    'hl-note-dismiss': ({ id }) => {
      this.bad = this.bad.filter(({ key }) => key !== id);
    },
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'hl-calculator': Calculator;
  }
}
