/** What the calculator's fields tell the page: composed, bubbling events with plain data. */

import type { PresetId } from '../calculator/presets.ts';
import type { FieldId } from '../calculator/settings.ts';

export interface CalculatorEvents {
  /** Every input. */
  'hl-calculator-field': { id: FieldId; text: string };
  'hl-calculator-choice': { name: 'dtype' | 'out'; value: string };
  'hl-calculator-switch': { name: 'bias' | 'gated' | 'full'; on: boolean };
  'hl-calculator-preset': { id: PresetId };
}

export function ask<Name extends keyof CalculatorEvents>(
  from: HTMLElement,
  name: Name,
  detail: CalculatorEvents[Name],
): void {
  from.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
}
