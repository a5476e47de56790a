/**
 * Every head of every layer as a small heat map, all on one canvas, with a button over each. `draw(picture)`
 * paints at once, inside the call, so that the time of a keystroke can be measured to its end; what screen
 * readers hear of each head follows a moment later.
 * One tab stop: arrow keys move, Enter selects, Shift- or Ctrl-Enter (or click) adds.
 */

import { css, html, LitElement, nothing, type PropertyValues } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { pixelOf, pixelRamp, type ScaleKind, type Theme, WAITING } from '../draw/color-scale.ts';
import { type Area, fillArea, paintHeat } from '../draw/heat-pixels.ts';
import { percent, shortWeight } from '../draw/labels.ts';
import type { HeadChoice, HeadRole, Picture } from '../draw/picture.ts';
import { spread, strongestWords } from '../draw/statistics.ts';
import {
  type HeadPlace,
  layoutWall,
  orderHeads,
  type WallLayout,
  type WallSort,
} from '../draw/wall-layout.ts';
import { LanguageController, t } from '../i18n/index.ts';
import { cssProperties } from './css-properties.ts';
import type { TroubleShown } from './load-progress.ts';
import { say } from './page-events.ts';
import { controlStyles } from './page-styles.ts';
import { roving } from './roving.ts';
import { tell } from './stage-events.ts';
import { baseStyles, choiceStyles } from './stage-styles.ts';
import './color-scale.ts';
import {
  headLabel,
  roleShort,
  rolesAt,
  roleTends,
  sameChoice,
  shareText,
  tokenText,
} from './texts.ts';

const SORTS: readonly WallSort[] = ['layer', 'role', 'entropy'];
/** Longest side of a cell, and distances, in CSS pixels. */
const LARGEST_CELL = 72;
const GAP = 4;
const CAPTION = 15;
/** Longer texts are painted a row of heads at a time, and their heads are named shortly. */
const LONGEST_AT_ONCE = 192;
const LONG_TEXT = 64;
/** Properties on which the order of the heads depends. */
const ORDERED_BY = ['picture', 'sort', 'roles', 'layers', 'heads'];
/** Names of heads are written once nothing has been drawn for this long. */
const QUIET_MS = 160;

@customElement('hl-head-wall')
export class HeadWall extends LitElement {
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
        gap: 4px 12px;
        margin-bottom: 10px;
      }
      .wall {
        position: relative;
        display: grid;
        grid-template-columns: var(--label, 20px) repeat(var(--columns), var(--cell));
        grid-auto-rows: var(--cell);
        gap: var(--gap-y) var(--gap-x);
        width: max-content;
      }
      .table {
        grid-template-rows: 18px;
      }
      .wall:not(.table) {
        margin-bottom: 20px;
      }
      .row {
        display: contents;
      }
      canvas {
        position: absolute;
        right: 0;
        bottom: 0;
        width: var(--width);
        height: var(--height);
        pointer-events: none;
      }
      .name {
        display: flex;
        align-items: center;
        justify-content: center;
        color: var(--hl-dim);
        font-size: 0.6875rem;
        font-variant-numeric: tabular-nums;
        overflow: visible;
        white-space: nowrap;
      }
      .cell {
        position: relative;
        z-index: 1;
        border-radius: 3px;
      }
      .cell:hover,
      .cell.near {
        outline: 1.5px solid var(--hl-dim);
        outline-offset: 1px;
      }
      .cell[aria-selected='true'] {
        outline: 2px solid var(--hl-dim);
        outline-offset: 1px;
      }
      .cell[aria-selected='true'].first {
        outline: 2.5px solid var(--hl-accent);
      }
      .cell:focus-visible {
        outline: 2.5px solid var(--hl-focus);
        outline-offset: 2px;
      }
      .role-dot {
        position: absolute;
        top: -2px;
        right: -2px;
        width: 8px;
        height: 8px;
        border-radius: 50%;
        background: var(--hl-ink);
        border: 1.5px solid var(--hl-bg);
      }
      .caption {
        position: absolute;
        top: 100%;
        left: -4px;
        right: -4px;
        padding-top: 1px;
        font-size: 0.625rem;
        line-height: 13px;
        text-align: center;
        color: var(--hl-dim);
        white-space: nowrap;
        font-variant-numeric: tabular-nums;
      }
      .roles {
        display: flex;
        flex-wrap: wrap;
        gap: 6px;
        margin: 8px 0 0;
        padding: 0;
        list-style: none;
      }
      .roles button {
        display: inline-flex;
        align-items: center;
        gap: 6px;
        min-height: 28px;
        padding: 3px 10px;
        border: 1px solid var(--hl-rule);
        border-radius: 999px;
        font-size: 0.8125rem;
        line-height: 1.3;
        color: var(--hl-dim);
        text-align: start;
      }
      .roles button:hover,
      .roles button[aria-pressed='true'] {
        color: var(--hl-ink);
        border-color: var(--hl-dim);
      }
      .roles button[aria-pressed='true'] {
        border-color: var(--hl-accent);
      }
      .roles button::before {
        content: '';
        width: 6px;
        height: 6px;
        border-radius: 50%;
        background: var(--hl-ink);
      }
      .roles b {
        font-weight: 600;
        color: var(--hl-ink);
        font-variant-numeric: tabular-nums;
      }
      hl-color-scale {
        margin: 12px 0 0 var(--label, 16px);
      }
      .status {
        min-height: 2.9em;
        margin: 6px 0 0;
        font-size: 0.875rem;
        line-height: 1.45;
        color: var(--hl-dim);
        font-variant-numeric: tabular-nums;
      }
      .status b {
        color: var(--hl-ink);
        font-weight: 600;
      }
      .note {
        margin: 8px 0 0;
        font-size: 0.8125rem;
        color: var(--hl-dim);
      }
      @media (forced-colors: active) {
        .cell[aria-selected='true'] {
          outline-color: CanvasText;
        }
        .cell[aria-selected='true'].first {
          outline: 4px solid Highlight;
        }
        .roles button[aria-pressed='true'] {
          forced-color-adjust: none;
          border-color: Highlight;
          background: Highlight;
          color: HighlightText;
        }
        .roles button[aria-pressed='true'] b {
          color: inherit;
        }
        .roles button::before,
        .role-dot {
          forced-color-adjust: none;
          background: CanvasText;
          border-color: Canvas;
        }
        .roles button[aria-pressed='true']::before {
          background: HighlightText;
        }
      }
      @media (pointer: coarse) {
        .roles button {
          min-height: 40px;
          padding: 8px 12px;
        }
      }
    `,
  ];

  /** Setting it paints at once where the wall's shape stays the same. */
  @property({ attribute: false, noAccessor: true })
  set picture(picture: Picture | null) {
    const before = this.shown;
    if (picture === before) return;
    this.shown = picture;
    this.describeLater();
    if (this.keepsShape(before, picture)) this.paint();
    else this.requestUpdate('picture', before);
  }
  get picture(): Picture | null {
    return this.shown;
  }

  /** What is selected; the last one is on the stage. */
  @property({ attribute: false }) choices: readonly HeadChoice[] = [];
  @property({ attribute: false }) roles: readonly HeadRole[] = [];
  /** Whether what is shown was computed otherwise than the model was trained. */
  @property({ type: Boolean }) changed = false;
  @property() theme: Theme = 'light';
  @property() scale: ScaleKind = 'linear';
  @property() sort: WallSort = 'layer';
  /** Why heads that are missing do not come. */
  @property({ attribute: false }) trouble: TroubleShown | null = null;
  /** Shape of the wall while there is no picture. */
  @property({ type: Number }) layers = 0;
  @property({ type: Number }) heads = 0;

  @state() private room = 0;
  @state() private cursor = 0;
  /** The cell under the pointer, or focused. */
  @state() private near: number | null = null;
  /** What screen readers hear of each cell, in the order of layers; lags behind what is painted. */
  @state() private names: readonly string[] = [];
  @query('canvas') private canvas!: HTMLCanvasElement | null;

  private shown: Picture | null = null;
  private order: readonly HeadPlace[] = [];
  private layout: WallLayout | null = null;
  private ratio = 1;
  private image: ImageData | null = null;
  private painted: readonly unknown[] = [];
  private quiet: ReturnType<typeof setTimeout> | undefined;
  private slice: ReturnType<typeof setTimeout> | undefined;
  private readonly observer = new ResizeObserver((entries) => {
    this.room = entries.at(-1)!.contentRect.width;
  });

  constructor() {
    super();
    new LanguageController(this);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.observer.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.observer.disconnect();
    clearTimeout(this.quiet);
    clearTimeout(this.slice);
  }

  /**
   * Paints every head of `picture` before it returns; of a long text (more than 192 tokens) the first row of heads,
   * the others in tasks of their own, so that the page stays responsive.
   */
  draw(picture: Picture): void {
    this.picture = picture;
    if (this.isUpdatePending && this.isConnected) this.performUpdate();
  }

  protected override willUpdate(changed: PropertyValues): void {
    const { layers, heads } = this.shape;
    if (this.order.length === 0 || ORDERED_BY.some((name) => changed.has(name))) {
      this.order = orderHeads(this.sort, layers, heads, this.roles, this.shown);
    }
    this.layout = this.measure();
    const named =
      changed.has('roles') ||
      changed.has('changed') ||
      changed.has('trouble') ||
      changed.size === 0;
    if (named) this.describeLater();
    if (changed.has('choices') || this.cursor >= this.order.length) this.cursor = this.home();
  }

  protected override updated(): void {
    this.paint();
  }

  protected override render() {
    const { layers, heads } = this.shape;
    const layout = this.layout;
    if (layers * heads === 0 || !layout) return nothing;
    const px = (device: number) => `${device / this.ratio}px`;
    const table = this.sort === 'layer';
    return html`
      <div class="bar">
        <slot name="title"></slot>
        <div class="choices" role="group" aria-label=${t('wall.sort')} ${roving()}>
          ${SORTS.map(
            (sort) => html`<button
              aria-pressed=${sort === this.sort}
              @click=${() => tell(this, 'hl-sort', { sort })}
            >
              ${t(`wall.sort.${sort as WallSort}`)}
            </button>`,
          )}
        </div>
      </div>
      <div
        class="wall ${table ? 'table' : ''}"
        role="grid"
        aria-multiselectable="true"
        aria-label=${this.sort === 'layer' ? t('wall.label') : t('wall.labelSorted', { order: t(`wall.sorted.${this.sort}`) })}
        aria-describedby="keys"
        ${cssProperties({
          '--columns': String(layout.columns),
          '--cell': px(layout.cell),
          '--gap-x': px(layout.gapX),
          '--gap-y': px(layout.gapY),
          '--width': px(layout.width),
          '--height': px(layout.height),
          '--label': table ? `${this.labelWidth}px` : '0px',
        })}
        @keydown=${this.onKey}
      >
        <canvas aria-hidden="true"></canvas>
        ${table ? this.renderHeader(heads) : nothing}
        ${Array.from({ length: layout.rows }, (_, row) => this.renderRow(row, layout.columns, table))}
      </div>
      <p id="keys" class="hidden">${t('wall.keys')}</p>
      <hl-color-scale .theme=${this.theme} .scale=${this.scale}></hl-color-scale>
      ${this.renderStatus()}
      ${this.isReduced(layout) ? html`<p class="note">${t('wall.blocks')}</p>` : nothing}
      ${this.renderRoles()}
    `;
  }

  private renderHeader(heads: number) {
    return html`<div class="row" role="row">
      <span class="name" role="columnheader"><span class="hidden">${t('wall.layer', { layer: '' })}</span></span>
      ${Array.from(
        { length: heads },
        (_, head) =>
          html`<span class="name" role="columnheader" aria-label=${t('wall.head', { head })}>${head}</span>`,
      )}
    </div>`;
  }

  private renderRow(row: number, columns: number, table: boolean) {
    const places = this.order.slice(row * columns, (row + 1) * columns);
    return html`<div class="row" role="row">
      ${
        table
          ? html`<span class="name" role="rowheader" aria-label=${t('wall.layer', { layer: row })}>${row}</span>`
          : html`<span></span>`
      }
      ${places.map((place, column) => this.renderCell(place, row * columns + column, table))}
    </div>`;
  }

  private renderCell(place: HeadPlace, index: number, table: boolean) {
    const roles = rolesAt(this.roles, place);
    const selected = this.choices.some((choice) => sameChoice(choice, place));
    const first = this.choices.length > 0 && sameChoice(this.choices.at(-1)!, place);
    return html`<button
      class="cell ${first ? 'first' : ''} ${index === this.near ? 'near' : ''}"
      role="gridcell"
      data-index=${index}
      tabindex=${index === this.cursor ? 0 : -1}
      aria-selected=${selected}
      aria-label=${this.names[place.layer * this.shape.heads + place.head] ?? headLabel(place)}
      @click=${(event: MouseEvent) => this.select(index, adds(event), event.detail > 0)}
      @focus=${() => {
        this.cursor = index;
        this.near = index;
      }}
      @blur=${() => {
        this.near = null;
      }}
      @pointerenter=${() => {
        this.near = index;
      }}
      @pointerleave=${() => {
        this.near = null;
      }}
    >
      ${roles.length > 0 ? html`<span class="role-dot"></span>` : nothing}
      ${table ? nothing : html`<span class="caption">${t('wall.caption', { ...place })}</span>`}
    </button>`;
  }

  private renderRoles() {
    const heads = this.order.length > 0 ? groupByHead(this.roles) : [];
    if (heads.length === 0) return nothing;
    const near = (role: HeadRole) => this.order.findIndex((place) => sameChoice(place, role));
    return html`<ul class="roles" aria-label=${t('wall.roles')} ${roving()}>
        ${heads.map(([first, ...more]) => {
          const role = first!;
          const pressed = this.choices.some((choice) => sameChoice(choice, role));
          return html`<li>
          <button
            aria-pressed=${pressed}
            @pointerenter=${() => {
              this.near = near(role);
            }}
            @pointerleave=${() => {
              this.near = null;
            }}
            @click=${(event: MouseEvent) =>
              tell(this, 'hl-head-select', {
                layer: role.layer,
                head: role.head,
                additive: adds(event),
                pointed: event.detail > 0,
              })}
          >
            <b>${headLabel(role)}</b>
            <span>${roleShort(role)}${more.length > 0 ? ` +${more.length}` : ''}</span>
            <span class="number">${shortWeight(role.score)}</span>
          </button>
        </li>`;
        })}
      </ul>
      <p class="note">${t(this.changed ? 'measured.unchanged' : 'measured.general')}</p>`;
  }

  /** The head under the pointer, else the selected one, in words. */
  private renderStatus() {
    const first = this.choices.at(-1);
    const place =
      this.near !== null
        ? this.order[this.near]
        : this.order.find((one) => first !== undefined && sameChoice(one, first));
    if (!place)
      return html`<p class="status">${first ? html`<b>${headLabel(first)}</b>` : nothing}</p>`;
    const [head, ...rest] = this.describe(place);
    const missing = place.layer >= (this.shown?.layersReady ?? 0);
    const { action, label } = this.trouble ?? {};
    const hint = t(this.shown?.reach ? 'wall.focus.hintMask' : 'wall.focus.hint');
    return html`<p class="status" title=${hint}>
      <b>${head}</b> ${rest.join(t('list.dot'))}
      ${
        missing && action
          ? html`<button class="link" @click=${() => say(this, 'hl-load', { action })}>${label}</button>`
          : nothing
      }
    </p>`;
  }

  /** A cell in words: head, role, what it looks at most here, how spread it is. */
  private describe(place: HeadPlace): string[] {
    const picture = this.shown;
    const head = headLabel(place);
    if (!picture || place.layer >= picture.layersReady) {
      return [head, this.trouble?.text ?? t('wall.cell.loading')];
    }
    const parts = [head];
    for (const role of rolesAt(this.roles, place)) {
      const key = this.changed ? 'wall.cell.roleUnchanged' : 'wall.cell.role';
      parts.push(t(key, { role: roleTends(role), score: shortWeight(role.score) }));
    }
    const n = picture.tokens.length;
    const weights = picture.weights(place);
    const most = strongestWords(picture, place);
    if (most) {
      parts.push(
        t('wall.cell.most', {
          query: tokenText(picture, most.query),
          key: tokenText(picture, most.key),
          weight: shareText(picture, place, most.query, most.weight),
        }),
      );
      parts.push(t('wall.cell.focus', { focus: percent(1 - spread(weights, n, picture.reach)) }));
    } else if (picture.reach) parts.push(t('wall.cell.noChoice'));
    return parts;
  }

  /** The tab stop: the selected head, else the first. */
  private home(): number {
    const first = this.choices.at(-1);
    const index = first ? this.order.findIndex((place) => sameChoice(place, first)) : 0;
    return Math.max(0, index);
  }

  private describeLater(): void {
    clearTimeout(this.quiet);
    this.quiet = setTimeout(() => {
      const { layers, heads } = this.shape;
      const places = orderHeads('layer', layers, heads, [], null);
      // Of a long text each name costs milliseconds: there the focused head is described below the wall.
      const long = (this.shown?.tokens.length ?? 0) > LONG_TEXT;
      this.names = places.map((place) =>
        long ? headLabel(place) : this.describe(place).join('; '),
      );
    }, QUIET_MS);
  }

  /** Whether a new picture needs nothing but paint. */
  private keepsShape(before: Picture | null, after: Picture | null): boolean {
    if (!before || !after || !this.layout || !this.canvas || this.sort === 'entropy') return false;
    if (this.isUpdatePending) return false;
    const cell = this.layout.cell;
    return (
      before.layers === after.layers &&
      before.heads === after.heads &&
      before.layersReady === after.layersReady &&
      before.tokens.length > cell === after.tokens.length > cell
    );
  }

  private get shape(): { layers: number; heads: number } {
    return {
      layers: this.shown?.layers ?? this.layers,
      heads: this.shown?.heads ?? this.heads,
    };
  }

  private get labelWidth(): number {
    return 16;
  }

  private isReduced(layout: WallLayout): boolean {
    return (this.shown?.tokens.length ?? 0) > layout.cell;
  }

  private measure(): WallLayout | null {
    const { layers, heads } = this.shape;
    if (this.room === 0 || layers * heads === 0) return null;
    this.ratio = devicePixelRatio || 1;
    const table = this.sort === 'layer';
    const device = (css: number) => Math.round(css * this.ratio);
    const gapX = device(GAP);
    const gapY = table ? gapX : device(CAPTION + 2);
    const room = device(this.room - (table ? this.labelWidth : 0) - GAP) - 2;
    return layoutWall(heads, layers, room, gapX, gapY, device(LARGEST_CELL));
  }

  private paint(): void {
    const { canvas, layout, shown } = this;
    if (!canvas || !layout) return;
    const { width, height } = layout;
    const state = [canvas, shown, this.order, layout.cell, width, height, this.theme, this.scale];
    if (state.every((value, i) => value === this.painted[i])) return;
    // Kept in ordinary memory: whole pictures are put, nothing is drawn by the GPU.
    const context = canvas.getContext('2d', { willReadFrequently: true })!;
    if (canvas.width !== width || canvas.height !== height || this.image?.width !== width) {
      canvas.width = width;
      canvas.height = height;
    }
    if (this.image?.width !== width || this.image.height !== height) {
      this.image = context.createImageData(width, height);
    }
    const pixels = new Uint32Array(this.image.data.buffer);
    clearTimeout(this.slice);
    pixels.fill(0);
    const long = (shown?.tokens.length ?? 0) > LONGEST_AT_ONCE;
    this.paintCells(pixels, layout, 0, long ? layout.columns : this.order.length);
    context.putImageData(this.image, 0, 0);
    this.painted = state;
    if (long) this.paintRest(context, pixels, layout, layout.columns);
  }

  private paintCells(pixels: Uint32Array, layout: WallLayout, from: number, to: number): void {
    const picture = this.shown;
    const ramp = pixelRamp(this.theme, this.scale);
    const waiting = pixelOf(WAITING[this.theme]);
    const n = picture?.tokens.length ?? 0;
    for (let index = from; index < Math.min(to, this.order.length); index++) {
      const place = this.order[index]!;
      const area = cellArea(layout, index);
      if (!picture || place.layer >= picture.layersReady) {
        frame(pixels, layout.width, area, waiting);
      } else {
        const samples = { values: picture.weights(place), rows: n, columns: n };
        paintHeat(pixels, layout.width, area, samples, ramp, 'max');
      }
    }
  }

  /** A row of the wall a task. */
  private paintRest(
    context: CanvasRenderingContext2D,
    pixels: Uint32Array,
    layout: WallLayout,
    from: number,
  ): void {
    if (from >= this.order.length) return;
    this.slice = setTimeout(() => {
      this.paintCells(pixels, layout, from, from + layout.columns);
      context.putImageData(this.image!, 0, 0);
      this.paintRest(context, pixels, layout, from + layout.columns);
    });
  }

  private select(index: number, additive: boolean, pointed: boolean): void {
    const place = this.order[index];
    this.cursor = index;
    if (place) tell(this, 'hl-head-select', { ...place, additive, pointed });
  }

  private onKey(event: KeyboardEvent): void {
    const columns = this.layout?.columns ?? 1;
    const last = this.order.length - 1;
    const row = Math.floor(this.cursor / columns);
    const steps: Record<string, number> = {
      ArrowRight: Math.min(last, this.cursor + 1),
      ArrowLeft: Math.max(0, this.cursor - 1),
      ArrowDown: this.cursor + columns <= last ? this.cursor + columns : this.cursor,
      ArrowUp: this.cursor >= columns ? this.cursor - columns : this.cursor,
      Home: event.ctrlKey ? 0 : row * columns,
      End: event.ctrlKey ? last : Math.min(last, (row + 1) * columns - 1),
    };
    const next = steps[event.key];
    if (next !== undefined) {
      event.preventDefault();
      this.cursor = next;
      this.renderRoot.querySelector<HTMLElement>(`[data-index="${next}"]`)?.focus();
    } else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.select(this.cursor, adds(event), false);
    }
  }
}

/** With these keys a head is added to what is selected. */
function adds(event: MouseEvent | KeyboardEvent): boolean {
  return event.shiftKey || event.ctrlKey || event.metaKey;
}

function cellArea(layout: WallLayout, index: number): Area {
  const column = index % layout.columns;
  const row = Math.floor(index / layout.columns);
  return {
    x: column * (layout.cell + layout.gapX),
    y: row * (layout.cell + layout.gapY),
    width: layout.cell,
    height: layout.cell,
  };
}

/** A head that has not arrived: an empty frame, unlike a head whose weights are small. */
function frame(pixels: Uint32Array, stride: number, area: Area, color: number): void {
  fillArea(pixels, stride, area, color);
  const inner = { x: area.x + 1, y: area.y + 1, width: area.width - 2, height: area.height - 2 };
  if (inner.width > 0 && inner.height > 0) fillArea(pixels, stride, inner, 0);
}

/** The roles of each head together, best score first. */
function groupByHead(roles: readonly HeadRole[]): HeadRole[][] {
  const groups = new Map<string, HeadRole[]>();
  for (const role of roles) {
    const key = `${role.layer}.${role.head}`;
    groups.set(key, [...(groups.get(key) ?? []), role]);
  }
  return [...groups.values()];
}

declare global {
  interface HTMLElementTagNameMap {
    'hl-head-wall': HeadWall;
  }
}
