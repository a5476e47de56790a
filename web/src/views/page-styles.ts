/** Styles that the elements around wall and stage share: buttons, links, fields. */

import { css } from 'lit';

export const controlStyles = css`
  .button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 6px;
    min-height: 36px;
    padding: 0 14px;
    border: 1px solid var(--hl-edge);
    border-radius: 999px;
    font-size: 0.875rem;
    line-height: 1.25;
    color: var(--hl-ink);
  }
  .button:hover {
    border-color: var(--hl-ink);
  }
  .button.first {
    border-color: var(--hl-accent);
    background: var(--hl-accent);
    color: var(--hl-accent-ink);
  }
  .link {
    min-height: 24px;
    color: var(--hl-dim);
    text-decoration: underline;
    text-decoration-color: var(--hl-edge);
    text-decoration-thickness: 1px;
    text-underline-offset: 3px;
  }
  .link:hover {
    color: var(--hl-ink);
  }
  @media (pointer: coarse) {
    .button {
      min-height: 44px;
    }
    .link {
      min-height: 32px;
    }
  }
`;
