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
        gap: 4px 10px;
        font-size: 0.875rem;
      }
      button {
        min-height: 36px;
        padding: 0 6px;
        white-space: nowrap;
        color: var(--hl-dim);
      }
      button:hover {
        color: var(--hl-ink);
      }
      .theme {
        position: relative;
      }
      .theme::after {
        content: '';
        position: absolute;
        top: calc(50% - 4px);
        right: 6px;
        width: 5px;
        height: 5px;
        border: solid var(--hl-dim);
        border-width: 0 1.5px 1.5px 0;
        transform: rotate(45deg);
        pointer-events: none;
      }
      select {
        appearance: none;
        min-height: 32px;
        padding: 0 20px 0 4px;
        border: 0;
        border-radius: 6px;
        background: var(--hl-bg);
        color: var(--hl-dim);
        cursor: pointer;
      }
      select:hover {
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
    const other = language.value === 'en' ? 'zh' : 'en';
    return html`
      <button lang=${LANGUAGE_TAGS[other]} @click=${() => say(this, 'hl-language', { language: other })}>
        ${NAMES[other]}
      </button>
      <span class="theme"><select aria-label=${t('page.theme')} .value=${theme} @change=${this.onTheme}>
        ${THEMES.map(
          (of) =>
            html`<option value=${of} ?selected=${of === theme}>${t(`page.theme.${of}`)}</option>`,
        )}
      </select></span>
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
