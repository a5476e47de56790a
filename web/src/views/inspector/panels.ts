/** One template a step: a sentence with the numbers of this pair, and the picture of them. */

import { html, nothing, type TemplateResult } from 'lit';
import type { Theme } from '../../draw/color-scale.ts';
import {
  type Inside,
  type InsideStep,
  outputRatio,
  partOf,
  printed,
  roundingUnits,
  runningAfter,
  runningBefore,
  sliceOf,
} from '../../draw/inside.ts';
import { t } from '../../i18n/index.ts';
import { percent } from '../texts.ts';
import './number-groups.ts';
import './number-strip.ts';
import './row-table.ts';
import './share-table.ts';

type Panel = (inside: Inside, theme: Theme) => TemplateResult;

const quoted = (token: string | undefined) => `“${token ?? ''}”`;
const queryName = ({ queryTokens, query }: Inside) => quoted(queryTokens[query]);
const keyName = ({ keyTokens, key }: Inside) => quoted(keyTokens[key]);

const words: Panel = (inside, theme) => html`
  <p>
    ${
      inside.layer === 0 || inside.layer === null
        ? t('inside.words.first', { query: queryName(inside), key: keyName(inside) })
        : t('inside.words.later', {
            query: queryName(inside),
            key: keyName(inside),
            layer: inside.layer,
          })
    }
  </p>
  ${strip(queryName(inside), inside.queryInput, theme)}
  ${inside.keyInput === null ? nothing : strip(keyName(inside), inside.keyInput, theme)}
`;

/** Up to so many numbers are written out at once. */
const FEW = 16;

function strip(
  label: string,
  values: Float32Array | null,
  theme: Theme,
  slice: { from: number; to: number } | null = null,
) {
  if (values !== null && values.length <= FEW && slice === null) {
    return html`<h3>${label}</h3>
      <hl-number-groups .rows=${[{ label: '', name: label, values }]} .theme=${theme}></hl-number-groups>`;
  }
  return html`<hl-number-strip
    .label=${label}
    .values=${values ?? new Float32Array(0)}
    .slice=${slice}
    .theme=${theme}
  ></hl-number-strip>`;
}

const vectors: Panel = (inside, theme) => html`
  <p>
    ${t('inside.vectors.text', {
      query: queryName(inside),
      key: keyName(inside),
      size: inside.steps.headSize,
    })}
  </p>
  <hl-number-groups
    .rows=${[queryRow(inside), keyRow(inside)]}
    .theme=${theme}
  ></hl-number-groups>
`;

const queryRow = (inside: Inside) => ({
  label: 'q',
  name: t('inside.name.query', { token: queryName(inside) }),
  values: inside.steps.queryVector,
});
const keyRow = (inside: Inside) => ({
  label: 'k',
  name: t('inside.name.key', { token: keyName(inside) }),
  values: inside.steps.keyVector,
});

const products: Panel = (inside, theme) => {
  const { steps, key } = inside;
  return html`
    <p>${t('inside.products.text', { terms: steps.headSize })}</p>
    <p class="sum">
      <span>q · k =</span> <output data-total="dot">${printed(steps.dots[key]!)}</output>
    </p>
    <hl-number-groups
      .rows=${[
        queryRow(inside),
        keyRow(inside),
        { label: 'q×k', name: t('inside.name.product'), values: steps.products, result: true },
      ]}
      .theme=${theme}
    ></hl-number-groups>
    ${rounding(steps.headSize)}
  `;
};

const rounding = (terms: number) =>
  html`<p class="note">${t('inside.rounding', { units: roundingUnits(terms) })}</p>`;

const scale: Panel = ({ steps, key, keyTokens }) => {
  const plain = 1 / Math.sqrt(steps.headSize);
  const warmth = plain / steps.scale;
  const tempered = Math.abs(warmth - 1) > 1e-4;
  return html`
    <p>${t('inside.scale.text', { size: steps.headSize })}</p>
    <p class="sum">
      <span>${printed(steps.dots[key]!)} ÷ √${steps.headSize}</span>
      ${tempered ? html`<span>÷ ${printed(warmth, 2)}</span>` : nothing}
      <span>= ${printed(steps.dots[key]!)} ÷ ${printed(1 / steps.scale)} =</span>
      <output>${printed(steps.scores[key]!)}</output>
    </p>
    ${tempered ? html`<p>${t('inside.scale.temperature', { warmth: printed(warmth, 2) })}</p>` : nothing}
    <p class="note">${t('inside.scale.why', { key: quoted(keyTokens[key]) })}</p>
  `;
};

const row: Panel = (inside, theme) => {
  const masked = inside.steps.allowed.filter((open) => open === 0).length;
  return html`
    <p>${t('inside.row.text', { query: queryName(inside), count: inside.keyTokens.length })}</p>
    <p class="note">
      ${masked === 0 ? t('inside.row.allOpen') : t('inside.row.someMasked', { count: masked })}
    </p>
    <hl-row-table shows="row" .inside=${inside} .theme=${theme}></hl-row-table>
  `;
};

const softmax: Panel = (inside, theme) => {
  const { steps, key } = inside;
  const empty = steps.sum === 0;
  return html`
    <p>${t(empty ? 'inside.softmax.empty' : 'inside.softmax.text')}</p>
    ${
      empty || steps.allowed[key] === 0
        ? nothing
        : html`<p class="sum">
            <span
              >e<sup>${printed(steps.scores[key]!)} − ${bracketed(steps.maximum)}</sup> ÷
              ${printed(steps.sum)} = ${printed(steps.exponentials[key]!)} ÷ ${printed(steps.sum)} =</span
            >
            <output>${printed(steps.weights[key]!)}</output>
          </p>`
    }
    <hl-row-table shows="softmax" .inside=${inside} .theme=${theme}></hl-row-table>
    ${inside.layer === null ? nothing : html`<p class="note">${t('inside.softmax.whole')}</p>`}
    ${rounding(inside.keyTokens.length)}
  `;
};

const bracketed = (value: number) => (value < 0 ? `(${printed(value)})` : printed(value));

const context: Panel = (inside, theme) => {
  const { steps, key, keyTokens } = inside;
  const last = keyTokens.length - 1;
  return html`
    <p>
      ${t('inside.context.text', {
        key: keyName(inside),
        weight: printed(steps.weights[key]!),
        place: key + 1,
        count: keyTokens.length,
      })}
    </p>
    <hl-number-groups
      .rows=${[
        {
          label: 'v',
          name: t('inside.name.value', { token: keyName(inside) }),
          values: steps.valueVector,
        },
        { label: 'Σ', name: t('inside.name.before'), values: runningBefore(inside) },
        { label: '+ wv', name: t('inside.name.weighted'), values: steps.weighted },
        {
          label: '=',
          name: t('inside.name.after'),
          values: runningAfter(steps, key),
          result: true,
        },
      ]}
      .theme=${theme}
    ></hl-number-groups>
    ${
      key === last
        ? html`<p class="note">${t('inside.context.done')}</p>`
        : html`<h3>${t('inside.context.whole')}</h3>
            <hl-number-groups
              .rows=${[{ label: '', name: t('inside.context.whole'), values: steps.context, result: true }]}
              .theme=${theme}
            ></hl-number-groups>`
    }
  `;
};

const concat: Panel = (inside, theme) => {
  const additions = inside.additions!;
  const slice = sliceOf(inside);
  return html`
    <p>
      ${t('inside.concat.text', {
        heads: additions.heads,
        width: additions.concat.length,
        from: slice.from,
        to: slice.to - 1,
        query: queryName(inside),
      })}
    </p>
    ${strip(t('inside.concat.label'), additions.concat, theme, slice)}
    <hl-number-groups
      .rows=${[
        {
          label: '',
          name: t('inside.context.whole'),
          values: additions.concat.subarray(slice.from, slice.to),
          result: true,
        },
      ]}
      .first=${slice.from}
      .theme=${theme}
    ></hl-number-groups>
  `;
};

const output: Panel = (inside, theme) => {
  const additions = inside.additions!;
  const ratio = outputRatio(additions);
  return html`
    <p>
      ${t('inside.output.text', {
        norm: printed(additions.norms[inside.head]!),
        share: percentOf(additions.shares[inside.head]!),
        query: queryName(inside),
      })}
      ${
        ratio === null
          ? nothing
          : t('inside.output.stream', {
              output: printed(additions.outputNorm),
              residual: printed(additions.residualNorm),
              percent: percentOf(ratio),
            })
      }
    </p>
    <hl-share-table .inside=${inside}></hl-share-table>
    <p class="note">${t('inside.output.share')}</p>
    ${strip(t('inside.output.own'), partOf(additions, inside.head), theme)}
    ${strip(t('inside.output.whole'), additions.output, theme)}
  `;
};

const percentOf = (share: number) => (share < 0 ? `−${percent(-share)}` : percent(share));

export const PANELS: Readonly<Record<InsideStep, Panel>> = {
  words,
  vectors,
  products,
  scale,
  row,
  softmax,
  context,
  concat,
  output,
};
