/**
 * Keeps the picture on screen true to the text: owns the run, and through model-loads.ts engine and models. Every change of text or
 * model cancels the older run and starts the newest; a model streams, and its first heads are drawn
 * while later layers load; a crash starts the engine again. Writes the store, never touches the DOM:
 * whoever watches `store.shown` draws, synchronously, inside the assignment.
 */

import { effect, untracked } from '@preact/signals-core';
import type { Engine, Model, Run, Token } from '../engine/types.ts';
import { t } from '../i18n/index.ts';
import { type Controls, controlsKey, interventionsOf, isPlain, needsLength } from './controls.ts';
import { deferred } from './deferred.ts';
import { followToken, tokenAtSamePlace } from './follow-token.ts';
import { type ModelLoad, ModelLoads } from './model-loads.ts';
import { MODELS, type ModelId } from './models.ts';
import { addNote, dropNote } from './notes.ts';
import { fitHead, type HeadIndex, type PageState } from './page-state.ts';
import { suggestModel } from './script.ts';
import {
  apply,
  controlsNow,
  type Failure,
  isCurrent,
  type Shown,
  type Store,
  snapshot,
} from './store.ts';

/** After this long an older picture is called older. */
const LATE_MS = 160;

export interface SessionOptions {
  createEngine: () => Promise<Engine>;
  /** The browser asks to save data: a model is loaded on the reader's word only. */
  saveData?: boolean;
  /** Resolves when everything that watches `shown` has been drawn. */
  painted?: (stamp: number | null) => Promise<unknown>;
  /** The head of a model that does what a head of another model does; null where none is known. */
  counterpart?: (from: ModelId, head: HeadIndex, to: ModelId) => HeadIndex | null;
}

export class Session {
  private readonly loads: ModelLoads;
  private turn = 0;
  /** A run for the newest text is on its way. */
  private busy = false;
  private running = new AbortController();
  private lateTimer: ReturnType<typeof setTimeout> | undefined;
  private settled = deferred<void>();
  /** timeStamp of the input event whose text is newest, until its picture is drawn. */
  private stamp: number | null = null;
  /** Pins were set together with the text, so they mean its tokens. */
  private freshPins = true;
  private crashedOn: string | null = null;
  private stops: (() => void)[] = [];

  constructor(
    private readonly store: Store,
    private readonly options: SessionOptions,
  ) {
    this.loads = new ModelLoads(store, options.createEngine, options.saveData === true);
  }

  /** Starts to follow the store. */
  start(): void {
    this.stops.push(
      effect(() => {
        snapshot(this.store);
        untracked(() => this.renewReady());
      }),
      effect(() => {
        const { text, pair, model, composing } = this.store;
        controlsNow(this.store);
        text.value;
        pair.value;
        model.value;
        if (!composing.value) untracked(() => this.follow());
      }),
    );
  }

  /** Resolves when every head of the newest text is drawn; rejects with the error that is shown. */
  get ready(): Promise<void> {
    return this.settled.promise;
  }

  get engine(): Engine | null {
    return this.loads.engine;
  }

  get model(): Model | null {
    return this.loads.current?.ready ?? null;
  }

  get run(): Run | null {
    return this.store.shown.value?.run ?? null;
  }

  /** What the reader typed. `timeStamp` of the input event starts the clock of the keystroke. */
  input(field: 'text' | 'pair', value: string, timeStamp: number | null = null): void {
    this.stamp = timeStamp;
    this.freshPins = false;
    this.store[field].value = value;
  }

  /** Adds an empty second text, or takes the second text away. */
  setPair(pair: string | null): void {
    this.stamp = null;
    this.freshPins = false;
    this.store.pair.value = pair;
  }

  /** `ready` waits from now on for what `read` will open. */
  async opening(read: () => Promise<void>): Promise<void> {
    const { busy, turn } = this;
    this.busy = true;
    this.renewReady();
    try {
      await read();
    } finally {
      if (turn === this.turn) {
        // Nothing new has to be run.
        this.busy = busy;
        this.renewReady();
      }
    }
  }

  /** Sets text, model and pins together, as links and examples do. */
  open(state: Partial<PageState>, modelChosen: boolean): void {
    this.stamp = null;
    this.freshPins = true;
    this.store.aim.value = null;
    this.store.modelChosen.value = modelChosen;
    // What was said before was about another text.
    this.store.notes.value = [];
    apply(this.store, state);
  }

  /** Opens a sentence with the model that it is made for; a reader who chose another one is told. */
  openExample(state: Partial<PageState> & { model: ModelId }): void {
    const { model, modelChosen } = this.store;
    const before = modelChosen.value && model.value !== state.model ? model.value : null;
    this.open(state, false);
    if (!before) return;
    addNote(this.store.notes, {
      id: 'model',
      kind: 'info',
      dismissible: true,
      text: () => t('note.modelExample', { model: t(`model.${state.model}`) }),
      actions: [
        {
          label: () => t('note.modelExample.back', { model: t(`model.${before}`) }),
          run: () => this.choose(before),
        },
      ],
    });
  }

  /** The reader picks a model: from now on it is theirs. */
  choose(model: ModelId): void {
    this.stamp = null;
    dropNote(this.store.notes, 'model');
    this.store.modelChosen.value = true;
    this.setModel(model);
  }

  /** The reader agrees to load the model although the browser asks to save data. */
  allow(): void {
    this.loads.allow();
  }

  pause(): Promise<void> {
    return this.loads.pause();
  }

  resume(): Promise<void> {
    return this.loads.resume();
  }

  /** Gives up loading the current model; what was on screen stays, called what it is. */
  cancelLoading(): void {
    if (!this.loads.cancel()) return;
    this.turn += 1;
    this.busy = false;
    this.running.abort();
    this.settled.reject(new DOMException('Loading was cancelled.', 'AbortError'));
  }

  /** Tries again what failed, stalled or was cancelled. */
  retry(): void {
    this.loads.retry();
    this.store.failure.value = null;
    this.crashedOn = null;
    if (this.settled.done) this.renewReady();
    if (!this.busy && isCurrent(this.store) && this.store.shown.value?.run) void this.finish();
    else this.refresh();
  }

  /** The connection is back: takes up what broke off. */
  reconnect(): void {
    if (this.store.failure.value?.code === 'network') this.retry();
    else this.loads.reconnect();
  }

  /** Whether texts wait for the whole word table, so that no request depends on them. */
  setWholeFirst(wholeFirst: boolean): void {
    this.store.wholeFirst.value = wholeFirst;
    if (wholeFirst && this.loads.wantWhole()) this.refresh();
  }

  async dispose(): Promise<void> {
    this.turn += 1;
    for (const stop of this.stops) stop();
    this.running.abort();
    clearTimeout(this.lateTimer);
    await this.store.shown.value?.run?.dispose();
    await this.loads.close();
  }

  // --- the newest text ---

  /** Suits the model to the text, then runs. */
  private follow(): void {
    const { text, pair, model, modelChosen } = this.store;
    const suggested = suggestModel(`${text.value} ${pair.value ?? ''}`);
    // Emptied, or in both writings: the text no longer says what the note says.
    if (suggested !== model.value) dropNote(this.store.notes, 'model');
    if (suggested && suggested !== model.value && !modelChosen.value) {
      addNote(this.store.notes, {
        id: 'model',
        kind: 'info',
        dismissible: true,
        text: () =>
          t('note.modelSwitched', {
            model: t(`model.${suggested}`),
            script: t(`script.${MODELS[suggested].script}`),
          }),
      });
      // Comes back here, through the effect that follows the model.
      this.setModel(suggested);
      return;
    }
    if (isCurrent(this.store) && this.store.shown.value?.run) {
      // Typed and taken back before anything was drawn.
      this.turn += 1;
      this.running.abort();
      void this.finish();
      return;
    }
    this.refresh();
  }

  private setModel(model: ModelId): void {
    const { model: before, layer, head } = this.store;
    if (model === before.value) return;
    apply(this.store, {
      model,
      ...this.headFor(model, { layer: layer.value, head: head.value }),
      also: [],
    });
  }

  /** Numbers of heads mean nothing in another model: the head with the same role, else one worth seeing. */
  private headFor(
    model: ModelId,
    { layer, head }: Pick<PageState, 'layer' | 'head'>,
  ): Pick<PageState, 'layer' | 'head'> {
    if (layer === 'mean' || head === 'mean') return fitHead({ layer, head }, model);
    const known = this.options.counterpart?.(this.store.model.value, { layer, head }, model);
    return known ?? MODELS[model].firstHead;
  }

  private refresh(): void {
    this.turn += 1;
    this.busy = true;
    this.running.abort();
    this.running = new AbortController();
    this.watchLate();
    void this.take(this.turn, this.running.signal);
  }

  private async take(turn: number, signal: AbortSignal): Promise<void> {
    const { text, pair, model } = this.store;
    const wanted = {
      turn,
      signal,
      text: text.value,
      pair: pair.value,
      model: model.value,
      controls: controlsNow(this.store),
    };
    const stamp = this.stamp;
    try {
      let slot = this.loads.now(wanted.model);
      if (!slot) {
        slot = await this.loads.wait(wanted.model);
        if (turn !== this.turn) return;
        await slot.model;
        if (turn !== this.turn) return;
        if (this.store.wholeFirst.value) await slot.complete.promise;
        if (turn !== this.turn) return;
      }
      await this.runText(slot.ready!, slot, wanted);
      if (turn !== this.turn) return;
      this.crashedOn = null;
      await this.finish(stamp);
    } catch (error) {
      if (turn === this.turn) await this.fail(error);
    }
  }

  private async runText(model: Model, slot: ModelLoad, wanted: Wanted): Promise<void> {
    const { turn, signal, text, pair, controls } = wanted;
    const { layers, heads } = model.info;
    const parts: Float32Array[] = [];
    const streams = (slot.progress?.layersReady ?? 0) < layers;
    const onLayer = (layer: number, weights: Float32Array, tokens: Token[]) => {
      if (turn !== this.turn || layer !== parts.length) return;
      parts.push(weights);
      this.show(wanted, model, { tokens, parts, truncated: null, run: null });
    };
    // Masks of tokens need to know how many tokens there are; anything else is asked for at once.
    const tokens = needsLength(controls)
      ? (await model.tokenize(text, pair ?? undefined)).tokens.length
      : 0;
    if (turn !== this.turn) return;
    const run = await model.run(text, {
      ...(pair === null ? {} : { pair }),
      signal,
      ...(isPlain(controls) ? {} : { interventions: interventionsOf(controls, tokens) }),
      ...(streams ? { onLayer } : {}),
    });
    if (turn !== this.turn) {
      await run.dispose();
      return;
    }
    if (parts.length < layers) {
      const all = await run.attentions();
      if (turn !== this.turn) {
        await run.dispose();
        return;
      }
      const size = heads * run.queryLength * run.keyLength;
      for (let layer = 0; layer < layers; layer += 1) {
        parts[layer] = all.subarray(layer * size, (layer + 1) * size);
      }
    }
    this.show(wanted, model, { tokens: run.tokens, parts, truncated: run.truncated, run });
  }

  /** Hands a picture to whoever draws. Everything drawn from `shown` is drawn when this returns. */
  private show(
    { text, pair, model: id, controls }: Wanted,
    { info }: Model,
    {
      tokens,
      parts,
      truncated,
      run,
    }: {
      tokens: readonly Token[];
      parts: readonly Float32Array[];
      truncated: Run['truncated'];
      run: Run | null;
    },
  ): void {
    const { store } = this;
    const before = store.shown.value;
    const pins: Partial<PageState> = {};
    if (!before || before.tokens !== tokens) {
      for (const pin of ['query', 'key'] as const) {
        const index = store[pin].value;
        if (index === null) continue;
        const moved = this.movePin(index, before, { text, id, tokens });
        pins[pin] = moved !== null && moved < tokens.length ? moved : null;
      }
      this.freshPins = false;
      const { aim } = store;
      if (aim.value !== null && aim.value >= tokens.length) aim.value = null;
    }
    const layersReady = parts.length;
    const ready = [...parts];
    clearTimeout(this.lateTimer);
    apply(store, pins);
    store.late.value = false;
    store.failure.value = null;
    store.shown.value = {
      model: id,
      text,
      pair,
      tokens,
      truncated,
      controls: controlsKey(controls),
      mechanism: controls,
      layers: info.layers,
      heads: info.heads,
      layersReady,
      attentions: (layer) => ready[layer]!,
      run,
    };
    if (before?.run && before.run !== run) void before.run.dispose().catch(() => {});
  }

  /** Where a pinned token is in a new picture; pins that were set together with its text mean its tokens. */
  private movePin(
    index: number,
    before: Shown | null,
    now: { text: string; id: ModelId; tokens: readonly Token[] },
  ): number | null {
    if (!before || this.freshPins) return index;
    if (before.model === now.id) return followToken(index, before.tokens, now.tokens);
    return before.text === now.text ? tokenAtSamePlace(index, before.tokens, now.tokens) : null;
  }

  /** The picture of the newest text is complete. */
  private async finish(stamp: number | null = null): Promise<void> {
    this.busy = false;
    clearTimeout(this.lateTimer);
    this.store.late.value = false;
    const { settled } = this;
    await this.options.painted?.(stamp);
    if (stamp !== null) {
      performance.measure('headlights:keystroke', {
        start: stamp,
        end: performance.now(),
        detail: { tokens: this.store.shown.value?.tokens.length },
      });
      if (this.stamp === stamp) this.stamp = null;
    }
    if (settled === this.settled) settled.resolve();
  }

  private watchLate(): void {
    clearTimeout(this.lateTimer);
    this.lateTimer = setTimeout(() => {
      if (!isCurrent(this.store)) this.store.late.value = true;
    }, LATE_MS);
  }

  private renewReady(): void {
    const before = this.settled;
    this.settled = deferred<void>();
    before.resolve(this.settled.promise);
    if (this.busy) return;
    const { failure, shown } = this.store;
    if (failure.value) this.settled.reject(failure.value.error);
    else if (isCurrent(this.store) && shown.value?.run) void this.finish();
  }

  // --- errors ---

  private async fail(error: unknown): Promise<void> {
    const failure = describe(error);
    const { store } = this;
    if (failure.code === 'cancelled') return;
    const fatal = failure.code === 'crashed' || failure.code === 'out-of-memory';
    const subject = JSON.stringify([store.model.value, store.text.value, store.pair.value]);
    if (fatal && this.crashedOn !== subject) {
      this.crashedOn = subject;
      await this.restart();
      return;
    }
    this.busy = false;
    clearTimeout(this.lateTimer);
    if (fatal) await this.loads.close();
    this.loads.fail();
    store.late.value = store.shown.value !== null && !isCurrent(store);
    store.failure.value = failure;
    this.settled.reject(error);
  }

  /** A new engine, the model again, the same text once more; and the reader is told. */
  private async restart(): Promise<void> {
    const turn = this.turn;
    await this.loads.close();
    addNote(this.store.notes, {
      id: 'restarted',
      kind: 'warning',
      dismissible: true,
      text: () => t('note.restarted'),
    });
    if (turn === this.turn) this.refresh();
  }
}

interface Wanted {
  turn: number;
  signal: AbortSignal;
  text: string;
  pair: string | null;
  model: ModelId;
  controls: Controls;
}

/** The library's errors carry a code; their class may be another copy of the same file. */
function describe(error: unknown): Failure {
  const { code, message, details } = (error ?? {}) as Partial<Failure>;
  return {
    code: typeof code === 'string' ? code : 'unknown',
    message: typeof message === 'string' ? message : String(error),
    details: details ?? {},
    error,
  };
}
