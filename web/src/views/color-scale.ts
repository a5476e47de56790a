/** The colour scale of wall and stage with its numbers, and the switch between its two forms. */

import { css, html, LitElement, nothing } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import {
  colorRamp,
  pixelOf,
  type ScaleKind,
  STEPS,
  scalePosition,
  type Theme,
} from '../draw/color-scale.ts';
import { LanguageController, t } from '../i18n/index.ts';
import { cssProperties } from './css-properties.ts';
import { tell } from './stage-events.ts';
import { baseStyles } from './stage-styles.ts';

const TICKS: Readonly<Record<ScaleKind, readonly number[]>> = {
  linear: [0, 0.25, 0.5, 0.75, 1],
  sqrt: [0, 0.05, 0.25, 0.5, 1],
};

@customElement('hl-color-scale')
export class ColorScale extends LitElement {
  static override styles = [
    baseStyles,
    css`
      :host {
        display: inline-flex;
        align-items: flex-start;
        gap: 10px;
        font-size: 0.75rem;
        line-height: 1.3;
        color: var(--hl-dim);
      }
      .scale {
        position: relative;
        width: 168px;
        height: 26px;
        margin: 3px 8px 0;
      }
      canvas {
        display: block;
        width: 100%;
        height: 8px;
        border-radius: 4px;
      }
      .tick {
        position: absolute;
        top: 11px;
        left: var(--at);
        transform: translateX(-50%);
        font-variant-numeric: tabular-nums;
      }
      button {
        min-height: 24px;
        padding: 0 4px;
        margin-top: -4px;
        color: var(--hl-dim);
        text-decoration: underline;
        text-decoration-color: var(--hl-rule);
        text-underline-offset: 3px;
      }
      button:hover {
        color: var(--hl-ink);
      }
    `,
  ];

  @property() theme: Theme = 'light';
  @property() scale: ScaleKind = 'linear';
  /** Whether the reader may change the form here. */
  @property({ type: Boolean }) switchable = false;
  @query('canvas') private canvas!: HTMLCanvasElement | null;

  constructor() {
    super();
    new LanguageController(this);
  }

  protected override render() {
    return html`
      <span>${t(this.scale === 'sqrt' ? 'scale.weightSqrt' : 'scale.weight')}</span>
      <span class="scale" role="img" aria-label=${t('scale.label')}>
        <canvas width=${STEPS} height="1"></canvas>
        ${TICKS[this.scale].map(
          (weight) =>
            html`<span class="tick" ${cssProperties({ '--at': `${100 * scalePosition(weight, this.scale)}%` })}
              >${String(weight).replace(/^0\./, '.')}</span
            >`,
        )}
      </span>
      ${
        this.switchable
          ? html`<button
              aria-pressed=${this.scale === 'sqrt'}
              title=${t('scale.sqrt.note')}
              @click=${() =>
                tell(this, 'hl-scale', { scale: this.scale === 'sqrt' ? 'linear' : 'sqrt' })}
            >
              ${t('scale.sqrt')}
            </button>`
          : nothing
      }
    `;
  }

  protected override updated(): void {
    const context = this.canvas?.getContext('2d');
    if (!context) return;
    const image = context.createImageData(STEPS, 1);
    // The bar runs evenly through the colours; its numbers stand where their colour is.
    new Uint32Array(image.data.buffer).set(colorRamp(this.theme).map(pixelOf));
    context.putImageData(image, 0, 0);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'hl-color-scale': ColorScale;
  }
}
