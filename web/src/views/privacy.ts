/** The foot of the page: what is sent and what is not, where the engine runs, what the model is. */

import { css, html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { LanguageController, t } from '../i18n/index.ts';
import { say } from './page-events.ts';
import { controlStyles } from './page-styles.ts';
import { baseStyles } from './stage-styles.ts';

@customElement('hl-privacy')
export class Privacy extends LitElement {
  static override styles = [
    baseStyles,
    controlStyles,
    css`
      :host {
        font-size: 0.875rem;
        line-height: 1.55;
        color: var(--hl-dim);
      }
      p {
        margin: 0 0 6px;
        max-width: 76ch;
      }
      b {
        font-weight: 600;
        color: var(--hl-ink);
      }
      label {
        display: inline-flex;
        align-items: center;
        gap: 8px;
        min-height: 32px;
        color: var(--hl-ink);
        cursor: pointer;
      }
      a {
        color: inherit;
        text-underline-offset: 3px;
      }
      a:hover {
        color: var(--hl-ink);
      }
      input {
        width: 18px;
        height: 18px;
        margin: 0;
        accent-color: var(--hl-accent);
      }
    `,
  ];

  /** The whole word table is here. */
  @property({ type: Boolean }) complete = false;
  @property({ type: Boolean }) wholeFirst = false;
  /** Licence and sizes of the model, and where the engine runs, as sentences. */
  @property() about = '';
  @property() engine = '';

  constructor() {
    super();
    new LanguageController(this);
  }

  protected override render() {
    return html`
      <p><b>${t('privacy.short')}</b> ${t(this.complete ? 'privacy.done' : 'privacy.text')} ${t('privacy.kept')}</p>
      ${
        this.complete && !this.wholeFirst
          ? nothing
          : html`<p>
              <label>
                <input
                  type="checkbox"
                  .checked=${this.wholeFirst}
                  @change=${(event: Event) =>
                    say(this, 'hl-whole-first', { on: (event.target as HTMLInputElement).checked })}
                />
                ${t('load.whole')}
              </label>
            </p>`
      }
      <p>${this.about}</p>
      <p>${this.engine} <a href="./licences.txt">${t('privacy.licences')}</a></p>
    `;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'hl-privacy': Privacy;
  }
}
