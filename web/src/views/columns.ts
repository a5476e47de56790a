/**
 * Two columns of tokens, who looks on the left, who is looked at on the right, with lines as wide and as strong as
 * the weight. The tokens of the side that the direction names are buttons: hover or focus keeps one token's lines.
 */

import { css, html, nothing, svg } from 'lit';
import { customElement } from 'lit/decorators.js';
import { cssColor, inkOn, weightColor } from '../draw/color-scale.ts';
import { type LineBundle, layoutColumnLines, lineThreshold } from '../draw/columns.ts';
import { shortText, shortWeight } from '../draw/labels.ts';
import type { Picture } from '../draw/picture.ts';
import { weightsOf } from '../draw/statistics.ts';
import { formatNumber, t } from '../i18n/index.ts';
import { cssProperties } from './css-properties.ts';
import { baseStyles } from './stage-styles.ts';
import { StageViewElement, WidthController } from './stage-view.ts';
import { headLabel, tokenText } from './texts.ts';

const DRAWN = 0.03;
const MOST_LINES = 3000;
const NUMBERED = 0.04;
const HEAD = 30;

@customElement('hl-columns')
export class Columns extends StageViewElement {
  static override styles = [
    baseStyles,
    css`
      .frame.long {
        max-height: 80vh;
        overflow-y: auto;
        border-block: 1px solid var(--hl-rule);
      }
      .sheet {
        position: relative;
        width: var(--width);
        height: var(--height);
        margin: 0 auto;
      }
      svg {
        position: absolute;
        inset: 0;
        width: 100%;
        height: 100%;
        pointer-events: none;
      }
      path {
        fill: none;
        stroke-linecap: butt;
      }
      .rest {
        opacity: 0.14;
      }
      .title {
        position: absolute;
        top: 0;
        font-size: 0.8125rem;
        color: var(--hl-dim);
      }
      .title.now {
        color: var(--hl-ink);
        font-weight: 600;
      }
      .token {
        position: absolute;
        top: 0;
        left: 0;
        transform: translate(var(--x), var(--y));
        display: flex;
        align-items: center;
        gap: 8px;
        width: var(--w);
        height: var(--row);
        font-size: var(--size);
        line-height: 1;
        color: var(--hl-dim);
        white-space: nowrap;
        overflow: hidden;
      }
      .title.left {
        right: calc(100% - var(--side));
      }
      .title.right {
        left: calc(100% - var(--side));
      }
      .token.left {
        flex-direction: row-reverse;
      }
      .text {
        padding: 0.2em 0.4em;
        border-radius: 5px;
        background: var(--light, transparent);
        color: var(--ink, inherit);
      }
      .token.aimed .text {
        background: var(--hl-accent);
        color: var(--hl-accent-ink);
        font-weight: 600;
      }
      .token.plain {
        color: var(--hl-ink);
      }
      button.token:hover .text {
        box-shadow: inset 0 0 0 1.5px var(--hl-dim);
      }
      .token:focus-visible {
        outline-offset: -2px;
      }
      .special .text {
        font-family: var(--hl-mono);
        font-size: 0.8em;
      }
      .weight {
        font-size: 0.8125rem;
        font-variant-numeric: tabular-nums;
        color: var(--hl-ink);
      }
      .note {
        margin: 8px 0 0;
        font-size: 0.8125rem;
        color: var(--hl-dim);
      }
    `,
  ];

  private readonly room = new WidthController(this);
  private linesOf: readonly unknown[] | null = null;
  private lines: LineBundle[] = [];

  protected override render() {
    const { picture } = this;
    const n = picture?.tokens.length ?? 0;
    if (!picture || n === 0 || this.room.width === 0) return nothing;
    const width = Math.min(this.room.width, 760);
    const side = Math.floor(width * 0.32);
    const row = n <= 30 ? 32 : n <= 80 ? 26 : 20;
    const weights = picture.weights(this.choice);
    const threshold = lineThreshold(weights, DRAWN, MOST_LINES);
    const aimed = this.pointed ? this.token : null;
    const from = this.direction === 'from';
    const geometry = {
      left: side,
      right: width - side,
      top: HEAD + row / 2,
      rowHeight: row,
    };
    const own =
      aimed === null
        ? []
        : layoutColumnLines(weights, n, {
            ...geometry,
            threshold: 0.01,
            only: { token: aimed, side: from ? 'query' : 'key' },
          });
    const all = this.allLines(weights, n, geometry, threshold);
    const drawn = all.reduce((sum, bundle) => sum + bundle.count, 0);
    const given = aimed === null ? null : weightsOf(weights, n, aimed, this.direction);
    return html`<div class="frame ${n > 60 ? 'long' : ''}">
        <div
          class="sheet"
          role="group"
          aria-label=${t('columns.label', { head: headLabel(this.choice) })}
          ${cssProperties({
            '--width': `${width}px`,
            '--height': `${HEAD + n * row}px`,
            '--side': `${side}px`,
            '--row': `${row}px`,
            '--w': `${side}px`,
            '--size': row >= 32 ? '1.0625rem' : row >= 26 ? '0.9375rem' : '0.8125rem',
          })}
          @pointerleave=${() => this.aim(null)}
      @focusout=${this.onFocusOut}
          @keydown=${this.onKey}
        >
          <span class="title left ${from ? 'now' : ''}">${t('columns.left')}</span>
          <span class="title right ${from ? '' : 'now'}">${t('columns.right')}</span>
          <svg aria-hidden="true">
            <g class=${aimed === null ? '' : 'rest'}>${all.map((bundle) => this.renderLines(bundle))}</g>
            <g>${own.map((bundle) => this.renderLines(bundle))}</g>
          </svg>
          ${picture.tokens.map((_, index) => this.renderToken(picture, index, 'left', from, row, 0, given))}
          ${picture.tokens.map((_, index) => this.renderToken(picture, index, 'right', !from, row, width - side, given))}
        </div>
      </div>
      ${
        drawn < n * n
          ? html`<p class="note">
              ${t('stage.more', { count: formatNumber(n * n - drawn), threshold: shortWeight(threshold) })}
            </p>`
          : nothing
      }`;
  }

  /** Remembered while only the token aimed at changes. */
  private allLines(
    weights: Float32Array,
    n: number,
    place: { left: number; right: number; top: number; rowHeight: number },
    threshold: number,
  ): LineBundle[] {
    const key = [weights, place.right, place.rowHeight, threshold];
    if (!this.linesOf || key.some((part, i) => part !== this.linesOf![i])) {
      this.linesOf = key;
      this.lines = layoutColumnLines(weights, n, { ...place, threshold, only: null });
    }
    return this.lines;
  }

  private renderLines({ path, weight, width }: LineBundle) {
    const color = cssColor(weightColor(weight, this.theme, this.scale));
    return svg`<path d=${path} stroke=${color} stroke-width=${width}></path>`;
  }

  private renderToken(
    picture: Picture,
    index: number,
    side: 'left' | 'right',
    acts: boolean,
    row: number,
    x: number,
    given: Float32Array | null,
  ) {
    const token = picture.tokens[index]!;
    const place = { '--x': `${x}px`, '--y': `${HEAD + index * row}px` };
    const kind = `token ${side} ${token.special ? 'special' : ''}`;
    const text = html`<bdi class="text">${shortText(token, 14)}</bdi>`;
    if (acts) {
      const aimed = this.pointed && index === this.token;
      return html`<button
        class="${kind} ${aimed ? 'aimed' : ''} ${given ? '' : 'plain'}"
        data-index=${index}
        tabindex=${index === (this.token ?? 0) ? 0 : -1}
        aria-pressed=${index === this.pinned}
        aria-label=${tokenText(picture, index)}
        ${cssProperties(place)}
        @pointerenter=${() => this.aim(index)}
        @focus=${() => this.aim(index)}
        @click=${() => this.press(index)}
      >
        ${text}
      </button>`;
    }
    const weight = given?.[index] ?? 0;
    const lit = weight >= NUMBERED;
    const color = weightColor(weight, this.theme, this.scale);
    return html`<span
      class="${kind} ${given ? '' : 'plain'}"
      ${cssProperties({
        ...place,
        '--light': lit ? cssColor(color) : null,
        '--ink': lit ? cssColor(inkOn(color)) : null,
      })}
      >${text}${lit ? html`<span class="weight">${shortWeight(weight)}</span>` : nothing}</span
    >`;
  }

  private onKey(event: KeyboardEvent): void {
    this.walk(event, (index) =>
      this.renderRoot.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus(),
    );
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'hl-columns': Columns;
  }
}
