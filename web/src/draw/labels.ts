/** How weights and tokens are written, the same in every view. */

import type { ShownToken } from './picture.ts';

/** Two decimals without the leading zero where room is short: .29, 1.0; '0' only for exactly zero. */
export function shortWeight(weight: number): string {
  if (weight === 0) return '0';
  const hundredths = Math.round(weight * 100);
  if (hundredths >= 100) return '1.0';
  return `.${String(hundredths).padStart(2, '0')}`;
}

/** A share in percent without decimals, but never a rounded 0 or 100 that is not one. */
export function percent(share: number): string {
  if (share > 0 && share < 0.005) return '<1';
  if (share < 1 && share > 0.995) return '>99';
  return String(Math.round(share * 100));
}

/** A token's text for a narrow place: long ones keep their two ends, line breaks and controls are shown. */
export function shortText(token: ShownToken, longest = 18): string {
  const letters = [...visible(token.text)];
  if (letters.length <= longest) return letters.join('');
  const head = Math.ceil((longest - 1) / 2);
  const tail = longest - 1 - head;
  return `${letters.slice(0, head).join('')}…${letters.slice(letters.length - tail).join('')}`;
}

function visible(text: string): string {
  // A 10,000-character word is cut before it is split into letters.
  const near = text.length > 400 ? `${text.slice(0, 200)}${text.slice(-200)}` : text;
  return near.replace(/\s+/gu, ' ').replace(/\p{Cc}/gu, '\ufffd') || '\u2423';
}
