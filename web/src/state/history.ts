/** Undo and redo of the controls: every change of them is kept, those made by undo and redo themselves apart. */

import { effect, type ReadonlySignal, signal, untracked } from '@preact/signals-core';
import { CONTROL_FIELDS, type Controls } from './controls.ts';
import { apply, controlsNow, type Store } from './store.ts';

const LONGEST = 100;

/** Fields with a slider or a number that is typed: changes that follow each other as fast as this are one. */
const TOGETHER_MS = 400;
const PULLED: ReadonlySet<string> = new Set(['temperature', 'radius']);

export class ControlHistory {
  private readonly past: Controls[] = [];
  private readonly future: Controls[] = [];
  private now: Controls;
  private moving = false;
  private last = { field: '', time: Number.NEGATIVE_INFINITY };
  private readonly changes = signal(0);
  private readonly stop: () => void;

  constructor(
    private readonly store: Store,
    private readonly clock: () => number = () => performance.now(),
  ) {
    this.now = untracked(() => controlsNow(store));
    this.stop = effect(() => {
      const next = controlsNow(this.store);
      untracked(() => this.record(next));
    });
  }

  get canUndo(): boolean {
    this.changes.value;
    return this.past.length > 0;
  }

  get canRedo(): boolean {
    this.changes.value;
    return this.future.length > 0;
  }

  /** Grows with every change: for whoever draws. */
  get version(): ReadonlySignal<number> {
    return this.changes;
  }

  undo(): void {
    this.move(this.past, this.future);
  }

  redo(): void {
    this.move(this.future, this.past);
  }

  dispose(): void {
    this.stop();
  }

  private record(next: Controls): void {
    const changed = CONTROL_FIELDS.filter((field) => !same(this.now[field], next[field]));
    if (changed.length === 0) return;
    if (!this.moving) {
      const time = this.clock();
      const field = changed.join();
      const pulled = PULLED.has(field) && field === this.last.field;
      const goesOn = pulled && time - this.last.time < TOGETHER_MS;
      if (!goesOn || this.past.length === 0) this.past.push(this.now);
      if (this.past.length > LONGEST) this.past.shift();
      this.future.length = 0;
      this.last = { field, time };
    }
    this.now = next;
    this.changes.value += 1;
  }

  private move(from: Controls[], to: Controls[]): void {
    const target = from.pop();
    if (!target) return;
    to.push(this.now);
    this.moving = true;
    this.last = { field: '', time: Number.NEGATIVE_INFINITY };
    try {
      apply(this.store, target);
    } finally {
      this.moving = false;
    }
  }
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
