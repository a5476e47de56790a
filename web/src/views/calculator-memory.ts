/** Memory that grows with the text: cache of keys and values, matrix of scores. */

import { html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { memoryCounts } from '../calculator/counts.ts';
import { bytesEach } from '../calculator/expression.ts';
import { BITS, type Settings, valuesOf } from '../calculator/settings.ts';
import { LanguageController, t } from '../i18n/index.ts';
import { countRows } from './calculator-rows.ts';
import { resultStyles } from './calculator-styles.ts';
import { baseStyles } from './stage-styles.ts';

@customElement('hl-calculator-memory')
export class CalculatorMemory extends LitElement {
  static override styles = [baseStyles, resultStyles];

  @property({ attribute: false }) settings!: Settings;
  @property({ type: Boolean }) full = false;

  constructor() {
    super();
    new LanguageController(this);
  }

  protected override render() {
    const { settings, full } = this;
    const values = valuesOf(settings);
    const { cache, scores } = memoryCounts(settings);
    const bits = BITS[settings.dtype];
    return html`
      <h2>${t('calculator.memory')}</h2>
      <p>${t('calculator.memory.about', { bytes: bytesEach(bits) })}</p>
      <h3>${t('calculator.memory.cache')}</h3>
      <p>${t('calculator.memory.cache.about')}</p>
      ${countRows(cache, values, full)}
      <h3>${t('calculator.memory.scores')}</h3>
      <p>${t('calculator.memory.scores.about')}</p>
      ${countRows(scores, values, full)}
      ${bits < 16n ? html`<p>${t('calculator.memory.coarse')}</p>` : nothing}
    `;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'hl-calculator-memory': CalculatorMemory;
  }
}
