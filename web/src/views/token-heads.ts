/**
 * One token seen by every head: a panel a layer, a strip a head, in it one cell for each token that it looks at (or
 * that looks at it), and beside it the strongest in words. Pressing a strip selects its head.
 */

import { css, html, nothing, type PropertyValues } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { pixelRamp } from '../draw/color-scale.ts';
import { fillArea, paintHeat } from '../draw/heat-pixels.ts';
import { shortText, shortWeight } from '../draw/labels.ts';
import type { HeadChoice, HeadRole, Picture } from '../draw/picture.ts';
import { strongest, weightsOf } from '../draw/statistics.ts';
import { t } from '../i18n/index.ts';
import { cssProperties } from './css-properties.ts';
import { say } from './page-events.ts';
import { controlStyles } from './page-styles.ts';
import { tell } from './stage-events.ts';
import { baseStyles } from './stage-styles.ts';
import { StageViewElement, WidthController } from './stage-view.ts';
import { textWidth } from './text-width.ts';
import {
  headLabel,
  hiddenNames,
  percent,
  roleShort,
  rolesAt,
  sameChoice,
  tokenText,
} from './texts.ts';

const ROW = 22;
const STRIP = 16;
const NAME = 30;
const MOST = 108;
const PANEL_GAP = 28;
const NARROWEST_PANEL = 300;
const NAMED_CELL = 11;
/** A hidden share from here on is said louder. */
const MUCH = 0.5;

@customElement('hl-token-heads')
export class TokenHeads extends StageViewElement {
  static override styles = [
    baseStyles,
    controlStyles,
    css`
      .panels {
        display: grid;
        grid-template-columns: repeat(var(--across), minmax(0, 1fr));
        gap: 22px var(--gap);
      }
      h4 {
        margin: 0 0 4px;
        font-size: 0.8125rem;
        font-weight: 500;
        color: var(--hl-dim);
      }
      .panel {
        position: relative;
      }
      canvas {
        position: absolute;
        left: 30px;
        bottom: 0;
        width: var(--strip-w);
        height: var(--strip-h);
        pointer-events: none;
      }
      .names {
        position: relative;
        height: var(--names);
        margin-left: 30px;
      }
      .names bdi {
        position: absolute;
        bottom: 4px;
        left: 0;
        transform: translateX(var(--x)) rotate(-90deg);
        transform-origin: 0 100%;
        font-size: 0.6875rem;
        line-height: 1;
        white-space: nowrap;
        color: var(--hl-dim);
      }
      .names .aimed {
        color: var(--hl-ink);
        font-weight: 700;
      }
      .row {
        display: grid;
        grid-template-columns: 30px var(--strip-w) minmax(0, 1fr);
        align-items: center;
        width: 100%;
        height: 22px;
        border-radius: 4px;
        text-align: start;
        font-size: 0.75rem;
        line-height: 1;
        white-space: nowrap;
      }
      .row:hover {
        box-shadow: 0 0 0 1px var(--hl-dim);
      }
      .row[aria-pressed='true'] {
        box-shadow: 0 0 0 2px var(--hl-accent);
      }
      .row:focus-visible {
        outline-offset: 1px;
      }
      .name {
        color: var(--hl-dim);
        font-variant-numeric: tabular-nums;
        padding-left: 4px;
      }
      .has-role {
        color: var(--hl-ink);
        font-weight: 600;
      }
      .most {
        grid-column: 3;
        display: flex;
        gap: 6px;
        padding-left: 8px;
        overflow: hidden;
      }
      .most bdi {
        overflow: hidden;
        text-overflow: ellipsis;
        line-height: 1.3;
      }
      .faint {
        color: var(--hl-dim);
      }
      .waiting {
        padding: 12px 0;
        font-size: 0.8125rem;
        color: var(--hl-dim);
      }
      .note {
        margin: 12px 0 0;
        font-size: 0.875rem;
        color: var(--hl-dim);
      }
      .loud,
      .note .link {
        color: var(--hl-ink);
      }
    `,
  ];

  /** The selected heads, marked among all. */
  @property({ attribute: false }) choices: readonly HeadChoice[] = [];
  @property({ attribute: false }) roles: readonly HeadRole[] = [];
  @state() private cursor = 0;

  private readonly room = new WidthController(this);
  private strip = 0;

  protected override willUpdate(changed: PropertyValues<this>): void {
    const heads = this.picture?.heads ?? 0;
    const first = this.choices.at(-1);
    if (changed.has('choices') && first && first.layer !== 'mean' && first.head !== 'mean') {
      this.cursor = first.layer * heads + first.head;
    }
  }

  protected override render() {
    const { picture, token } = this;
    const width = this.room.width;
    if (!picture || token === null || width === 0) return nothing;
    const across = Math.max(
      1,
      Math.min(3, Math.floor((width + PANEL_GAP) / (NARROWEST_PANEL + PANEL_GAP))),
    );
    const panel = (width - PANEL_GAP * (across - 1)) / across;
    this.strip = Math.floor(panel - NAME - MOST);
    const n = picture.tokens.length;
    const names = this.strip / n >= NAMED_CELL ? this.nameRoom(picture) : 0;
    return html`
      <div
        class="panels"
        role="group"
        aria-label=${t('token.label', { token: tokenText(picture, token) })}
        ${cssProperties({
          '--across': String(across),
          '--gap': `${PANEL_GAP}px`,
          '--strip-w': `${this.strip}px`,
          '--strip-h': `${picture.heads * ROW}px`,
          '--names': `${names}px`,
        })}
        @keydown=${this.onKey}
      >
        ${Array.from({ length: picture.layers }, (_, layer) =>
          this.renderPanel(picture, layer, token, names > 0),
        )}
      </div>
      ${this.renderRemoved(picture, token)}
    `;
  }

  private renderPanel(picture: Picture, layer: number, token: number, names: boolean) {
    const title = html`<h4>${t('wall.layer', { layer })}</h4>`;
    if (layer >= picture.layersReady) {
      return html`<div>
        ${title}
        <p class="waiting">${t('stage.waiting', { head: t('wall.layer', { layer }) })}</p>
      </div>`;
    }
    const cell = this.strip / picture.tokens.length;
    return html`<div>
      ${title}
      <div class="panel">
        ${
          names
            ? html`<div class="names" aria-hidden="true">
                ${picture.tokens.map(
                  (shown, j) => html`<bdi
                    class=${j === token ? 'aimed' : ''}
                    ${cssProperties({ '--x': `${Math.round((j + 0.5) * cell) + 6}px` })}
                    >${shortText(shown, 10)}</bdi
                  >`,
                )}
              </div>`
            : nothing
        }
        <canvas data-layer=${layer} aria-hidden="true"></canvas>
        ${Array.from({ length: picture.heads }, (_, head) =>
          this.renderRow(picture, { layer, head }, token),
        )}
      </div>
    </div>`;
  }

  private renderRow(picture: Picture, place: { layer: number; head: number }, token: number) {
    const weights = weightsOf(picture.weights(place), picture.tokens.length, token, this.direction);
    const top = strongest(weights, 4);
    const roles = rolesAt(this.roles, place);
    const list = top.map(({ index, weight }) =>
      t('token.most', { key: tokenText(picture, index), weight: shortWeight(weight) }),
    );
    const name = headLabel(place);
    const index = place.layer * picture.heads + place.head;
    const most = top[0];
    return html`<button
      class="row"
      data-index=${index}
      tabindex=${index === this.cursor ? 0 : -1}
      aria-pressed=${this.choices.some((choice) => sameChoice(choice, place))}
      title=${[name, ...roles.map(roleShort)].join(' · ')}
      @click=${(event: MouseEvent) =>
        tell(this, 'hl-head-select', {
          ...place,
          additive: event.shiftKey || event.ctrlKey || event.metaKey,
        })}
      @focus=${() => {
        this.cursor = index;
      }}
    >
      <span class="hidden">${t('token.row', { head: name, list: list.join(', ') })}</span>
      <span class="name ${roles.length > 0 ? 'has-role' : ''}" aria-hidden="true">${place.head}</span>
      ${
        most
          ? html`<span aria-hidden="true" class="most ${most.weight < 0.2 ? 'faint' : ''}"
              ><span class="number">${shortWeight(most.weight)}</span>
              <bdi>${shortText(picture.tokens[most.index]!, 10)}</bdi></span
            >`
          : nothing
      }
    </button>`;
  }

  private renderRemoved(picture: Picture, token: number) {
    if (this.direction !== 'from' || picture.layersReady === 0) return nothing;
    let low = 1;
    let high = 0;
    for (let layer = 0; layer < picture.layersReady; layer++) {
      for (let head = 0; head < picture.heads; head++) {
        const removed = picture.removed({ layer, head })?.[token];
        if (removed === undefined) return nothing;
        low = Math.min(low, removed);
        high = Math.max(high, removed);
      }
    }
    const names = hiddenNames(picture, token);
    const range = { low: percent(low), high: percent(high), names };
    const show = () => say(this, 'hl-switch', { name: 'specials', on: true });
    return html`<p class="note ${high >= MUCH ? 'loud' : ''}">
      ${names === '' ? t('hidden.unseen', { word: tokenText(picture, token) }) : t('token.removed', range)}
      <button class="link" @click=${show}>${t('hidden.show')}</button>
    </p>`;
  }

  protected override updated(): void {
    const { picture, token } = this;
    if (!picture || token === null) return;
    for (const canvas of this.renderRoot.querySelectorAll('canvas')) {
      this.paint(canvas, picture, Number(canvas.dataset.layer), token);
    }
  }

  private paint(canvas: HTMLCanvasElement, picture: Picture, layer: number, token: number): void {
    const ratio = devicePixelRatio || 1;
    const width = Math.max(1, Math.round(this.strip * ratio));
    const height = Math.max(1, Math.round(picture.heads * ROW * ratio));
    const context = canvas.getContext('2d', { willReadFrequently: true })!;
    canvas.width = width;
    canvas.height = height;
    const image = context.createImageData(width, height);
    const pixels = new Uint32Array(image.data.buffer);
    fillArea(pixels, width, { x: 0, y: 0, width, height }, 0);
    const ramp = pixelRamp(this.theme, this.scale);
    const n = picture.tokens.length;
    const thick = Math.round(STRIP * ratio);
    for (let head = 0; head < picture.heads; head++) {
      const values = weightsOf(picture.weights({ layer, head }), n, token, this.direction);
      const y = Math.round((head * ROW + (ROW - STRIP) / 2) * ratio);
      paintHeat(
        pixels,
        width,
        { x: 0, y, width, height: thick },
        { values, rows: 1, columns: n },
        ramp,
      );
    }
    context.putImageData(image, 0, 0);
  }

  private nameRoom(picture: Picture): number {
    const font = `500 11px ${getComputedStyle(this).fontFamily}`;
    const widest = Math.max(
      ...picture.tokens.map((token) => textWidth(shortText(token, 10), font)),
    );
    return Math.ceil(widest) + 8;
  }

  private onKey(event: KeyboardEvent): void {
    const heads = this.picture?.heads ?? 0;
    const last = (this.picture?.layersReady ?? 0) * heads - 1;
    const steps: Record<string, number> = {
      ArrowDown: this.cursor + 1,
      ArrowUp: this.cursor - 1,
      ArrowRight: this.cursor + heads,
      ArrowLeft: this.cursor - heads,
      Home: 0,
      End: last,
    };
    const next = steps[event.key];
    if (next === undefined) return;
    event.preventDefault();
    if (next < 0 || next > last) return;
    this.renderRoot.querySelector<HTMLElement>(`[data-index="${next}"]`)?.focus();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'hl-token-heads': TokenHeads;
  }
}
