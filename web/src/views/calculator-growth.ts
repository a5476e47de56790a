/** How work and memory grow with the length: two charts, a slider for the length, and the numbers as a table. */

import { css, html, LitElement } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { type Growth, memoryGrowth, workGrowth } from '../calculator/growth.ts';
import type { Settings } from '../calculator/settings.ts';
import { LanguageController, t } from '../i18n/index.ts';
import './calculator-chart.ts';
import { ask } from './calculator-events.ts';
import { inFull, write } from './calculator-numbers.ts';
import { resultStyles } from './calculator-styles.ts';
import { baseStyles } from './stage-styles.ts';

@customElement('hl-calculator-growth')
export class CalculatorGrowth extends LitElement {
  static override styles = [
    baseStyles,
    resultStyles,
    css`
      .length {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 4px 16px;
        margin-top: 14px;
        font-size: 0.9375rem;
      }
      .length input {
        flex: 1 1 120px;
        max-width: 360px;
        min-height: 32px;
        margin: 0;
        accent-color: var(--hl-accent);
      }
      output {
        font-variant-numeric: tabular-nums;
      }
      .charts {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 28px 40px;
        margin-top: 20px;
      }
      @media (min-width: 768px) {
        .charts {
          grid-template-columns: repeat(2, minmax(0, 1fr));
        }
      }
      h3 {
        margin: 0;
      }
      .charts p {
        margin: 2px 0 14px;
        font-size: 0.875rem;
      }
      summary {
        display: inline-block;
        min-height: 32px;
        margin-top: 16px;
        font-size: 0.9375rem;
        color: var(--hl-dim);
        cursor: pointer;
        text-decoration: underline;
        text-decoration-color: var(--hl-edge);
        text-decoration-thickness: 1px;
        text-underline-offset: 3px;
      }
      summary:hover {
        color: var(--hl-ink);
      }
      table {
        margin-top: 8px;
        font-size: 0.875rem;
      }
      caption {
        text-align: start;
        padding: 8px 0;
        font-weight: 600;
      }
      th,
      td {
        padding: 5px 24px 5px 0;
        text-align: end;
        white-space: nowrap;
      }
      thead th {
        vertical-align: bottom;
        color: var(--hl-dim);
      }
      tbody tr {
        border-top: 1px solid var(--hl-rule);
      }
      .here {
        font-weight: 650;
      }
      .here th {
        font-weight: 650;
      }
      @media (pointer: coarse) {
        .length input {
          min-height: 44px;
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
    const work = workGrowth(settings);
    const memory = memoryGrowth(settings);
    const { n } = settings;
    const said = t('calculator.growth.slider.value', { n });
    return html`
      <h2>${t('calculator.growth')}</h2>
      <p>${t('calculator.growth.about')}</p>
      <div class="length">
        <label for="length">${t('calculator.growth.slider')}</label>
        <input
          id="length"
          type="range"
          min="0"
          max="20"
          step="1"
          aria-valuetext=${said}
          .value=${String(Math.round(Math.log2(n)))}
          @input=${(event: Event) =>
            ask(this, 'hl-calculator-field', {
              id: 'n',
              text: String(2 ** Number((event.target as HTMLInputElement).value)),
            })}
        />
        <output for="length">${said}</output>
      </div>
      <div class="charts">
        ${this.chart('work', work)} ${this.chart('memory', memory)}
      </div>
      <details>
        <summary>${t('calculator.growth.table')}</summary>
        ${this.table('work', work)} ${this.table('memory', memory)}
      </details>
    `;
  }

  private chart(id: 'work' | 'memory', growth: Growth) {
    const title = t(`calculator.growth.${id}`);
    return html`<div>
      <h3>${title}</h3>
      <p>${t(`calculator.growth.${id}.about`)}</p>
      <hl-calculator-chart .growth=${growth} .label=${title}></hl-calculator-chart>
    </div>`;
  }

  private table(id: 'work' | 'memory', { unit, lengths, lines, here }: Growth) {
    const title = t(`calculator.growth.${id}`);
    const rows = lengths.map((n, i) => ({ n, values: lines.map(({ values }) => values[i]!) }));
    if (!lengths.includes(here.n)) rows.push(here as (typeof rows)[number]);
    rows.sort((a, b) => (a.n < b.n ? -1 : 1));
    return html`<div class="scroll" role="region" tabindex="0" aria-label=${title}>
      <table data-growth=${id}>
        <caption>
          ${title}
        </caption>
        <thead>
          <tr>
            <th scope="col">${t('calculator.growth.tokens')}</th>
            ${lines.map((line) => html`<th scope="col">${t(`calculator.line.${line.id}`)}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            ({ n, values }) => html`<tr class=${n === here.n ? 'here' : ''}>
              <th scope="row">${inFull(n)}</th>
              ${values.map((value) => html`<td>${write(value, unit, this.full)}</td>`)}
            </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'hl-calculator-growth': CalculatorGrowth;
  }
}
