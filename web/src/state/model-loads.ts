/**
 * The models of a page on their way: one engine, a load for each model that was wanted, and what the progress
 * region says about the one that is wanted now. A model that is not wanted gives the connection away.
 */

import type { Engine, LoadProgress, Model } from '../engine/types.ts';
import { type Deferred, deferred } from './deferred.ts';
import type { ModelId } from './models.ts';
import type { LoadState, Store } from './store.ts';

/** After this long without a byte a load is called stalled. */
const STALL_MS = 8000;

/** A model that is loading or loaded. */
export interface ModelLoad {
  id: ModelId;
  controller: AbortController;
  /** Resolves once the model can be run (its first layers may still be on their way). */
  model: Promise<Model>;
  ready: Model | null;
  progress: LoadProgress | null;
  paused: boolean;
  /** Paused while another model is wanted. */
  away: boolean;
  stalled: boolean;
  stallTimer: ReturnType<typeof setTimeout> | undefined;
  /** Resolves once nothing more will be asked of the network. */
  complete: Deferred<void>;
  whole: boolean;
}

export class ModelLoads {
  engine: Engine | null = null;
  private starting: Promise<Engine> | null = null;
  private readonly slots = new Map<ModelId, ModelLoad>();
  private readonly allowed = new Set<ModelId>();
  private asked: Deferred<void> | null = null;

  constructor(
    private readonly store: Store,
    private readonly createEngine: () => Promise<Engine>,
    /** The browser asks to save data: a model is loaded on the reader's word only. */
    private readonly saveData: boolean,
  ) {}

  /** The reader agrees to load the model although the browser asks to save data. */
  allow(): void {
    this.allowed.add(this.store.model.value);
    this.asked?.resolve();
    this.asked = null;
  }

  async pause(): Promise<void> {
    const slot = this.current;
    if (!slot?.ready || slot.paused) return;
    slot.paused = true;
    clearTimeout(slot.stallTimer);
    slot.stalled = false;
    this.showLoad();
    await slot.ready.pauseLoading();
  }

  async resume(): Promise<void> {
    const slot = this.current;
    if (!slot?.ready || !slot.paused) return;
    slot.paused = false;
    this.watchStall(slot);
    this.showLoad();
    await slot.ready.resumeLoading();
  }

  /** Gives the wanted model up; false where there was none. */
  cancel(): boolean {
    const slot = this.current;
    if (!slot) return false;
    this.drop(slot.id);
    this.setLoad({
      phase: 'cancelled',
      model: slot.id,
      progress: null,
      pausable: false,
      stalled: false,
    });
    return true;
  }

  /** Takes the wanted model up again, or makes room for a new load of it. */
  retry(): void {
    const slot = this.current;
    const failure = this.store.failure.value;
    if (slot) {
      // What has arrived is kept where only the connection failed; a broken file is read anew.
      if (slot.ready && (!failure || failure.code === 'network')) this.revive(slot);
      else this.drop(slot.id);
    }
    this.allowed.add(this.store.model.value);
  }

  /** The connection is back. */
  reconnect(): void {
    const slot = this.current;
    if (slot && !slot.paused) this.revive(slot);
  }

  /** A load without the whole table is no use any more; true where one was dropped. */
  wantWhole(): boolean {
    const slot = this.current;
    if (!slot || slot.whole) return false;
    this.drop(slot.id);
    return true;
  }

  /** The wanted model failed: said unless all of its layers are here. */
  fail(): void {
    const progress = this.current?.progress ?? null;
    if (progress && progress.layersReady >= progress.layers) return;
    this.setLoad({
      phase: 'failed',
      model: this.store.model.value,
      progress,
      pausable: false,
      stalled: false,
    });
  }

  /** Drops every model and the engine. */
  async close(): Promise<void> {
    for (const id of [...this.slots.keys()]) this.drop(id);
    const { engine } = this;
    this.engine = null;
    await engine?.dispose().catch(() => {});
  }

  private async engineNow(): Promise<Engine> {
    if (this.engine) return this.engine;
    this.starting ??= this.createEngine();
    try {
      this.engine = await this.starting;
      return this.engine;
    } finally {
      this.starting = null;
    }
  }

  get current(): ModelLoad | null {
    return this.slots.get(this.store.model.value) ?? null;
  }

  /** The load of a model that can run at once: then the run is on its way before anything is drawn. */
  now(id: ModelId): ModelLoad | null {
    const slot = this.slots.get(id);
    if (!slot?.ready || slot.away || this.store.load.value.model !== id) return null;
    if (this.store.wholeFirst.value && !slot.progress?.complete) return null;
    return slot;
  }

  /** The load of a model, begun where there is none; waits for the reader's word on Save-Data. */
  async wait(id: ModelId): Promise<ModelLoad> {
    this.attend(id);
    const known = this.slots.get(id);
    if (known) {
      this.showLoad();
      return known;
    }
    if (this.saveData && !this.allowed.has(id)) {
      this.setLoad({ phase: 'asking', model: id, progress: null, pausable: false, stalled: false });
      this.asked ??= deferred<void>();
      await this.asked.promise;
      const agreed = this.slots.get(id);
      if (agreed) return agreed;
      if (!this.allowed.has(id)) return this.wait(id);
    }
    this.setLoad({ phase: 'engine', model: id, progress: null, pausable: false, stalled: false });
    const engine = await this.engineNow();
    const raced = this.slots.get(id);
    if (raced) return raced;
    return this.start(engine, id);
  }

  /** Takes up a load that broke off; harmless while it goes on. */
  private revive(slot: ModelLoad): void {
    if (slot.progress?.complete) return;
    slot.paused = false;
    this.watchStall(slot);
    void slot.ready?.resumeLoading().catch(() => {});
  }

  /** A load of which nothing has been heard for a while is called stalled. */
  private watchStall(slot: ModelLoad): void {
    clearTimeout(slot.stallTimer);
    slot.stalled = false;
    if (slot.progress?.complete || slot.progress?.stage === 'done') return;
    slot.stallTimer = setTimeout(() => {
      if (this.slots.get(slot.id) !== slot || slot.paused || slot.away) return;
      slot.stalled = true;
      this.showLoad();
    }, STALL_MS);
  }

  /** The wanted model has the connection to itself. */
  private attend(id: ModelId): void {
    for (const slot of this.slots.values()) {
      const away = slot.id !== id;
      if (!slot.ready || slot.paused || slot.away === away || slot.progress?.complete) continue;
      slot.away = away;
      const turned = away ? slot.ready.pauseLoading() : slot.ready.resumeLoading();
      turned.catch(() => {});
    }
  }

  private start(engine: Engine, id: ModelId): ModelLoad {
    const controller = new AbortController();
    const whole = !this.saveData || this.store.wholeFirst.value;
    const arriving = deferred<Model>();
    const slot: ModelLoad = {
      id,
      controller,
      model: arriving.promise,
      ready: null,
      progress: null,
      paused: false,
      away: false,
      stalled: false,
      stallTimer: undefined,
      complete: deferred<void>(),
      whole,
    };
    slot.model.then(
      (model) => {
        slot.ready = model;
        if (this.slots.get(id) === slot) this.showLoad();
        else void model.dispose().catch(() => {});
      },
      () => {
        if (this.slots.get(id) === slot) this.slots.delete(id);
      },
    );
    arriving.resolve(
      engine.loadModel(id, {
        stream: true,
        wholeTable: whole,
        signal: controller.signal,
        onProgress: (progress) => {
          slot.progress = progress;
          this.watchStall(slot);
          if (progress.complete) slot.complete.resolve();
          if (this.slots.get(id) === slot) this.showLoad();
        },
      }),
    );
    this.slots.set(id, slot);
    this.watchStall(slot);
    this.showLoad();
    return slot;
  }

  private drop(id: ModelId): void {
    const slot = this.slots.get(id);
    if (!slot) return;
    this.slots.delete(id);
    clearTimeout(slot.stallTimer);
    slot.controller.abort();
    void slot.ready?.dispose().catch(() => {});
  }

  /** What the progress region says about the model that is wanted. */
  private showLoad(): void {
    const slot = this.current;
    if (!slot) return;
    const { progress, paused, ready, stalled } = slot;
    const live =
      progress !== null && progress.layersReady >= progress.layers && progress.layers > 0;
    this.setLoad({
      phase: paused ? 'paused' : live && ready ? 'ready' : 'loading',
      model: slot.id,
      progress,
      pausable: ready !== null && progress?.stage !== 'done',
      stalled,
    });
  }

  private setLoad(load: LoadState): void {
    if (load.model === this.store.model.value) this.store.load.value = load;
  }
}
