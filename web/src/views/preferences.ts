/** Language and theme of the page. */

import { css, html, LitElement } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { LANGUAGE_TAGS, LanguageController, language, t } from '../i18n/index.ts';
import { say } from './page-events.ts';
import { baseStyles } from './stage-styles.ts';

const NAMES = { en: 'English', zh: '中文' } as const;
const THEMES = ['auto', 'light', 'dark'] as const;

@customElement('hl-preferences')
export class Preferences extends LitElement {
  static override styles = [
    baseStyles,
    css`
      :host {
        display: flex;
        align-items: center;
        gap: 4px 14px;
        font-size: 0.875rem;
      }
      button {
        min-height: 36px;
        padding: 0 6px;
        color: var(--hl-dim);
      }
      button:hover {
        color: var(--hl-ink);
      }
      button[aria-pressed='true'] {
        color: var(--hl-ink);
        font-weight: 600;
      }
      .group {
        display: inline-flex;
      }
      select {
        min-height: 32px;
        padding: 0 4px;
        border: 1px solid var(--hl-edge);
        border-radius: 8px;
        background: var(--hl-panel);
        color: var(--hl-ink);
      }
      @media (pointer: coarse) {
        button,
        select {
          min-height: 44px;
        }
      }
    `,
  ];

  @property() theme: 'light' | 'dark' | null = null;

  constructor() {
    super();
    new LanguageController(this);
  }

  protected override render() {
    const theme = this.theme ?? 'auto';
    return html`
      <span class="group" role="group" aria-label=${t('page.language')}>
        ${(['en', 'zh'] as const).map(
          (of) => html`<button
            lang=${LANGUAGE_TAGS[of]}
            aria-pressed=${of === language.value}
            @click=${() => say(this, 'hl-language', { language: of })}
          >
            ${NAMES[of]}
          </button>`,
        )}
      </span>
      <select aria-label=${t('page.theme')} .value=${theme} @change=${this.onTheme}>
        ${THEMES.map(
          (of) =>
            html`<option value=${of} ?selected=${of === theme}>${t(`page.theme.${of}`)}</option>`,
        )}
      </select>
    `;
  }

  private onTheme(event: Event): void {
    const { value } = event.target as HTMLSelectElement;
    say(this, 'hl-theme', { theme: value === 'light' || value === 'dark' ? value : null });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'hl-preferences': Preferences;
  }
}
