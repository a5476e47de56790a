/**
 * Inside a head: for one query and one key every step of the arithmetic, one at a time, in the order in which a
 * reader would compute it. Arrow keys walk the steps; the step is part of the link. Holds no state: raises events.
 */

import { css, html, LitElement, nothing, type PropertyValues } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { Theme } from '../../draw/color-scale.ts';
import { type Inside, type InsideStep, stepsOf } from '../../draw/inside.ts';
import { LanguageController, t } from '../../i18n/index.ts';
import { baseStyles } from '../stage-styles.ts';
import { tell } from './inspector-events.ts';
import { PANELS } from './panels.ts';

/** Where arrow keys mean something else. */
const KEEPS_ARROWS = 'select, input, textarea, hl-number-strip, .scroll';

@customElement('hl-inspector')
export class Inspector extends LitElement {
  static override styles = [
    baseStyles,
    css`
      .head {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 8px 16px;
        margin-bottom: 14px;
      }
      h2 {
        margin: 0;
        font-size: 1.25rem;
        font-weight: 600;
        line-height: 1.3;
        font-variant-numeric: tabular-nums;
      }
      .pair {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 4px 10px;
        font-size: 0.9375rem;
        color: var(--hl-dim);
      }
      select {
        max-width: 11em;
        min-height: 36px;
        padding: 0 6px;
        border: 1px solid var(--hl-rule);
        border-radius: 8px;
        background: var(--hl-panel);
        color: var(--hl-ink);
      }
      .close {
        min-height: 36px;
        margin-inline-start: auto;
        padding: 0 10px;
        color: var(--hl-dim);
        font-size: 0.875rem;
        text-decoration: underline;
        text-underline-offset: 3px;
      }
      .steps {
        display: flex;
        gap: 2px;
        margin: 0 0 20px;
        padding: 0;
        overflow-x: auto;
        border-bottom: 1px solid var(--hl-rule);
        scrollbar-width: thin;
      }
      .steps button {
        flex: none;
        min-height: 44px;
        padding: 0 12px;
        border-bottom: 3px solid transparent;
        font-size: 0.875rem;
        color: var(--hl-dim);
        white-space: nowrap;
      }
      .steps button:hover {
        color: var(--hl-ink);
      }
      .steps button[aria-selected='true'] {
        color: var(--hl-ink);
        font-weight: 600;
        border-bottom-color: var(--hl-accent);
      }
      .steps .count {
        margin-inline-end: 5px;
        font-size: 0.75rem;
        font-variant-numeric: tabular-nums;
        color: var(--hl-dim);
      }
      .panel {
        min-height: 24rem;
      }
      p {
        margin: 0 0 12px;
        max-width: 72ch;
        line-height: 1.5;
      }
      h3 {
        margin: 18px 0 8px;
        font-size: 0.9375rem;
        font-weight: 600;
      }
      .sum {
        display: flex;
        flex-wrap: wrap;
        align-items: baseline;
        gap: 4px 8px;
        font-size: 1.125rem;
        font-variant-numeric: tabular-nums;
      }
      .sum output {
        font-weight: 700;
      }
      sup {
        font-size: 0.7em;
      }
      .note {
        margin-top: 10px;
        font-size: 0.8125rem;
        color: var(--hl-dim);
      }
      .walk {
        display: flex;
        justify-content: space-between;
        gap: 12px;
        margin-top: 18px;
        padding-top: 12px;
        border-top: 1px solid var(--hl-rule);
      }
      .walk button {
        min-height: 44px;
        padding: 0 14px;
        border: 1px solid var(--hl-rule);
        border-radius: 999px;
        font-size: 0.875rem;
      }
      .walk button:hover:not(:disabled) {
        border-color: var(--hl-edge);
      }
      .walk button:disabled {
        color: var(--hl-dim);
        cursor: default;
        opacity: 0.6;
      }
      .empty {
        padding: 32px 0;
        color: var(--hl-dim);
      }
      @media (forced-colors: active) {
        .steps button[aria-selected='true'] {
          border-bottom-color: Highlight;
        }
      }
      @media print {
        .walk,
        .close {
          display: none;
        }
      }
    `,
  ];

  @property({ attribute: false }) inside: Inside | null = null;
  @property() step: InsideStep = 'words';
  /** The name of the head on the stage, as the page writes it. */
  @property() head = '';
  /** Why nothing can be shown, if so. */
  @property() reason = '';
  @property() theme: Theme = 'light';
  /** Whether there is a way back: not on pages where the inspector is always open. */
  @property({ type: Boolean }) closable = false;

  constructor() {
    super();
    new LanguageController(this);
    this.addEventListener('keydown', (event) => this.onKey(event));
  }

  protected override render() {
    const { inside } = this;
    return html`
      <div class="head">
        <h2>${t('inside.title', { head: this.head })}</h2>
        ${inside ? this.renderPair(inside) : nothing}
        ${
          this.closable
            ? html`<button class="close" @click=${() => tell(this, 'hl-inside-open', { open: false })}>
                ${t('inside.close')}
              </button>`
            : nothing
        }
      </div>
      ${inside ? this.renderSteps(inside) : html`<p class="empty">${this.reason || t('inside.empty')}</p>`}
    `;
  }

  private renderPair(inside: Inside) {
    const select = (field: 'query' | 'key', tokens: readonly string[]) => html`<select
      aria-label=${t(`inside.choose.${field}`)}
      @change=${(event: Event) => {
        const index = Number((event.target as HTMLSelectElement).value);
        tell(this, 'hl-inside-pair', { query: null, key: null, [field]: index });
      }}
    >
      ${tokens.map(
        (token, index) =>
          html`<option value=${index} ?selected=${index === inside[field]}>${token}</option>`,
      )}
    </select>`;
    return html`<div class="pair">
      ${select('query', inside.queryTokens)} <span>${t('inside.looksAt')}</span>
      ${select('key', inside.keyTokens)}
    </div>`;
  }

  private renderSteps(inside: Inside) {
    const steps = stepsOf(inside);
    const current = this.currentOf(inside);
    const at = steps.indexOf(current);
    const walk = (to: InsideStep | undefined, label: string) => html`<button
      ?disabled=${to === undefined}
      @click=${() => to && this.go(to)}
    >
      ${label}
    </button>`;
    return html`
      <div class="steps" role="tablist" aria-label=${t('inside.steps')}>
        ${steps.map(
          (step, index) => html`<button
            role="tab"
            id=${`step-${step}`}
            aria-selected=${step === current}
            aria-controls="panel"
            tabindex=${step === current ? 0 : -1}
            @click=${() => this.go(step)}
          >
            <span class="count">${index + 1}</span>${t(`inside.step.${step}`)}
          </button>`,
        )}
      </div>
      <div class="panel" id="panel" role="tabpanel" aria-labelledby=${`step-${current}`}>
        ${PANELS[current](inside, this.theme)}
      </div>
      <div class="walk">
        ${walk(steps[at - 1], t('inside.back'))} ${walk(steps[at + 1], t('inside.next'))}
      </div>
    `;
  }

  /** The step of the link, or the nearest that these numbers allow. */
  private currentOf(inside: Inside): InsideStep {
    const steps = stepsOf(inside);
    return steps.includes(this.step) ? this.step : steps[0]!;
  }

  private go(step: InsideStep): void {
    tell(this, 'hl-inside-step', { step });
  }

  private onKey(event: KeyboardEvent): void {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by || !this.inside || event.altKey || event.ctrlKey || event.metaKey) return;
    const target = event.composedPath()[0] as HTMLElement;
    if (target.closest(KEEPS_ARROWS)) return;
    const steps = stepsOf(this.inside);
    const next = steps[steps.indexOf(this.currentOf(this.inside)) + by];
    if (!next) return;
    event.preventDefault();
    const onTab = target.getAttribute('role') === 'tab';
    this.go(next);
    if (onTab) void this.updateComplete.then(() => this.tab(next)?.focus());
  }

  private tab(step: InsideStep): HTMLElement | null {
    return this.renderRoot.querySelector(`#step-${step}`);
  }

  protected override updated(changed: PropertyValues<this>): void {
    const appeared = changed.has('inside') && !changed.get('inside');
    if (!this.inside || !(appeared || changed.has('step'))) return;
    // The chosen step is in sight in its row; the page itself does not move.
    const tab = this.tab(this.currentOf(this.inside));
    const list = tab?.parentElement;
    if (tab && list) list.scrollLeft = tab.offsetLeft - (list.clientWidth - tab.offsetWidth) / 2;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'hl-inspector': Inspector;
  }
}
