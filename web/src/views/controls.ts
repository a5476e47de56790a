/**
 * The controls of the mechanism: who may look at whom, tokens hidden, temperature, positions, and of two texts which
 * looks at which; with undo and redo. Holds no state: raises events.
 */

import { css, html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { LanguageController, t } from '../i18n/index.ts';
import { controlStyles } from './page-styles.ts';
import { baseStyles, choiceStyles } from './stage-styles.ts';
import './mask-grid.ts';

const MASKS = ['none', 'causal', 'window', 'drawn'] as const;
const QUADRANTS = ['all', 'aa', 'ab', 'ba', 'bb'] as const;
/** The slider's ends: e^±3, and 0 is temperature 1. */
const REACH = 3;

export interface ControlsShown {
  mask: (typeof MASKS)[number];
  radius: number;
  temperature: number;
  positions: boolean;
  off: readonly number[];
  quad: (typeof QUADRANTS)[number];
  /** Of the run, special ones too. */
  tokens: readonly string[];
  /** What the mask leaves open; null where the text is too long to draw. */
  open: Uint8Array | null;
  pair: boolean;
  canUndo: boolean;
  canRedo: boolean;
  plain: boolean;
}

export interface ControlEvents {
  'hl-control': Partial<
    Pick<ControlsShown, 'mask' | 'radius' | 'temperature' | 'positions' | 'off' | 'quad'>
  >;
  'hl-control-move': { to: 'undo' | 'redo' | 'reset' };
}

@customElement('hl-controls')
export class ControlPanel extends LitElement {
  static override styles = [
    baseStyles,
    choiceStyles,
    controlStyles,
    css`
      :host {
        padding: 16px 0 4px;
      }
      .columns {
        display: flex;
        flex-wrap: wrap;
        gap: 20px 40px;
      }
      .fields {
        display: grid;
        flex: 1 1 20em;
        gap: 16px;
        align-content: start;
      }
      fieldset {
        min-width: 0;
        margin: 0;
        padding: 0;
        border: 0;
      }
      legend,
      .label {
        padding: 0;
        margin-bottom: 2px;
        font-size: 0.875rem;
        font-weight: 600;
      }
      .choices {
        margin-left: -12px;
      }
      .line {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 4px 12px;
        font-size: 0.875rem;
      }
      input[type='number'] {
        width: 5.5em;
        min-height: 36px;
        padding: 0 8px;
        border: 1px solid var(--hl-edge);
        border-radius: 8px;
        background: var(--hl-panel);
        color: var(--hl-ink);
        font: inherit;
        font-variant-numeric: tabular-nums;
      }
      input[type='range'] {
        flex: 1 1 10em;
        max-width: 18em;
        min-height: 36px;
        accent-color: var(--hl-accent);
      }
      input[type='checkbox'] {
        width: 20px;
        height: 20px;
        margin: 0;
        accent-color: var(--hl-accent);
      }
      select {
        min-height: 36px;
        max-width: 12em;
        padding: 0 6px;
        border: 1px solid var(--hl-rule);
        border-radius: 8px;
        background: var(--hl-panel);
      }
      .chip {
        min-height: 32px;
        padding: 0 10px;
        border: 1px solid var(--hl-edge);
        border-radius: 999px;
        font-size: 0.8125rem;
        text-decoration: line-through;
      }
      .chip::after {
        content: '  ×';
        display: inline-block;
        white-space: pre;
        text-decoration: none;
      }
      .hint {
        margin: 2px 0 0;
        font-size: 0.8125rem;
        color: var(--hl-dim);
      }
      .moves {
        display: flex;
        flex-wrap: wrap;
        gap: 8px;
      }
      .button:disabled {
        opacity: 0.5;
        cursor: default;
      }
      .grid {
        flex: 0 1 330px;
      }
    `,
  ];

  @property({ attribute: false }) shown: ControlsShown | null = null;
  @property() theme: 'light' | 'dark' = 'light';

  constructor() {
    super();
    new LanguageController(this);
  }

  protected override render() {
    const { shown } = this;
    if (!shown) return nothing;
    return html`<div class="columns">
      <div class="fields">
        ${this.renderMask(shown)} ${this.renderTemperature(shown)} ${this.renderTokens(shown)}
        <label class="line">
          <input
            type="checkbox"
            .checked=${shown.positions}
            @change=${(event: Event) =>
              this.say('hl-control', { positions: (event.target as HTMLInputElement).checked })}
          />
          ${t('controls.positions')}
        </label>
        ${shown.pair ? this.renderQuadrants(shown) : nothing}
        <div class="moves">
          ${this.renderMove('undo', shown.canUndo)} ${this.renderMove('redo', shown.canRedo)}
          ${this.renderMove('reset', !shown.plain)}
        </div>
      </div>
      <div class="grid">
        <div class="label">${t('controls.drawing')}</div>
        ${
          shown.open
            ? html`<hl-mask-grid
                  .open=${shown.open}
                  .tokens=${shown.tokens}
                  .theme=${this.theme}
                ></hl-mask-grid>
                <p class="hint">${t('controls.drawHint')}</p>`
            : html`<p class="hint">${t('controls.tooLong')}</p>`
        }
      </div>
    </div>`;
  }

  private renderMask({ mask, radius }: ControlsShown) {
    return html`<fieldset>
      <legend>${t('controls.mask')}</legend>
      <div class="choices">
        ${MASKS.map(
          (kind) => html`<button
            aria-pressed=${kind === mask}
            @click=${() => this.say('hl-control', { mask: kind })}
          >
            ${t(`controls.mask.${kind}`)}
          </button>`,
        )}
      </div>
      ${
        mask === 'window'
          ? html`<label class="line"
              >${t('controls.radius')}
              <input
                type="number"
                min="0"
                max="511"
                step="1"
                .value=${String(radius)}
                @input=${(event: Event) => this.onNumber(event, 'radius')}
              /></label>`
          : nothing
      }
    </fieldset>`;
  }

  private renderTemperature({ temperature }: ControlsShown) {
    return html`<fieldset>
      <legend>${t('controls.temperature')}</legend>
      <div class="line">
        <input
          type="range"
          aria-label=${t('controls.temperature')}
          min=${-REACH}
          max=${REACH}
          step="0.05"
          .value=${String(Math.log(temperature))}
          aria-valuetext=${String(temperature)}
          @input=${(event: Event) => {
            const value = Math.exp(Number((event.target as HTMLInputElement).value));
            // Two significant digits, and 1 in the middle.
            this.say('hl-control', { temperature: Number(value.toPrecision(2)) });
          }}
        />
        <input
          type="number"
          aria-label=${t('controls.temperatureNumber')}
          min="0.05"
          max="20"
          step="0.05"
          .value=${String(temperature)}
          @input=${(event: Event) => this.onNumber(event, 'temperature')}
        />
      </div>
      <p class="hint">${t('controls.temperatureHint')}</p>
    </fieldset>`;
  }

  private renderTokens({ off, tokens }: ControlsShown) {
    const hidden = new Set(off);
    return html`<fieldset>
      <legend>${t('controls.off')}</legend>
      <div class="line">
        ${off
          .filter((token) => token < tokens.length)
          .map(
            (token) => html`<button
              class="chip"
              aria-label=${t('controls.showAgain', { token: tokens[token] ?? '' })}
              @click=${() => this.say('hl-control', { off: off.filter((other) => other !== token) })}
            >
              <bdi>${tokens[token]}</bdi>
            </button>`,
          )}
        <select
          aria-label=${t('controls.hide')}
          @change=${(event: Event) => {
            const select = event.target as HTMLSelectElement;
            const token = Number(select.value);
            select.value = '';
            this.say('hl-control', { off: [...off, token].sort((a, b) => a - b) });
          }}
        >
          <option value="" selected>${t('controls.hide')}</option>
          ${tokens.map((token, index) =>
            hidden.has(index) ? nothing : html`<option value=${index}>${token}</option>`,
          )}
        </select>
      </div>
      <p class="hint">${t('controls.offHint')}</p>
    </fieldset>`;
  }

  private renderQuadrants({ quad }: ControlsShown) {
    return html`<fieldset>
      <legend>${t('controls.quad')}</legend>
      <div class="choices">
        ${QUADRANTS.map(
          (of) => html`<button
            aria-pressed=${of === quad}
            @click=${() => this.say('hl-control', { quad: of })}
          >
            ${t(`controls.quad.${of}`)}
          </button>`,
        )}
      </div>
    </fieldset>`;
  }

  private renderMove(to: 'undo' | 'redo' | 'reset', possible: boolean) {
    return html`<button
      class="button"
      ?disabled=${!possible}
      @click=${() => this.say('hl-control-move', { to })}
    >
      ${t(`controls.${to}`)}
    </button>`;
  }

  /** Only what is a number within the field's limits is told; what is being typed stays. */
  private onNumber(event: Event, field: 'radius' | 'temperature'): void {
    const input = event.target as HTMLInputElement;
    if (input.value === '' || !input.validity.valid) {
      // A step that does not fit is still a temperature.
      const outside = input.validity.rangeOverflow || input.validity.rangeUnderflow;
      if (input.value === '' || outside || field === 'radius') return;
    }
    this.say('hl-control', { [field]: input.valueAsNumber });
  }

  private say<Name extends keyof ControlEvents>(name: Name, detail: ControlEvents[Name]): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'hl-controls': ControlPanel;
  }
}
