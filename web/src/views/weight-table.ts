/**
 * Every weight of a head as a real table: a row a query, a column a key, three decimals. Long texts come in pages of
 * rows. The matrix view shows it on request; it is what a screen reader reads number by number.
 */

import { css, html, nothing, type PropertyValues } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { cssColor, inkOn, weightColor } from '../draw/color-scale.ts';
import { shortText } from '../draw/labels.ts';
import { t } from '../i18n/index.ts';
import { cssProperties } from './css-properties.ts';
import { baseStyles } from './stage-styles.ts';
import { StageViewElement } from './stage-view.ts';
import { headLabel } from './texts.ts';

/** About how many cells a page holds. */
const CELLS = 4000;

@customElement('hl-weight-table')
export class WeightTable extends StageViewElement {
  static override styles = [
    baseStyles,
    css`
      .scroll {
        overflow: auto;
        max-height: 70vh;
        border: 1px solid var(--hl-rule);
        border-radius: var(--hl-radius);
      }
      table {
        border-collapse: separate;
        border-spacing: 0;
        font-size: 0.8125rem;
        font-variant-numeric: tabular-nums;
      }
      th {
        position: sticky;
        z-index: 1;
        padding: 6px 10px;
        background: var(--hl-panel);
        color: var(--hl-dim);
        font-weight: 500;
        white-space: nowrap;
        text-align: end;
      }
      thead th {
        top: 0;
      }
      tbody th,
      thead th:first-child {
        left: 0;
      }
      thead th:first-child {
        z-index: 2;
      }
      tr.aimed th {
        color: var(--hl-ink);
        font-weight: 700;
      }
      td {
        padding: 6px 10px;
        text-align: end;
        background: var(--light);
        color: var(--ink);
      }
      .pages {
        display: flex;
        align-items: center;
        gap: 12px;
        margin-top: 8px;
        font-size: 0.875rem;
        color: var(--hl-dim);
      }
      .pages button {
        min-height: 36px;
        padding: 0 8px;
        text-decoration: underline;
        text-underline-offset: 3px;
      }
      .pages button:disabled {
        text-decoration: none;
        cursor: default;
      }
    `,
  ];

  @state() private first = 0;

  protected override willUpdate(changed: PropertyValues<this>): void {
    const n = this.picture?.tokens.length ?? 0;
    if (changed.has('picture') && this.first >= n) this.first = 0;
  }

  protected override render() {
    const { picture } = this;
    if (!picture) return nothing;
    const n = picture.tokens.length;
    const weights = picture.weights(this.choice);
    const page = Math.max(4, Math.min(n, Math.floor(CELLS / Math.max(1, n))));
    const end = Math.min(n, this.first + page);
    const label = t('matrix.label', { head: headLabel(this.choice) });
    return html`
      <div class="scroll" tabindex="0" role="region" aria-label=${label}>
        <table>
          <caption class="hidden">
            ${label}
          </caption>
          <thead>
            <tr>
              <th scope="col">${t('matrix.corner')}</th>
              ${picture.tokens.map((token) => html`<th scope="col"><bdi>${shortText(token)}</bdi></th>`)}
            </tr>
          </thead>
          <tbody>
            ${picture.tokens.slice(this.first, end).map((token, i) => {
              const row = this.first + i;
              return html`<tr class=${this.pointed && row === this.token && this.direction === 'from' ? 'aimed' : ''}>
                <th scope="row"><bdi>${shortText(token)}</bdi></th>
                ${Array.from({ length: n }, (_, j) => this.renderCell(weights[row * n + j]!))}
              </tr>`;
            })}
          </tbody>
        </table>
      </div>
      ${page < n ? this.renderPages(page, end, n) : nothing}
    `;
  }

  private renderCell(weight: number) {
    const color = weightColor(weight, this.theme, this.scale);
    return html`<td ${cssProperties({ '--light': cssColor(color), '--ink': cssColor(inkOn(color)) })}>
      ${weight.toFixed(3)}
    </td>`;
  }

  private renderPages(page: number, end: number, n: number) {
    return html`<div class="pages">
      <button
        ?disabled=${this.first === 0}
        @click=${() => {
          this.first = Math.max(0, this.first - page);
        }}
      >
        ${t('matrix.previous')}
      </button>
      <span class="number" role="status">${t('matrix.page', { from: this.first + 1, to: end, count: n })}</span>
      <button
        ?disabled=${end === n}
        @click=${() => {
          this.first += page;
        }}
      >
        ${t('matrix.next')}
      </button>
    </div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'hl-weight-table': WeightTable;
  }
}
