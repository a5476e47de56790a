/**
 * The whole row of one query: a line a key, from the dot product to the weight, with maximum and sum at the foot.
 * The step that is read decides which columns stand in front; the pair's own line is marked and can be changed.
 */

import { css, html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { cssColor, type Theme, weightColor } from '../../draw/color-scale.ts';
import { type Inside, printed } from '../../draw/inside.ts';
import { LanguageController, t } from '../../i18n/index.ts';
import { cssProperties } from '../css-properties.ts';
import { baseStyles } from '../stage-styles.ts';
import { tell } from './inspector-events.ts';

/** What the table shows: scores and the mask, or the softmax. */
export type RowPart = 'row' | 'softmax';

@customElement('hl-row-table')
export class RowTable extends LitElement {
  static override styles = [
    baseStyles,
    css`
      .scroll {
        overflow: auto;
        width: max-content;
        min-width: min(100%, 34rem);
        max-width: 100%;
        max-height: 30rem;
        border: 1px solid var(--hl-rule);
        border-radius: var(--hl-radius);
      }
      table {
        width: 100%;
        border-collapse: separate;
        border-spacing: 0;
        font-size: 0.875rem;
        font-variant-numeric: tabular-nums;
      }
      th,
      td {
        padding: 3px 14px;
        text-align: end;
        white-space: nowrap;
      }
      thead th {
        position: sticky;
        top: 0;
        background: var(--hl-panel);
        font-weight: 500;
        font-size: 0.8125rem;
        color: var(--hl-dim);
        border-bottom: 1px solid var(--hl-rule);
      }
      th:first-child {
        text-align: start;
      }
      tbody th {
        font-weight: 400;
      }
      tbody button {
        min-height: 24px;
        text-align: start;
      }
      tbody button:hover {
        text-decoration: underline;
        text-underline-offset: 3px;
      }
      tr.key > * {
        background: var(--hl-faint);
      }
      tr.key th button {
        font-weight: 650;
      }
      tr.masked td,
      tr.masked th {
        color: var(--hl-dim);
      }
      tfoot th,
      tfoot td {
        position: sticky;
        bottom: 0;
        background: var(--hl-panel);
        border-top: 2px solid var(--hl-edge);
        font-weight: 650;
      }
      .bar {
        display: inline-block;
        width: calc(var(--share) * 64px);
        height: 10px;
        margin-inline-end: 8px;
        border-radius: 2px;
        background: var(--light);
      }
      @media (pointer: coarse) {
        tbody button {
          min-height: 40px;
        }
      }
      @media (max-width: 479px) {
        th,
        td {
          padding: 5px 7px;
        }
        .bar {
          display: none;
        }
      }
    `,
  ];

  @property({ attribute: false }) inside: Inside | null = null;
  @property() shows: RowPart = 'row';
  @property() theme: Theme = 'light';

  constructor() {
    super();
    new LanguageController(this);
  }

  protected override render() {
    const { inside, shows } = this;
    if (!inside) return nothing;
    const { steps, keyTokens } = inside;
    const heads =
      shows === 'row'
        ? [t('inside.row.dot'), t('inside.row.score'), t('inside.row.mask')]
        : [
            t('inside.row.score'),
            t('inside.row.shifted'),
            t('inside.row.exponential'),
            t('inside.row.weight'),
          ];
    const label = t('inside.row.caption', { query: inside.queryTokens[inside.query] ?? '' });
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${label}>
      <table>
        <caption class="hidden">${label}</caption>
        <thead>
          <tr>
            <th scope="col">${t('inside.row.key')}</th>
            ${heads.map((head) => html`<th scope="col">${head}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${keyTokens.map((token, key) => this.renderKey(inside, token, key))}
        </tbody>
        ${shows === 'softmax' ? this.renderFoot(steps.maximum, steps.sum, steps.weights) : nothing}
      </table>
    </div>`;
  }

  /** The pair's line is in sight; the page itself does not move. */
  protected override updated(): void {
    const box = this.renderRoot.querySelector<HTMLElement>('.scroll');
    const line = box?.querySelector<HTMLElement>('tr.key');
    if (!box || !line) return;
    const hidden =
      line.offsetTop < box.scrollTop + line.offsetHeight ||
      line.offsetTop + 3 * line.offsetHeight > box.scrollTop + box.clientHeight;
    if (hidden) box.scrollTop = line.offsetTop - box.clientHeight / 2;
  }

  private renderKey({ steps, key: chosen }: Inside, token: string, key: number) {
    const allowed = steps.allowed[key] === 1;
    const cells =
      this.shows === 'row'
        ? [
            printed(steps.dots[key]!),
            printed(steps.scores[key]!),
            t(allowed ? 'inside.row.open' : 'inside.row.masked'),
          ]
        : [
            allowed ? printed(steps.scores[key]!) : '−∞',
            allowed ? printed(steps.scores[key]! - steps.maximum) : '−∞',
            printed(steps.exponentials[key]!),
            this.renderWeight(steps.weights[key]!),
          ];
    const classes = `${key === chosen ? 'key' : ''} ${allowed ? '' : 'masked'}`;
    return html`<tr class=${classes}>
      <th scope="row">
        <button
          aria-pressed=${key === chosen}
          @click=${() => tell(this, 'hl-inside-pair', { query: null, key })}
        >
          <bdi>${token}</bdi>
        </button>
      </th>
      ${cells.map((cell) => html`<td>${cell}</td>`)}
    </tr>`;
  }

  private renderWeight(weight: number) {
    const light = cssColor(weightColor(Math.max(weight, 0.15), this.theme));
    return html`<span
        class="bar"
        ${cssProperties({ '--share': String(Math.min(1, Math.max(0, weight)) || 0), '--light': light })}
      ></span>${printed(weight)}`;
  }

  private renderFoot(maximum: number, sum: number, weights: Float32Array) {
    return html`<tfoot>
      <tr>
        <th scope="row">${t('inside.row.total')}</th>
        <td><span class="dim">max</span> ${printed(maximum)}</td>
        <td></td>
        <td>${printed(sum)}</td>
        <td>${printed(weights.reduce((total, weight) => total + weight, 0))}</td>
      </tr>
    </tfoot>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'hl-row-table': RowTable;
  }
}
