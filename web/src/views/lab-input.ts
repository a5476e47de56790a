/** One field for numbers: text typed or pasted, files chosen or dropped anywhere on it, examples to begin with. */

import { css, html, LitElement, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { LanguageController, t } from '../i18n/index.ts';
import '../i18n/lab.ts';
import { controlStyles } from './page-styles.ts';
import { baseStyles } from './stage-styles.ts';

export interface LabInputEvents {
  'hl-lab-text': { text: string };
  'hl-lab-files': { files: readonly File[] };
  'hl-lab-example': { id: string };
  'hl-lab-clear': Record<string, never>;
}

/** The form that the help describes. */
const PLACEHOLDER = `Q:
1, 0
0, 2

K:
2, 0
0, 1

V:
1, 0
0, 1`;

@customElement('hl-lab-input')
export class LabInput extends LitElement {
  static override styles = [
    baseStyles,
    controlStyles,
    css`
      label {
        display: block;
        font-weight: 600;
      }
      .help {
        max-width: 80ch;
        margin: 2px 0 8px;
        font-size: 0.875rem;
        line-height: 1.5;
        color: var(--hl-dim);
      }
      .zone {
        max-width: 980px;
        border: 1px solid var(--hl-edge);
        border-radius: var(--hl-radius);
        background: var(--hl-panel);
      }
      .zone.over {
        outline: 3px dashed var(--hl-accent);
        outline-offset: -4px;
      }
      textarea {
        display: block;
        width: 100%;
        height: 16rem;
        min-height: 8rem;
        padding: 14px 16px;
        border: 0;
        border-radius: var(--hl-radius);
        background: none;
        color: var(--hl-ink);
        font-family: var(--hl-mono);
        font-size: 0.875rem;
        line-height: 1.5;
        white-space: pre;
        resize: vertical;
      }
      .bar {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 8px 12px;
        padding: 8px 12px;
        border-top: 1px solid var(--hl-rule);
        font-size: 0.875rem;
        color: var(--hl-dim);
      }
      .bar .link {
        margin-inline-start: auto;
        font-size: 0.875rem;
      }
      .examples {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 8px;
        margin-top: 12px;
        font-size: 0.875rem;
        color: var(--hl-dim);
      }
      .examples .button[aria-pressed='true'] {
        border-color: var(--hl-accent);
        background: var(--hl-faint);
        color: var(--hl-ink);
      }
      textarea::placeholder {
        color: var(--hl-dim);
        opacity: 1;
      }
      @media (forced-colors: active) {
        .examples .button[aria-pressed='true'] {
          border: 2px solid Highlight;
        }
      }
      .faults {
        max-width: 80ch;
        margin: 10px 0 0;
        padding: 0;
        list-style: none;
        font-weight: 600;
        overflow-wrap: anywhere;
      }
      .faults li {
        padding: 2px 0 2px 12px;
        border-inline-start: 3px solid var(--hl-accent);
      }
      input[type='file'] {
        display: none;
      }
      @media (max-width: 599px) {
        textarea {
          height: 13rem;
          font-size: 1rem;
        }
      }
    `,
  ];

  @property() text = '';
  @property({ attribute: false }) faults: readonly string[] = [];
  @property({ attribute: false }) examples: readonly { id: string; label: string }[] = [];
  @property() example: string | null = null;
  @property({ type: Boolean }) reading = false;
  @property({ type: Boolean }) filled = false;
  @state() private over = false;

  constructor() {
    super();
    new LanguageController(this);
  }

  protected override render() {
    const isWrong = this.faults.length > 0;
    return html`
      <label for="numbers">${t('lab.input.label')}</label>
      <p class="help" id="help">${t('lab.input.help')}</p>
      <div
        class="zone ${this.over ? 'over' : ''}"
        @dragover=${this.onOver}
        @dragleave=${() => (this.over = false)}
        @drop=${this.onDrop}
      >
        <textarea
          id="numbers"
          wrap="off"
          placeholder=${PLACEHOLDER}
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
          aria-describedby="help faults"
          aria-invalid=${isWrong}
          .value=${this.text}
          @input=${this.onInput}
        ></textarea>
        <div class="bar">
          <button class="button" id="files" @click=${() => this.picker.click()}>
            ${t('lab.input.files')}
          </button>
          <input
            type="file"
            id="picker"
            multiple
            tabindex="-1"
            aria-hidden="true"
            @change=${this.onPick}
          />
          <span>${t(this.over ? 'lab.input.dropping' : 'lab.input.drop')}</span>
          <span role="status">${this.reading ? t('lab.input.reading') : ''}</span>
          ${
            this.filled
              ? html`<button class="link" id="clear" @click=${() => this.say('hl-lab-clear', {})}>
                  ${t('lab.input.clear')}
                </button>`
              : nothing
          }
        </div>
      </div>
      <div id="faults" role="alert">
        ${
          isWrong
            ? html`<ul class="faults">
                ${this.faults.map((fault) => html`<li>${fault}</li>`)}
              </ul>`
            : nothing
        }
      </div>
      <div class="examples" role="group" aria-label=${t('lab.examples')}>
        <span aria-hidden="true">${t('lab.examples')}</span>
        ${this.examples.map(
          ({ id, label }) => html`<button
            class="button"
            id=${`example-${id}`}
            aria-pressed=${id === this.example}
            @click=${() => this.say('hl-lab-example', { id })}
          >
            ${label}
          </button>`,
        )}
      </div>
    `;
  }

  private get picker(): HTMLInputElement {
    return this.renderRoot.querySelector<HTMLInputElement>('#picker')!;
  }

  private onInput(event: Event): void {
    this.say('hl-lab-text', { text: (event.target as HTMLTextAreaElement).value });
  }

  private onPick(): void {
    const { picker } = this;
    const files = [...(picker.files ?? [])];
    picker.value = ''; // the same file can be chosen again after a change
    if (files.length > 0) this.say('hl-lab-files', { files });
  }

  private onOver(event: DragEvent): void {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    this.over = true;
  }

  private onDrop(event: DragEvent): void {
    this.over = false;
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    this.say('hl-lab-files', { files });
  }

  private say<Name extends keyof LabInputEvents>(name: Name, detail: LabInputEvents[Name]): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'hl-lab-input': LabInput;
  }
}
