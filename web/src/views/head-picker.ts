/** Chooses a head, or a mean over a layer's heads, over the layers at one head, or over all. */

import { css, html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { HeadChoice } from '../draw/picture.ts';
import { LanguageController, t } from '../i18n/index.ts';
import { tell } from './stage-events.ts';
import { baseStyles } from './stage-styles.ts';

@customElement('hl-head-picker')
export class HeadPicker extends LitElement {
  static override styles = [
    baseStyles,
    css`
      :host {
        display: inline-flex;
        flex-wrap: wrap;
        gap: 4px 14px;
        font-size: 0.875rem;
        color: var(--hl-dim);
      }
      label {
        display: inline-flex;
        align-items: center;
        gap: 6px;
      }
      select {
        min-height: 36px;
        padding: 0 6px;
        border: 1px solid var(--hl-rule);
        border-radius: 8px;
        background: var(--hl-panel);
        color: var(--hl-ink);
        font-variant-numeric: tabular-nums;
      }
      @media (pointer: coarse) {
        select {
          min-height: 44px;
        }
      }
    `,
  ];

  @property({ type: Number }) layers = 0;
  @property({ type: Number }) heads = 0;
  @property({ attribute: false }) choice: HeadChoice | null = null;

  constructor() {
    super();
    new LanguageController(this);
  }

  protected override render() {
    const { choice } = this;
    if (!choice || this.layers * this.heads === 0) return nothing;
    return html`
      ${this.renderSelect(t('picker.layer'), this.layers, choice.layer, (layer) => ({ ...choice, layer }))}
      ${this.renderSelect(t('picker.head'), this.heads, choice.head, (head) => ({ ...choice, head }))}
    `;
  }

  private renderSelect(
    label: string,
    count: number,
    now: number | 'mean',
    change: (value: number | 'mean') => HeadChoice,
  ) {
    const choose = (event: Event) => {
      const { value } = event.target as HTMLSelectElement;
      const next = change(value === 'mean' ? 'mean' : Number(value));
      tell(this, 'hl-head-select', { ...next, additive: false });
    };
    return html`<label>
      ${label}
      <select .value=${String(now)} @change=${choose}>
        ${Array.from(
          { length: count },
          (_, i) => html`<option value=${i} ?selected=${i === now}>${i}</option>`,
        )}
        <option value="mean" ?selected=${now === 'mean'}>${t('picker.mean')}</option>
      </select>
    </label>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'hl-head-picker': HeadPicker;
  }
}
