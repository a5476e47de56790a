/**
 * Vectors number by number: rows of equal length under each other, cut into groups of eight dimensions that flow
 * like words, each a small table. Colour tells the size, every number stands there to be read.
 */

import { css, html, LitElement } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { cssColor, inkOn, type Theme } from '../../draw/color-scale.ts';
import { printed } from '../../draw/inside.ts';
import { boundOf, signedColor } from '../../draw/signed-scale.ts';
import { LanguageController, t } from '../../i18n/index.ts';
import { cssProperties } from '../css-properties.ts';
import { baseStyles } from '../stage-styles.ts';

export interface NumberRow {
  /** Short: it stands before every group. */
  label: string;
  /** In full, for a screen reader. */
  name: string;
  values: ArrayLike<number>;
  /** The result of the rows above it: set off by a line. */
  result?: boolean;
}

const COLUMNS = 8;

@customElement('hl-number-groups')
export class NumberGroups extends LitElement {
  static override styles = [
    baseStyles,
    css`
      .groups {
        display: flex;
        flex-wrap: wrap;
        gap: 14px 20px;
      }
      table {
        border-collapse: separate;
        border-spacing: 2px;
        font-size: 0.75rem;
        font-variant-numeric: tabular-nums;
        line-height: 1.3;
      }
      th {
        padding: 2px 4px 2px 0;
        font-weight: 500;
        color: var(--hl-dim);
        text-align: end;
        white-space: nowrap;
      }
      thead th {
        padding: 0;
        font-size: 0.6875rem;
        font-weight: 400;
        text-align: center;
      }
      tbody th {
        min-width: 2.6em;
      }
      td {
        min-width: 39px;
        padding: 3px 2px;
        border-radius: 3px;
        text-align: center;
        background: var(--light);
        color: var(--ink);
      }
      tr.result td,
      tr.result th {
        border-top: 2px solid var(--hl-edge);
        font-weight: 650;
      }
      @media (max-width: 419px) {
        table {
          border-spacing: 1px;
        }
        td {
          min-width: 36px;
          padding: 3px 0;
          font-size: 0.6875rem;
        }
      }
    `,
  ];

  @property({ attribute: false }) rows: readonly NumberRow[] = [];
  /** Number of the first dimension. */
  @property({ type: Number }) first = 0;
  @property() theme: Theme = 'light';

  constructor() {
    super();
    new LanguageController(this);
  }

  protected override render() {
    const length = Math.max(0, ...this.rows.map(({ values }) => values.length));
    const bounds = this.rows.map(({ values }) => boundOf(values));
    const groups = Array.from(
      { length: Math.ceil(length / COLUMNS) },
      (_, group) => group * COLUMNS,
    );
    return html`<div class="groups">
      ${groups.map((from) => this.renderGroup(from, Math.min(length, from + COLUMNS), bounds))}
    </div>`;
  }

  private renderGroup(from: number, to: number, bounds: readonly number[]) {
    const columns = Array.from({ length: to - from }, (_, i) => from + i);
    const first = from + this.first;
    return html`<table>
      <caption class="hidden">
        ${t('inside.dimensions', { from: first, to: first + columns.length - 1 })}
      </caption>
      <thead>
        <tr>
          <td class="hidden"></td>
          ${columns.map((column) => html`<th scope="col">${column + this.first}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${this.rows.map(
          ({ label, name, values, result }, row) => html`<tr class=${result ? 'result' : ''}>
            <th scope="row"><span aria-hidden="true">${label}</span><span class="hidden">${name}</span></th>
            ${columns.map((column) => this.renderCell(values[column]!, bounds[row]!))}
          </tr>`,
        )}
      </tbody>
    </table>`;
  }

  private renderCell(value: number, bound: number) {
    const color = signedColor(value, bound, this.theme);
    return html`<td ${cssProperties({ '--light': cssColor(color), '--ink': cssColor(inkOn(color)) })}>
      ${printed(value)}
    </td>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'hl-number-groups': NumberGroups;
  }
}
