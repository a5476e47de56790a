/**
 * The explorer: puts store, session and views together. Data goes down as properties, events come up
 * and change the store. The wall is drawn synchronously whenever the picture changes; everything else
 * follows in the same task. No drawing and no arithmetic here.
 */

import { computed, effect, type ReadonlySignal, signal } from '@preact/signals-core';
import { html, LitElement, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { Direction, HeadChoice, Picture } from '../draw/picture.ts';
import { rolesOf } from '../draw/roles.ts';
import { makePicture } from '../draw/transform.ts';
import { LANGUAGE_TAGS, language, preferredLanguage, setLanguage, t } from '../i18n/index.ts';
import { EXAMPLES } from '../state/examples.ts';
import { isModelId, MODELS } from '../state/models.ts';
import { dropNote } from '../state/notes.ts';
import type { HeadIndex } from '../state/page-state.ts';
import { keepPreferences } from '../state/remember.ts';
import type { Session } from '../state/session.ts';
import { apply, isCurrent, type Store } from '../state/store.ts';
import type { ProgressShown } from '../views/load-progress.ts';
import type { ModelOffer } from '../views/model-picker.ts';
import type { NoteShown } from '../views/notes.ts';
import type { PageEvents } from '../views/page-events.ts';
import type { StageEvents } from '../views/stage-events.ts';
import {
  aboutModel,
  aimOf,
  choicesOf,
  describeEngine,
  describeHint,
  describeNotes,
  describeProgress,
  exactness,
  marksOf,
  modelOffers,
  shownIndex,
} from './describe.ts';
import '../views/examples.ts';
import '../views/head-wall.ts';
import '../views/load-progress.ts';
import '../views/model-picker.ts';
import '../views/notes.ts';
import '../views/preferences.ts';
import '../views/privacy.ts';
import '../views/sentence.ts';
import '../views/stage.ts';
import '../views/switches.ts';

type Events = PageEvents & StageEvents;
type Handlers = { [Name in keyof Events]: (detail: Events[Name]) => void };

@customElement('hl-explorer')
export class Explorer extends LitElement {
  store!: Store;
  session!: Session;

  private stops: (() => void)[] = [];
  private readonly system = signal<'light' | 'dark'>('light');
  private picture!: ReadonlySignal<Picture | null>;
  private theme!: ReadonlySignal<'light' | 'dark'>;
  private choices!: ReadonlySignal<readonly HeadChoice[]>;
  private offers!: ReadonlySignal<readonly ModelOffer[]>;
  private progress!: ReadonlySignal<ProgressShown>;
  private notes!: ReadonlySignal<readonly NoteShown[]>;

  /** The shell's own styles are the page's style sheet, so it lives in the page. */
  protected override createRenderRoot(): HTMLElement {
    this.replaceChildren();
    return this;
  }

  /** Gives the element what it shows; call before it is put into the page. */
  connect(store: Store, session: Session): void {
    this.store = store;
    this.session = session;
    this.picture = computed(() => {
      const shown = store.shown.value;
      if (!shown) return null;
      return makePicture(
        {
          tokens: shown.tokens,
          typedText: shown.text,
          ...(shown.pair === null ? {} : { typedPair: shown.pair }),
          layers: shown.layers,
          heads: shown.heads,
          layersReady: shown.layersReady,
          attentions: shown.attentions,
        },
        { showSpecials: store.specials.value, mergeWords: store.words.value },
      );
    });
    this.theme = computed(() => store.theme.value ?? this.system.value);
    // Made anew only when something in them changes, so that a keystroke does not draw them again.
    this.choices = computed(() => choicesOf(store));
    this.offers = computed(() => modelOffers());
    this.progress = computed(() => describeProgress(store, session));
    this.notes = computed(() => describeNotes(store, session));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const follow = () => {
      this.system.value = dark.matches ? 'dark' : 'light';
    };
    follow();
    dark.addEventListener('change', follow);
    this.stops.push(
      () => dark.removeEventListener('change', follow),
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
        const picture = this.picture.value;
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
    });
    addEventListener('online', () => this.session.reconnect());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const stop of this.stops.splice(0)) stop();
  }

  /** Resolves when everything that the store says is on screen. */
  async painted(): Promise<void> {
    await this.updateComplete;
    const parts = this.renderRoot.querySelectorAll<LitElement>('hl-stage, hl-sentence');
    await Promise.all([...parts].map((part) => part.updateComplete));
  }

  /** Reads every signal that `render` reads, so that a change of one draws the page again. */
  private follow(): void {
    for (const value of Object.values(this.store)) value.value;
    this.picture.value;
    this.theme.value;
    this.choices.value;
    this.offers.value;
    this.progress.value;
    this.notes.value;
    language.value;
  }

  protected override render() {
    const { store, session } = this;
    const picture = this.picture.value;
    const theme = this.theme.value;
    const scale = store.scale.value;
    const model = MODELS[store.model.value];
    const choices = this.choices.value;
    const choice = choices.at(-1)!;
    const direction: Direction = store.from.value ? 'from' : 'to';
    const aim = shownIndex(picture, store.aim.value);
    const pinned = shownIndex(picture, store.query.value);
    const { lamp, weights } = aimOf(picture, choice, [aim, pinned], direction);
    // A picture older than the text for longer than a blink is drawn pale, and a note says so.
    const old = store.late.value && !isCurrent(store);
    const of = picture && store.shown.value?.model === model.id ? picture : null;
    const roles = rolesOf(model.id);
    const sentence = (field: 'text' | 'pair', segment: 0 | 1) => html`<hl-sentence
      .field=${field}
      .value=${store[field].value ?? ''}
      .marks=${marksOf(store, of, segment)}
      .lamp=${old ? null : lamp}
      .weights=${old ? null : weights}
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
      </header>
      <main>
        <section class="sentence" aria-label=${t('page.region.sentence')}>
          <div class="model">
            <hl-model-picker .models=${this.offers.value} .chosen=${model.id}></hl-model-picker>
            <hl-load-progress .progress=${this.progress.value}></hl-load-progress>
          </div>
          ${sentence('text', 0)}
          ${store.pair.value === null ? nothing : sentence('pair', 1)}
          <div class="under">
            <p class="hint">
              ${describeHint(store, of, pinned)}
              ${
                pinned === null
                  ? nothing
                  : html`<button class="link" @click=${() => {
                      store.query.value = null;
                    }}>${t('sentence.release')}</button>`
              }
            </p>
            <button class="link pair" @click=${() => {
              session.setPair(store.pair.value === null ? '' : null);
            }}>
              ${t(store.pair.value === null ? 'sentence.addPair' : 'sentence.removePair')}
            </button>
          </div>
          <hl-examples .examples=${EXAMPLES} .text=${store.text.value}></hl-examples>
          <hl-notes .notes=${this.notes.value}></hl-notes>
        </section>
        <section class="wall" id="heads" tabindex="-1" aria-labelledby="wall-title">
          <hl-head-wall
            class=${old ? 'older' : ''}
            .picture=${of}
            .layers=${model.layers}
            .heads=${model.heads}
            .choices=${choices}
            .roles=${roles}
            .sort=${store.sort.value}
            .theme=${theme}
            .scale=${scale}
          >
            <h2 slot="title" id="wall-title">
              ${t('page.wall.title', { count: model.layers * model.heads })}
            </h2>
            <p slot="title" class="what">${t('page.wall.what')}</p>
          </hl-head-wall>
        </section>
        <section class="stage" aria-labelledby="stage-title">
          <h2 id="stage-title" class="hidden">${t('page.stage.title')}</h2>
          <hl-stage
            class=${old ? 'older' : ''}
            .picture=${of}
            .choices=${choices}
            .query=${aim}
            .pinned=${pinned}
            .direction=${direction}
            .view=${store.view.value}
            .roles=${roles}
            .modelId=${model.id}
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
        </section>
      </main>
      <footer>
        <hl-privacy
          .complete=${store.load.value.progress?.complete ?? false}
          .wholeFirst=${store.wholeFirst.value}
          .about=${`${aboutModel(model.id)} ${exactness(session, 'full')}`}
          .engine=${describeEngine(session)}
        ></hl-privacy>
      </footer>
    `;
  }

  private readonly handlers: Handlers = {
    'hl-text': ({ field, text, timeStamp }) => this.session.input(field, text, timeStamp),
    'hl-compose': ({ composing }) => {
      this.store.composing.value = composing;
    },
    'hl-example': ({ index }) => {
      const { text, model, layer, head, query } = EXAMPLES[index]!;
      this.session.open(
        { text, pair: null, model, layer, head, also: [], query, from: true, words: false },
        false,
      );
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
    'hl-head-select': ({ layer, head, additive }) => this.select(layer, head, additive),
    'hl-query': ({ index, pinned }) => {
      const token = index === null ? null : (this.picture.value?.tokens[index]?.sources[0] ?? null);
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

  private keepPreferences(): void {
    keepPreferences({
      lang: this.store.lang.value,
      theme: this.store.theme.value,
      wholeFirst: this.store.wholeFirst.value,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'hl-explorer': Explorer;
  }
}
