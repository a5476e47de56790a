/**
 * What a picture leaves out while special tokens are hidden: how much of the attention they took, as a bar and a
 * sentence, and a button that shows them. Says it louder when they took most.
 */

import { css, html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { LanguageController, t } from '../i18n/index.ts';
import { cssProperties } from './css-properties.ts';
import { say } from './page-events.ts';
import { controlStyles } from './page-styles.ts';
import { baseStyles } from './stage-styles.ts';
import { percent } from './texts.ts';

const MOST = 0.5;

@customElement('hl-hidden-share')
export class HiddenShare extends LitElement {
  static override styles = [
    baseStyles,
    controlStyles,
    css`
      p {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 2px 10px;
        min-height: 28px;
        margin: 0;
        font-size: 0.875rem;
        line-height: 1.4;
        color: var(--hl-dim);
      }
      .loud {
        color: var(--hl-ink);
      }
      .bar {
        flex: none;
        display: flex;
        width: 84px;
        height: 10px;
        border: 1px solid var(--hl-edge);
        border-radius: 3px;
        background: var(--hl-accent);
        overflow: hidden;
      }
      .bar i {
        width: var(--share);
        background: var(--hl-mark);
      }
      .text {
        font-variant-numeric: tabular-nums;
      }
      .loud .text {
        font-weight: 600;
      }
      .link {
        color: var(--hl-ink);
      }
      @media (forced-colors: active) {
        .bar {
          forced-color-adjust: none;
          border-color: CanvasText;
          background: Highlight;
        }
        .bar i {
          background: Canvas;
        }
      }
      /* Room for two lines where one may not do, so that nothing moves from word to word. */
      @media (max-width: 1279px) {
        p {
          min-height: 50px;
          align-content: flex-start;
        }
      }
      @media (max-width: 639px) {
        p {
          min-height: 66px;
        }
        .bar {
          display: none;
        }
      }
    `,
  ];

  /** Share of the attention that the hidden tokens took, 0..1. */
  @property({ type: Number }) share = 0;
  /** The word whose row it is, as written on the stage; empty for an average over all words. */
  @property() word = '';

  /** Names of the hidden tokens that it may look at; empty where a mask closes them. */
  @property() names = '';

  constructor() {
    super();
    new LanguageController(this);
  }

  protected override render() {
    const { share, word, names } = this;
    const numbers = { word, names, percent: percent(share), left: percent(1 - share) };
    const key =
      names === ''
        ? word === ''
          ? 'hidden.unseenAll'
          : 'hidden.unseen'
        : word === ''
          ? 'hidden.mean'
          : share === 1
            ? 'hidden.all'
            : 'hidden.row';
    return html`<p class=${share >= MOST ? 'loud' : nothing}>
      <span class="bar" aria-hidden="true"><i ${cssProperties({ '--share': `${100 * share}%` })}></i></span>
      <span class="text">${t(key, numbers)}</span>
      <button class="link" @click=${() => say(this, 'hl-switch', { name: 'specials', on: true })}>
        ${t('hidden.show')}
      </button>
    </p>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'hl-hidden-share': HiddenShare;
  }
}
