/**
 * A matrix with its own row and column labels as a table of coloured numbers: attention weights on the page's scale,
 * or numbers with a sign on theirs. Rows and columns may differ (cross-attention). One cell is chosen; arrow keys move.
 */

import { css, html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { cssColor, inkOn, type Theme, weightColor } from '../draw/color-scale.ts';
import { printed } from '../draw/inside.ts';
import { boundOf, signedColor } from '../draw/signed-scale.ts';
import { cssProperties } from './css-properties.ts';
import { baseStyles } from './stage-styles.ts';

export interface CellChoice {
  row: number;
  column: number;
}

@customElement('hl-heat-table')
export class HeatTable extends LitElement {
  static override styles = [
    baseStyles,
    css`
      .scroll {
        overflow: auto;
        max-height: 34rem;
        max-width: 100%;
        width: max-content;
      }
      table {
        border-collapse: separate;
        border-spacing: 2px;
        font-size: 0.8125rem;
        font-variant-numeric: tabular-nums;
      }
      caption {
        padding-bottom: 4px;
        font-size: 0.9375rem;
        font-weight: 600;
        text-align: start;
      }
      th {
        padding: 2px 6px;
        font-weight: 500;
        color: var(--hl-dim);
        white-space: nowrap;
      }
      tbody th {
        text-align: end;
      }
      td {
        min-width: 46px;
        padding: 6px 4px;
        border-radius: 4px;
        text-align: center;
        background: var(--light);
        color: var(--ink);
        cursor: pointer;
      }
      .plain td {
        cursor: default;
      }
      td[aria-selected='true'] {
        outline: 2px solid var(--hl-ink);
        outline-offset: 0;
      }
      td:focus-visible {
        outline: 3px solid var(--hl-focus);
      }
      tfoot td,
      tfoot th {
        border-top: 2px solid var(--hl-edge);
        font-weight: 650;
      }
      .small td {
        min-width: 38px;
        padding: 2px;
        font-size: 0.6875rem;
      }
    `,
  ];

  @property({ attribute: false }) values: ArrayLike<number> = [];
  @property({ attribute: false }) rows: readonly string[] = [];
  @property({ attribute: false }) columns: readonly string[] = [];
  @property() caption = '';
  /** Attention weights are on the page's scale from 0 to 1, other numbers on one from -bound to bound. */
  @property() kind: 'weights' | 'signed' = 'signed';
  /** null: nothing can be chosen. */
  @property({ attribute: false }) chosen: CellChoice | null = null;
  /** A last row under a line: [columns]. */
  @property({ attribute: false }) foot: { label: string; values: ArrayLike<number> } | null = null;
  @property() theme: Theme = 'light';

  protected override render() {
    const { rows, columns, chosen, foot } = this;
    const bound = boundOf(this.values);
    const classes = `${columns.length > 12 ? 'small' : ''} ${chosen ? '' : 'plain'}`;
    return html`<div class="scroll" tabindex=${chosen ? nothing : 0} role="region" aria-label=${this.caption}>
      <table
        class=${classes}
        role=${chosen ? 'grid' : 'table'}
        @keydown=${this.onKey}
      >
        <caption>${this.caption}</caption>
        <thead>
          <tr>
            <td class="hidden"></td>
            ${columns.map((label) => html`<th scope="col"><bdi>${label}</bdi></th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (label, row) => html`<tr>
              <th scope="row"><bdi>${label}</bdi></th>
              ${columns.map((_, column) =>
                this.renderCell(this.values[row * columns.length + column]!, bound, row, column),
              )}
            </tr>`,
          )}
        </tbody>
        ${
          foot === null
            ? nothing
            : html`<tfoot>
                <tr>
                  <th scope="row">${foot.label}</th>
                  ${columns.map((_, column) => this.renderNumber(foot.values[column]!, boundOf(foot.values)))}
                </tr>
              </tfoot>`
        }
      </table>
    </div>`;
  }

  private renderNumber(value: number, bound: number) {
    const color = this.colorOf(value, bound);
    return html`<td ${cssProperties({ '--light': cssColor(color), '--ink': cssColor(inkOn(color)) })}>
      ${printed(value)}
    </td>`;
  }

  private renderCell(value: number, bound: number, row: number, column: number) {
    const { chosen } = this;
    if (chosen === null) return this.renderNumber(value, bound);
    const color = this.colorOf(value, bound);
    const own = chosen.row === row && chosen.column === column;
    return html`<td
      role="gridcell"
      aria-selected=${own}
      tabindex=${own ? 0 : -1}
      data-row=${row}
      data-column=${column}
      @click=${() => this.choose(row, column)}
      ${cssProperties({ '--light': cssColor(color), '--ink': cssColor(inkOn(color)) })}
    >
      ${printed(value)}
    </td>`;
  }

  private colorOf(value: number, bound: number) {
    return this.kind === 'weights'
      ? weightColor(value, this.theme)
      : signedColor(value, bound, this.theme);
  }

  private choose(row: number, column: number): void {
    this.dispatchEvent(
      new CustomEvent<CellChoice>('hl-cell', {
        detail: { row, column },
        bubbles: true,
        composed: true,
      }),
    );
  }

  private onKey(event: KeyboardEvent): void {
    const { chosen } = this;
    const step = {
      ArrowRight: [0, 1],
      ArrowLeft: [0, -1],
      ArrowDown: [1, 0],
      ArrowUp: [-1, 0],
    }[event.key];
    if (!chosen || !step) return;
    event.preventDefault();
    event.stopPropagation();
    const row = Math.max(0, Math.min(this.rows.length - 1, chosen.row + step[0]!));
    const column = Math.max(0, Math.min(this.columns.length - 1, chosen.column + step[1]!));
    this.choose(row, column);
    void this.updateComplete.then(() =>
      this.renderRoot
        .querySelector<HTMLElement>(`[data-row="${row}"][data-column="${column}"]`)
        ?.focus(),
    );
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'hl-heat-table': HeatTable;
  }
}
