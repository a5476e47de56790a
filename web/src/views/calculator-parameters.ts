/** Parameters: one query matrix a head or one for all, drawn, then every count with its formula. */

import { css, html, LitElement, svg } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { parameterCounts } from '../calculator/counts.ts';
import { type Settings, valuesOf } from '../calculator/settings.ts';
import { strips } from '../calculator/strips.ts';
import { LanguageController, t } from '../i18n/index.ts';
import { formula } from './calculator-formula.ts';
import { inFull } from './calculator-numbers.ts';
import { countRows } from './calculator-rows.ts';
import { resultStyles } from './calculator-styles.ts';
import { baseStyles } from './stage-styles.ts';

const HEIGHT = 108;

@customElement('hl-calculator-parameters')
export class CalculatorParameters extends LitElement {
  static override styles = [
    baseStyles,
    resultStyles,
    css`
      .same {
        display: flex;
        flex-wrap: wrap;
        gap: 18px 28px;
        margin: 20px 0 8px;
      }
      figure {
        margin: 0;
        min-width: 0;
      }
      svg {
        display: block;
        height: 108px;
        max-width: 100%;
        fill: var(--hl-accent);
        overflow: visible;
      }
      .joined {
        stroke: var(--hl-bg);
        stroke-width: 1px;
      }
      .dots {
        fill: var(--hl-dim);
      }
      figcaption {
        margin-top: 8px;
        font-size: 0.875rem;
        color: var(--hl-dim);
      }
      .equals {
        margin-top: 32px;
        font-size: 1.75rem;
        line-height: 44px;
        color: var(--hl-dim);
      }
      @media (max-width: 639px) {
        .same {
          display: block;
        }
        .equals {
          display: block;
          margin: 0;
        }
      }
    `,
  ];

  @property({ attribute: false }) settings!: Settings;
  @property({ type: Boolean }) full = false;

  constructor() {
    super();
    new LanguageController(this);
  }

  protected override render() {
    const { settings, full } = this;
    const values = valuesOf(settings);
    const { separate, joined, rows, weights } = parameterCounts(settings);
    const { d, h, dk } = settings;
    const sizes = { h, d: inFull(d), dk: inFull(dk), all: inFull(h * dk) };
    return html`
      <h2>${t('calculator.parameters')}</h2>
      <p>${t('calculator.parameters.about', sizes)}</p>
      <div class="same">
        <figure>
          ${this.drawing(4)}
          <figcaption>
            ${t('calculator.parameters.separate', sizes)}<br />${formula(separate, values)}
          </figcaption>
        </figure>
        <span class="equals" aria-hidden="true">=</span>
        <figure>
          ${this.drawing(0)}
          <figcaption>
            ${t('calculator.parameters.joined', sizes)}<br />${formula(joined, values)}
          </figcaption>
        </figure>
      </div>
      ${countRows([...rows, weights], values, full)}
      <p>${t('calculator.parameters.not')}</p>
    `;
  }

  /** Every head a strip of its own width; `gap` pixels apart. */
  private drawing(gap: number) {
    const { d, h, dk } = this.settings;
    const { width, at, each, dots } = strips(h, dk / d, gap, HEIGHT, 220);
    return html`<svg
      width=${width}
      height=${HEIGHT}
      viewBox="0 0 ${width} ${HEIGHT}"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      ${at.map(
        (x) =>
          svg`<rect class=${gap === 0 && at.length > 1 ? 'joined' : 'strip'} x=${x} y="0" width=${each} height=${HEIGHT}></rect>`,
      )}
      ${dots.map((x) => svg`<circle class="dots" cx=${x} cy=${HEIGHT / 2} r="1.5"></circle>`)}
    </svg>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'hl-calculator-parameters': CalculatorParameters;
  }
}
