/** A result's formula as text: its symbol, the letters, the numbers put in, the exact result. */

import { html, nothing, type TemplateResult } from 'lit';
import type { Count } from '../calculator/counts.ts';
import {
  evaluate,
  letter,
  letters,
  numbers,
  type Part,
  type Values,
} from '../calculator/expression.ts';
import { inFull, unitOf } from './calculator-numbers.ts';

export function formula(
  { symbol, of, unit }: Count,
  values: Values,
  times = false,
): TemplateResult {
  const name = times
    ? [letter('n'), { kind: 'text', text: ' · ' } as Part, letter(symbol)]
    : [letter(symbol)];
  const sign = unitOf(unit);
  return html`<span class="formula"
    ><span class="piece">${times ? nothing : html`${print(name)} = `}${print(letters(of))}</span>
    <span class="piece">= ${print(numbers(of, values, inFull))}</span>
    <span class="piece">= <b>${inFull(evaluate(of, values))}</b>${sign ? `\u00a0${sign}` : ''}</span></span
  >`;
}

/** A formula that is not a result: letters only. */
export const print = (parts: readonly Part[]) =>
  parts.map((part) => {
    if (part.kind === 'power') return html`<sup>${part.text}</sup>`;
    if (part.kind === 'text') return part.text;
    return html`<var>${part.text}${part.index ? html`<sub>${part.index}</sub>` : nothing}</var>`;
  });
