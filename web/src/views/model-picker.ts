/** The choice of the model: one of a few, each with its shape. What is known of the chosen one stands elsewhere. */

import { css, html, LitElement } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { LanguageController, t } from '../i18n/index.ts';
import { say } from './page-events.ts';
import { baseStyles, choiceStyles } from './stage-styles.ts';

export interface ModelOffer {
  id: string;
  name: string;
  layers: number;
  heads: number;
  /** Licence and sizes, as a sentence. */
  about: string;
}

@customElement('hl-model-picker')
export class ModelPicker extends LitElement {
  static override styles = [
    baseStyles,
    choiceStyles,
    css`
      .choices {
        align-items: center;
      }
      .label {
        margin-inline-end: 4px;
        font-size: 0.875rem;
        color: var(--hl-dim);
      }
      .shape {
        margin-inline-start: 4px;
        font-variant-numeric: tabular-nums;
        color: var(--hl-dim);
      }
      @media (max-width: 639px) {
        .choices {
          display: flex;
          flex-wrap: nowrap;
        }
        .label,
        .shape {
          display: none;
        }
      }
      @media (forced-colors: none) {
        .choices > button[aria-checked='true'] {
          background: none;
          box-shadow: inset 0 0 0 1.5px var(--hl-accent);
        }
      }
      @media (forced-colors: active) {
        .shape {
          color: inherit;
        }
      }
    `,
  ];

  @property({ attribute: false }) models: readonly ModelOffer[] = [];
  @property() chosen = '';

  constructor() {
    super();
    new LanguageController(this);
  }

  protected override render() {
    return html`<div class="choices" role="radiogroup" aria-label=${t('model.label')} @keydown=${this.onKey}>
      <span class="label" aria-hidden="true">${t('model.label')}</span>
      ${this.models.map(
        ({ id, name, layers, heads, about }) => html`<button
          role="radio"
          aria-checked=${id === this.chosen}
          tabindex=${id === this.chosen ? 0 : -1}
          title=${about}
          data-id=${id}
          @click=${() => say(this, 'hl-model', { id })}
        >
          ${name}<span class="shape" aria-label=${t('model.shape', { layers, heads })}>${layers} × ${heads}</span>
        </button>`,
      )}
    </div>`;
  }

  private onKey(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const at = this.models.findIndex(({ id }) => id === this.chosen);
    if (!step || at < 0) return;
    event.preventDefault();
    const { id } = this.models[(at + step + this.models.length) % this.models.length]!;
    say(this, 'hl-model', { id });
    this.renderRoot.querySelector<HTMLElement>(`[data-id='${id}']`)?.focus();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'hl-model-picker': ModelPicker;
  }
}
