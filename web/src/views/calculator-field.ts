/** One number of the calculator: name, letter, field, and what is wrong with it. */

import { css, html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { letter } from '../calculator/expression.ts';
import { type Fault, type FieldId, RANGES } from '../calculator/settings.ts';
import { LanguageController, t } from '../i18n/index.ts';
import { ask } from './calculator-events.ts';
import { print } from './calculator-formula.ts';
import { inFull } from './calculator-numbers.ts';
import { resultStyles } from './calculator-styles.ts';
import { baseStyles } from './stage-styles.ts';

const SYMBOLS: Readonly<Record<FieldId, string>> = {
  ...{ d: 'd', h: 'h', dk: 'd_k', kv: 'h_kv', layers: 'L', n: 'n', ff: 'd_ff' },
  ...{ vocab: 'V', k: 'k', r: 'r' },
};

@customElement('hl-calculator-field')
export class CalculatorField extends LitElement {
  static override styles = [
    baseStyles,
    resultStyles,
    css`
      label {
        display: flex;
        align-items: baseline;
        justify-content: space-between;
        gap: 8px;
        font-size: 0.875rem;
        line-height: 1.35;
        color: var(--hl-dim);
      }
      input {
        width: 100%;
        min-height: 40px;
        margin-top: 3px;
        padding: 0 10px;
        border: 1px solid var(--hl-edge);
        border-radius: 8px;
        background: var(--hl-panel);
        color: var(--hl-ink);
        font: inherit;
        font-size: 1.0625rem;
        font-variant-numeric: tabular-nums;
      }
      input::placeholder {
        color: var(--hl-dim);
        opacity: 1;
        font-size: 0.9375rem;
      }
      input[aria-invalid='true'] {
        border-color: var(--hl-accent);
        box-shadow: inset 3px 0 0 var(--hl-accent);
      }
      .fault {
        margin: 4px 0 0;
        font-size: 0.875rem;
        line-height: 1.4;
        color: var(--hl-accent);
      }
      .fault:empty {
        display: none;
      }
      @media (pointer: coarse) {
        input {
          min-height: 44px;
        }
      }
    `,
  ];

  @property() field: FieldId = 'd';
  @property() value = '';
  /** What an empty field means. */
  @property() empty = '';
  @property({ attribute: false }) fault: Fault | null = null;
  /** What the fault's message needs of the other fields. */
  @property({ attribute: false }) others: Readonly<Record<FieldId, string>> | null = null;

  constructor() {
    super();
    new LanguageController(this);
  }

  protected override render() {
    return html`
      <label for="input">
        <span>${t(`calculator.field.${this.field}`)}</span>
        <span aria-hidden="true">${print([letter(SYMBOLS[this.field])])}</span>
      </label>
      <input
        id="input"
        name=${this.field}
        inputmode="numeric"
        autocomplete="off"
        spellcheck="false"
        maxlength="40"
        placeholder=${this.empty || nothing}
        aria-invalid=${this.fault ? 'true' : 'false'}
        aria-describedby="fault"
        .value=${this.value}
        @input=${(event: InputEvent) =>
          ask(this, 'hl-calculator-field', {
            id: this.field,
            text: (event.target as HTMLInputElement).value,
          })}
      />
      <p class="fault" id="fault" role="alert">${this.message()}</p>
    `;
  }

  private message(): string {
    const { fault } = this;
    if (!fault) return '';
    const [min, max] = RANGES[this.field].map(inFull);
    if (!('near' in fault)) return t(`calculator.fault.${fault.code}`, { min: min!, max: max! });
    const { d = '', h = '', kv = '' } = this.others ?? {};
    const near = fault.near.slice(0, 3).sort((a, b) => a - b);
    const list = near.map(inFull).join(t('calculator.fault.or'));
    return t(`calculator.fault.${fault.code}`, { d, h, kv, near: list });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'hl-calculator-field': CalculatorField;
  }
}
