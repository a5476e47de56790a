/**
 * The lab: a reader's own queries, keys and values, or ready-made weights, as heads that can be taken apart. Numbers
 * stay in the page; the link holds settings. What was shown stays until something new can be computed.
 */

import { signal } from '@preact/signals-core';
import { createEngine, type Engine } from 'headlights';
import { html, LitElement, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { ArrayError, CheckResult, Problem, Role, Suggestion } from '../arrays/index.ts';
import { type Inside, printed } from '../draw/inside.ts';
import { t } from '../i18n/index.ts';
import '../i18n/lab.ts';
import type { CellChoice } from '../views/heat-table.ts';
import type { InspectorEvents } from '../views/inspector/inspector-events.ts';
import type { LabArrayRow, LabArraysEvents, LabRemark } from '../views/lab-arrays.ts';
import type { LabInputEvents } from '../views/lab-input.ts';
import type { SettingEvents } from '../views/setting-fields.ts';
import { arraysModule, LabArrays, readAll } from './lab-arrays.ts';
import { EXAMPLE_IDS, EXAMPLES, type ExampleId } from './lab-examples.ts';
import { type FieldErrors, fieldsOf, headsAsked, labelsFor, settingsOf } from './lab-fields.ts';
import { type LabState, readLabLink, START, writeLabLink } from './lab-link.ts';
import { headsShown, labResults, windowOf } from './lab-results.ts';
import { sectionsOf } from './lab-text.ts';
import {
  errorText,
  placeText,
  problemText,
  roleText,
  shapeText,
  stepText,
  suggestionText,
} from './lab-texts.ts';
import {
  computeLab,
  insideLab,
  type LabResult,
  loadHeads,
  MOST_WEIGHTS,
  TooMany,
} from './lab-work.ts';
import { SitePreferences } from './site-preferences.ts';
import '../views/inspector/inspector.ts';
import '../views/lab-arrays.ts';
import '../views/lab-input.ts';
import '../views/preferences.ts';
import '../views/setting-fields.ts';
import '../views/site-nav.ts';

/** Typing comes to rest. */
const REST = 250;
/** Keys whose row the inspector writes out. */
const MOST_KEYS = 512;
const ROLES: readonly Role[] = [
  ...(['queries', 'keys', 'values', 'x', 'memory'] as const),
  ...(['wQ', 'wK', 'wV', 'wO', 'weights'] as const),
];

type Detail<Events, Name extends keyof Events> = CustomEvent<Events[Name]>;

@customElement('hl-lab')
export class Lab extends LitElement {
  private readonly preferences = new SitePreferences(this);
  private engine: Promise<Engine> | null = null;
  private state: LabState = START;
  private linkFaults: readonly string[] = [];
  private readonly arrays = new LabArrays();
  private text = '';
  private textErrors: readonly ArrayError[] = [];
  private fileErrors: readonly ArrayError[] = [];
  private checked: CheckResult | null = null;
  private errors: FieldErrors = {};
  private suggestions: Suggestion[] = [];
  private rows = '';
  private columns = '';
  /** The reader wants NaN computed. */
  private anyway = false;
  private isNormalised = false;
  private reading = 0;
  private shown: LabResult | null = null;
  private window = { row: 0, column: 0 };
  private inside: Inside | null = null;
  private failure = '';
  private turn = 0;
  private isComputing = false;
  /** Of the other ways to read the same shapes. */
  private alternativeSizes: readonly { heads: number; queries: number; keys: number }[] = [];
  private resting: ReturnType<typeof setTimeout> | undefined;
  /** Resolves when what was given is on screen. */
  readonly ready = signal<Promise<void>>(Promise.resolve());

  protected override createRenderRoot(): HTMLElement {
    this.replaceChildren();
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('hashchange', () => this.follow());
    const on = <E extends Event>(name: string, handle: (event: E) => void) =>
      this.addEventListener(name, (event) => handle(event as E));
    on<Detail<LabInputEvents, 'hl-lab-text'>>('hl-lab-text', ({ detail }) =>
      this.type(detail.text),
    );
    on<Detail<LabInputEvents, 'hl-lab-files'>>('hl-lab-files', ({ detail }) => {
      this.ready.value = this.takeFiles(detail.files);
    });
    // A file that misses the field is meant for it too; the browser would leave the page for it.
    window.addEventListener('dragover', (event) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
    });
    window.addEventListener('drop', (event) => {
      const files = [...(event.dataTransfer?.files ?? [])];
      if (event.defaultPrevented || files.length === 0) return;
      event.preventDefault();
      this.ready.value = this.takeFiles(files);
    });
    on<Detail<LabInputEvents, 'hl-lab-example'>>('hl-lab-example', ({ detail }) => {
      this.showExample(detail.id as ExampleId);
    });
    on('hl-lab-clear', () => this.clear());
    on<Detail<LabArraysEvents, 'hl-lab-role'>>('hl-lab-role', ({ detail }) =>
      this.change((module) =>
        this.arrays.setRole(detail.name, detail.role as Role | 'none', module),
      ),
    );
    on<Detail<LabArraysEvents, 'hl-lab-remove'>>('hl-lab-remove', ({ detail }) =>
      this.change((module) => this.arrays.remove(detail.name, module)),
    );
    on<Detail<LabArraysEvents, 'hl-lab-suggestion'>>('hl-lab-suggestion', ({ detail }) =>
      this.change((module) => {
        const heads = this.arrays.take(this.suggestions[Number(detail.id)]!, module);
        if (heads !== undefined) this.put({ heads: String(heads), kv: '' });
      }),
    );
    on<Detail<SettingEvents, 'hl-setting'>>('hl-setting', ({ detail }) =>
      this.set({ [detail.id]: detail.value }),
    );
    on<CustomEvent<CellChoice>>('hl-cell', (event) => {
      const head = Number((event.composedPath()[0] as HTMLElement).dataset.head ?? 0);
      const { row, column } = event.detail;
      this.look(head, row + this.window.row, column + this.window.column);
    });
    on<Detail<InspectorEvents, 'hl-inside-pair'>>('hl-inside-pair', ({ detail }) =>
      this.look(this.state.head, detail.query ?? this.state.row, detail.key ?? this.state.column),
    );
    on<Detail<InspectorEvents, 'hl-inside-head'>>('hl-inside-head', ({ detail }) =>
      this.look(detail.head, this.state.row, this.state.column),
    );
    on<Detail<InspectorEvents, 'hl-inside-step'>>('hl-inside-step', ({ detail }) => {
      this.put(detail);
    });
    this.follow();
  }

  /** Takes settings, and an example if one is named, out of the link. */
  private follow(): void {
    const { state, faults } = readLabLink(location.hash);
    this.linkFaults = faults;
    const isOther = state.example !== this.state.example;
    this.state = state;
    if (isOther && state.example) this.readText(EXAMPLES[state.example].text);
    else this.change(() => {});
  }

  /** Changes what the link says, without an entry in the history for each letter. */
  private put(change: Partial<LabState>): void {
    this.state = { ...this.state, ...change };
    history.replaceState(null, '', `#${writeLabLink(this.state)}`);
    this.requestUpdate();
  }

  private set(change: Partial<LabState>): void {
    this.put(change);
    this.ready.value = this.compute();
  }

  private showExample(id: ExampleId): void {
    const { heads, cell } = EXAMPLES[id];
    this.clear();
    this.put({ ...START, example: id, heads, head: cell[0], row: cell[1], column: cell[2] });
    this.readText(EXAMPLES[id].text);
  }

  private clear(): void {
    this.turn++;
    this.arrays.clear();
    Object.assign(this, { text: '', textErrors: [], fileErrors: [], checked: null, shown: null });
    Object.assign(this, { inside: null, failure: '', rows: '', columns: '', errors: {} });
    this.put(START);
  }

  private type(text: string): void {
    this.text = text;
    clearTimeout(this.resting);
    this.ready.value = new Promise<void>((done) => {
      this.resting = setTimeout(done, REST);
    }).then(() => this.takeText(text));
  }

  private readText(text: string): void {
    this.text = text;
    clearTimeout(this.resting);
    this.ready.value = this.takeText(text);
  }

  /** What the field holds replaces what it held before. */
  private async takeText(text: string): Promise<void> {
    const { example } = this.state;
    const { arrays, errors } = await this.busy(() => readAll(sectionsOf(text, t('lab.text'))));
    if (text !== this.text) return;
    this.textErrors = errors;
    this.requestUpdate();
    if (errors.length > 0) return;
    const isOther = this.arrays.setTyped(arrays, await arraysModule());
    if (example && text !== EXAMPLES[example].text)
      this.put({ example: null, ...(isOther && { heads: '' }) });
    this.anyway = false;
    this.isNormalised = false;
    await this.compute();
  }

  private async takeFiles(files: readonly File[]): Promise<void> {
    const { arrays, errors } = await this.busy(() => readAll(files));
    this.fileErrors = errors;
    this.requestUpdate();
    if (arrays.length === 0) return;
    const module = await arraysModule();
    if (this.state.example) {
      this.text = '';
      this.arrays.clear();
      this.put({ ...START });
    }
    this.arrays.addFiles(arrays, module);
    this.anyway = false;
    this.isNormalised = false;
    await this.compute();
  }

  private async busy<T>(work: () => Promise<T>): Promise<T> {
    this.reading++;
    this.requestUpdate();
    try {
      return await work();
    } finally {
      this.reading--;
      this.requestUpdate();
    }
  }

  /** Something about the arrays is decided anew. */
  private change(decide: (module: Awaited<ReturnType<typeof arraysModule>>) => void): void {
    this.ready.value = (async () => {
      if (this.arrays.all.length > 0) {
        decide(await arraysModule());
        this.anyway = false;
      }
      await this.compute();
    })();
  }

  private readonly running = (): Promise<Engine> => {
    this.engine ??= createEngine();
    return this.engine;
  };

  private async compute(): Promise<void> {
    const turn = ++this.turn;
    this.failure = '';
    this.requestUpdate();
    if (this.arrays.all.length === 0) {
      Object.assign(this, { checked: null, shown: null, inside: null });
      return;
    }
    const module = await arraysModule();
    if (turn !== this.turn) return;
    const heads = headsAsked(this.state, this.arrays.roles);
    const checked = this.arrays.check(heads, module);
    this.alternativeSizes = checked.ok
      ? checked.alternatives.map(({ options }) => this.arrays.sizesWith(options, module))
      : [];
    this.checked = checked;
    this.requestUpdate();
    if (!checked.ok) {
      this.errors = {};
      return;
    }
    const { keyLength } = checked.input;
    const kvHeads = checked.kind === 'weights' ? checked.input.heads : checked.input.kvHeads;
    const { settings, errors } = settingsOf(this.state, keyLength, kvHeads);
    this.errors = checked.kind === 'weights' ? {} : errors;
    if (Object.keys(this.errors).length > 0 || this.asking) return;
    this.isComputing = true;
    try {
      const result = await computeLab(this.running, checked, settings, this.isNormalised);
      if (turn !== this.turn) return;
      await this.show(result, turn);
    } catch (error) {
      if (turn !== this.turn) return;
      if (!(error instanceof TooMany)) this.engine = null;
      this.failure =
        error instanceof TooMany
          ? t('lab.fault.tooMany', { found: error.found, most: MOST_WEIGHTS })
          : t('lab.fault.compute', { reason: String((error as Error)?.message ?? error) });
      this.requestUpdate();
    } finally {
      if (turn === this.turn) this.isComputing = false;
    }
  }

  /** Brings a result on screen with the cell that the link names, or the nearest. */
  private async show(result: LabResult, turn: number): Promise<void> {
    const { state } = this;
    const head = Math.min(state.head, result.heads - 1);
    const row = Math.min(state.row, result.queryLength - 1);
    const column = Math.min(state.column, result.keyLength - 1);
    await loadHeads(this.running, result, headsShown(result, head));
    const labels = this.labelsOf(result);
    const inside =
      result.keyLength > MOST_KEYS
        ? null
        : await insideLab(this.running, result, [head, row, column], labels);
    if (turn !== this.turn) return;
    if (head !== state.head || row !== state.row || column !== state.column)
      this.put({ head, row, column });
    this.shown = result;
    this.inside = inside;
    this.window = {
      row: windowOf(this.window.row, row, result.queryLength),
      column: windowOf(this.window.column, column, result.keyLength),
    };
    this.requestUpdate();
    await this.updateComplete;
  }

  private look(head: number, row: number, column: number): void {
    const { shown } = this;
    if (!shown) return;
    this.put({ head, row, column });
    this.ready.value = this.show(shown, this.turn);
  }

  /** The window moves, and the chosen cell with it. */
  private move(row: number, column: number): void {
    const { shown, state } = this;
    if (!shown) return;
    const first = {
      row: windowOf(row, Math.max(0, row), shown.queryLength),
      column: windowOf(column, Math.max(0, column), shown.keyLength),
    };
    const inWindow = (at: number, from: number, was: number) => from + Math.max(0, at - was);
    const next = {
      row: inWindow(state.row, first.row, this.window.row),
      column: inWindow(state.column, first.column, this.window.column),
    };
    this.window = first;
    this.look(state.head, next.row, next.column);
  }

  /** NaN or infinities that nobody has agreed to compute with. */
  private get asking(): readonly Problem[] | null {
    const { checked } = this;
    if (!checked?.ok || checked.kind === 'weights' || this.anyway) return null;
    const found = checked.notes.filter(({ code }) => code === 'non-finite');
    return found.length > 0 ? found : null;
  }

  private labelsOf({ checked, queryLength, keyLength }: LabResult) {
    return {
      queries: labelsFor(this.rows, checked.labels.queries, queryLength).labels,
      keys: labelsFor(this.columns, checked.labels.keys, keyLength).labels,
    };
  }

  protected override willUpdate(): void {
    document.title = t('lab.title');
  }

  protected override render() {
    const { shown, checked } = this;
    const examples = EXAMPLE_IDS.map((id) => ({ id, label: t(`lab.example.${id}`) }));
    const faults = [...this.textErrors, ...this.fileErrors].map(errorText);
    const isFilled = this.text !== '' || this.arrays.all.length > 0 || faults.length > 0;
    return html`
      <header class="top">
        <p class="brand"><svg viewBox="0 0 32 32" aria-hidden="true"><path class="beam" d="M13 16 30 6v20z"/><path d="M13 9v14h-2a7 7 0 0 1 0-14z"/></svg>Headlights</p>
        <h1>${t('lab.claim')}</h1>
        <hl-preferences .theme=${this.preferences.chosenTheme}></hl-preferences>
        <hl-site-nav current="lab"></hl-site-nav>
      </header>
      <main>
        <div class="given">
        <section aria-label=${t('lab.input.label')}>
          <hl-lab-input
            .text=${this.text}
            .faults=${faults}
            .examples=${examples}
            .example=${this.state.example}
            .reading=${this.reading > 0}
            .filled=${isFilled}
          ></hl-lab-input>
          <p class="note">${t('lab.private')}</p>
          ${this.linkFaults.map((field) => html`<p class="note strong">${t('lab.fault.link', { field })}</p>`)}
        </section>
        <div class="read">
          ${
            checked
              ? [this.renderArrays(checked), this.renderSettings(checked)]
              : html`<p class="lead empty">${t('lab.empty')}</p>`
          }
        </div>
        </div>
        ${this.renderAsking()}
        ${this.failure ? html`<p class="fault" role="alert">${this.failure}</p>` : nothing}
        ${shown ? this.renderResults(shown) : nothing}
      </main>
    `;
  }

  private renderArrays(checked: CheckResult) {
    this.suggestions = [];
    const problems = checked.ok ? checked.notes : checked.problems;
    const asked = new Set(this.asking ?? []);
    const remarks = problems
      .filter((problem) => !asked.has(problem))
      .map((problem) => ({ array: problem.array, remark: this.remarkOf(problem, !checked.ok) }));
    const rows: LabArrayRow[] = this.arrays.all.map((array) => ({
      name: array.name,
      shape: shapeText(array.shape),
      type: array.dtype === 'text' ? t('lab.text') : array.dtype,
      role: this.arrays.roleOf(array),
      remarks: remarks.filter((one) => one.array === array.name).map(({ remark }) => remark),
    }));
    const others = remarks.filter(({ array }) => array === undefined).map(({ remark }) => remark);
    const roles = ['none' as const, ...ROLES].map((id) => ({ id, label: t(`lab.role.${id}`) }));
    return html`<section class="part" aria-labelledby="arrays-title">
      <h2 id="arrays-title">${t('lab.arrays')}</h2>
      <hl-lab-arrays
        .rows=${rows}
        .roles=${roles}
        .remarks=${[...others, ...this.alternatives(checked)]}
      ></hl-lab-arrays>
      ${
        checked.ok && checked.steps.length > 0
          ? html`<h3>${t('lab.steps')}</h3>
              <ol class="steps">${checked.steps.map((step) => html`<li>${stepText(step)}</li>`)}</ol>`
          : nothing
      }
    </section>`;
  }

  private remarkOf(problem: Problem, wrong: boolean): LabRemark {
    const nameOf = (role: Role) => this.arrays.roles[role]?.name ?? roleText(role);
    const options = { ...this.arrays.options, heads: headsAsked(this.state, this.arrays.roles) };
    return {
      text: problemText(problem),
      wrong,
      suggestions: problem.suggestions.map((suggestion) => ({
        id: String(this.suggestions.push(suggestion) - 1),
        text: suggestionText(suggestion, problem, options, nameOf),
      })),
    };
  }

  /** Other ways to read the same shapes. */
  private alternatives(checked: CheckResult): LabRemark[] {
    if (!checked.ok || checked.alternatives.length === 0) return [];
    const suggestions = checked.alternatives.map((alternative, index) => {
      const id = String(this.suggestions.push(alternative) - 1);
      const { weightOrder } = alternative.options;
      if (weightOrder) return { id, text: t(`lab.alternative.${weightOrder}`) };
      return { id, text: t('lab.alternative', this.alternativeSizes[index]!) };
    });
    return [{ text: t('lab.alternatives'), wrong: false, suggestions }];
  }

  private renderSettings(checked: CheckResult) {
    const { state } = this;
    const isReady = checked.ok && checked.kind === 'weights';
    const lengths = checked.ok ? checked.input : null;
    const { queryLength = 0, keyLength = 0 } = lengths ?? {};
    const aligned =
      state.mask !== 'none' && queryLength !== keyLength && !isReady
        ? t('lab.mask.aligned', { queries: queryLength, keys: keyLength })
        : null;
    const label = (side: 'rows' | 'columns', given: string[] | undefined, length = 0) => {
      const { error } = labelsFor(this[side], given, length);
      return html`<label class="names"
        >${t(`lab.field.${side}`)}
        <textarea
          id=${`names-${side}`}
          rows="1"
          spellcheck="false"
          placeholder=${given?.join(' ') ?? ''}
          aria-invalid=${error !== null && length > 0}
          aria-describedby="names-help"
          .value=${this[side]}
          @input=${(event: Event) => {
            this[side] = (event.target as HTMLTextAreaElement).value;
            this.requestUpdate();
            if (this.shown) this.ready.value = this.show(this.shown, this.turn);
          }}
        ></textarea>
        ${error && length > 0 ? html`<span class="wrong" role="alert">${error}</span>` : nothing}
      </label>`;
    };
    return html`<section class="part" aria-labelledby="options-title">
      <h2 id="options-title">${t('lab.options')}</h2>
      ${
        isReady
          ? nothing
          : html`<div class="settings">
              <hl-setting-fields .fields=${fieldsOf(state, this.errors)}></hl-setting-fields>
              <label class="choice"
                >${t('lab.field.mask')}
                <select
                  id="mask"
                  @change=${(event: Event) =>
                    this.set({
                      mask: (event.target as HTMLSelectElement).value as LabState['mask'],
                    })}
                >
                  ${(['none', 'causal', 'window'] as const).map(
                    (mask) =>
                      html`<option value=${mask} .selected=${mask === state.mask}>${t(`lab.mask.${mask}`)}</option>`,
                  )}
                </select></label
              >
            </div>`
      }
      <div class="settings">
        ${aligned ? html`<p class="note aligned" id="aligned">${aligned}</p>` : nothing}
        ${label('rows', checked.ok ? checked.labels.queries : undefined, lengths?.queryLength)}
        ${label('columns', checked.ok ? checked.labels.keys : undefined, lengths?.keyLength)}
      </div>
      <p class="note" id="names-help">${t('lab.field.labelsHelp')}</p>
    </section>`;
  }

  private renderAsking() {
    const { asking } = this;
    if (!asking) return nothing;
    return html`<section class="asking" role="alert">
      ${asking.map(
        ({ array = '', found = 0, position = [] }) =>
          html`<p>${t('lab.nan.ask', { name: array, count: found, place: placeText(position) })}</p>`,
      )}
      <p class="note">${t('lab.nan.why')}</p>
      <button
        class="button first"
        id="anyway"
        @click=${() => {
          this.anyway = true;
          this.ready.value = this.compute();
        }}
      >
        ${t('lab.nan.anyway')}
      </button>
    </section>`;
  }

  private renderResults(shown: LabResult) {
    const { state, inside } = this;
    const theme = this.preferences.theme;
    const isStale =
      !this.isComputing &&
      (this.checked !== shown.checked ||
        this.failure !== '' ||
        this.textErrors.length > 0 ||
        Object.keys(this.errors).length > 0);
    return html`<section class="part" aria-labelledby="results-title">
        <h2 id="results-title">${t('lab.results')}</h2>
        <p class="note number" id="sizes">${sizesText(shown)}</p>
        ${
          isStale
            ? html`<p class="note strong" id="last" role="status">${t('lab.last')}</p>`
            : nothing
        }
        ${labResults({
          result: shown,
          head: Math.min(state.head, shown.heads - 1),
          row: Math.min(state.row, shown.queryLength - 1),
          column: Math.min(state.column, shown.keyLength - 1),
          window: this.window,
          labels: this.labelsOf(shown),
          theme,
          isNormalised: this.isNormalised,
          look: (head, row, column) => this.look(head, row, column),
          move: (row, column) => this.move(row, column),
          normalise: (on) => {
            this.isNormalised = on;
            this.ready.value = this.compute();
          },
        })}
        ${
          shown.attention && shown.keyLength > MOST_KEYS
            ? html`<p class="note">${t('lab.inside.long', { most: MOST_KEYS })}</p>`
            : nothing
        }
      </section>
      ${
        inside
          ? html`<section class="inside" aria-label=${t('inside.region')}>
              <hl-inspector
                .inside=${inside}
                .step=${state.step}
                .head=${t('lab.head.inside', { head: inside.head })}
                .theme=${theme}
              ></hl-inspector>
            </section>`
          : nothing
      }`;
  }
}

function sizesText({ heads, kvHeads, queryLength, keyLength, scale }: LabResult): string {
  const sizes = { heads, queries: queryLength, keys: keyLength };
  if (scale === null) return t('lab.sizes.weights', sizes);
  return t('lab.sizes', { ...sizes, kv: kvHeads, scale: printed(scale) });
}

document.getElementById('page')?.replaceWith(new Lab());

declare global {
  interface HTMLElementTagNameMap {
    'hl-lab': Lab;
  }
}
