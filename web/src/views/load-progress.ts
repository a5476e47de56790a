/**
 * How far a model has arrived, with bytes, and what can be done about it: load (when the browser asks
 * to save data), pause, resume, cancel, retry. Keeps its height in every state, so that the page does not jump.
 */

import { css, html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { LanguageController, t } from '../i18n/index.ts';
import { cssProperties } from './css-properties.ts';
import { type PageEvents, say } from './page-events.ts';
import { controlStyles } from './page-styles.ts';
import { baseStyles } from './stage-styles.ts';

type Action = PageEvents['hl-load']['action'];

export interface ProgressShown {
  /** What is happening, as a sentence. */
  text: string;
  /** Bytes, as text; empty when they are not known. */
  bytes: string;
  /** 0..1, or null while it is not known. */
  share: number | null;
  /** Whether a bar is drawn. */
  running: boolean;
  /** What can be done, and its label. */
  actions: readonly { action: Action; label: string; first?: boolean }[];
}

/** Why something does not load, and what can be done about it. */
export interface TroubleShown {
  text: string;
  action: Action;
  label: string;
}

@customElement('hl-load-progress')
export class LoadProgress extends LitElement {
  static override styles = [
    baseStyles,
    controlStyles,
    css`
      :host {
        min-height: 40px;
        font-size: 0.875rem;
        line-height: 1.4;
        color: var(--hl-dim);
      }
      .line {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 2px 12px;
        min-height: 36px;
      }
      @media (max-width: 639px) {
        .line {
          gap: 2px 9px;
          font-size: 0.8125rem;
        }
        .actions {
          gap: 4px 9px;
        }
      }
      .bytes {
        font-variant-numeric: tabular-nums;
        white-space: nowrap;
      }
      .actions {
        display: inline-flex;
        gap: 4px 12px;
      }
      .track {
        height: 3px;
        border-radius: 2px;
        background: var(--hl-faint);
        overflow: hidden;
      }
      .fill {
        height: 100%;
        border-radius: 2px;
        background: var(--hl-accent);
        transform-origin: left;
        transform: scaleX(var(--share));
      }
      @media (forced-colors: active) {
        .track {
          border: 1px solid CanvasText;
        }
        .fill {
          forced-color-adjust: none;
          background: Highlight;
        }
      }
      @media (prefers-reduced-motion: no-preference) {
        .fill {
          transition: transform 200ms linear;
        }
      }
    `,
  ];

  @property({ attribute: false }) progress: ProgressShown | null = null;

  constructor() {
    super();
    new LanguageController(this);
  }

  protected override render() {
    if (!this.progress) return nothing;
    const { text, bytes, share, running, actions } = this.progress;
    return html`<div class="line">
        <span>${text}</span>
        ${bytes ? html`<span class="bytes">${bytes}</span>` : nothing}
        ${
          actions.length === 0
            ? nothing
            : html`<span class="actions">
                ${actions.map(
                  ({ action, label, first }) => html`<button
                    class=${first ? 'button first' : 'link'}
                    @click=${() => say(this, 'hl-load', { action })}
                  >
                    ${label}
                  </button>`,
                )}
              </span>`
        }
      </div>
      ${
        running
          ? html`<div
              class="track"
              role="progressbar"
              aria-label=${t('load.label')}
              aria-valuemin="0"
              aria-valuemax="100"
              aria-valuenow=${share === null ? nothing : Math.round(share * 100)}
              aria-valuetext=${`${text} ${bytes}`}
            >
              <div class="fill" ${cssProperties({ '--share': String(share ?? 0) })}></div>
            </div>`
          : nothing
      }`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'hl-load-progress': LoadProgress;
  }
}
