/**
 * Short messages in one live region: what was left out, what cannot be read, what went wrong and what
 * to do. The region is always there, so that screen readers announce what comes into it.
 */

import { css, html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
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

@customElement('hl-notes')
export class Notes extends LitElement {
  static override styles = [
    baseStyles,
    controlStyles,
    css`
      ul {
        display: grid;
        gap: 6px;
        margin: 0;
        padding: 0;
        list-style: none;
      }
      li {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 4px 14px;
        padding: 6px 0 6px 14px;
        border-inline-start: 3px solid var(--hl-edge);
        font-size: 0.9375rem;
        line-height: 1.45;
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

  constructor() {
    super();
    new LanguageController(this);
  }

  protected override render() {
    return html`<div role="log" aria-live="polite" aria-relevant="additions text" aria-label=${t('notes.label')}>
      ${
        this.notes.length === 0
          ? nothing
          : html`<ul>
              ${repeat(
                this.notes,
                ({ id }) => id,
                (note) => this.renderNote(note),
              )}
            </ul>`
      }
    </div>`;
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
