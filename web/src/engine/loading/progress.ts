/** Counts what has arrived and tells the listener, at most every few milliseconds, and always the last word. */
import type { LoadProgress } from '../types.ts';

const INTERVAL = 40;

export class ProgressMeter {
  private last = Number.NEGATIVE_INFINITY;
  private told = '';

  constructor(
    private readonly listener: (progress: LoadProgress) => void,
    private readonly state: () => LoadProgress,
  ) {}

  /** Call after every change. */
  update(): void {
    const progress = this.state();
    const milestone = `${progress.stage} ${progress.layersReady} ${progress.complete}`;
    const now = performance.now();
    if (milestone === this.told && now - this.last < INTERVAL) return;
    this.told = milestone;
    this.last = now;
    this.listener(progress);
  }
}
