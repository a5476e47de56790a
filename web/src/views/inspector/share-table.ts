/** What each head of a layer adds to one token: length of its addition and its share of the block's output. */

import { css, html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { type Inside, printed } from '../../draw/inside.ts';
import { LanguageController, t } from '../../i18n/index.ts';
import { cssProperties } from '../css-properties.ts';
import { baseStyles } from '../stage-styles.ts';
import { tell } from './inspector-events.ts';

@customElement('hl-share-table')
export class ShareTable extends LitElement {
  static override styles = [
    baseStyles,
    css`
      table {
        border-collapse: separate;
        border-spacing: 0;
        font-size: 0.875rem;
        font-variant-numeric: tabular-nums;
      }
      th,
      td {
        padding: 3px 12px 3px 0;
        text-align: end;
        font-weight: 400;
        white-space: nowrap;
      }
      th {
        text-align: start;
      }
      thead th {
        font-size: 0.8125rem;
        color: var(--hl-dim);
      }
      thead th:not(:first-child) {
        text-align: end;
      }
      button {
        min-height: 28px;
      }
      button:hover {
        text-decoration: underline;
        text-underline-offset: 3px;
      }
      tr.own th button,
      tr.own td {
        font-weight: 650;
      }
      tfoot th,
      tfoot td {
        border-top: 2px solid var(--hl-edge);
        font-weight: 650;
      }
      .track {
        position: relative;
        width: 160px;
        height: 12px;
        background: linear-gradient(var(--hl-edge), var(--hl-edge)) 25% 0 / 1px 100% no-repeat;
      }
      .bar {
        position: absolute;
        inset: 0 auto 0 var(--from);
        width: var(--wide);
        border-radius: 2px;
        background: var(--hl-mark);
      }
      tr.own .bar {
        background: var(--hl-accent);
      }
      .bar.negative {
        background: var(--hl-second);
      }
      @media (max-width: 479px) {
        .track {
          width: 96px;
        }
      }
      @media (pointer: coarse) {
        button {
          min-height: 40px;
        }
      }
    `,
  ];

  @property({ attribute: false }) inside: Inside | null = null;

  constructor() {
    super();
    new LanguageController(this);
  }

  protected override render() {
    const additions = this.inside?.additions;
    if (!this.inside || !additions) return nothing;
    const { heads, bias, norms, shares } = additions;
    const own = this.inside.head;
    // The bars' zero stands at a quarter: shares may be below 0 and above 1.
    const reach = Math.max(0.25, ...shares.map((share) => Math.max(share, -3 * share)));
    return html`<table>
      <caption class="hidden">${t('inside.share.caption')}</caption>
      <thead>
        <tr>
          <th scope="col">${t('inside.share.part')}</th>
          <th scope="col">${t('inside.share.norm')}</th>
          <th scope="col">${t('inside.share.share')}</th>
          <td></td>
        </tr>
      </thead>
      <tbody>
        ${Array.from(norms, (norm, part) => {
          const name =
            part < heads
              ? html`<button
                  aria-pressed=${part === own}
                  @click=${() => tell(this, 'hl-inside-head', { head: part })}
                >
                  ${t('inside.share.head', { head: part })}
                </button>`
              : t('inside.share.bias');
          const share = shares[part]!;
          const from = 25 + (75 * Math.min(0, share)) / reach;
          const wide = (75 * Math.abs(share)) / reach;
          return html`<tr class=${part === own ? 'own' : ''}>
            <th scope="row">${name}</th>
            <td>${printed(norm)}</td>
            <td>${printed(share)}</td>
            <td>
              <div class="track">
                <div
                  class="bar ${share < 0 ? 'negative' : ''}"
                  ${cssProperties({ '--from': `${from}%`, '--wide': `${wide}%` })}
                ></div>
              </div>
            </td>
          </tr>`;
        })}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">${t(bias ? 'inside.share.allAndBias' : 'inside.share.all')}</th>
          <td>${printed(additions.outputNorm)}</td>
          <td>${printed(shares.reduce((total, share) => total + share, 0))}</td>
          <td></td>
        </tr>
      </tfoot>
    </table>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'hl-share-table': ShareTable;
  }
}
