/** Styles that the calculator's parts share: sections, rows of results, formulas, notes. */

import { css } from 'lit';

export const resultStyles = css`
  h2 {
    margin: 0;
    font-size: 1.375rem;
    font-weight: 600;
    line-height: 1.25;
    letter-spacing: -0.01em;
  }
  h3 {
    margin: 32px 0 0;
    font-size: 1.0625rem;
    font-weight: 600;
    line-height: 1.3;
  }
  p {
    margin: 6px 0 0;
    max-width: 68ch;
    font-size: 0.9375rem;
    line-height: 1.55;
    color: var(--hl-dim);
  }
  .rows {
    margin: 14px 0 0;
  }
  .row {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    align-items: baseline;
    gap: 0 24px;
    padding: 9px 0;
    border-top: 1px solid var(--hl-rule);
  }
  .row:first-child {
    border-top: 0;
  }
  dt,
  dd {
    margin: 0;
  }
  .value {
    font-size: 1.125rem;
    font-variant-numeric: tabular-nums;
    text-align: end;
    overflow-wrap: anywhere;
  }
  .total dt,
  .total .value {
    font-weight: 650;
  }
  .how {
    grid-column: 1 / -1;
  }
  @media (min-width: 1240px) {
    .row {
      grid-template-columns: 12.5rem minmax(0, 1fr) auto;
    }
    .how {
      grid-column: 2;
      grid-row: 1;
    }
  }
  .formula {
    font-size: 0.875rem;
    line-height: 1.6;
    font-variant-numeric: tabular-nums;
    color: var(--hl-dim);
    overflow-wrap: anywhere;
  }
  .piece {
    display: inline-block;
  }
  .formula b {
    font-weight: 500;
    color: var(--hl-ink);
  }
  var {
    font-family: Georgia, 'Times New Roman', 'Noto Serif', serif;
    font-style: italic;
    white-space: nowrap;
  }
  sub,
  sup {
    font-size: 0.75em;
    line-height: 0;
  }
  table {
    border-collapse: collapse;
    font-variant-numeric: tabular-nums;
  }
  th {
    font-weight: 400;
    text-align: start;
  }
  .scroll {
    overflow-x: auto;
  }
`;
