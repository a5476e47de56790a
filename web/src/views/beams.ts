/**
 * The sentence under a lamp: the token aimed at hangs above its own place, its beams fall on what it looks at (or
 * rise from who looks at it). Colour is the weight, its number stands under the word; a beam is as wide as its part
 * of all attention, and what went to hidden tokens leaves the lamp sideways. Each word is a button: hover or focus
 * aims, press pins, Escape releases.
 */

import { css, html, nothing, type PropertyValues, svg } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { type Beam, layoutBeams } from '../draw/beams.ts';
import { cssColor, inkOn, weightColor } from '../draw/color-scale.ts';
import { shortText, shortWeight } from '../draw/labels.ts';
import type { Picture } from '../draw/picture.ts';
import { weightsOf } from '../draw/statistics.ts';
import {
  layoutTokens,
  runsRightToLeft,
  type TokenLines,
  windowAround,
  windowOf,
} from '../draw/token-lines.ts';
import { t } from '../i18n/index.ts';
import { cssProperties } from './css-properties.ts';
import { say } from './page-events.ts';
import { controlStyles } from './page-styles.ts';
import { baseStyles } from './stage-styles.ts';
import { StageViewElement, WidthController } from './stage-view.ts';
import { textWidth } from './text-width.ts';
import { headLabel, percent, tokenText } from './texts.ts';

/** Weights below this get neither a number nor a beam. */
const NUMBERED = 0.04;
const DRAWN = 0.01;
/** Type sizes, largest first, each with the most lines for which it is used. */
const WIDE_SIZES = [
  { size: 36, most: 1 },
  { size: 32, most: 1 },
  { size: 28, most: 1 },
  { size: 25, most: 1 },
  { size: 28, most: 2 },
  { size: 24, most: 3 },
  { size: 21, most: 6 },
  { size: 18, most: 14 },
  { size: 15, most: Number.POSITIVE_INFINITY },
];
const NARROW_SIZES = [
  { size: 28, most: 1 },
  { size: 26, most: 2 },
  { size: 23, most: 6 },
  { size: 18, most: 14 },
  { size: 15, most: Number.POSITIVE_INFINITY },
];
const PAD = 7;
const LAMP_HEIGHT = 44;
/** Width of a beam that holds the whole row. */
const FULL_WIDTH = 24;
/** A smaller hidden share is only said in words. */
const HIDDEN_FROM = 0.05;
const HIDDEN_BEAM = 30;
/** A text of more lines than this shows a window of them. */
const MOST_LINES = 10;
const WINDOW = 7;

interface LampPlace {
  x: number;
  width: number;
  centre: number;
}

@customElement('hl-beams')
export class Beams extends StageViewElement {
  static override styles = [
    baseStyles,
    controlStyles,
    css`
      .sheet {
        position: relative;
        height: var(--height);
        margin: 0 auto;
        width: var(--width);
      }
      svg {
        position: absolute;
        inset: 0;
        width: 100%;
        height: 100%;
        overflow: visible;
        pointer-events: none;
      }
      .lamp-end {
        stop-color: var(--hl-accent);
      }
      .sheet button,
      .lamp {
        position: absolute;
        left: 0;
        top: 0;
        transform: translate(var(--x), var(--y));
        width: var(--w);
        text-align: center;
        font-size: var(--size);
        font-weight: 500;
        line-height: 1;
        white-space: nowrap;
      }
      .sheet button {
        height: var(--band);
        color: var(--hl-dim);
      }
      .lines {
        display: flex;
        flex-wrap: wrap;
        align-items: baseline;
        gap: 4px 16px;
        margin: 12px 0 0;
        font-size: 0.875rem;
        color: var(--hl-dim);
        font-variant-numeric: tabular-nums;
      }
      .lines .link:disabled {
        visibility: hidden;
      }
      .word {
        display: flex;
        align-items: center;
        justify-content: center;
        height: calc(var(--size) * 1.5);
        border-radius: 6px;
        background: var(--light, transparent);
        color: var(--ink, var(--hl-dim));
      }
      button.lit .word {
        color: var(--ink);
      }
      button:hover .word {
        box-shadow: inset 0 0 0 1.5px var(--hl-dim);
      }
      button.aimed .word {
        box-shadow: inset 0 0 0 2px var(--hl-accent);
      }
      .special {
        font-family: var(--hl-mono);
        font-size: 0.72em;
        font-weight: 400;
      }
      .weight {
        display: block;
        height: 18px;
        padding-top: 4px;
        font-size: 0.8125rem;
        font-weight: 400;
        font-variant-numeric: tabular-nums;
        color: var(--hl-dim);
      }
      .weight.strong {
        color: var(--hl-ink);
        font-weight: 600;
      }
      .lamp {
        display: flex;
        align-items: center;
        justify-content: center;
        height: 44px;
        border-radius: 10px;
        background: var(--hl-accent);
        color: var(--hl-accent-ink);
        font-weight: 600;
      }
      .hidden-beam {
        fill: var(--hl-edge);
        opacity: 0.6;
      }
      .hidden-end {
        position: absolute;
        left: 0;
        top: 0;
        transform: translate(var(--x), 4px);
        display: flex;
        align-items: center;
        justify-content: center;
        width: var(--w);
        height: 36px;
        border: 1.5px dashed var(--hl-edge);
        border-radius: 10px;
        font-size: 0.8125rem;
        font-variant-numeric: tabular-nums;
        white-space: nowrap;
        color: var(--hl-ink);
        cursor: pointer;
      }
      .hidden-end:hover {
        border-color: var(--hl-ink);
      }
      @media (forced-colors: active) {
        .lamp {
          border: 2px solid Highlight;
        }
        button.aimed .word {
          outline: 2px solid Highlight;
        }
        path,
        .lamp-end {
          forced-color-adjust: none;
        }
      }
    `,
  ];

  private readonly room = new WidthController(this);
  private lines: TokenLines | null = null;
  /** All lines of a long text, instead of a window of them. */
  @state() private all = false;
  /** First line of the window. */
  @state() private first = 0;
  /** The reader has moved the window: it stays until another word is pinned. */
  private moved = false;
  private size = 28;
  private font = '';

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!this.lines || changed.has('picture') || this.lines.width !== this.room.width) {
      this.lines = this.layout();
    }
    if (changed.has('picture') || changed.has('pinned')) this.moved = false;
    const box = this.token === null ? undefined : this.lines?.boxes[this.token];
    if (box && this.lines && !this.moved) {
      this.first = windowAround(box.line, WINDOW, this.lines.lines, this.first);
    }
  }

  private get isLong(): boolean {
    return this.lines !== null && this.lines.lines > MOST_LINES;
  }

  protected override render() {
    const { picture, lines: whole, token } = this;
    if (!picture || !whole?.boxes[token ?? -1] || token === null) return nothing;
    const folded = this.isLong && !this.all;
    const lines = folded ? windowOf(whole, this.first, WINDOW) : whole;
    const n = picture.tokens.length;
    const weights = weightsOf(picture.weights(this.choice), n, token, this.direction);
    const removed = picture.removed(this.choice);
    const hidden = this.direction === 'from' ? (removed?.[token] ?? 0) : 0;
    const lamp = this.lampPlace(picture, whole, token);
    const end =
      hidden < HIDDEN_FROM
        ? null
        : this.hiddenPlace(lamp, lines.width, hidden, picture.hidden(token).join(' '));
    const beams = layoutBeams(lines, weights, {
      lampX: lamp.centre,
      lampY: LAMP_HEIGHT - 2,
      lampWidth: Math.min(lamp.width - 8, 72),
      fullWidth: FULL_WIDTH,
      part: (index) => 1 - (this.direction === 'from' ? hidden : (removed?.[index] ?? 0)),
      threshold: DRAWN,
      clearance: 2,
      margin: 14,
    });
    return html`<div
      class="sheet"
      role="group"
      aria-label=${t('beams.label', { head: headLabel(this.choice), token: tokenText(picture, token) })}
      ${cssProperties({
        '--width': `${lines.width}px`,
        '--height': `${lines.height}px`,
        '--size': `${this.size}px`,
        '--band': `${this.bandHeight}px`,
      })}
      @pointerleave=${() => this.aim(null)}
      @focusout=${this.onFocusOut}
      @keydown=${this.onKey}
    >
      <svg aria-hidden="true">
        ${beams.map((beam) => this.renderBeam(beam))}
        ${end ? svg`<path class="hidden-beam" d=${end.beam}></path>` : nothing}
      </svg>
      ${
        end
          ? html`<div
              class="hidden-end"
              aria-hidden="true"
              title=${t('hidden.show')}
              ${cssProperties({ '--x': `${end.x}px`, '--w': `${end.width}px` })}
              @click=${() => say(this, 'hl-switch', { name: 'specials', on: true })}
            >
              ${end.text}
            </div>`
          : nothing
      }
      <div
        class="lamp"
        aria-hidden="true"
        ${cssProperties({ '--x': `${lamp.x}px`, '--y': '0px', '--w': `${lamp.width}px` })}
      >
        ${this.renderText(picture, token)}
      </div>
      ${lines.boxes.map((box) => this.renderToken(picture, box, weights[box.index]!, token))}
    </div>
    ${this.isLong ? this.renderLines(whole, weights, folded) : nothing}`;
  }

  /** Which lines of a long text are shown, what is lit outside of them, and how to see the others. */
  private renderLines(whole: TokenLines, weights: Float32Array, folded: boolean) {
    const end = this.first + WINDOW;
    const toggle = html`<button
      class="link"
      aria-expanded=${!folded}
      @click=${() => {
        this.all = folded;
      }}
    >
      ${t(folded ? 'beams.all' : 'beams.few')}
    </button>`;
    if (!folded) return html`<p class="lines">${toggle}</p>`;
    const outside = whole.boxes.filter(
      ({ line, index }) => (line < this.first || line >= end) && weights[index]! >= NUMBERED,
    ).length;
    const move = (by: number) => () => {
      this.moved = true;
      this.first = Math.min(whole.lines - WINDOW, Math.max(0, this.first + by));
    };
    return html`<p class="lines">
      <span>${t('beams.lines', { from: this.first + 1, to: end, count: whole.lines })}</span>
      ${outside > 0 ? html`<span>${t('beams.outside', { count: outside })}</span>` : nothing}
      <button class="link" ?disabled=${this.first === 0} @click=${move(-WINDOW)}>${t('beams.earlier')}</button>
      <button class="link" ?disabled=${end >= whole.lines} @click=${move(WINDOW)}>${t('beams.later')}</button>
      ${toggle}
    </p>`;
  }

  private renderBeam(beam: Beam) {
    const id = `light-${beam.index}`;
    const end = beam.corners.at(-1)!.y;
    const color = cssColor(weightColor(beam.weight, this.theme, this.scale));
    return svg`<linearGradient id=${id} gradientUnits="userSpaceOnUse" x1="0" x2="0" y1=${LAMP_HEIGHT} y2=${end}>
        <stop class="lamp-end" offset="0"></stop>
        <stop offset="0.8" stop-color=${color}></stop>
      </linearGradient>
      <path d=${beam.path} fill=${`url(#${id})`}></path>`;
  }

  private renderToken(
    picture: Picture,
    box: TokenLines['boxes'][number],
    weight: number,
    aimed: number,
  ) {
    const lit = weight >= NUMBERED;
    const color = weightColor(weight, this.theme, this.scale);
    const isAimed = box.index === aimed;
    return html`<button
      class="${lit ? 'lit' : ''} ${isAimed ? 'aimed' : ''}"
      data-index=${box.index}
      tabindex=${isAimed ? 0 : -1}
      aria-pressed=${box.index === this.pinned}
      aria-label=${t(isAimed ? 'beams.lamp' : 'beams.token', {
        token: tokenText(picture, box.index),
        weight: shortWeight(weight),
      })}
      ${cssProperties({
        '--x': `${box.x}px`,
        '--y': `${box.y}px`,
        '--w': `${box.width}px`,
        '--light': lit ? cssColor(color) : null,
        '--ink': lit ? cssColor(inkOn(color)) : null,
      })}
      @pointerenter=${() => this.aim(box.index)}
      @focus=${() => this.aim(box.index)}
      @click=${() => this.press(box.index)}
    >
      <span class="word">${this.renderText(picture, box.index)}</span>
      <span class="weight ${weight >= 0.2 ? 'strong' : ''}"
        >${weight >= NUMBERED ? shortWeight(weight) : ''}</span
      >
    </button>`;
  }

  private renderText(picture: Picture, index: number) {
    const token = picture.tokens[index]!;
    return html`<bdi class=${token.special ? 'special' : ''}>${shortText(token)}</bdi>`;
  }

  private get bandHeight(): number {
    return Math.round(this.size * 1.5) + 18;
  }

  /** The largest type in which the sentence stays within a few lines. */
  private layout(): TokenLines | null {
    const { picture } = this;
    const { width } = this.room;
    if (!picture || width === 0) return null;
    const family = getComputedStyle(this).fontFamily;
    const narrow = width < 560;
    const rightToLeft = runsRightToLeft(picture.tokens.map((token) => token.text).join(''));
    const segments = segmentsOf(picture);
    let lines: TokenLines | null = null;
    for (const { size, most } of narrow ? NARROW_SIZES : WIDE_SIZES) {
      this.size = size;
      this.font = `500 ${size}px ${family}`;
      const sizes = picture.tokens.map((token, index) => ({
        width:
          Math.ceil(textWidth(shortText(token), this.font) * (token.special ? 0.85 : 1)) + 2 * PAD,
        continuation: token.continuation,
        segment: segments[index]!,
      }));
      lines = layoutTokens(sizes, {
        maxWidth: width,
        wordGap: 10,
        pieceGap: 3,
        minWidth: 30,
        bandHeight: this.bandHeight,
        firstChannel: LAMP_HEIGHT + (narrow ? 84 : 120),
        channel: narrow ? 24 : 30,
        rightToLeft,
      });
      if (lines.lines <= most) break;
    }
    return lines;
  }

  private lampPlace(picture: Picture, lines: TokenLines, token: number): LampPlace {
    const box = lines.boxes[token]!;
    const font = this.font.replace('500', '600');
    const text = Math.ceil(textWidth(shortText(picture.tokens[token]!), font));
    const width = Math.min(lines.width, Math.max(52, text + 28));
    const centre = box.x + box.width / 2;
    const x = Math.min(lines.width - width, Math.max(0, centre - width / 2));
    return { x, width, centre: x + width / 2 };
  }

  /** Beside the lamp, where there is room: what the hidden tokens took, and the beam to it. May move the lamp. */
  private hiddenPlace(lamp: LampPlace, room: number, hidden: number, names: string) {
    const font = `500 13px ${getComputedStyle(this).fontFamily}`;
    const wide = room >= 480;
    const text = t(wide ? 'hidden.short' : 'hidden.shortest', { percent: percent(hidden), names });
    const width = Math.ceil(textWidth(text, font)) + 24;
    const needed = width + HIDDEN_BEAM;
    if (needed + lamp.width > room) return null;
    const right = room - lamp.x - lamp.width;
    if (right < needed && lamp.x < needed) {
      lamp.x = room - needed - lamp.width;
      lamp.centre = lamp.x + lamp.width / 2;
    }
    const toRight = room - lamp.x - lamp.width >= needed;
    const from = toRight ? lamp.x + lamp.width : lamp.x;
    const to = toRight ? from + HIDDEN_BEAM : from - HIDDEN_BEAM;
    const half = (hidden * FULL_WIDTH) / 2;
    const middle = LAMP_HEIGHT / 2;
    const beam = `M${from} ${middle - half}H${to}V${middle + half}H${from}Z`;
    return { text, width, x: toRight ? to : to - width, beam };
  }

  private onKey(event: KeyboardEvent): void {
    this.walk(event, (index) => void this.go(index));
  }

  private async go(index: number): Promise<void> {
    const { lines } = this;
    if (lines && this.isLong && !this.all) {
      this.first = windowAround(lines.boxes[index]!.line, WINDOW, lines.lines, this.first);
      await this.updateComplete;
    }
    this.renderRoot.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus();
  }
}

/** Which text each token belongs to; a special token belongs to the text before it. */
function segmentsOf(picture: Picture): (0 | 1)[] {
  let now: 0 | 1 = 0;
  return picture.tokens.map((token) => {
    if (!token.special) now = token.segment;
    return now;
  });
}

declare global {
  interface HTMLElementTagNameMap {
    'hl-beams': Beams;
  }
}
