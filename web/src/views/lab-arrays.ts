/** What was read, a row an array: shape, type, what it is used as, and at its row what does not fit and what might. */

import { css, html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { LanguageController, t } from '../i18n/index.ts';
import '../i18n/lab.ts';
import { controlStyles } from './page-styles.ts';
import { baseStyles } from './stage-styles.ts';

export interface LabRemark {
  text: string;
  /** false: worth knowing, and prevents nothing. */
  wrong: boolean;
  suggestions: readonly { id: string; text: string }[];
}

export interface LabArrayRow {
  name: string;
  shape: string;
  type: string;
  role: string;
  remarks: readonly LabRemark[];
}

export interface LabArraysEvents {
  'hl-lab-role': { name: string; role: string };
  'hl-lab-remove': { name: string };
  'hl-lab-suggestion': { id: string };
}

@customElement('hl-lab-arrays')
export class LabArrays extends LitElement {
  static override styles = [
    baseStyles,
    controlStyles,
    css`
      .scroll {
        max-height: 30rem;
        overflow: auto;
      }
      table {
        border-collapse: collapse;
        font-size: 0.9375rem;
        font-variant-numeric: tabular-nums;
      }
      th,
      td {
        padding: 5px 20px 5px 0;
        font-weight: 400;
        text-align: start;
      }
      thead th {
        font-size: 0.8125rem;
        color: var(--hl-dim);
      }
      tbody th {
        max-width: 18em;
        font-weight: 600;
        overflow-wrap: break-word;
      }
      tbody td {
        white-space: nowrap;
      }
      .remarks td {
        white-space: normal;
      }
      select {
        min-height: 36px;
        max-width: 14em;
        padding: 0 6px;
        border: 1px solid var(--hl-edge);
        border-radius: 8px;
        background: var(--hl-panel);
      }
      .remarks td {
        padding-top: 0;
        padding-bottom: 10px;
      }
      .remark {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 6px 10px;
        max-width: 76ch;
        margin: 0 0 6px;
        font-size: 0.875rem;
        color: var(--hl-dim);
      }
      .wrong {
        padding-inline-start: 10px;
        border-inline-start: 3px solid var(--hl-accent);
        color: var(--hl-ink);
        font-weight: 600;
      }
      @media (max-width: 599px) {
        th,
        td {
          padding-inline-end: 12px;
        }
        .type {
          display: none;
        }
        select {
          max-width: 8.5em;
        }
      }
      @media (pointer: coarse) {
        select {
          min-height: 44px;
        }
      }
    `,
  ];

  @property({ attribute: false }) rows: readonly LabArrayRow[] = [];
  @property({ attribute: false }) roles: readonly { id: string; label: string }[] = [];
  /** Of no single array. */
  @property({ attribute: false }) remarks: readonly LabRemark[] = [];

  constructor() {
    super();
    new LanguageController(this);
  }

  protected override render() {
    return html`
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">${t('lab.array.name')}</th>
              <th scope="col">${t('lab.array.shape')}</th>
              <th scope="col" class="type">${t('lab.array.type')}</th>
              <th scope="col">${t('lab.array.role')}</th>
              <td></td>
            </tr>
          </thead>
          <tbody>
            ${this.rows.map((row) => this.renderRow(row))}
          </tbody>
        </table>
      </div>
      <div role="status">${this.remarks.map((remark) => this.renderRemark(remark))}</div>
    `;
  }

  private renderRow({ name, shape, type, role, remarks }: LabArrayRow) {
    return html`<tr data-array=${name}>
        <th scope="row"><bdi>${name}</bdi></th>
        <td>${shape}</td>
        <td class="type">${type}</td>
        <td>
          <select
            aria-label=${t('lab.array.roleOf', { name })}
            @change=${(event: Event) => this.say('hl-lab-role', { name, role: (event.target as HTMLSelectElement).value })}
          >
            ${this.roles.map(
              ({ id, label }) =>
                html`<option value=${id} .selected=${id === role}>${label}</option>`,
            )}
          </select>
        </td>
        <td>
          <button
            class="link"
            aria-label=${t('lab.array.removeOf', { name })}
            @click=${() => this.say('hl-lab-remove', { name })}
          >
            ${t('lab.array.remove')}
          </button>
        </td>
      </tr>
      ${
        remarks.length === 0
          ? nothing
          : html`<tr class="remarks">
              <td colspan="5">${remarks.map((remark) => this.renderRemark(remark))}</td>
            </tr>`
      }`;
  }

  private renderRemark({ text, wrong, suggestions }: LabRemark) {
    return html`<div class="remark ${wrong ? 'wrong' : ''}">
      <span>${text}</span>
      ${suggestions.map(
        ({ id, text: label }) => html`<button
          class="button"
          data-suggestion=${id}
          @click=${() => this.say('hl-lab-suggestion', { id })}
        >
          ${label}
        </button>`,
      )}
    </div>`;
  }

  private say<Name extends keyof LabArraysEvents>(name: Name, detail: LabArraysEvents[Name]): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'hl-lab-arrays': LabArrays;
  }
}
