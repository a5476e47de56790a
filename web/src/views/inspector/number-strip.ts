/**
 * A long vector as a strip, a cell a dimension, with the ends of its colour scale in numbers. Pointing or arrow keys
 * read one dimension; all numbers come on request.
 */

import { css, html, LitElement, nothing, type PropertyValues } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { pixelOf, type Theme } from '../../draw/color-scale.ts';
import { printed } from '../../draw/inside.ts';
import { boundOf, signedColor } from '../../draw/signed-scale.ts';
import { LanguageController, t } from '../../i18n/index.ts';
import { cssProperties } from '../css-properties.ts';
import { baseStyles } from '../stage-styles.ts';
import './number-groups.ts';

const PIECE = 8;

@customElement('hl-number-strip')
export class NumberStrip extends LitElement {
  static override styles = [
    baseStyles,
    css`
      :host {
        margin: 0 0 14px;
      }
      .head {
        display: flex;
        flex-wrap: wrap;
        justify-content: space-between;
        gap: 0 16px;
        font-size: 0.8125rem;
        color: var(--hl-dim);
      }
      .head b {
        font-weight: 600;
        color: var(--hl-ink);
      }
      .strip {
        position: relative;
        height: 30px;
        margin: 4px 0;
      }
      canvas {
        display: block;
        width: 100%;
        height: 100%;
        border-radius: 3px;
        image-rendering: pixelated;
        cursor: crosshair;
      }
      .slice {
        position: absolute;
        inset: -3px auto -3px var(--from);
        width: var(--wide);
        border: 2px solid var(--hl-ink);
        border-radius: 4px;
        pointer-events: none;
      }
      .at {
        position: absolute;
        inset: -4px auto -4px var(--from);
        width: 0;
        border-left: 2px solid var(--hl-ink);
        pointer-events: none;
      }
      details {
        font-size: 0.8125rem;
      }
      summary {
        width: max-content;
        max-width: 100%;
        padding: 4px 0;
        color: var(--hl-dim);
        cursor: pointer;
      }
    `,
  ];

  @property({ attribute: false }) values: Float32Array = new Float32Array(0);
  @property() label = '';
  @property({ attribute: false }) slice: { from: number; to: number } | null = null;
  @property() theme: Theme = 'light';
  @state() private at: number | null = null;
  @state() private open = false;
  @query('canvas') private canvas!: HTMLCanvasElement;

  constructor() {
    super();
    new LanguageController(this);
  }

  protected override render() {
    const { values, slice, at } = this;
    const length = values.length;
    const bound = boundOf(values);
    const share = (index: number) => `${(100 * index) / Math.max(1, length)}%`;
    const read =
      at !== null && at < length
        ? t('inside.at', { dimension: at, value: printed(values[at]!) })
        : '';
    return html`
      <div class="head">
        <b>${this.label}</b>
        <span class="number" role="status"
          >${read || t('inside.strip', { count: length, bound: printed(bound) })}</span
        >
      </div>
      <div
        class="strip"
        tabindex="0"
        role="slider"
        aria-label=${this.label}
        aria-valuemin="0"
        aria-valuemax=${Math.max(0, length - 1)}
        aria-valuenow=${at ?? 0}
        aria-valuetext=${read || t('inside.strip', { count: length, bound: printed(bound) })}
        @keydown=${this.onKey}
        @pointermove=${this.onPoint}
        @pointerdown=${this.onPoint}
        @pointerleave=${() => {
          this.at = null;
        }}
        @blur=${() => {
          this.at = null;
        }}
      >
        <canvas width=${Math.max(1, length)} height="1"></canvas>
        ${
          slice
            ? html`<span
                class="slice"
                ${cssProperties({ '--from': share(slice.from), '--wide': share(slice.to - slice.from) })}
              ></span>`
            : nothing
        }
        ${at === null ? nothing : html`<span class="at" ${cssProperties({ '--from': share(at + 0.5) })}></span>`}
      </div>
      <details @toggle=${this.onToggle}>
        <summary>${t('inside.all', { count: length })}</summary>
        ${
          this.open
            ? html`<hl-number-groups
                .rows=${[{ label: '', name: this.label, values }]}
                .theme=${this.theme}
              ></hl-number-groups>`
            : nothing
        }
      </details>
    `;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!changed.has('values') && !changed.has('theme')) return;
    const context = this.canvas.getContext('2d');
    const length = this.values.length;
    if (!context || length === 0) return;
    const bound = boundOf(this.values);
    const image = context.createImageData(length, 1);
    const pixels = new Uint32Array(image.data.buffer);
    for (let i = 0; i < length; i++)
      pixels[i] = pixelOf(signedColor(this.values[i]!, bound, this.theme));
    context.putImageData(image, 0, 0);
  }

  private onPoint(event: PointerEvent): void {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const share = (event.clientX - box.left) / Math.max(1, box.width);
    const last = this.values.length - 1;
    this.at = Math.max(0, Math.min(last, Math.floor(share * this.values.length)));
  }

  private onKey(event: KeyboardEvent): void {
    const at = this.at ?? -1;
    const next = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      PageDown: at + PIECE,
      PageUp: at - PIECE,
      Home: 0,
      End: this.values.length - 1,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.at = Math.max(0, Math.min(this.values.length - 1, next));
  }

  private onToggle(event: Event): void {
    this.open = (event.currentTarget as HTMLDetailsElement).open;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'hl-number-strip': NumberStrip;
  }
}
