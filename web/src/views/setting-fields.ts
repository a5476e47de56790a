/** A row of small text fields with their errors beside them. What is typed stays; the page says what is wrong. */

import { css, html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { baseStyles } from './stage-styles.ts';

export interface SettingField {
  id: string;
  label: string;
  value: string;
  /** null: what stands there is right. */
  error: string | null;
  wide?: boolean;
  numeric?: boolean;
}

export interface SettingEvents {
  'hl-setting': { id: string; value: string };
}

@customElement('hl-setting-fields')
export class SettingFields extends LitElement {
  static override styles = [
    baseStyles,
    css`
      .fields {
        display: flex;
        flex-wrap: wrap;
        gap: 10px 18px;
      }
      label {
        display: grid;
        gap: 2px;
        font-size: 0.8125rem;
        color: var(--hl-dim);
      }
      input {
        width: 6.5em;
        min-height: 38px;
        padding: 0 10px;
        border: 1px solid var(--hl-edge);
        border-radius: 8px;
        background: var(--hl-panel);
        color: var(--hl-ink);
        font: inherit;
        font-size: 0.9375rem;
        font-variant-numeric: tabular-nums;
      }
      .wide {
        flex: 1 1 18em;
      }
      .wide input {
        width: 100%;
      }
      input[aria-invalid='true'] {
        border: 2px solid var(--hl-ink);
      }
      .error {
        max-width: 22em;
        color: var(--hl-ink);
        font-weight: 600;
      }
      @media (pointer: coarse) {
        input {
          min-height: 44px;
        }
      }
    `,
  ];

  @property({ attribute: false }) fields: readonly SettingField[] = [];

  protected override render() {
    return html`<div class="fields">
      ${this.fields.map(
        ({ id, label, value, error, wide, numeric }) => html`<label class=${wide ? 'wide' : ''}>
          ${label}
          <input
            id=${id}
            inputmode=${numeric ? 'decimal' : 'text'}
            autocomplete="off"
            spellcheck="false"
            .value=${value}
            aria-invalid=${error !== null}
            aria-describedby=${error === null ? nothing : `${id}-error`}
            @input=${(event: Event) => this.say(id, (event.target as HTMLInputElement).value)}
          />
          ${error === null ? nothing : html`<span class="error" id=${`${id}-error`} role="alert">${error}</span>`}
        </label>`,
      )}
    </div>`;
  }

  private say(id: string, value: string): void {
    this.dispatchEvent(
      new CustomEvent<SettingEvents['hl-setting']>('hl-setting', {
        detail: { id, value },
        bubbles: true,
        composed: true,
      }),
    );
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'hl-setting-fields': SettingFields;
  }
}
