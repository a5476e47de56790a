/**
 * The selected heads in one of four views, with what belongs to each picture: which head, its measured role, what was
 * hidden, the colour scale. Several selected heads stand one after the other. Holds no state: raises events.
 */

import { css, html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { ScaleKind, Theme } from '../draw/color-scale.ts';
import type { Direction, HeadChoice, HeadRole, Picture } from '../draw/picture.ts';
import { notesOf } from '../draw/roles.ts';
import { strongest, suggestedToken, weightsOf } from '../draw/statistics.ts';
import { hasText, LanguageController, t } from '../i18n/index.ts';
import type { TroubleShown } from './load-progress.ts';
import { say } from './page-events.ts';
import { controlStyles } from './page-styles.ts';
import { roving } from './roving.ts';
import { type StageView, tell } from './stage-events.ts';
import { baseStyles, choiceStyles } from './stage-styles.ts';
import {
  aimText,
  headLabel,
  hiddenNames,
  isReady,
  percent,
  removedShare,
  shareText,
  shortText,
  tokenText,
} from './texts.ts';
import './beams.ts';
import './color-scale.ts';
import './columns.ts';
import './hidden-share.ts';
import './matrix.ts';
import './role-label.ts';
import './token-heads.ts';

const VIEWS: readonly StageView[] = ['beams', 'matrix', 'columns', 'token'];
const DIRECTIONS: readonly Direction[] = ['from', 'to'];
const SAID = 4;
const SAID_FROM = 0.04;
/** A hidden share from here on is much. */
const MUCH = 0.3;

@customElement('hl-stage')
export class Stage extends LitElement {
  static override styles = [
    baseStyles,
    controlStyles,
    choiceStyles,
    css`
      .bar {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        justify-content: space-between;
        gap: 4px 16px;
        margin-bottom: 18px;
      }
      .bar .choices {
        margin-left: -12px;
      }
      .bar .choices + .choices {
        margin-left: 0;
      }
      figure {
        margin: 0 0 28px;
      }
      figcaption {
        margin-bottom: 18px;
        line-height: 1.45;
      }
      h3 {
        margin: 0 0 2px;
        font-size: 1.25rem;
        font-weight: 600;
        line-height: 1.3;
        font-variant-numeric: tabular-nums;
      }
      .pick {
        display: flex;
        flex-wrap: wrap;
        align-items: baseline;
        justify-content: space-between;
        gap: 4px 16px;
      }
      .pick label {
        font-size: 0.875rem;
        color: var(--hl-dim);
      }
      .pick select {
        min-height: 36px;
        margin-left: 6px;
        padding: 0 6px;
        border: 1px solid var(--hl-rule);
        border-radius: 8px;
        background: var(--hl-panel);
        color: var(--hl-ink);
      }
      .readout {
        margin: 14px 0 0;
        font-size: 1rem;
        line-height: 1.5;
      }
      /* Room for the weights in brackets too, so that nothing moves from word to word. */
      .readout.room {
        min-height: 3em;
      }
      @media (max-width: 639px) {
        .readout.room {
          min-height: 4.5em;
        }
      }
      .readout b {
        font-weight: 600;
      }
      .note {
        margin: 4px 0 0;
        font-size: 0.8125rem;
        line-height: 1.5;
        color: var(--hl-dim);
        max-width: 64ch;
      }
      .foot {
        display: flex;
        flex-wrap: wrap;
        align-items: flex-start;
        justify-content: space-between;
        gap: 8px 24px;
      }
      .empty {
        padding: 48px 0;
        color: var(--hl-dim);
      }
    `,
  ];

  @property({ attribute: false }) picture: Picture | null = null;
  @property({ attribute: false }) choices: readonly HeadChoice[] = [];
  /** Token hovered or focused now, and token pinned; the first counts while it is there. */
  @property({ type: Number }) query: number | null = null;
  @property({ type: Number }) pinned: number | null = null;
  @property() direction: Direction = 'from';
  @property() view: StageView = 'beams';
  @property({ attribute: false }) roles: readonly HeadRole[] = [];
  @property({ attribute: 'model-id' }) modelId = '';
  /** Whether what is shown was computed otherwise than the model was trained: measured notes may not hold. */
  @property({ type: Boolean }) changed = false;
  /** Why heads that are missing do not come. */
  @property({ attribute: false }) trouble: TroubleShown | null = null;
  @property() theme: Theme = 'light';
  @property() scale: ScaleKind = 'linear';

  constructor() {
    super();
    new LanguageController(this);
    this.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') tell(this, 'hl-query', { index: null, pinned: true });
    });
  }

  protected override render() {
    return html`
      <div class="bar">
        <div class="choices" role="tablist" aria-label=${t('stage.views')} @keydown=${this.onTabKey}>
          ${VIEWS.map((view) => this.renderTab(view))}
        </div>
        <div class="choices" role="group" aria-label=${t('stage.direction')} ${roving()}>
          ${DIRECTIONS.map(
            (direction) => html`<button
              aria-pressed=${direction === this.direction}
              @click=${() => tell(this, 'hl-direction', { direction })}
            >
              ${t(`stage.direction.${direction as Direction}`)}
            </button>`,
          )}
        </div>
      </div>
      <div id="panel" role="tabpanel" aria-labelledby=${`tab-${this.view}`}>${this.renderPanel()}</div>
      <div class="foot">
        <hl-color-scale switchable .theme=${this.theme} .scale=${this.scale}></hl-color-scale>
        <slot name="foot"></slot>
      </div>
    `;
  }

  private renderTab(view: StageView) {
    return html`<button
      role="tab"
      id=${`tab-${view}`}
      aria-controls="panel"
      aria-selected=${view === this.view}
      tabindex=${view === this.view ? 0 : -1}
      @click=${() => tell(this, 'hl-view', { view })}
    >
      ${t(`stage.view.${view}`)}
    </button>`;
  }

  private renderPanel() {
    const { picture } = this;
    if (!picture || picture.tokens.length === 0 || this.choices.length === 0) {
      return html`<p class="empty">${this.trouble ? this.renderTrouble() : t('stage.empty')}</p>`;
    }
    if (this.view === 'token') return this.renderTokenHeads(picture);
    return [...this.choices].reverse().map((choice) => this.renderFigure(picture, choice));
  }

  private renderFigure(picture: Picture, choice: HeadChoice) {
    if (!isReady(picture, choice)) {
      const head = headLabel(choice);
      return html`<p class="empty">
        ${this.trouble ? html`<b>${head}</b> ${this.renderTrouble()}` : t('stage.waiting', { head })}
      </p>`;
    }
    const token = this.aimed(picture, choice);
    const pointed = this.pointedToken(picture) !== null;
    const said = token !== null && (pointed || this.view === 'beams') ? token : null;
    const row = this.direction === 'from' ? said : null;
    const hidden = removedShare(picture, choice, row);
    // What is usual for [CLS] is worth saying only where the picture agrees.
    const measured = this.changed ? [] : notesOf(this.modelId, choice.layer, choice.head);
    const notes = measured.filter(
      ({ text }) => text !== 'measured.clsTakes' || (hidden !== null && hidden >= MUCH),
    );
    return html`<figure>
      <figcaption>
        <h3>${headLabel(choice)}</h3>
        <hl-role-label .choice=${choice} .roles=${this.roles} .changed=${this.changed}></hl-role-label>
        ${
          hidden === null
            ? nothing
            : html`<hl-hidden-share
                .share=${hidden}
                .word=${row === null ? '' : tokenText(picture, row)}
                .names=${hiddenNames(picture, row)}
              ></hl-hidden-share>`
        }
      </figcaption>
      ${this.renderView(picture, choice, token, pointed)}
      <p class="readout ${hidden === null ? '' : 'room'}" aria-live="polite">
        ${said === null ? html`<span class="dim">${this.view === 'matrix' ? '\u00a0' : aimText()}</span>` : this.renderReadout(picture, choice, said)}
      </p>
      ${hidden ? html`<p class="note">${restText(hidden, this.direction, row)}</p>` : nothing}
      ${row === null ? nothing : this.renderReach(picture, row)}
      ${notes.map(({ text }) => (hasText(text) ? html`<p class="note">${t(text)}</p>` : nothing))}
    </figure>`;
  }

  /** Under a mask: a row without a choice says nothing about the head. */
  private renderReach(picture: Picture, row: number) {
    const reach = picture.reach?.[row] ?? 2;
    if (reach > 1) return nothing;
    const word = tokenText(picture, row);
    return html`<p class="note">${t(reach === 0 ? 'mask.nothing' : 'mask.one', { word })}</p>`;
  }

  private renderTrouble() {
    const { text, action, label } = this.trouble!;
    return html`${text}
      <button class="link" @click=${() => say(this, 'hl-load', { action })}>${label}</button>`;
  }

  private renderView(picture: Picture, choice: HeadChoice, token: number | null, pointed: boolean) {
    const { direction, theme, scale, pinned } = this;
    if (this.view === 'matrix') {
      return html`<hl-matrix
        .picture=${picture}
        .choice=${choice}
        .token=${token}
        .pointed=${pointed}
        .pinned=${pinned}
        .direction=${direction}
        .theme=${theme}
        .scale=${scale}
      ></hl-matrix>`;
    }
    if (this.view === 'columns') {
      return html`<hl-columns
        .picture=${picture}
        .choice=${choice}
        .token=${token}
        .pointed=${pointed}
        .pinned=${pinned}
        .direction=${direction}
        .theme=${theme}
        .scale=${scale}
      ></hl-columns>`;
    }
    return html`<hl-beams
      .picture=${picture}
      .choice=${choice}
      .token=${token}
      .pointed=${pointed}
      .pinned=${pinned}
      .direction=${direction}
      .theme=${theme}
      .scale=${scale}
    ></hl-beams>`;
  }

  private renderTokenHeads(picture: Picture) {
    const choice = this.choices.at(-1)!;
    const token = isReady(picture, choice)
      ? this.aimed(picture, choice)
      : (this.pointedToken(picture) ?? 0);
    if (token === null) return nothing;
    return html`<figure>
      <figcaption class="pick">
        <h3>${t('token.label', { token: tokenText(picture, token) })}</h3>
        <label
          >${t('token.choose')}
          <select @change=${this.onTokenChange}>
            ${picture.tokens.map(
              (shown, index) =>
                html`<option value=${index} ?selected=${index === token}>${shortText(shown)}</option>`,
            )}
          </select></label
        >
      </figcaption>
      <hl-token-heads
        .picture=${picture}
        .choices=${this.choices}
        .roles=${this.roles}
        .token=${token}
        .pinned=${this.pinned}
        .direction=${this.direction}
        .theme=${this.theme}
        .scale=${this.scale}
      ></hl-token-heads>
    </figure>`;
  }

  private readonly onTokenChange = (event: Event): void => {
    const index = Number((event.target as HTMLSelectElement).value);
    tell(this, 'hl-query', { index, pinned: true });
  };

  /** "it" looks at animal .29, . .26, the .14 */
  private renderReadout(picture: Picture, choice: HeadChoice, token: number) {
    const weights = weightsOf(
      picture.weights(choice),
      picture.tokens.length,
      token,
      this.direction,
    );
    const said = strongest(weights, SAID).filter(({ weight }) => weight >= SAID_FROM);
    const lead = t(`stage.readout.${this.direction}`, { token: tokenText(picture, token) });
    return html`${lead}
      ${
        said.length === 0
          ? t('stage.readout.nothing')
          : said.map(
              ({ index, weight }, i) =>
                html`${i > 0 ? ', ' : ''}<b><bdi>${tokenText(picture, index)}</bdi></b>
                  <span class="number"
                    >${shareText(picture, choice, this.direction === 'from' ? token : index, weight)}</span
                  >`,
            )
      }`;
  }

  private aimed(picture: Picture, choice: HeadChoice): number | null {
    const pointed = this.pointedToken(picture);
    if (pointed !== null) return pointed;
    // All figures show the same token: what the head last chosen suggests, if it is there.
    const last = this.choices.at(-1)!;
    return suggestedToken(picture, isReady(picture, last) ? last : choice, this.direction);
  }

  /** The token that the reader hovers, focuses or has pinned. */
  private pointedToken(picture: Picture): number | null {
    for (const token of [this.query, this.pinned]) {
      if (token !== null && token >= 0 && token < picture.tokens.length) return token;
    }
    return null;
  }

  private onTabKey(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = VIEWS[(VIEWS.indexOf(this.view) + step + VIEWS.length) % VIEWS.length]!;
    tell(this, 'hl-view', { view: next });
    this.renderRoot.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
  }
}

/** What the numbers of a picture without its special tokens are shares of. */
function restText(hidden: number, direction: Direction, row: number | null): string {
  if (direction === 'to') return t('hidden.restTo');
  if (row === null) return t('hidden.restEach');
  return hidden === 1 ? '' : t('hidden.rest', { left: percent(1 - hidden) });
}

declare global {
  interface HTMLElementTagNameMap {
    'hl-stage': Stage;
  }
}
