/** What each demonstration shows: templates over computed numbers. */

import { html, nothing, type TemplateResult } from 'lit';
import type { Theme } from '../draw/color-scale.ts';
import { type Inside, printed } from '../draw/inside.ts';
import { meanDistance, quartiles, spread } from '../draw/statistics.ts';
import { formatNumber, t } from '../i18n/index.ts';
import type { DemoResult, LoopAgainstBatch } from './demo-work.ts';
import '../views/heat-table.ts';

export interface DemoShown extends DemoResult {
  /** Of the chosen token, where the demonstration asks for it. */
  paths: { paths: Float32Array; sum: Float32Array } | null;
  token: number;
}

export interface DemoContext {
  inside: Inside | null;
  theme: Theme;
  timing: LoopAgainstBatch | 'running' | null;
  time: () => void;
}

type Body = (shown: DemoShown, context: DemoContext) => TemplateResult;

/** Rows, columns and heads that are written out: the first ones stand for the rest. */
const MOST_ROWS = 32;
const MOST_HEADS = 8;

/** The upper left corner of a matrix. */
function corner(values: Float32Array, columns: number, rows: number, few: number): Float32Array {
  const wide = Math.min(columns, few);
  const high = Math.min(rows, few);
  if (wide === columns && high === rows) return values;
  const part = new Float32Array(high * wide);
  for (let row = 0; row < high; row++)
    part.set(values.subarray(row * columns, row * columns + wide), row * wide);
  return part;
}

/** Says what is left out, if anything is. */
function partly({ tokens, width, heads: count }: DemoShown['state']['settings']) {
  const parts = [
    tokens.length > MOST_ROWS ? t('demos.batched.part', { few: MOST_ROWS, n: tokens.length }) : '',
    width > MOST_ROWS ? t('demos.part.dimensions', { few: MOST_ROWS, d: width }) : '',
    count > MOST_HEADS ? t('demos.part.heads', { few: MOST_HEADS, h: count }) : '',
  ].filter(Boolean);
  return parts.length === 0 ? nothing : html`<p class="note">${parts.join(' ')}</p>`;
}

const dimensions = (count: number) => Array.from({ length: count }, (_, index) => String(index));

const heads: Body = ({ state, output }, { inside, theme }) => html`
  ${partly({ ...state.settings, width: 0 })}
  <div class="tables">
    ${Array.from({ length: Math.min(MOST_HEADS, state.settings.heads) }, (_, head) => {
      const tokens = state.settings.tokens;
      const names = tokens.slice(0, MOST_ROWS);
      const chosen =
        inside?.head === head ? { row: inside.query, column: inside.key } : { row: -1, column: -1 };
      return html`<div class="one">
        <hl-heat-table
          data-head=${head}
          kind="weights"
          .values=${corner(headOf(output.weights, head, tokens.length), tokens.length, tokens.length, MOST_ROWS)}
          .rows=${names}
          .columns=${names}
          .caption=${t('demos.head', { head })}
          .chosen=${chosen}
          .theme=${theme}
        ></hl-heat-table>
        ${measured(output.weights, head, tokens.length)}
      </div>`;
    })}
  </div>
  ${untrained(state.settings.tokens)}
`;

function headOf(weights: Float32Array, head: number, tokens: number): Float32Array {
  return weights.subarray(head * tokens * tokens, (head + 1) * tokens * tokens);
}

/** Entropy and mean distance of a head, beside those of a head that looks everywhere alike. */
function measured(weights: Float32Array, head: number, tokens: number) {
  const own = headOf(weights, head, tokens);
  const even = new Float32Array(own.length).fill(1 / tokens);
  const entropy = spread(own, tokens) * Math.log(tokens);
  return html`<p class="note number">
    ${t('demos.entropy', { value: printed(entropy), even: printed(Math.log(tokens)) })}
    ${t('demos.distance', {
      value: printed(meanDistance(own, tokens)),
      even: printed(meanDistance(even, tokens)),
    })}
  </p>`;
}

function untrained(tokens: readonly string[]) {
  const chinese = tokens.some((token) => /\p{Script=Han}/u.test(token));
  const text = chinese ? tokens.join('') : tokens.join(' ');
  const link = `./index.html#text=${encodeURIComponent(text)}&model=${chinese ? 'bge-zh' : 'minilm-en'}`;
  return html`<p class="lead">${t('demos.untrained')}</p>
    <p><a class="button" href=${link}>${t('demos.trained')}</a></p>`;
}

const fusion: Body = (shown, { theme, inside }) => {
  const { state, input, output, paths, token } = shown;
  const { width, tokens } = state.settings;
  const all = dimensions(Math.min(MOST_ROWS, width));
  const names = tokens.slice(0, MOST_ROWS);
  const table = (
    values: Float32Array,
    caption: string,
    rows: readonly string[],
    chosen: boolean,
  ) => html`<hl-heat-table
    data-head=${inside?.head ?? 0}
    .values=${corner(values, width, values.length / width, MOST_ROWS)}
    .rows=${rows}
    .columns=${all}
    .caption=${caption}
    .chosen=${chosen ? { row: token, column: 0 } : null}
    .theme=${theme}
  ></hl-heat-table>`;
  return html`
    ${partly({ ...state.settings, heads: 0 })}
    <div class="tables">
      ${table(output.concat, t('demos.fusion.concat'), names, false)}
      ${table(input.wO, t('demos.fusion.wO'), all, false)}
      ${table(output.output, t('demos.fusion.output'), names, false)}
    </div>
    <p class="lead">${t('demos.fusion.naive')}</p>
    <h2>${t('demos.fusion.paths', { token: tokens[token] ?? '' })}</h2>
    <p class="note">${t('demos.fusion.pathsText')}</p>
    <p>
      <label class="field"
        >${t('demos.fusion.token')}
        <select
          @change=${(event: Event) => {
            const row = Number((event.target as HTMLSelectElement).value);
            event.target!.dispatchEvent(
              new CustomEvent('hl-inside-pair', {
                detail: { query: row, key: null },
                bubbles: true,
                composed: true,
              }),
            );
          }}
        >
          ${tokens.map((name, index) => html`<option value=${index} ?selected=${index === token}>${name}</option>`)}
        </select></label
      >
    </p>
    ${
      paths === null
        ? nothing
        : html`<hl-heat-table
            .values=${corner(paths.paths, width, width, MOST_ROWS)}
            .rows=${all.map((index) => t('demos.fusion.from', { index }))}
            .columns=${all}
            .caption=${t('demos.fusion.pathsCaption')}
            .foot=${{ label: t('demos.fusion.sum'), values: paths.sum }}
            .theme=${theme}
          ></hl-heat-table>`
    }
    ${untrained(tokens)}
  `;
};

const batched: Body = ({ state, output }, { theme, timing, time }) => {
  const { tokens, heads: count } = state.settings;
  const n = tokens.length;
  const few = Math.min(n, MOST_ROWS);
  const first = (head: number) => corner(headOf(output.weights, head, n), n, n, few);
  const names = tokens.slice(0, few);
  return html`
    <h2>${t('demos.batched.timed')}</h2>
    <p class="note">${t('demos.batched.how')}</p>
    <p>
      <button class="button first" ?disabled=${timing === 'running'} @click=${time}>
        ${t(timing === 'running' ? 'demos.batched.running' : 'demos.batched.run')}
      </button>
    </p>
    <div role="status">${timing === null || timing === 'running' ? nothing : times(timing)}</div>
    <h2>${t('demos.batched.weights')}</h2>
    ${few < n ? html`<p class="note">${t('demos.batched.part', { few, n })}</p>` : nothing}
    <div class="tables">
      ${[0, count - 1]
        .filter((head, index, all) => all.indexOf(head) === index)
        .map(
          (head) => html`<div class="one">
            <hl-heat-table
              kind="weights"
              .values=${first(head)}
              .rows=${names}
              .columns=${names}
              .caption=${t('demos.head', { head })}
              .theme=${theme}
            ></hl-heat-table>
            ${measured(output.weights, head, n)}
          </div>`,
        )}
    </div>
    ${untrained(['我', '爱', '自然', '语言', '处理'])}
  `;
};

function times({ times: { batched: fast, looped: slow }, difference }: LoopAgainstBatch) {
  const ratios = quartiles(Array.from(slow, (time, index) => time / fast[index]!));
  const row = (name: string, samples: Float64Array) => {
    const { low, median, high } = quartiles(samples);
    return html`<tr>
      <th scope="row">${name}</th>
      <td>${micro(median)}</td>
      <td>${micro(low)} – ${micro(high)}</td>
    </tr>`;
  };
  return html`<table class="times number">
      <thead>
        <tr>
          <td></td>
          <th scope="col">${t('demos.batched.median')}</th>
          <th scope="col">${t('demos.batched.middle')}</th>
        </tr>
      </thead>
      <tbody>
        ${row(t('demos.batched.loop'), slow)} ${row(t('demos.batched.batch'), fast)}
      </tbody>
    </table>
    <p class="lead number">
      ${t('demos.batched.ratio', {
        ratio: printed(ratios.median, 2),
        low: printed(ratios.low, 2),
        high: printed(ratios.high, 2),
        samples: fast.length,
      })}
      ${t('demos.batched.same', { difference: difference === 0 ? '0' : difference.toExponential(1) })}
    </p>`;
}

/** Milliseconds as microseconds. */
const micro = (milliseconds: number) => `${formatNumber(1000 * milliseconds, 1, true)} µs`;

const BODIES = { heads, fusion, batched } as const;

export function demoBody(shown: DemoShown, context: DemoContext): TemplateResult {
  return BODIES[shown.state.demo](shown, context);
}
