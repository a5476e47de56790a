/**
 * The demos page: the tutorials' three demonstrations, drawn from their seeds and computed here. State is the link;
 * the page computes anew whenever it changes, and what was shown stays until the new numbers are there.
 */

import { signal } from '@preact/signals-core';
import { createEngine, type Engine } from 'headlights';
import { html, LitElement, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import { DEMOS, type DemoId, type DemoSettings, hasOwnWords } from '../demos/demos.ts';
import { type Draft, type DraftField, draftOf, readDraft } from '../demos/draft.ts';
import {
  type DemoFault,
  type DemoState,
  LIMITS,
  readDemoLink,
  writeDemoLink,
} from '../demos/link.ts';
import type { Inside } from '../draw/inside.ts';
import { t } from '../i18n/index.ts';
import '../i18n/demos.ts';
import type { CellChoice } from '../views/heat-table.ts';
import type { InspectorEvents } from '../views/inspector/inspector-events.ts';
import type { SettingEvents, SettingField } from '../views/setting-fields.ts';
import { type DemoShown, demoBody } from './demo-bodies.ts';
import {
  computeDemo,
  insideDemo,
  type LoopAgainstBatch,
  loopAgainstBatch,
  pathsOf,
} from './demo-work.ts';
import { SitePreferences } from './site-preferences.ts';
import '../views/inspector/inspector.ts';
import '../views/preferences.ts';
import '../views/setting-fields.ts';
import '../views/site-nav.ts';

const IDS = Object.keys(DEMOS) as DemoId[];

@customElement('hl-demos')
export class Demos extends LitElement {
  private readonly preferences = new SitePreferences(this);
  private engine: Promise<Engine> | null = null;
  private state: DemoState = readDemoLink('').state;
  private faults: readonly DemoFault[] = [];
  /** The settings as typed, wrong ones too. */
  private draft: Draft = draftOf(this.state.settings);
  private shown: DemoShown | null = null;
  private inside: Inside | null = null;
  private step: InspectorEvents['hl-inside-step']['step'] = 'words';
  private failure = '';
  private timing: LoopAgainstBatch | 'running' | null = null;
  private turn = 0;
  /** Resolves when what the link says is on screen. */
  readonly ready = signal<Promise<void>>(Promise.resolve());

  protected override createRenderRoot(): HTMLElement {
    this.replaceChildren();
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('hashchange', () => this.follow());
    this.addEventListener('hl-cell', (event) => {
      const { row, column } = (event as CustomEvent<CellChoice>).detail;
      const head = Number((event.composedPath()[0] as HTMLElement).dataset.head ?? 0);
      void this.look(head, row, column);
    });
    this.addEventListener('hl-inside-pair', (event) => {
      const { query, key } = (event as CustomEvent<InspectorEvents['hl-inside-pair']>).detail;
      const now = this.inside;
      if (now) void this.look(now.head, query ?? now.query, key ?? now.key);
    });
    this.addEventListener('hl-inside-head', (event) => {
      const { head } = (event as CustomEvent<InspectorEvents['hl-inside-head']>).detail;
      if (this.inside) void this.look(head, this.inside.query, this.inside.key);
    });
    this.addEventListener('hl-inside-step', (event) => {
      this.step = (event as CustomEvent<InspectorEvents['hl-inside-step']>).detail.step;
      this.requestUpdate();
    });
    this.addEventListener('hl-setting', (event) => {
      const { id, value } = (event as CustomEvent<SettingEvents['hl-setting']>).detail;
      this.draft = { ...this.draft, [id]: value };
      const { settings } = readDraft(this.draft, this.counted);
      if (settings) this.go({ ...this.state, settings, token: 0 });
      this.requestUpdate();
    });
    this.follow();
  }

  /** Takes the state out of the link. */
  private follow(): void {
    const { state, faults } = readDemoLink(location.hash);
    const typed = readDraft(this.draft, state.demo === 'batched').settings;
    // What is being typed stays as it is; another link brings its own.
    if (state.demo !== this.state.demo || !typed || !sameSettings(typed, state.settings))
      this.draft = draftOf(state.settings);
    this.state = state;
    this.faults = faults;
    this.ready.value = this.compute();
  }

  private go(state: DemoState): void {
    location.hash = writeDemoLink(state);
  }

  private async compute(): Promise<void> {
    this.turn += 1;
    const { turn, state } = this;
    this.requestUpdate();
    try {
      this.engine ??= createEngine();
      const engine = await this.engine;
      const result = await computeDemo(engine, state);
      const token = Math.min(state.token, state.settings.tokens.length - 1);
      const paths = state.demo === 'fusion' ? await pathsOf(engine, result, token) : null;
      const at = this.inside;
      const tokens = state.settings.tokens.length;
      const inside =
        state.demo === 'batched'
          ? null
          : await insideDemo(
              engine,
              result,
              Math.min(at?.head ?? 0, state.settings.heads - 1),
              state.demo === 'fusion' ? token : Math.min(at?.query ?? 0, tokens - 1),
              Math.min(at?.key ?? 0, tokens - 1),
            );
      if (turn !== this.turn) return;
      this.shown = { ...result, paths, token };
      this.inside = inside;
      this.timing = null;
      this.failure = '';
      this.requestUpdate();
      await this.updateComplete;
    } catch (error) {
      if (turn !== this.turn) return;
      this.failure = String((error as Error)?.message ?? error);
      this.engine = null;
      this.requestUpdate();
    }
  }

  /** Opens a pair of tokens of a head below. */
  private async look(head: number, query: number, key: number): Promise<void> {
    const { shown, turn } = this;
    if (!shown || !this.engine) return;
    const inside = await insideDemo(await this.engine, shown, head, query, key);
    if (turn !== this.turn) return;
    this.inside = inside;
    this.requestUpdate();
    if (shown.state.demo === 'fusion' && query !== shown.token)
      this.go({ ...this.state, token: query });
  }

  private async time(): Promise<void> {
    const { shown, turn } = this;
    if (!shown || !this.engine) return;
    this.timing = 'running';
    this.requestUpdate();
    const timing = await loopAgainstBatch(await this.engine, shown);
    if (turn !== this.turn) return;
    this.timing = timing;
    this.requestUpdate();
  }

  protected override willUpdate(): void {
    document.title = t('demos.title');
  }

  protected override render() {
    const { state, shown, inside } = this;
    const theme = this.preferences.theme;
    return html`
      <header class="top">
        <p class="brand"><svg viewBox="0 0 32 32" aria-hidden="true"><path class="beam" d="M13 16 30 6v20z"/><path d="M13 9v14h-2a7 7 0 0 1 0-14z"/></svg>Headlights</p>
        <h1>${t('demos.claim')}</h1>
        <hl-preferences .theme=${this.preferences.chosenTheme}></hl-preferences>
        <hl-site-nav current="demos"></hl-site-nav>
      </header>
      <main>
        <div class="choices" role="tablist" aria-label=${t('demos.which')} @keydown=${this.onTabKey}>
          ${IDS.map(
            (id) => html`<button
              role="tab"
              id=${`tab-${id}`}
              aria-selected=${id === state.demo}
              aria-controls="demo"
              tabindex=${id === state.demo ? 0 : -1}
              @click=${() => this.open(id)}
            >
              ${t(`demos.${id}.tab`)}
            </button>`,
          )}
        </div>
        <section id="demo" role="tabpanel" aria-labelledby=${`tab-${state.demo}`}>
          <p class="lead">${t(`demos.${state.demo}.lead`)}</p>
          <hl-setting-fields .fields=${this.fields()}></hl-setting-fields>
          <p class="note" role="status">${this.note()}</p>
          ${this.failure ? html`<p class="fault" role="alert">${this.failure}</p>` : nothing}
          ${
            shown && shown.state.demo === state.demo
              ? demoBody(shown, {
                  inside,
                  theme,
                  timing: this.timing,
                  time: () => void this.time(),
                })
              : html`<p class="note">${t('demos.computing')}</p>`
          }
        </section>
        ${
          inside && shown?.state.demo === state.demo
            ? html`<section class="inside" aria-label=${t('inside.region')}>
                <hl-inspector
                  .inside=${inside}
                  .step=${this.step}
                  .head=${t('demos.head', { head: inside.head })}
                  .theme=${theme}
                ></hl-inspector>
              </section>`
            : nothing
        }
      </main>
      <footer>
        <p class="note">${t('demos.private')}</p>
      </footer>
    `;
  }

  /** The words are numbers 1..n. */
  private get counted(): boolean {
    return this.state.demo === 'batched';
  }

  private fields(): SettingField[] {
    const { faults } = readDraft(this.draft, this.counted);
    const ids: DraftField[] = ['seed', 'scale', 'd', 'h', this.counted ? 'n' : 'tokens'];
    const ranges = { seed: LIMITS.seed, scale: LIMITS.scale, d: LIMITS.width, h: LIMITS.width };
    return ids.map((id) => {
      const fault = faults[id];
      const [least, most] = id === 'tokens' || id === 'n' ? LIMITS.tokens : ranges[id];
      const error = fault ? t(`demos.error.${fault}`, { least, most, d: this.draft.d }) : null;
      return {
        id,
        label: t(`demos.field.${id}`),
        value: this.draft[id],
        error,
        wide: id === 'tokens',
        numeric: id !== 'tokens',
      };
    });
  }

  /** Where the words come from, and what of the link could not be read. */
  private note(): string {
    const { state, faults } = this;
    const demo = DEMOS[state.demo];
    const words = hasOwnWords(demo, state.settings)
      ? t('demos.words.own')
      : t('demos.words.drawn', { n: state.settings.tokens.length, d: state.settings.width });
    const bad = faults.map((fault) => t('demos.fault', { field: fault })).join(' ');
    return `${bad} ${words}`.trim();
  }

  private open(demo: DemoId): void {
    this.go({ demo, settings: DEMOS[demo].settings, token: 0 });
  }

  private onTabKey(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const at = IDS.indexOf(this.state.demo);
    const next = IDS[(at + step + IDS.length) % IDS.length]!;
    this.open(next);
    this.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
  }
}

function sameSettings(a: DemoSettings, b: DemoSettings): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

document.getElementById('page')?.replaceWith(new Demos());

declare global {
  interface HTMLElementTagNameMap {
    'hl-demos': Demos;
  }
}
