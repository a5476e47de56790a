/**
 * One head as a matrix: rows look, columns are looked at. A canvas with names on both sides that stay in place while
 * a long text scrolls under them; numbers in the cells where they have room; a table of every number on request.
 * Arrow keys walk from cell to cell.
 */

import { css, html, nothing } from 'lit';
import { customElement, query, state } from 'lit/decorators.js';
import { cssColor, inkOn, pixelRamp, weightColor } from '../draw/color-scale.ts';
import { downsample, paintHeat } from '../draw/heat-pixels.ts';
import { shortText, shortWeight } from '../draw/labels.ts';
import { layoutMatrix, type MatrixLayout, visibleCells, zoomSteps } from '../draw/matrix-layout.ts';
import type { Picture } from '../draw/picture.ts';
import { shownPart } from '../draw/statistics.ts';
import { t } from '../i18n/index.ts';
import { cssProperties } from './css-properties.ts';
import { roving } from './roving.ts';
import { baseStyles, choiceStyles } from './stage-styles.ts';
import { StageViewElement, WidthController } from './stage-view.ts';
import { textWidth } from './text-width.ts';
import { aimText, headLabel, tokenText } from './texts.ts';
import './weight-table.ts';

interface Cell {
  row: number;
  column: number;
}

interface Inks {
  ink: string;
  dim: string;
  accent: string;
  paper: string;
  family: string;
}

const NAME_SIZE = 13;

@customElement('hl-matrix')
export class Matrix extends StageViewElement {
  static override styles = [
    baseStyles,
    choiceStyles,
    css`
      .tools {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        justify-content: space-between;
        gap: 4px 12px;
        margin-top: 10px;
      }
      .scroll {
        overflow: hidden;
        width: var(--w);
        height: var(--h);
        max-width: 100%;
      }
      .scroll.zoomed {
        overflow: auto;
        border: 1px solid var(--hl-rule);
        border-radius: 6px;
      }
      .whole {
        width: var(--whole-w);
        height: var(--whole-h);
      }
      canvas {
        display: block;
        position: sticky;
        left: 0;
        top: 0;
        width: var(--view-w);
        height: var(--view-h);
        touch-action: pan-x pan-y pinch-zoom;
      }
      .readout {
        min-height: 1.5em;
        margin: 8px 0 0;
        font-size: 0.9375rem;
        font-variant-numeric: tabular-nums;
      }
      .note {
        margin: 4px 0 0;
        font-size: 0.8125rem;
        color: var(--hl-dim);
      }
    `,
  ];

  @state() private zoom = 0;
  @state() private table = false;
  @state() private cell: Cell | null = null;
  @query('canvas') private canvas!: HTMLCanvasElement | null;
  @query('.scroll') private scroller!: HTMLElement | null;

  private readonly room = new WidthController(this);
  private layout: MatrixLayout | null = null;
  private view = { width: 0, height: 0 };
  private stamp: HTMLCanvasElement | null = null;

  protected override render() {
    const { picture } = this;
    const room = this.room.width;
    if (!picture || room === 0 || picture.tokens.length === 0) return nothing;
    const n = picture.tokens.length;
    const options = { tokens: n, room, nameWidth: this.widestName(picture) };
    const steps = zoomSteps(options);
    const cell = steps[Math.min(this.zoom, steps.length - 1)]!;
    const layout = layoutMatrix({ ...options, cell });
    this.layout = layout;
    const zoomed = cell !== null;
    const tallest = Math.max(360, Math.min(room, 720));
    this.view = {
      width: Math.min(room - (zoomed ? 2 : 0), layout.width),
      height: zoomed ? Math.min(tallest, layout.height) : layout.height,
    };
    const px = (value: number) => `${Math.ceil(value)}px`;
    return html`
      ${
        this.table
          ? html`<hl-weight-table
              .picture=${picture}
              .choice=${this.choice}
              .token=${this.token}
              .pointed=${this.pointed}
              .direction=${this.direction}
              .theme=${this.theme}
              .scale=${this.scale}
            ></hl-weight-table>`
          : html`<div
                class="scroll ${zoomed ? 'zoomed' : ''}"
                tabindex="0"
                role="application"
                aria-label=${t('matrix.label', { head: headLabel(this.choice) })}
                aria-describedby="readout"
                ${cssProperties({
                  '--w': px(this.view.width + (zoomed ? 2 : 0)),
                  '--h': px(this.view.height + (zoomed ? 2 : 0)),
                  '--whole-w': px(layout.width),
                  '--whole-h': px(layout.height),
                  '--view-w': px(this.view.width),
                  '--view-h': px(this.view.height),
                })}
                @scroll=${() => this.paint()}
                @pointermove=${this.onMove}
                @pointerdown=${this.onMove}
                @pointerleave=${this.onLeave}
                @focusout=${this.onLeave}
                @click=${this.onClick}
                @keydown=${this.onKey}
              >
                <div class="whole"><canvas></canvas></div>
              </div>
              <p class="readout" id="readout" aria-live="polite">${this.readout(picture)}</p>
              ${layout.cell < 1 ? html`<p class="note">${t('matrix.blocks')}</p>` : nothing}`
      }
      <div class="tools">
        <div class="choices">
          <button
            aria-pressed=${this.table}
            @click=${() => {
              this.table = !this.table;
            }}
          >
            ${this.table ? t('matrix.asPicture') : t('matrix.asTable')}
          </button>
        </div>
        ${this.table || steps.length === 1 ? nothing : this.renderZoom(steps.length)}
      </div>
    `;
  }

  private renderZoom(count: number) {
    const last = count - 1;
    const set = (zoom: number) => async () => {
      this.zoom = zoom;
      await this.updateComplete;
      // Enlarged at what is being looked at, not at the corner.
      const { cell, token } = this;
      if (cell) this.reveal(cell);
      else if (token !== null) this.reveal({ row: token, column: token });
    };
    const now = Math.min(this.zoom, last);
    return html`<div class="choices" role="group" ${roving()}>
      <button aria-pressed=${now === 0} @click=${set(0)}>${t('matrix.zoomFit')}</button>
      <button ?disabled=${now === 0} aria-label=${t('matrix.zoomOut')} @click=${set(Math.max(0, now - 1))}>−</button>
      <button ?disabled=${now === last} aria-label=${t('matrix.zoomIn')} @click=${set(Math.min(last, now + 1))}>+</button>
    </div>`;
  }

  protected override updated(): void {
    this.paint();
  }

  private widestName(picture: Picture): number {
    const font = this.nameFont(getComputedStyle(this).fontFamily, false);
    return Math.max(...picture.tokens.map((token) => textWidth(shortText(token, 14), font)));
  }

  private nameFont(family: string, bold: boolean): string {
    const size = Math.min(NAME_SIZE, Math.max(8, this.layout?.cell ?? NAME_SIZE));
    return `${bold ? 600 : 400} ${size}px ${family}`;
  }

  private readout(picture: Picture): string {
    const cell = this.cell;
    if (!cell || cell.row >= picture.tokens.length || cell.column >= picture.tokens.length) {
      return this.pointed ? '\u00a0' : aimText();
    }
    const n = picture.tokens.length;
    const weight = picture.weights(this.choice)[cell.row * n + cell.column]!;
    const part = shownPart(picture, this.choice, cell.row);
    const share = weight.toFixed(3);
    return t('matrix.cell', {
      query: tokenText(picture, cell.row),
      key: tokenText(picture, cell.column),
      weight: part === 1 ? share : t('weight.both', { share, weight: (weight * part).toFixed(3) }),
    });
  }

  private paint(): void {
    const { canvas, layout, picture, scroller } = this;
    if (!canvas || !layout || !picture || !scroller) return;
    const ratio = devicePixelRatio || 1;
    const width = Math.round(this.view.width * ratio);
    const height = Math.round(this.view.height * ratio);
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    const context = canvas.getContext('2d')!;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, this.view.width, this.view.height);
    const n = picture.tokens.length;
    const scroll = { x: scroller.scrollLeft, y: scroller.scrollTop };
    const rows = visibleCells(
      scroll.y + layout.top,
      this.view.height - layout.top,
      layout.top,
      layout.cell,
      n,
    );
    const columns = visibleCells(
      scroll.x + layout.left,
      this.view.width - layout.left,
      layout.left,
      layout.cell,
      n,
    );
    const weights = picture.weights(this.choice);
    const inks = this.inks();

    context.save();
    context.beginPath();
    context.rect(
      layout.left,
      layout.top,
      this.view.width - layout.left,
      this.view.height - layout.top,
    );
    context.clip();
    context.translate(layout.left - scroll.x, layout.top - scroll.y);
    this.paintCells(context, weights, n, rows, columns, ratio, inks);
    this.paintMarks(context, n, inks);
    context.restore();
    if (layout.names) this.paintNames(context, picture, rows, columns, scroll, inks);
  }

  private paintCells(
    context: CanvasRenderingContext2D,
    weights: Float32Array,
    n: number,
    [row0, row1]: [number, number],
    [column0, column1]: [number, number],
    ratio: number,
    inks: Inks,
  ): void {
    const { cell, numbers } = this.layout!;
    const rows = row1 - row0;
    const columns = column1 - column0;
    if (rows <= 0 || columns <= 0) return;
    const block = new Float32Array(rows * columns);
    for (let i = 0; i < rows; i++) {
      const start = (row0 + i) * n + column0;
      block.set(weights.subarray(start, start + columns), i * columns);
    }
    const most = (count: number) => Math.min(count, Math.max(1, Math.floor(count * cell * ratio)));
    const small = downsample({ values: block, rows, columns }, most(rows), most(columns), 'max');
    this.stamp ??= document.createElement('canvas');
    this.stamp.width = small.columns;
    this.stamp.height = small.rows;
    const stamp = this.stamp.getContext('2d')!;
    const image = stamp.createImageData(small.columns, small.rows);
    const area = { x: 0, y: 0, width: small.columns, height: small.rows };
    const ramp = pixelRamp(this.theme, this.scale);
    paintHeat(new Uint32Array(image.data.buffer), small.columns, area, small, ramp);
    stamp.putImageData(image, 0, 0);
    context.imageSmoothingEnabled = false;
    context.drawImage(this.stamp, column0 * cell, row0 * cell, columns * cell, rows * cell);

    if (cell >= 12) {
      context.fillStyle = inks.paper;
      const left = column0 * cell;
      const top = row0 * cell;
      for (let i = row0; i <= row1; i++) context.fillRect(left, i * cell - 0.5, columns * cell, 1);
      for (let j = column0; j <= column1; j++)
        context.fillRect(j * cell - 0.5, top, 1, rows * cell);
    }
    if (!numbers) return;
    context.font = `500 ${Math.min(13, Math.round(cell * 0.36))}px ${inks.family}`;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    for (let i = row0; i < row1; i++) {
      for (let j = column0; j < column1; j++) {
        const weight = weights[i * n + j]!;
        context.fillStyle = cssColor(inkOn(weightColor(weight, this.theme, this.scale)));
        context.globalAlpha = weight < 0.01 ? 0.6 : 1;
        context.fillText(shortWeight(weight), (j + 0.5) * cell, (i + 0.5) * cell + 0.5);
      }
    }
    context.globalAlpha = 1;
  }

  /** The row (or column) of the token aimed at, and the cell under the pointer. */
  private paintMarks(context: CanvasRenderingContext2D, n: number, inks: Inks): void {
    const { cell } = this.layout!;
    if (this.pointed && this.token !== null && this.token < n) {
      const at = this.token * cell;
      context.strokeStyle = inks.accent;
      context.lineWidth = 2;
      if (this.direction === 'from') context.strokeRect(-1, at, n * cell + 2, cell);
      else context.strokeRect(at, -1, cell, n * cell + 2);
    }
    if (this.cell) {
      context.strokeStyle = inks.ink;
      context.lineWidth = 2;
      context.strokeRect(this.cell.column * cell, this.cell.row * cell, cell, cell);
    }
  }

  private paintNames(
    context: CanvasRenderingContext2D,
    picture: Picture,
    [row0, row1]: [number, number],
    [column0, column1]: [number, number],
    scroll: { x: number; y: number },
    inks: Inks,
  ): void {
    const { across, cell, left, top } = this.layout!;
    const mark = {
      row: this.cell?.row ?? (this.pointed && this.direction === 'from' ? this.token : null),
      column: this.cell?.column ?? (this.pointed && this.direction === 'to' ? this.token : null),
    };
    const write = (index: number, marked: boolean) => {
      context.font = this.nameFont(inks.family, marked);
      context.fillStyle = marked ? inks.ink : inks.dim;
      context.fillText(shortText(picture.tokens[index]!, 14), 0, 0);
    };
    context.textBaseline = 'middle';
    context.save();
    context.beginPath();
    context.rect(0, top, left, this.view.height - top);
    context.clip();
    context.textAlign = 'right';
    for (let i = row0; i < row1; i++) {
      context.save();
      context.translate(left - 6, top + (i + 0.5) * cell - scroll.y);
      write(i, i === mark.row);
      context.restore();
    }
    context.restore();
    context.save();
    context.beginPath();
    context.rect(left, 0, this.view.width - left, top);
    context.clip();
    context.textAlign = across ? 'center' : 'left';
    for (let j = column0; j < column1; j++) {
      context.save();
      context.translate(left + (j + 0.5) * cell - scroll.x, top - (across ? 11 : 6));
      if (!across) context.rotate(-Math.PI / 2);
      write(j, j === mark.column);
      context.restore();
    }
    context.restore();
  }

  private inks(): Inks {
    const style = getComputedStyle(this);
    const read = (name: string) => style.getPropertyValue(name).trim();
    return {
      ink: read('--hl-ink'),
      dim: read('--hl-dim'),
      accent: read('--hl-accent'),
      paper: read('--hl-panel') || read('--hl-bg'),
      family: style.fontFamily,
    };
  }

  private cellAt(event: MouseEvent): Cell | null {
    const { layout, picture, scroller, canvas } = this;
    if (!layout || !picture || !scroller || !canvas) return null;
    const box = canvas.getBoundingClientRect();
    const x = event.clientX - box.left;
    const y = event.clientY - box.top;
    const n = picture.tokens.length;
    // Over a name the pointer is over its whole row or column.
    const column = Math.floor((x - layout.left + scroller.scrollLeft) / layout.cell);
    const row = Math.floor((y - layout.top + scroller.scrollTop) / layout.cell);
    if (row < 0 || row >= n || column < 0 || column >= n || x < layout.left || y < layout.top)
      return null;
    return { row, column };
  }

  private aimAt(cell: Cell | null): void {
    if (this.cell?.row === cell?.row && this.cell?.column === cell?.column) return;
    this.cell = cell;
    this.aim(cell ? this.tokenOf(cell) : null);
  }

  private tokenOf(cell: Cell): number {
    return this.direction === 'from' ? cell.row : cell.column;
  }

  private readonly onMove = (event: PointerEvent): void => this.aimAt(this.cellAt(event));
  private readonly onLeave = (): void => this.aimAt(null);
  private readonly onClick = (event: MouseEvent): void => {
    const cell = this.cellAt(event);
    if (cell) this.press(this.tokenOf(cell));
  };

  private readonly onKey = (event: KeyboardEvent): void => {
    const n = this.picture?.tokens.length ?? 0;
    if (event.key === 'Escape') {
      this.cell = null;
      return;
    }
    const cell = this.cell;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      if (cell) this.press(this.tokenOf(cell));
      return;
    }
    const moves: Record<string, [rows: number, columns: number]> = {
      ArrowUp: [-1, 0],
      ArrowDown: [1, 0],
      ArrowLeft: [0, -1],
      ArrowRight: [0, 1],
      Home: [0, -n],
      End: [0, n],
      PageUp: [-n, 0],
      PageDown: [n, 0],
    };
    const move = moves[event.key];
    if (!move || n === 0) return;
    event.preventDefault();
    const inside = (value: number) => Math.min(n - 1, Math.max(0, value));
    const next = cell
      ? { row: inside(cell.row + move[0]), column: inside(cell.column + move[1]) }
      : { row: this.token ?? 0, column: this.token ?? 0 };
    this.aimAt(next);
    this.reveal(next);
  };

  private reveal({ row, column }: Cell): void {
    const { scroller, layout } = this;
    if (!scroller || !layout) return;
    const into = (scroll: number, at: number, room: number) =>
      at < scroll ? at : Math.max(scroll, at + layout.cell - room);
    scroller.scrollLeft = into(
      scroller.scrollLeft,
      column * layout.cell,
      this.view.width - layout.left,
    );
    scroller.scrollTop = into(scroller.scrollTop, row * layout.cell, this.view.height - layout.top);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'hl-matrix': Matrix;
  }
}
