/** Rows of results: name, value, formula. */

import { html } from 'lit';
import type { Count } from '../calculator/counts.ts';
import { evaluate, type Values } from '../calculator/expression.ts';
import { type TextKey, t } from '../i18n/index.ts';
import { formula } from './calculator-formula.ts';
import { write } from './calculator-numbers.ts';

export const countName = (count: Count): string => t(`calculator.count.${count.id}` as TextKey);

export function countRows(counts: readonly Count[], values: Values, full: boolean) {
  return html`<dl class="rows">
    ${counts.map(
      (count) => html`<div class=${count.total ? 'row total' : 'row'} data-count=${count.id}>
        <dt>${countName(count)}</dt>
        <dd class="value">${write(evaluate(count.of, values), count.unit, full)}</dd>
        <dd class="how">${formula(count, values)}</dd>
      </div>`,
    )}
  </dl>`;
}
