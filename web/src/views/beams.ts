/**
 * The sentence under a lamp: the token aimed at hangs above its own place, its beams fall on what it looks at (or
 * rise from who looks at it). Width and colour are the weight, the number stands under the word. Each word is a
 * button: hover or focus aims, press pins, Escape releases.
 */

import { css, html, nothing, type PropertyValues, svg } from 'lit';
import { customElement } from 'lit/decorators.js';
import { type Beam, layoutBeams } from '../draw/beams.ts';
import { cssColor, inkOn, weightColor } from '../draw/color-scale.ts';
import { shortText, shortWeight } from '../draw/labels.ts';
import type { Picture } from '../draw/picture.ts';
import { weightsOf } from '../draw/statistics.ts';
import { layoutTokens, runsRightToLeft, type TokenLines } from '../draw/token-lines.ts';
import { t } from '../i18n/index.ts';
import { cssProperties } from './css-properties.ts';
import { baseStyles } from './stage-styles.ts';
import { StageViewElement, WidthController } from './stage-view.ts';
import { textWidth } from './text-width.ts';
import { headLabel, tokenText } from './texts.ts';

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

@customElement('hl-beams')
export class Beams extends StageViewElement {
  static override styles = [
    baseStyles,
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
      button,
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
      button {
        height: var(--band);
        color: var(--hl-dim);
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
    `,
  ];

  private readonly room = new WidthController(this);
  private lines: TokenLines | null = null;
  private size = 28;
  private font = '';

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!this.lines || changed.has('picture') || this.lines.width !== this.room.width) {
      this.lines = this.layout();
    }
  }

  protected override render() {
    const { picture, lines, token } = this;
    if (!picture || !lines || token === null || lines.boxes.length === 0) return nothing;
    const n = picture.tokens.length;
    const weights = weightsOf(picture.weights(this.choice), n, token, this.direction);
    const lamp = this.lampPlace(picture, lines, token);
    const beams = layoutBeams(lines, weights, {
      lampX: lamp.centre,
      lampY: LAMP_HEIGHT - 2,
      lampWidth: Math.min(lamp.width - 8, 72),
      fullWidth: 24,
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
      <svg aria-hidden="true">${beams.map((beam) => this.renderBeam(beam))}</svg>
      <div
        class="lamp"
        aria-hidden="true"
        ${cssProperties({ '--x': `${lamp.x}px`, '--y': '0px', '--w': `${lamp.width}px` })}
      >
        ${this.renderText(picture, token)}
      </div>
      ${lines.boxes.map((box) => this.renderToken(picture, box, weights[box.index]!, token))}
    </div>`;
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

  private lampPlace(picture: Picture, lines: TokenLines, token: number) {
    const box = lines.boxes[token]!;
    const font = this.font.replace('500', '600');
    const text = Math.ceil(textWidth(shortText(picture.tokens[token]!), font));
    const width = Math.min(lines.width, Math.max(52, text + 28));
    const centre = box.x + box.width / 2;
    const x = Math.min(lines.width - width, Math.max(0, centre - width / 2));
    return { x, width, centre: x + width / 2 };
  }

  private onKey(event: KeyboardEvent): void {
    this.walk(event, (index) =>
      this.renderRoot.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus(),
    );
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
