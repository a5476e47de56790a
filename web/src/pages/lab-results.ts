/** The heads of what was computed: tables with their own rows and columns, and windows on those that are too large. */

import { html, nothing, type TemplateResult } from 'lit';
import type { Theme } from '../draw/color-scale.ts';
import { printed } from '../draw/inside.ts';
import { t } from '../i18n/index.ts';
import { deviationText } from './lab-texts.ts';
import { type LabResult, measureOf } from './lab-work.ts';
import '../views/heat-table.ts';
import './lab-stage.ts';

/** Rows and columns that are written out at a time, and cells of all tables together. */
export const WINDOW = 32;
const MOST_CELLS = 3000;
const MOST_TABLES = 12;
/** Of a select; beyond, the number of a head is typed. */
const MOST_OPTIONS = 256;

export interface ResultView {
  result: LabResult;
  head: number;
  row: number;
  column: number;
  /** The first row and column of the window. */
  window: { row: number; column: number };
  labels: { queries: readonly string[]; keys: readonly string[] };
  theme: Theme;
  isNormalised: boolean;
  look: (head: number, row: number, column: number) => void;
  move: (row: number, column: number) => void;
  normalise: (on: boolean) => void;
}

/** The heads that are on screen together with this one. */
export function headsShown({ heads, queryLength, keyLength }: LabResult, head: number): number[] {
  const cells = Math.min(WINDOW, queryLength) * Math.min(WINDOW, keyLength);
  const most = Math.max(1, Math.min(MOST_TABLES, Math.floor(MOST_CELLS / cells)));
  const first = Math.floor(head / most) * most;
  return Array.from({ length: Math.min(most, heads - first) }, (_, index) => first + index);
}

/** A window of `length` entries that holds `at`, moved from `first` no more than needed. */
export function windowOf(first: number, at: number, length: number): number {
  const last = Math.max(0, length - WINDOW);
  const cut = Math.max(0, Math.min(first, last));
  if (at >= cut && at < cut + WINDOW) return cut;
  return Math.max(0, Math.min(last, at - WINDOW / 2));
}

export function labResults(view: ResultView): TemplateResult {
  const { result } = view;
  const shown = headsShown(result, view.head);
  return html`
    ${result.attention ? html`<p class="note">${t('lab.results.help')}</p>` : sums(view)}
    ${nonFinite(result, shown)} ${chooser(view, shown)} ${windowed(view)}
    <div class="tables">${shown.map((head) => table(view, head))}</div>
    <hl-lab-stage
      .result=${result}
      .labels=${view.labels}
      .head=${view.head}
      .theme=${view.theme}
    ></hl-lab-stage>
  `;
}

function table(view: ResultView, head: number) {
  const { result, window, labels, theme } = view;
  const weights = result.weights.get(head);
  if (!weights) return nothing;
  const { keyLength, queryLength } = result;
  const rows = labels.queries.slice(window.row, window.row + WINDOW);
  const columns = labels.keys.slice(window.column, window.column + WINDOW);
  const isWhole = rows.length === queryLength && columns.length === keyLength;
  const name = result.heads === 1 ? t('lab.matrix') : t('lab.head', { head });
  const { entropy } = measureOf(weights, keyLength);
  return html`<div class="one">
    <hl-heat-table
      kind="weights"
      data-head=${head}
      .values=${isWhole ? weights : part(weights, keyLength, window, rows.length, columns.length)}
      .rows=${rows}
      .columns=${columns}
      .caption=${name}
      .chosen=${
        result.attention
          ? { row: view.row - window.row, column: view.column - window.column }
          : null
      }
      .theme=${theme}
    ></hl-heat-table>
    <p class="note number">
      ${
        Number.isNaN(entropy)
          ? nothing
          : t('lab.entropy', { value: printed(entropy), even: printed(Math.log(keyLength)) })
      }
    </p>
  </div>`;
}

function part(
  weights: Float32Array,
  width: number,
  from: { row: number; column: number },
  rows: number,
  columns: number,
): Float32Array {
  const values = new Float32Array(rows * columns);
  for (let row = 0; row < rows; row++) {
    const start = (from.row + row) * width + from.column;
    values.set(weights.subarray(start, start + columns), row * columns);
  }
  return values;
}

/** All heads by name and entropy, where not all are on screen. */
function chooser({ result, head, row, column, look }: ResultView, shown: readonly number[]) {
  const { heads, keyLength, weights } = result;
  if (shown.length === heads) return nothing;
  const all = Array.from({ length: heads }, (_, index) => index);
  const nameOf = (index: number) => {
    const known = weights.get(index);
    const entropy = known ? measureOf(known, keyLength).entropy : Number.NaN;
    const name = t('lab.head', { head: index });
    return Number.isNaN(entropy) ? name : `${name} (${printed(entropy)})`;
  };
  const go = (event: Event) => {
    const next = Math.trunc(Number((event.target as HTMLInputElement | HTMLSelectElement).value));
    if (next >= 0 && next < heads) look(next, row, column);
  };
  return html`<p class="field">
    <label
      >${t('lab.chooser')}
      ${
        heads > MOST_OPTIONS
          ? html`<input id="head" type="number" min="0" max=${heads - 1} .value=${String(head)} @change=${go} />`
          : html`<select id="head" @change=${go}>
              ${all.map((index) => html`<option value=${index} .selected=${index === head}>${nameOf(index)}</option>`)}
            </select>`
      }</label
    >
    ${t('lab.chooser.some', { from: shown[0]!, to: shown.at(-1)!, count: heads })}
  </p>`;
}

function windowed({ result, window, move }: ResultView) {
  const { queryLength: rows, keyLength: columns } = result;
  if (rows <= WINDOW && columns <= WINDOW) return nothing;
  const text = t('lab.window', {
    rowFrom: window.row + 1,
    rowTo: Math.min(rows, window.row + WINDOW),
    rows,
    columnFrom: window.column + 1,
    columnTo: Math.min(columns, window.column + WINDOW),
    columns,
  });
  const field = (
    id: string,
    label: string,
    [before, after]: readonly [string, string],
    first: number,
    length: number,
    go: (first: number) => void,
  ) =>
    length <= WINDOW
      ? nothing
      : html`<span class="mover">
          <button class="button" id=${`${id}-before`} ?disabled=${first === 0} @click=${() => go(first - WINDOW)}>${before}</button>
          <label
            >${label}
            <input
              id=${id}
              type="number"
              min="1"
              max=${length - WINDOW + 1}
              .value=${String(first + 1)}
              @change=${(event: Event) => go(Math.trunc(Number((event.target as HTMLInputElement).value)) - 1 || 0)}
          /></label>
          <button class="button" id=${`${id}-after`} ?disabled=${first + WINDOW >= length} @click=${() => go(first + WINDOW)}>${after}</button>
        </span>`;
  return html`<p class="note" role="status" id="window">${text}</p>
    <div class="field movers">
      ${field(
        'window-row',
        t('lab.window.row'),
        [t('lab.window.up'), t('lab.window.down')],
        window.row,
        rows,
        (row) => move(row, window.column),
      )}
      ${field(
        'window-column',
        t('lab.window.column'),
        [t('lab.window.left'), t('lab.window.right')],
        window.column,
        columns,
        (column) => move(window.row, column),
      )}
    </div>`;
}

/** Whether rows of ready-made weights sum to 1, and a way to make them. */
function sums({ result, isNormalised, normalise }: ResultView) {
  const { checked } = result;
  if (checked.kind !== 'weights') return nothing;
  const { largestDeviation, largestAt, tolerance, zeroRows, nonFinite } = checked.report;
  const deviation = deviationText(largestDeviation);
  const isOff = largestAt !== null && largestDeviation > tolerance;
  const others = zeroRows.count + nonFinite.count > 0 ? 'others' : 'exact';
  const said = isOff
    ? t('lab.sum.off', {
        place: t('lab.sum.offHead', { head: largestAt.head, row: largestAt.query + 1 }),
        deviation,
      })
    : t(`lab.sum.${others}`, { deviation });
  return html`<p class="note" id="sums">
      ${zeroRows.count > 0 ? t('lab.sum.zero', { count: zeroRows.count }) : nothing}
      ${isNormalised ? t('lab.sum.normalised') : said}
    </p>
    ${
      isOff
        ? html`<p>
            <button class="button" id="normalise" @click=${() => normalise(!isNormalised)}>
              ${t(isNormalised ? 'lab.sum.asGiven' : 'lab.sum.normalise')}
            </button>
          </p>`
        : nothing
    }`;
}

function nonFinite({ weights, keyLength }: LabResult, shown: readonly number[]) {
  const count = shown.reduce((sum, head) => {
    const known = weights.get(head);
    return known ? sum + measureOf(known, keyLength).nonFinite : sum;
  }, 0);
  return count === 0 ? nothing : html`<p class="note strong">${t('lab.nan.result', { count })}</p>`;
}
