/**
 * A mask as a picture to draw on: a row looks, a column is looked at; filled = may look. Dragging opens or closes what
 * it meets, as the first place did; arrow keys move, space turns a place over.
 */

import { css, html, LitElement, type PropertyValues } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { stroke } from '../draw/mask-cells.ts';
import { LanguageController, t } from '../i18n/index.ts';
import { cssProperties } from './css-properties.ts';
import { baseStyles } from './stage-styles.ts';

export interface MaskEvents {
  /** [tokens * tokens] as it is after the stroke. */
  'hl-mask-drawn': { open: Uint8Array };
}

interface Place {
  row: number;
  column: number;
}

@customElement('hl-mask-grid')
export class MaskGrid extends LitElement {
  static override styles = [
    baseStyles,
    css`
      .box {
        width: min(100%, var(--side));
        aspect-ratio: 1;
        touch-action: none;
      }
      canvas {
        display: block;
        width: 100%;
        height: 100%;
        border: 1px solid var(--hl-edge);
        border-radius: 4px;
        cursor: crosshair;
      }
      .said {
        min-height: 1.5em;
        margin: 4px 0 0;
        font-size: 0.8125rem;
        color: var(--hl-dim);
      }
    `,
  ];

  @property({ attribute: false }) open: Uint8Array = new Uint8Array(0);
  @property({ attribute: false }) tokens: readonly string[] = [];
  @property() theme: 'light' | 'dark' = 'light';
  @state() private at: Place | null = null;
  @query('canvas') private canvas!: HTMLCanvasElement;
  /** What is being drawn, and whether it opens or closes. */
  private drawing: { open: Uint8Array; to: 0 | 1; last: Place } | null = null;

  constructor() {
    super();
    new LanguageController(this);
  }

  protected override render() {
    const { at, tokens } = this;
    const side = `${Math.max(120, Math.min(320, 18 * tokens.length))}px`;
    const said = at
      ? t(this.open[at.row * tokens.length + at.column] ? 'mask.open' : 'mask.closed', {
          query: tokens[at.row] ?? '',
          key: tokens[at.column] ?? '',
        })
      : '';
    return html`<div class="box" ${cssProperties({ '--side': side })}>
        <canvas
          tabindex="0"
          role="application"
          aria-roledescription=${t('mask.kind')}
          aria-label=${t('mask.label', { count: tokens.length })}
          @pointerdown=${this.onDown}
          @pointermove=${this.onMove}
          @pointerup=${this.onUp}
          @pointercancel=${this.onUp}
          @keydown=${this.onKey}
          @focus=${() => {
            this.at ??= { row: 0, column: 0 };
          }}
          @blur=${() => {
            this.at = null;
          }}
        ></canvas>
      </div>
      <p class="said" role="status">${said}</p>`;
  }

  protected override updated(_changed: PropertyValues<this>): void {
    this.paint(this.drawing?.open ?? this.open);
  }

  private paint(open: Uint8Array): void {
    const { canvas, at } = this;
    const n = this.tokens.length;
    const context = canvas.getContext('2d');
    if (!context || n === 0) return;
    const cell = Math.max(4, Math.ceil(640 / n));
    if (canvas.width !== n * cell) {
      canvas.width = n * cell;
      canvas.height = n * cell;
    }
    const styles = getComputedStyle(this);
    const color = (name: string) => styles.getPropertyValue(name);
    context.fillStyle = color('--hl-panel');
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.fillStyle = color('--hl-accent');
    for (let row = 0; row < n; row++)
      for (let column = 0; column < n; column++)
        if (open[row * n + column])
          context.fillRect(column * cell + 1, row * cell + 1, cell - 2, cell - 2);
    if (at) {
      context.strokeStyle = color('--hl-ink');
      context.lineWidth = 3;
      context.strokeRect(at.column * cell + 1.5, at.row * cell + 1.5, cell - 3, cell - 3);
    }
  }

  private place(event: PointerEvent): Place {
    const box = this.canvas.getBoundingClientRect();
    const n = this.tokens.length;
    const on = (share: number) => Math.max(0, Math.min(n - 1, Math.floor(share * n)));
    return {
      row: on((event.clientY - box.top) / box.height),
      column: on((event.clientX - box.left) / box.width),
    };
  }

  private onDown(event: PointerEvent): void {
    if (event.button !== 0 || this.tokens.length === 0) return;
    this.canvas.setPointerCapture(event.pointerId);
    const at = this.place(event);
    const n = this.tokens.length;
    const open = this.open.slice();
    const to = open[at.row * n + at.column] ? 0 : 1;
    this.drawing = { open, to, last: at };
    open[at.row * n + at.column] = to;
    this.at = at;
    this.paint(open);
  }

  private onMove(event: PointerEvent): void {
    const { drawing } = this;
    const at = this.place(event);
    if (!drawing) {
      if (event.pointerType === 'mouse') this.at = at;
      return;
    }
    for (const { row, column } of stroke(drawing.last, at))
      drawing.open[row * this.tokens.length + column] = drawing.to;
    drawing.last = at;
    this.at = at;
    this.paint(drawing.open);
  }

  private onUp(): void {
    if (!this.drawing) return;
    const { open } = this.drawing;
    this.drawing = null;
    this.say(open);
  }

  private onKey(event: KeyboardEvent): void {
    const n = this.tokens.length;
    const at = this.at ?? { row: 0, column: 0 };
    const step = {
      ArrowRight: [0, 1],
      ArrowLeft: [0, -1],
      ArrowDown: [1, 0],
      ArrowUp: [-1, 0],
    }[event.key];
    if (step) {
      event.preventDefault();
      const on = (value: number) => Math.max(0, Math.min(n - 1, value));
      this.at = { row: on(at.row + step[0]!), column: on(at.column + step[1]!) };
    } else if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault();
      const open = this.open.slice();
      open[at.row * n + at.column] = open[at.row * n + at.column] ? 0 : 1;
      this.say(open);
    }
  }

  private say(open: Uint8Array): void {
    this.dispatchEvent(
      new CustomEvent<MaskEvents['hl-mask-drawn']>('hl-mask-drawn', {
        detail: { open },
        bubbles: true,
        composed: true,
      }),
    );
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'hl-mask-grid': MaskGrid;
  }
}
