/**
 * The explorer: puts store, session and views together. Data goes down as properties, events come up
 * and change the store. The wall is drawn synchronously whenever the picture changes; everything else
 * follows in the same task. No drawing and no arithmetic here.
 */

import { effect, signal } from '@preact/signals-core';
import { html, LitElement, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import { rolesOf } from '../draw/roles.ts';
import { LANGUAGE_TAGS, language, preferredLanguage, setLanguage, t } from '../i18n/index.ts';
import { DEFAULT_CONTROLS } from '../state/controls.ts';
import { EXAMPLES } from '../state/examples.ts';
import { ControlHistory } from '../state/history.ts';
import { isModelId, MODELS } from '../state/models.ts';
import { dropNote } from '../state/notes.ts';
import type { HeadIndex } from '../state/page-state.ts';
import { keepPreferences } from '../state/remember.ts';
import type { Session } from '../state/session.ts';
import { apply, type Store } from '../state/store.ts';
import type { ControlEvents } from '../views/controls.ts';
import type { InspectorEvents } from '../views/inspector/inspector-events.ts';
import type { MaskEvents } from '../views/mask-grid.ts';
import type { PageEvents } from '../views/page-events.ts';
import type { StageEvents } from '../views/stage-events.ts';
import { headLabel } from '../views/texts.ts';
import {
  changeControls,
  controlsShown,
  describeChange,
  drawMask,
  moveControls,
  toggleToken,
} from './controls.ts';
import { type Derived, derive } from './derived.ts';
import { aboutModel, describeEngine, exactness } from './describe.ts';
import { InsideLook } from './inside.ts';
import '../views/controls.ts';
import '../views/examples.ts';
import '../views/head-wall.ts';
import '../views/inspector/inspector.ts';
import '../views/load-progress.ts';
import '../views/model-picker.ts';
import '../views/notes.ts';
import '../views/preferences.ts';
import '../views/privacy.ts';
import '../views/sentence.ts';
import '../views/site-nav.ts';
import '../views/stage.ts';
import '../views/switches.ts';

type Events = PageEvents & StageEvents & InspectorEvents & ControlEvents & MaskEvents;
type Handlers = { [Name in keyof Events]: (detail: Events[Name]) => void };

@customElement('hl-explorer')
export class Explorer extends LitElement {
  store!: Store;
  session!: Session;

  private stops: (() => void)[] = [];
  private readonly system = signal<'light' | 'dark'>('light');
  private readonly printing = signal(false);
  private seen!: Derived;
  private look!: InsideLook;
  private history!: ControlHistory;
  private readonly controlsOpen = signal(false);

  /** The shell's own styles are the page's style sheet, so it lives in the page. */
  protected override createRenderRoot(): HTMLElement {
    this.replaceChildren();
    return this;
  }

  /** Gives the element what it shows; call before it is put into the page. */
  connect(store: Store, session: Session): void {
    this.store = store;
    this.session = session;
    this.seen = derive(store, session, this.system, this.printing);
    this.look = new InsideLook(store, this.seen.picture);
    this.history = new ControlHistory(store);
    this.controlsOpen.value = describeChange(store) !== null;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.stops.push(
      whileMatching('(prefers-color-scheme: dark)', (matches) => {
        this.system.value = matches ? 'dark' : 'light';
      }),
      whileMatching('print', (matches) => {
        this.printing.value = matches;
      }),
      effect(() => {
        setLanguage(this.store.lang.value ?? preferredLanguage(navigator.languages));
        document.documentElement.lang = LANGUAGE_TAGS[language.value];
        document.title = t('page.title');
      }),
      effect(() => {
        const root = document.documentElement;
        if (this.store.theme.value) root.dataset.theme = this.store.theme.value;
        else delete root.dataset.theme;
      }),
      effect(() => {
        const picture = this.seen.picture.value;
        const wall = this.renderRoot?.querySelector('hl-head-wall');
        if (picture && wall) wall.draw(picture);
      }),
      effect(() => {
        this.follow();
        this.requestUpdate();
      }),
    );
    for (const [name, handle] of Object.entries(this.handlers)) {
      this.addEventListener(name, (event) => handle((event as CustomEvent).detail as never));
    }
    this.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.store.query.value = null;
      else this.onControlKey(event);
    });
    this.addEventListener('dblclick', (event) => {
      if (onStage(event)) this.hideAimed();
    });
    addEventListener('online', () => this.session.reconnect());
  }

  /** Delete hides the token under focus or pointer on the stage; Ctrl+Z and Ctrl+Y move through the controls. */
  private onControlKey(event: KeyboardEvent): void {
    const key = event.key.toLowerCase();
    if (key === 'delete' && onStage(event)) {
      this.hideAimed();
      return;
    }
    const typing = (event.composedPath()[0] as HTMLElement).matches('textarea, input, select');
    if (typing || event.altKey || !(event.ctrlKey || event.metaKey)) return;
    const redo = key === 'y' || (key === 'z' && event.shiftKey);
    if (!redo && key !== 'z') return;
    event.preventDefault();
    moveControls(this.store, this.history, { to: redo ? 'redo' : 'undo' });
  }

  private hideAimed(): void {
    const token = this.store.aim.value ?? this.store.query.value;
    if (token !== null) toggleToken(this.store, token);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const stop of this.stops.splice(0)) stop();
  }

  /** Adds an empty second text with the cursor in it, or takes it away. */
  private async togglePair(): Promise<void> {
    const add = this.store.pair.value === null;
    this.session.setPair(add ? '' : null);
    await this.updateComplete;
    const [, second] = this.renderRoot.querySelectorAll<HTMLElement>('hl-sentence');
    if (add) second?.focus();
  }

  /**
   * Resolves when every head of what the store says is on screen. `stamp`: when the keystroke came that this is
   * the picture of; an open inspector, which follows, is measured from there too.
   */
  async painted(stamp: number | null): Promise<void> {
    await this.updateComplete;
    const parts = this.renderRoot.querySelectorAll<LitElement>('hl-stage, hl-sentence');
    await Promise.all([...parts].map((part) => part.updateComplete));
    if (this.store.step.value === null) return;
    const followed = this.paintedInside(stamp);
    // A keystroke's work ends with the heads; whoever opened a link waits for the numbers too.
    if (stamp === null) await followed;
  }

  private async paintedInside(stamp: number | null): Promise<void> {
    const { shown } = this.store;
    const of = shown.value;
    await this.look.settled();
    await this.updateComplete;
    await this.renderRoot.querySelector('hl-inspector')?.updateComplete;
    if (stamp !== null && shown.value === of)
      performance.measure('headlights:inside', { start: stamp, end: performance.now() });
  }

  /** Reads every signal that `render` reads, so that a change of one draws the page again. */
  private follow(): void {
    for (const value of Object.values(this.store)) value.value;
    for (const value of Object.values(this.seen)) value.value;
    this.look.inside.value;
    this.history.version.value;
    this.controlsOpen.value;
    language.value;
  }

  protected override render() {
    const { store, session, seen } = this;
    const picture = seen.picture.value;
    const pinned = seen.pinned.value;
    const theme = seen.theme.value;
    const scale = store.scale.value;
    const choices = seen.choices.value;
    const choice = choices.at(-1)!;
    const model = MODELS[store.model.value];
    const roles = rolesOf(model.id);
    const old = seen.old.value ? 'older' : '';
    const sentence = (field: 'text' | 'pair') => html`<hl-sentence
      .field=${field}
      .value=${store[field].value ?? ''}
      .marks=${(field === 'text' ? seen.marks : seen.pairMarks).value}
      .lamp=${seen.lit.value.lamp}
      .weights=${seen.lit.value.weights}
      .pinned=${pinned}
      .theme=${theme}
      .scale=${scale}
      .label=${t(field === 'text' ? 'sentence.label' : 'sentence.pairLabel')}
    ></hl-sentence>`;
    return html`
      <header class="top">
        <p class="brand"><svg viewBox="0 0 32 32" aria-hidden="true"><path class="beam" d="M13 16 30 6v20z"/><path d="M13 9v14h-2a7 7 0 0 1 0-14z"/></svg>Headlights</p>
        <h1>${t('page.claim')}</h1>
        <hl-preferences .theme=${store.theme.value}></hl-preferences>
        <hl-site-nav current="explorer"></hl-site-nav>
      </header>
      <main>
        <section class="sentence" aria-label=${t('page.region.sentence')}>
          <div class="model">
            <hl-model-picker .models=${seen.offers.value} .chosen=${model.id}></hl-model-picker>
            <hl-load-progress .progress=${seen.progress.value}></hl-load-progress>
          </div>
          ${sentence('text')}
          ${store.pair.value === null ? nothing : sentence('pair')}
          <div class="under">
            <p class="hint">
              ${seen.hint.value}
              ${
                pinned === null
                  ? nothing
                  : html`<button class="link" title=${t('sentence.release.hint')} @click=${() => {
                      store.query.value = null;
                    }}>${t('sentence.release')}</button>`
              }
            </p>
            <button class="link pair" @click=${() => void this.togglePair()}>
              ${t(store.pair.value === null ? 'sentence.addPair' : 'sentence.removePair')}
            </button>
          </div>
          <hl-examples .examples=${EXAMPLES} .text=${store.text.value}></hl-examples>
          <hl-notes .notes=${seen.notes.value}></hl-notes>
          ${this.renderChange()}
        </section>
        <section class=${store.step.value === null ? 'wall' : 'wall still'} id="heads" tabindex="-1" aria-labelledby="wall-title">
          <hl-head-wall
            class=${old}
            .picture=${picture}
            .layers=${model.layers}
            .heads=${model.heads}
            .choices=${choices}
            .roles=${roles}
            .changed=${seen.changed.value}
            .sort=${store.sort.value}
            .theme=${theme}
            .scale=${scale}
            .trouble=${seen.trouble.value}
          >
            <h2 slot="title" id="wall-title">
              ${t('page.wall.title', { count: model.layers * model.heads })}
            </h2>
            <p slot="title" class="what">${t('page.wall.what')}</p>
          </hl-head-wall>
        </section>
        <section class="stage" aria-labelledby="stage-title">
          <h2 id="stage-title" class="hidden">${t('page.stage.title')}</h2>
          <button class="link to-heads" @click=${() => this.showHeads()}>
            ${t('page.stage.back')}
          </button>
          <hl-stage
            class=${old}
            .picture=${picture}
            .choices=${choices}
            .query=${seen.aim.value}
            .pinned=${pinned}
            .direction=${store.from.value ? 'from' : 'to'}
            .view=${store.view.value}
            .roles=${roles}
            .modelId=${model.id}
            .changed=${seen.changed.value}
            .trouble=${seen.trouble.value}
            .theme=${theme}
            .scale=${scale}
          >
          </hl-stage>
          <hl-switches
            .specials=${store.specials.value}
            .words=${store.words.value}
            .layer=${choice.layer}
            .head=${choice.head}
          ></hl-switches>
          <button
            class="open-controls"
            aria-expanded=${this.controlsOpen.value}
            @click=${() => {
              this.controlsOpen.value = !this.controlsOpen.value;
            }}
          >
            ${t(this.controlsOpen.value ? 'controls.shut' : 'controls.open')}
          </button>
          ${
            this.controlsOpen.value
              ? html`<hl-controls
                  role="group"
                  aria-label=${t('controls.region')}
                  .shown=${controlsShown(store, this.history)}
                  .theme=${theme}
                ></hl-controls>`
              : nothing
          }
          <button
            class="open-inside"
            aria-expanded=${store.step.value !== null}
            @click=${() => void this.openInside(store.step.value === null)}
          >
            ${t(store.step.value === null ? 'inside.open' : 'inside.shut')}
          </button>
        </section>
        ${store.step.value === null ? nothing : this.renderInside(old, theme)}
      </main>
      <footer>
        <hl-load-progress class="words" .progress=${seen.words.value}></hl-load-progress>
        <hl-privacy
          .complete=${store.load.value.progress?.complete ?? false}
          .wholeFirst=${store.wholeFirst.value}
          .about=${`${aboutModel(model.id)} ${exactness(session)}`}
          .engine=${describeEngine(session)}
        ></hl-privacy>
      </footer>
    `;
  }

  /** What differs from the model's own mechanism, with a way back. */
  private renderChange() {
    const change = describeChange(this.store);
    return html`<p class="changed" role="status">${
      change === null
        ? nothing
        : html`${change}
            <button
              class="link"
              @click=${() => moveControls(this.store, this.history, { to: 'reset' })}
            >
              ${t('controls.reset')}
            </button>`
    }</p>`;
  }

  private renderInside(old: string, theme: 'light' | 'dark') {
    const { store, look, seen } = this;
    return html`<section class="inside" aria-label=${t('inside.region')}>
      <hl-inspector
        id="inside"
        tabindex="-1"
        class=${old}
        closable
        .inside=${look.inside.value}
        .step=${store.step.value!}
        .head=${headLabel(seen.choices.value.at(-1)!)}
        .reason=${t(look.reason())}
        .theme=${theme}
      ></hl-inspector>
    </section>`;
  }

  /** Opens the head below the stage and goes there, or closes it and goes back. */
  private async openInside(open: boolean): Promise<void> {
    this.store.step.value = open ? 'words' : null;
    await this.updateComplete;
    const to = this.renderRoot.querySelector<HTMLElement>(open ? '#inside' : '.open-inside');
    to?.focus({ preventScroll: open });
    if (open) to?.scrollIntoView({ block: 'start', behavior: movement() });
  }

  private readonly handlers: Handlers = {
    'hl-text': ({ field, text, timeStamp }) => this.session.input(field, text, timeStamp),
    'hl-compose': ({ composing }) => {
      this.store.composing.value = composing;
    },
    'hl-example': ({ index }) => {
      const { text, model, layer, head, query } = EXAMPLES[index]!;
      this.session.openExample({
        ...{ text, pair: null, model, layer, head, also: [], query, key: null },
        ...{ from: true, words: false, quad: 'all', ...DEFAULT_CONTROLS },
      });
    },
    'hl-model': ({ id }) => {
      if (isModelId(id)) this.session.choose(id);
    },
    'hl-load': ({ action }) => {
      if (action === 'allow') this.session.allow();
      else if (action === 'pause') void this.session.pause();
      else if (action === 'resume') void this.session.resume();
      else if (action === 'cancel') this.session.cancelLoading();
      else this.session.retry();
    },
    'hl-whole-first': ({ on }) => {
      this.session.setWholeFirst(on);
      this.keepPreferences();
    },
    'hl-switch': ({ name, on }) => {
      this.store[name].value = on;
    },
    'hl-note-dismiss': ({ id }) => {
      if (id === 'suggest') {
        const other = this.store.model.value === 'bge-zh' ? 'minilm-en' : 'bge-zh';
        this.store.dismissed.value = [...this.store.dismissed.value, other];
      } else dropNote(this.store.notes, id);
    },
    'hl-language': (detail) => {
      this.store.lang.value = detail.language;
      this.keepPreferences();
    },
    'hl-theme': ({ theme }) => {
      this.store.theme.value = theme;
      this.keepPreferences();
    },
    'hl-head-select': ({ layer, head, additive, pointed }) => {
      this.select(layer, head, additive);
      if (pointed && !additive) this.showStage();
    },
    'hl-query': ({ index, pinned }) => {
      const token =
        index === null ? null : (this.seen.picture.value?.tokens[index]?.sources[0] ?? null);
      if (pinned) this.store.query.value = token;
      else this.store.aim.value = token;
    },
    'hl-view': ({ view }) => {
      this.store.view.value = view;
    },
    'hl-direction': ({ direction }) => {
      this.store.from.value = direction === 'from';
    },
    'hl-sort': ({ sort }) => {
      this.store.sort.value = sort;
    },
    'hl-scale': ({ scale }) => {
      this.store.scale.value = scale;
    },
    'hl-control': (change) => changeControls(this.store, change),
    'hl-control-move': (move) => moveControls(this.store, this.history, move),
    'hl-mask-drawn': ({ open }) => drawMask(this.store, open),
    'hl-inside-open': ({ open }) => void this.openInside(open),
    'hl-inside-step': ({ step }) => {
      this.store.step.value = step;
    },
    'hl-inside-pair': ({ query, key }) => {
      // What was only suggested until now is the reader's from here on.
      const { inside } = this.look;
      apply(this.store, {
        query: query ?? this.store.query.value ?? inside.value?.query ?? null,
        key: key ?? this.store.key.value,
      });
    },
    'hl-inside-head': ({ head }) => this.select(this.store.layer.value, head, false),
  };

  /** A head alone, or one more beside those that are selected; adding a selected one takes it away. */
  private select(layer: number | 'mean', head: number | 'mean', additive: boolean): void {
    const { store } = this;
    if (!additive || layer === 'mean' || head === 'mean') {
      apply(store, { layer, head, also: [] });
      return;
    }
    const chosen: HeadIndex[] = [...store.also.value];
    if (store.layer.value !== 'mean' && store.head.value !== 'mean') {
      chosen.push({ layer: store.layer.value, head: store.head.value });
    }
    const at = chosen.findIndex((other) => other.layer === layer && other.head === head);
    if (at >= 0 && chosen.length > 1) chosen.splice(at, 1);
    else if (at < 0) chosen.push({ layer, head });
    const last = chosen.at(-1)!;
    apply(store, { ...last, also: chosen.slice(0, -1).slice(-7) });
  }

  /** In one column the stage lies below the wall: whoever pressed a head wants to see it. Keys leave the page still. */
  private showStage(): void {
    const [wall, stage] = ['#heads', '.stage'].map(
      (selector) => this.renderRoot.querySelector(selector)!,
    );
    const { top } = stage!.getBoundingClientRect();
    const below = top >= wall!.getBoundingClientRect().bottom;
    if (below && top > innerHeight / 2) {
      stage!.scrollIntoView({ block: 'start', behavior: movement() });
    }
  }

  private showHeads(): void {
    const heads = this.renderRoot.querySelector<HTMLElement>('#heads');
    heads?.scrollIntoView({ block: 'start', behavior: movement() });
    heads?.focus({ preventScroll: true });
  }

  private keepPreferences(): void {
    keepPreferences({
      lang: this.store.lang.value,
      theme: this.store.theme.value,
      wholeFirst: this.store.wholeFirst.value,
    });
  }
}

function onStage(event: Event): boolean {
  return event.composedPath().some((part) => (part as Element).localName === 'hl-stage');
}

function movement(): ScrollBehavior {
  return matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth';
}

/** Tells whether a media query matches, now and at every change; returns what ends that. */
function whileMatching(query: string, tell: (matches: boolean) => void): () => void {
  const list = matchMedia(query);
  const listen = () => tell(list.matches);
  listen();
  list.addEventListener('change', listen);
  return () => list.removeEventListener('change', listen);
}

declare global {
  interface HTMLElementTagNameMap {
    'hl-explorer': Explorer;
  }
}
