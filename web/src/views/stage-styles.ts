/** Styles that wall and stage views share. Colours, fonts and radius come from the page's custom properties. */

import { css } from 'lit';

export const baseStyles = css`
  :host {
    display: block;
    color: var(--hl-ink);
    font-family: var(--hl-font);
  }
  :host([hidden]) {
    display: none;
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  button,
  select {
    font: inherit;
    color: inherit;
  }
  button {
    border: 0;
    background: none;
    padding: 0;
    cursor: pointer;
    touch-action: manipulation;
  }
  :focus-visible {
    outline: 2px solid var(--hl-focus);
    outline-offset: 2px;
  }
  .number {
    font-variant-numeric: tabular-nums;
  }
  .dim {
    color: var(--hl-dim);
  }
  .hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    margin: -1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
`;

/** A row of alternatives of which one is on: tabs, orders, directions. */
export const choiceStyles = css`
  .choices {
    display: inline-flex;
    flex-wrap: wrap;
    gap: 2px 4px;
  }
  .choices > button {
    min-height: 36px;
    padding: 0 12px;
    border-radius: 999px;
    color: var(--hl-dim);
    font-size: 0.875rem;
    line-height: 1.25;
    white-space: nowrap;
  }
  .choices > button:hover {
    color: var(--hl-ink);
  }
  .choices > button[aria-selected='true'],
  .choices > button[aria-pressed='true'] {
    color: var(--hl-ink);
    background: var(--hl-faint);
  }
  @media (forced-colors: active) {
    .choices > button[aria-selected='true'],
    .choices > button[aria-pressed='true'],
    .choices > button[aria-checked='true'] {
      forced-color-adjust: none;
      background: Highlight;
      color: HighlightText;
    }
  }
  @media (pointer: coarse) {
    .choices > button {
      min-height: 44px;
    }
  }
`;
