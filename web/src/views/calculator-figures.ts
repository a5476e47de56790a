/** The four figures that most readers come for, large. */

import { css, html, LitElement } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import {
  memoryCounts,
  ofSequence,
  parameterCounts,
  type Unit,
  workCounts,
} from '../calculator/counts.ts';
import { evaluate } from '../calculator/expression.ts';
import { type Settings, valuesOf } from '../calculator/settings.ts';
import { formatNumber, LanguageController, t } from '../i18n/index.ts';
import { write } from './calculator-numbers.ts';
import { baseStyles } from './stage-styles.ts';

export interface Figures {
  parameters: string;
  work: string;
  cache: string;
  scores: string;
}

@customElement('hl-calculator-figures')
export class CalculatorFigures extends LitElement {
  static override styles = [
    baseStyles,
    css`
      dl {
        display: grid;
        grid-template-columns: repeat(2, minmax(0, 1fr));
        gap: 20px 24px;
        margin: 0;
      }
      :host([full]) dl {
        grid-template-columns: minmax(0, 1fr);
      }
      div {
        display: flex;
        flex-direction: column-reverse;
        justify-content: flex-end;
      }
      dt {
        font-size: 0.9375rem;
        line-height: 1.35;
      }
      dd {
        margin: 0;
      }
      .large {
        order: 1;
        font-size: clamp(1.625rem, 1.1rem + 1.9vw, 2.5rem);
        font-weight: 600;
        line-height: 1.15;
        letter-spacing: -0.02em;
        font-variant-numeric: tabular-nums;
        overflow-wrap: anywhere;
      }
      :host([full]) .large {
        font-size: clamp(1.25rem, 1rem + 1vw, 1.75rem);
      }
      .of {
        order: -1;
        margin-top: 2px;
        font-size: 0.875rem;
        color: var(--hl-dim);
      }
      @media (min-width: 768px) {
        dl {
          grid-template-columns: repeat(4, minmax(0, auto));
          justify-content: space-between;
        }
        :host([full]) dl {
          grid-template-columns: repeat(2, minmax(0, 1fr));
        }
      }
    `,
  ];

  @property({ attribute: false }) settings!: Settings;
  @property({ type: Boolean, reflect: true }) full = false;

  constructor() {
    super();
    new LanguageController(this);
  }

  protected override render() {
    const { settings, full } = this;
    const { parameters, work, cache, scores } = figures(settings, full);
    const values = valuesOf(settings);
    const show = (of: Parameters<typeof evaluate>[0], unit: Unit) =>
      write(evaluate(of, values), unit, full);
    const { model, rows } = parameterCounts(settings);
    const counted = workCounts(settings);
    const share =
      counted.scores.reduce((all, { of }) => all + Number(evaluate(of, values)), 0) /
      Number(evaluate(counted.attention.of, values));
    const { layers, n } = settings;
    const memory = memoryCounts(settings);
    const attention = rows.find(({ id }) => id === 'attention')!;
    return html`<dl>
      ${figure(
        'parameters',
        parameters,
        t('calculator.figure.parameters'),
        model === attention
          ? t('calculator.figure.parameters.layers', { layers })
          : t('calculator.figure.parameters.of', { model: show(model.of, 'count') }),
      )}
      ${figure(
        'work',
        work,
        t('calculator.figure.work', { n }),
        t('calculator.figure.work.of', { share: formatNumber(100 * share, 1) }),
      )}
      ${figure(
        'cache',
        cache,
        t('calculator.figure.cache'),
        t('calculator.figure.cache.of', { token: show(memory.cache[1]!.of, 'bytes') }),
      )}
      ${figure(
        'scores',
        scores,
        t('calculator.figure.scores'),
        t('calculator.figure.scores.of', { flash: show(memory.flashLayer.of, 'bytes') }),
      )}
    </dl>`;
  }
}

function figure(id: string, value: string, name: string, of: string) {
  return html`<div data-figure=${id}>
    <dt>${name}</dt>
    <dd class="large">${value}</dd>
    <dd class="of">${of}</dd>
  </div>`;
}

/** The four values as text. */
export function figures(settings: Settings, full: boolean): Figures {
  const values = valuesOf(settings);
  const memory = memoryCounts(settings);
  const attention = parameterCounts(settings).rows.find(({ id }) => id === 'attention')!;
  return {
    parameters: write(evaluate(attention.of, values), 'count', full),
    work: write(evaluate(ofSequence(workCounts(settings).model).of, values), 'flop', full),
    cache: write(evaluate(memory.cacheSequence.of, values), 'bytes', full),
    scores: write(evaluate(memory.scoresLayer.of, values), 'bytes', full),
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'hl-calculator-figures': CalculatorFigures;
  }
}
