/** Arithmetic, step by step: for one token and for the whole sequence, with the formulas. */

import { css, html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import {
  type Count,
  crossover,
  ofSequence,
  SOFTMAX_FLOP,
  workCounts,
} from '../calculator/counts.ts';
import { evaluate, letter, type Part } from '../calculator/expression.ts';
import { type Settings, valuesOf } from '../calculator/settings.ts';
import { LanguageController, t } from '../i18n/index.ts';
import { formula, print } from './calculator-formula.ts';
import { inFull, write } from './calculator-numbers.ts';
import { countName } from './calculator-rows.ts';
import { resultStyles } from './calculator-styles.ts';
import { baseStyles } from './stage-styles.ts';

const text = (of: string): Part => ({ kind: 'text', text: of });
const CROSSOVER = [
  ...[letter('n'), text(' = '), letter('d'), text(' · ('), letter('h'), text(' + ')],
  ...[letter('h_kv'), text(') ÷ '), letter('h')],
];

@customElement('hl-calculator-work')
export class CalculatorWork extends LitElement {
  static override styles = [
    baseStyles,
    resultStyles,
    css`
      table {
        width: 100%;
        margin-top: 14px;
      }
      tr {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto auto;
        align-items: baseline;
        gap: 0 20px;
        padding: 9px 0;
        border-top: 1px solid var(--hl-rule);
      }
      thead tr {
        border-top: 0;
      }
      th,
      td {
        padding: 0;
      }
      thead th {
        font-size: 0.875rem;
        color: var(--hl-dim);
      }
      thead th.number,
      td.value {
        min-width: 5.5rem;
        text-align: end;
      }
      .total th {
        font-weight: 650;
      }
      .how {
        order: 1;
      }
      thead .how {
        display: none;
      }
      .how .formula {
        display: block;
      }
      @media (min-width: 1240px) {
        tr {
          grid-template-columns: 10.5rem minmax(0, 1fr) minmax(6.75rem, auto) minmax(6.75rem, auto);
          gap: 0 16px;
        }
        .how {
          order: 0;
        }
        thead .how {
          display: block;
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
    const { settings } = this;
    const { d, h, kv, n } = settings;
    const border = crossover(settings);
    return html`
      <h2>${t('calculator.work')}</h2>
      <p>${t('calculator.work.about', { n })}</p>
      <table role="table">
        <thead role="rowgroup">
          <tr role="row">
            <th role="columnheader"><span class="hidden">${t('calculator.work.step')}</span></th>
            <th role="columnheader" class="how">
              <span class="hidden">${t('calculator.work.formula')}</span>
            </th>
            <th role="columnheader" class="number">${t('calculator.work.token')}</th>
            <th role="columnheader" class="number">${t('calculator.work.sequence', { n })}</th>
          </tr>
        </thead>
        <tbody role="rowgroup">
          ${workCounts(settings).rows.map((count) => this.row(count))}
        </tbody>
      </table>
      <p>${t('calculator.work.softmax', { flop: SOFTMAX_FLOP })}</p>
      <p>
        ${t('calculator.work.crossover', { n: inFull(Math.floor(border)) })}
        <span class="formula">${print(CROSSOVER)} = ${inFull(d)} × (${inFull(h)} + ${inFull(kv)}) ÷ ${inFull(h)}</span>
      </p>
    `;
  }

  private row(count: Count) {
    const { full } = this;
    const values = valuesOf(this.settings);
    const sequence = ofSequence(count);
    const shown = (of: Count) =>
      html`<td role="cell" class="value">
        ${count.id === 'softmax' ? '≈\u00a0' : nothing}${write(evaluate(of.of, values), 'flop', full)}
      </td>`;
    return html`<tr role="row" class=${count.total ? 'total' : ''} data-count=${count.id}>
      <th role="rowheader" scope="row">${countName(count)}</th>
      <td role="cell" class="how">${formula(count, values)} ${formula(sequence, values, true)}</td>
      ${shown(count)} ${shown(sequence)}
    </tr>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'hl-calculator-work': CalculatorWork;
  }
}
