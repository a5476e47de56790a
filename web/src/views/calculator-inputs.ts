/** The calculator's fields and choices, and models with known sizes to start from. */

import { css, html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { PRESET_IDS, type PresetId, SHIPPED } from '../calculator/presets.ts';
import {
  type Draft,
  type Faults,
  type FieldId,
  OUTPUTS,
  readField,
  TYPES,
} from '../calculator/settings.ts';
import { LanguageController, type TextKey, t } from '../i18n/index.ts';
import { ask } from './calculator-events.ts';
import './calculator-field.ts';
import { inFull } from './calculator-numbers.ts';
import { controlStyles } from './page-styles.ts';
import { baseStyles, choiceStyles } from './stage-styles.ts';

@customElement('hl-calculator-inputs')
export class CalculatorInputs extends LitElement {
  static override styles = [
    baseStyles,
    controlStyles,
    choiceStyles,
    css`
      h2 {
        margin: 0;
        font-size: 1.0625rem;
        font-weight: 600;
      }
      .choices {
        margin: 6px 0 0 -11px;
      }
      .choices > button[aria-pressed='true'] {
        background: none;
        box-shadow: inset 0 0 0 1.5px var(--hl-accent);
      }
      .about {
        min-height: 3.9em;
        margin: 6px 0 18px;
        font-size: 0.875rem;
        line-height: 1.45;
        color: var(--hl-dim);
      }
      .about a {
        color: var(--hl-ink);
        text-underline-offset: 3px;
        text-decoration-color: var(--hl-edge);
      }
      .fields {
        display: grid;
        grid-template-columns: repeat(2, minmax(0, 1fr));
        align-items: start;
        gap: 14px 16px;
      }
      .wide {
        grid-column: 1 / -1;
      }
      .choice {
        display: grid;
        gap: 3px;
        font-size: 0.875rem;
        line-height: 1.35;
        color: var(--hl-dim);
      }
      select {
        width: 100%;
        min-height: 40px;
        padding: 0 8px;
        border: 1px solid var(--hl-edge);
        border-radius: 8px;
        background: var(--hl-panel);
        color: var(--hl-ink);
        font-size: 0.9375rem;
      }
      .check {
        display: flex;
        align-items: center;
        gap: 8px;
        min-height: 40px;
        align-self: end;
        font-size: 0.9375rem;
        line-height: 1.25;
        cursor: pointer;
      }
      .check input {
        width: 18px;
        height: 18px;
        margin: 0;
        accent-color: var(--hl-accent);
      }
      .full {
        margin-top: 4px;
        padding-top: 10px;
        border-top: 1px solid var(--hl-rule);
      }
      @media (min-width: 640px) and (max-width: 1023px) {
        .fields {
          grid-template-columns: repeat(4, minmax(0, 1fr));
        }
        .about {
          min-height: 0;
        }
      }
      @media (pointer: coarse) {
        select,
        .check {
          min-height: 44px;
        }
      }
    `,
  ];

  @property({ attribute: false }) draft!: Draft;
  @property({ attribute: false }) faults: Faults = {};
  /** The model that these sizes are, if any. */
  @property({ attribute: false }) preset: PresetId | null = null;
  @property({ type: Boolean }) full = false;

  constructor() {
    super();
    new LanguageController(this);
  }

  protected override render() {
    const { preset } = this;
    return html`
      <h2 id="presets">${t('calculator.presets')}</h2>
      <div class="choices" role="group" aria-labelledby="presets">
        ${PRESET_IDS.map(
          (id) => html`<button
            data-preset=${id}
            aria-pressed=${id === preset}
            @click=${() => ask(this, 'hl-calculator-preset', { id })}
          >
            ${t(`calculator.preset.${id}`)}
          </button>`,
        )}
      </div>
      <p class="about" role="status">
        ${t(`calculator.about.${preset ?? 'own'}`)}
        ${
          preset && SHIPPED.includes(preset)
            ? html`<a href="./index.html#model=${preset}">${t('calculator.about.open')}</a>`
            : nothing
        }
      </p>
      <div class="fields">
        ${this.field('d')} ${this.field('h')} ${this.field('dk')} ${this.field('kv')}
        ${this.field('layers')} ${this.field('n')}
        ${this.select('dtype', TYPES)} ${this.check('bias')}
        ${this.field('ff')} ${this.field('vocab')}
        ${this.select('out', OUTPUTS)} ${this.check('gated')}
        ${this.check('full')}
      </div>
    `;
  }

  private field(id: FieldId) {
    const { text } = this.draft;
    return html`<hl-calculator-field
      field=${id}
      .value=${text[id]}
      .empty=${this.emptyMeans(id)}
      .fault=${this.faults[id] ?? null}
      .others=${text}
    ></hl-calculator-field>`;
  }

  private emptyMeans(id: FieldId): string {
    if (id === 'ff' || id === 'vocab') return t('calculator.empty.off');
    const [d, h] = [readField('d', this.draft.text.d), readField('h', this.draft.text.h)];
    if (typeof h !== 'number') return '';
    if (id === 'kv') return t('calculator.empty.kv', { value: inFull(h) });
    if (id !== 'dk' || typeof d !== 'number' || d % h !== 0) return '';
    return t('calculator.empty.dk', { value: inFull(d / h) });
  }

  private select(name: 'dtype' | 'out', values: readonly string[]) {
    const chosen = this.draft[name];
    return html`<label class="choice">
      ${t(`calculator.${name}`)}
      <select
        name=${name}
        .value=${chosen}
        @change=${(event: Event) =>
          ask(this, 'hl-calculator-choice', {
            name,
            value: (event.target as HTMLSelectElement).value,
          })}
      >
        ${values.map(
          (value) =>
            html`<option value=${value} ?selected=${value === chosen}>
              ${t(`calculator.${name}.${value}` as TextKey)}
            </option>`,
        )}
      </select>
    </label>`;
  }

  private check(name: 'bias' | 'gated' | 'full') {
    const on = name === 'full' ? this.full : this.draft[name];
    return html`<label class=${name === 'full' ? 'check full wide' : 'check'}>
      <input
        type="checkbox"
        name=${name}
        .checked=${on}
        @change=${(event: Event) =>
          ask(this, 'hl-calculator-switch', {
            name,
            on: (event.target as HTMLInputElement).checked,
          })}
      />
      ${t(`calculator.${name}`)}
    </label>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'hl-calculator-inputs': CalculatorInputs;
  }
}
