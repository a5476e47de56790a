/** What every view of the stage is given: one picture, one head or mean, the token aimed at. */

import { LitElement } from 'lit';
import { property } from 'lit/decorators.js';
import type { ScaleKind, Theme } from '../draw/color-scale.ts';
import type { Direction, HeadChoice, Picture } from '../draw/picture.ts';
import { LanguageController } from '../i18n/index.ts';
import { tell } from './stage-events.ts';

export abstract class StageViewElement extends LitElement {
  @property({ attribute: false }) picture: Picture | null = null;
  @property({ attribute: false }) choice: HeadChoice = { layer: 0, head: 0 };
  /** The token aimed at: hovered, pinned or suggested; null only for an empty picture. */
  @property({ type: Number }) token: number | null = null;
  /** Whether the reader pointed at it (it is hovered, focused or pinned); false when it is a suggestion. */
  @property({ type: Boolean }) pointed = false;
  @property({ type: Number }) pinned: number | null = null;
  @property() direction: Direction = 'from';
  @property() theme: Theme = 'light';
  @property() scale: ScaleKind = 'linear';

  constructor() {
    super();
    new LanguageController(this);
  }

  protected aim(index: number | null): void {
    tell(this, 'hl-query', { index, pinned: false });
  }

  /** Pins a token, or releases the one that is pinned. */
  protected press(index: number): void {
    tell(this, 'hl-query', { index: index === this.pinned ? null : index, pinned: true });
  }

  /** The focus has left the tokens: nothing is aimed at any more. */
  protected readonly onFocusOut = (event: FocusEvent): void => {
    const inside = event.currentTarget as HTMLElement;
    if (!inside.contains(event.relatedTarget as Node | null)) this.aim(null);
  };

  /** Arrow keys, Home and End from token to token. (Escape is the stage's.) */
  protected walk(event: KeyboardEvent, go: (index: number) => void): void {
    const last = (this.picture?.tokens.length ?? 0) - 1;
    const from = this.token ?? 0;
    const steps: Record<string, number> = {
      ArrowRight: Math.min(last, from + 1),
      ArrowDown: Math.min(last, from + 1),
      ArrowLeft: Math.max(0, from - 1),
      ArrowUp: Math.max(0, from - 1),
      Home: 0,
      End: last,
    };
    const next = steps[event.key];
    if (next === undefined) return;
    event.preventDefault();
    go(next);
  }
}

/** Calls `changed` with the width of an element's content whenever it changes. */
export class WidthController {
  width = 0;
  private readonly observer: ResizeObserver;

  constructor(private readonly host: LitElement) {
    this.observer = new ResizeObserver((entries) => {
      const width = Math.floor(entries.at(-1)!.contentRect.width);
      if (width === this.width) return;
      this.width = width;
      host.requestUpdate();
    });
    host.addController(this);
  }

  hostConnected(): void {
    this.observer.observe(this.host);
  }

  hostDisconnected(): void {
    this.observer.disconnect();
  }
}
