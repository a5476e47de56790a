/** Self-attention beside recurrent and convolutional layers: table 1 of Vaswani et al. 2017 with numbers. */

import { css, html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { compareLayers, type LayerCost, type LayerKind } from '../calculator/comparison.ts';
import { letter, letters, type Part } from '../calculator/expression.ts';
import type { Draft, Faults, Settings } from '../calculator/settings.ts';
import { LanguageController, t } from '../i18n/index.ts';
import { print } from './calculator-formula.ts';
import './calculator-field.ts';
import { inFull, write } from './calculator-numbers.ts';
import { resultStyles } from './calculator-styles.ts';
import { baseStyles } from './stage-styles.ts';

const text = (of: string): Part => ({ kind: 'text', text: of });

/** The terms of the paper's table. */
const SEQUENTIAL: Readonly<Record<LayerKind, readonly Part[]>> = {
  attention: [text('1')],
  recurrent: [letter('n')],
  convolutional: [text('1')],
  restricted: [text('1')],
};
const PATH: Readonly<Record<LayerKind, readonly Part[]>> = {
  attention: [text('1')],
  recurrent: [letter('n')],
  convolutional: [text('log'), letter('_k'), text('('), letter('n'), text(')')],
  restricted: [letter('n'), text(' ÷ '), letter('r')],
};

@customElement('hl-calculator-comparison')
export class CalculatorComparison extends LitElement {
  static override styles = [
    baseStyles,
    resultStyles,
    css`
      .fields {
        display: grid;
        grid-template-columns: repeat(2, minmax(0, 200px));
        align-items: start;
        gap: 16px;
        margin-top: 16px;
      }
      table {
        width: 100%;
        margin-top: 12px;
      }
      th,
      td {
        padding: 11px 24px 11px 0;
        vertical-align: baseline;
      }
      thead th {
        font-size: 0.875rem;
        line-height: 1.35;
        color: var(--hl-dim);
      }
      tbody tr {
        border-top: 1px solid var(--hl-rule);
      }
      .attention th {
        font-weight: 650;
      }
      .value {
        display: block;
        text-align: start;
      }
      .order {
        font-size: 0.875rem;
        color: var(--hl-dim);
        white-space: nowrap;
      }
      .least {
        margin-inline-start: 4px;
        font-size: 0.875rem;
        color: var(--hl-accent);
      }
      .narrow {
        display: none;
      }
      @media (max-width: 639px) {
        thead {
          position: absolute;
          width: 1px;
          height: 1px;
          overflow: hidden;
          clip-path: inset(50%);
        }
        tr {
          display: grid;
          grid-template-columns: minmax(0, 5fr) minmax(0, 4fr) minmax(0, 3fr);
          padding: 10px 0;
        }
        th {
          grid-column: 1 / -1;
        }
        th,
        td {
          padding: 2px 8px 2px 0;
        }
        .narrow {
          display: block;
          font-size: 0.8125rem;
          color: var(--hl-dim);
        }
      }
    `,
  ];

  @property({ attribute: false }) settings!: Settings;
  @property({ attribute: false }) draft!: Draft;
  @property({ attribute: false }) faults: Faults = {};
  @property({ type: Boolean }) full = false;

  constructor() {
    super();
    new LanguageController(this);
  }

  protected override render() {
    const { n, d, k, r } = this.settings;
    const sizes = { n: inFull(n), d: inFull(d), k: inFull(k), r: inFull(Math.min(r, n)) };
    return html`
      <h2>${t('calculator.comparison')}</h2>
      <p>${t('calculator.comparison.about', sizes)}</p>
      <div class="fields">
        ${(['k', 'r'] as const).map(
          (id) => html`<hl-calculator-field
            field=${id}
            .value=${this.draft.text[id]}
            .fault=${this.faults[id] ?? null}
          ></hl-calculator-field>`,
        )}
      </div>
      <table role="table">
        <thead role="rowgroup">
          <tr role="row">
            <th role="columnheader">${t('calculator.comparison.layer')}</th>
            <th role="columnheader">${t('calculator.comparison.complexity')}</th>
            <th role="columnheader">${t('calculator.comparison.sequential')}</th>
            <th role="columnheader">${t('calculator.comparison.path')}</th>
          </tr>
        </thead>
        <tbody role="rowgroup">
          ${compareLayers(this.settings).map((cost) => this.row(cost))}
        </tbody>
      </table>
      <p>${t(n < d ? 'calculator.comparison.short' : 'calculator.comparison.long', sizes)}</p>
      <p>${t('calculator.comparison.path.about')}</p>
      ${r > n ? html`<p>${t('calculator.comparison.wide', sizes)}</p>` : nothing}
    `;
  }

  private row({ kind, complexity, operations, sequential, path, least }: LayerCost) {
    const cell = (
      name: 'complexity' | 'sequential' | 'path',
      terms: readonly Part[],
      value: bigint,
    ) =>
      html`<td role="cell">
        <span class="narrow" aria-hidden="true">${t(`calculator.comparison.${name}`)}</span>
        <span class="value"
          >${write(value, 'count', this.full)}${
            name === 'complexity' && least
              ? html` <span class="least">${t('calculator.comparison.least')}</span>`
              : nothing
          }</span
        >
        <span class="order">O(${print(terms)})</span>
      </td>`;
    return html`<tr role="row" class=${kind} data-layer=${kind}>
      <th role="rowheader" scope="row">${t(`calculator.comparison.kind.${kind}`)}</th>
      ${cell('complexity', letters(complexity), operations)}
      ${cell('sequential', SEQUENTIAL[kind], sequential)} ${cell('path', PATH[kind], path)}
    </tr>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'hl-calculator-comparison': CalculatorComparison;
  }
}
