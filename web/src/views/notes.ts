/**
 * Short messages in one live region: what was left out, what cannot be read, what went wrong and what
 * to do. The region is always there, so that screen readers announce what comes into it, and keeps room
 * for a line, so that nothing below it moves. Two are shown (one where the page is narrow), more on request.
 */

import { css, html, LitElement, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import { LanguageController, t } from '../i18n/index.ts';
import { say } from './page-events.ts';
import { controlStyles } from './page-styles.ts';
import { baseStyles } from './stage-styles.ts';

export interface NoteShown {
  id: string;
  kind: 'info' | 'warning' | 'error';
  text: string;
  /** A second line, for those who want to report it. */
  details?: string | undefined;
  actions?: readonly { label: string; run: () => void }[] | undefined;
  dismissible?: boolean | undefined;
}

const NARROW = '(max-width: 899px)';

@customElement('hl-notes')
export class Notes extends LitElement {
  static override styles = [
    baseStyles,
    controlStyles,
    css`
      :host {
        min-height: 40px;
      }
      ul {
        display: flex;
        align-items: flex-start;
        gap: 6px 32px;
        margin: 0;
        padding: 0;
        list-style: none;
      }
      li {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0 14px;
        min-height: 40px;
        padding: 0 0 0 14px;
        border-inline-start: 3px solid var(--hl-edge);
        font-size: 0.875rem;
        line-height: 1.4;
      }
      ul.all {
        display: grid;
      }
      .text {
        flex: 0 1 auto;
      }
      li.more {
        flex: none;
        padding: 0;
        border: 0;
      }
      .button {
        min-height: 32px;
      }
      @media (max-width: 899px) {
        :host {
          min-height: 48px;
        }
        li {
          min-height: 48px;
        }
      }
      li.warning,
      li.error {
        border-color: var(--hl-accent);
      }
      .text {
        max-width: 110ch;
        overflow-wrap: anywhere;
      }
      .error .text {
        font-weight: 600;
      }
      small {
        flex-basis: 100%;
        font-size: 0.8125rem;
        color: var(--hl-dim);
        overflow-wrap: anywhere;
      }
    `,
  ];

  @property({ attribute: false }) notes: readonly NoteShown[] = [];
  @state() private open = false;
  @state() private most = 2;
  private narrow: MediaQueryList | null = null;

  constructor() {
    super();
    new LanguageController(this);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.narrow = matchMedia(NARROW);
    this.narrow.addEventListener('change', this.onRoom);
    this.onRoom();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.narrow?.removeEventListener('change', this.onRoom);
  }

  private readonly onRoom = (): void => {
    this.most = this.narrow?.matches ? 1 : 2;
  };

  protected override willUpdate(): void {
    if (this.notes.length <= this.most) this.open = false;
  }

  protected override render() {
    return html`<div role="log" aria-live="polite" aria-relevant="additions text" aria-label=${t('notes.label')}>
      ${
        this.notes.length === 0
          ? nothing
          : html`<ul class=${this.open ? 'all' : nothing}>
              ${repeat(
                this.open ? this.notes : this.notes.slice(0, this.most),
                ({ id }) => id,
                (note) => this.renderNote(note),
              )}
              ${this.notes.length > this.most ? this.renderMore() : nothing}
            </ul>`
      }
    </div>`;
  }

  private renderMore() {
    return html`<li class="more">
      <button
        class="link"
        aria-expanded=${this.open}
        @click=${() => {
          this.open = !this.open;
        }}
      >
        ${this.open ? t('note.fewer') : t('note.more', { count: this.notes.length - this.most })}
      </button>
    </li>`;
  }

  private renderNote({ id, kind, text, details, actions = [], dismissible }: NoteShown) {
    return html`<li class=${kind} data-note=${id}>
      <span class="text">${text}</span>
      ${actions.map(
        ({ label, run }) => html`<button class="button" @click=${run}>${label}</button>`,
      )}
      ${
        dismissible
          ? html`<button class="link" @click=${() => say(this, 'hl-note-dismiss', { id })}>
              ${t('note.dismiss')}
            </button>`
          : nothing
      }
      ${details ? html`<small>${details}</small>` : nothing}
    </li>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'hl-notes': Notes;
  }
}
