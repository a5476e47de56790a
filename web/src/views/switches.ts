/** What is shown of the weights: special tokens, pieces or words, one head or a mean of several. */

import { css, html, LitElement } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { LanguageController, type TextKey, t } from '../i18n/index.ts';
import { say } from './page-events.ts';
import { tell } from './stage-events.ts';
import { baseStyles } from './stage-styles.ts';

type Mean = 'one' | 'heads' | 'layers' | 'all';
const MEANS: readonly Mean[] = ['one', 'heads', 'layers', 'all'];

@customElement('hl-switches')
export class Switches extends LitElement {
  static override styles = [
    baseStyles,
    css`
      fieldset {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 4px 24px;
        min-width: 0;
        margin: 0;
        padding: 0;
        border: 0;
        font-size: 0.875rem;
      }
      label {
        display: inline-flex;
        align-items: center;
        gap: 8px;
        min-height: 36px;
        cursor: pointer;
      }
      input {
        appearance: none;
        position: relative;
        flex: none;
        width: 32px;
        height: 18px;
        margin: 0;
        border: 1px solid var(--hl-edge);
        border-radius: 999px;
        background: var(--hl-panel);
        cursor: pointer;
      }
      input::before {
        content: '';
        position: absolute;
        top: 2px;
        left: 2px;
        width: 12px;
        height: 12px;
        border-radius: 50%;
        background: var(--hl-edge);
      }
      input:checked {
        border-color: var(--hl-accent);
        background: var(--hl-accent);
      }
      input:checked::before {
        left: 16px;
        background: var(--hl-accent-ink);
      }
      select {
        min-height: 36px;
        max-width: 100%;
        padding: 0 8px;
        border: 1px solid var(--hl-edge);
        border-radius: 8px;
        background: var(--hl-panel);
        color: var(--hl-ink);
      }
      .of {
        color: var(--hl-dim);
      }
      @media (prefers-reduced-motion: no-preference) {
        input::before {
          transition: left 120ms ease;
        }
      }
      @media (forced-colors: active) {
        input {
          appearance: auto;
          width: auto;
          height: auto;
        }
        input::before {
          content: none;
        }
      }
      @media (pointer: coarse) {
        label,
        select {
          min-height: 44px;
        }
      }
    `,
  ];

  @property({ type: Boolean }) specials = false;
  @property({ type: Boolean }) words = false;
  @property({ attribute: false }) layer: number | 'mean' = 0;
  @property({ attribute: false }) head: number | 'mean' = 0;

  /** The head to come back to from a mean. */
  private last = { layer: 0, head: 0 };

  constructor() {
    super();
    new LanguageController(this);
  }

  protected override willUpdate(): void {
    if (this.layer !== 'mean') this.last.layer = this.layer;
    if (this.head !== 'mean') this.last.head = this.head;
  }

  protected override render() {
    return html`<fieldset aria-label=${t('switch.label')}>
      <label>
        <span class="of">${t('switch.mean')}</span>
        <select @change=${this.onMean} .value=${this.mean}>
          ${MEANS.map(
            (mean) => html`<option value=${mean} ?selected=${mean === this.mean}>
              ${t(`switch.mean.${mean}` as TextKey, { layer: this.last.layer, head: this.last.head })}
            </option>`,
          )}
        </select>
      </label>
      ${this.renderSwitch('specials', this.specials)} ${this.renderSwitch('words', this.words)}
    </fieldset>`;
  }

  private renderSwitch(name: 'specials' | 'words', on: boolean) {
    return html`<label title=${t(`switch.${name}.hint` as TextKey)}>
      <input
        type="checkbox"
        role="switch"
        name=${name}
        .checked=${on}
        @change=${(event: Event) =>
          say(this, 'hl-switch', { name, on: (event.target as HTMLInputElement).checked })}
      />
      ${t(`switch.${name}` as TextKey)}
    </label>`;
  }

  private get mean(): Mean {
    if (this.layer === 'mean') return this.head === 'mean' ? 'all' : 'layers';
    return this.head === 'mean' ? 'heads' : 'one';
  }

  private onMean(event: Event): void {
    const mean = (event.target as HTMLSelectElement).value as Mean;
    tell(this, 'hl-head-select', {
      layer: mean === 'layers' || mean === 'all' ? 'mean' : this.last.layer,
      head: mean === 'heads' || mean === 'all' ? 'mean' : this.last.head,
      additive: false,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'hl-switches': Switches;
  }
}
