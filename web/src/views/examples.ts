/** Sentences to begin with: the first few at once, all of them, by language, on request. */

import { css, html, LitElement, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { LANGUAGE_TAGS, LanguageController, language, t } from '../i18n/index.ts';
import { say } from './page-events.ts';
import { controlStyles } from './page-styles.ts';
import { roving } from './roving.ts';
import { baseStyles } from './stage-styles.ts';
import { roleName } from './texts.ts';

export interface ExampleShown {
  language: 'en' | 'zh';
  text: string;
  /** What the pinned word shows: key of a role. */
  role: string;
}

const FIRST = 3;
const LANGUAGES = ['en', 'zh'] as const;

@customElement('hl-examples')
export class Examples extends LitElement {
  static override styles = [
    baseStyles,
    controlStyles,
    css`
      :host {
        font-size: 0.875rem;
      }
      .line,
      ul {
        display: flex;
        flex-wrap: wrap;
        align-items: baseline;
        gap: 2px 16px;
        margin: 0;
        padding: 0;
        list-style: none;
      }
      .line > * {
        min-width: 0;
      }
      .example {
        max-width: 100%;
        min-height: 28px;
        text-align: start;
        line-height: 1.35;
        color: var(--hl-ink);
        text-decoration: underline;
        text-decoration-color: var(--hl-edge);
        text-decoration-thickness: 1px;
        text-underline-offset: 4px;
      }
      .example:hover {
        text-decoration-color: var(--hl-accent);
        text-decoration-thickness: 2px;
      }
      .label {
        color: var(--hl-dim);
      }
      .all {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr));
        gap: 12px 32px;
        margin-top: 8px;
        padding-top: 10px;
        border-top: 1px solid var(--hl-rule);
      }
      .all[hidden] {
        display: none;
      }
      .all ul {
        display: grid;
        align-content: start;
        gap: 2px;
      }
      .all li {
        display: flex;
        flex-wrap: wrap;
        align-items: baseline;
        gap: 0 10px;
      }
      .shows {
        font-size: 0.8125rem;
        color: var(--hl-dim);
      }
      .all li:first-child {
        color: var(--hl-dim);
      }
      @media (max-width: 639px) {
        .label,
        .line > .example ~ .example {
          display: none;
        }
        .line {
          flex-wrap: nowrap;
          justify-content: space-between;
        }
        .line .example {
          overflow: hidden;
          text-overflow: ellipsis;
          white-space: nowrap;
        }
        .line .link {
          flex: none;
        }
      }
      @media (pointer: coarse) {
        .example {
          min-height: 40px;
        }
      }
    `,
  ];

  @property({ attribute: false }) examples: readonly ExampleShown[] = [];
  /** The text in the field, which is not offered again. */
  @property() text = '';
  @state() private open = false;

  constructor() {
    super();
    new LanguageController(this);
  }

  protected override render() {
    const own = this.examples
      .map((example, index) => ({ ...example, index }))
      .filter(({ language: of, text }) => of === language.value && text !== this.text)
      .slice(0, FIRST);
    return html`<div class="line" role="group" aria-label=${t('examples.label')} ${roving()}>
        <span class="label" aria-hidden="true">${t('examples.label')}</span>
        ${this.open ? nothing : own.map((example) => this.renderExample(example))}
        <button
          class="link"
          aria-expanded=${this.open}
          aria-controls="all"
          @click=${() => {
            this.open = !this.open;
          }}
        >
          ${this.open ? t('examples.fewer') : t('examples.more')}
        </button>
      </div>
      <div id="all" class="all" ?hidden=${!this.open}>
        ${this.open ? LANGUAGES.map((of) => this.renderList(of)) : nothing}
      </div>`;
  }

  private renderList(of: 'en' | 'zh') {
    return html`<ul ${roving()}>
      <li>${t(`examples.${of}`)}</li>
      ${this.examples.map((example, index) =>
        example.language === of
          ? html`<li>
              ${this.renderExample({ ...example, index })}
              <span class="shows">${roleName(example.role)}</span>
            </li>`
          : nothing,
      )}
    </ul>`;
  }

  private renderExample({ language: of, text, role, index }: ExampleShown & { index: number }) {
    return html`<button
      class="example"
      lang=${LANGUAGE_TAGS[of]}
      title=${roleName(role)}
      @click=${() => say(this, 'hl-example', { index })}
    >
      ${text}
    </button>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'hl-examples': Examples;
  }
}
