/** The pages of the site, the one that is open marked. */

import { css, html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { LanguageController, t } from '../i18n/index.ts';
import '../i18n/site.ts';
import { baseStyles } from './stage-styles.ts';

export type SitePage = 'explorer' | 'lab' | 'demos' | 'calculator';

const ADDRESSES: Readonly<Record<SitePage, string>> = {
  explorer: './index.html',
  lab: './lab.html',
  demos: './demos.html',
  calculator: './calculator.html',
};

@customElement('hl-site-nav')
export class SiteNav extends LitElement {
  static override styles = [
    baseStyles,
    css`
      nav {
        display: flex;
        flex-wrap: wrap;
        gap: 0 4px;
        margin-inline-start: -10px;
        font-size: 0.9375rem;
      }
      a {
        display: inline-flex;
        align-items: center;
        min-height: 36px;
        padding: 0 10px;
        color: var(--hl-dim);
        text-decoration: none;
      }
      a:hover {
        color: var(--hl-ink);
        text-decoration: underline;
        text-underline-offset: 4px;
      }
      a[aria-current] {
        color: var(--hl-ink);
        text-decoration: underline;
        text-decoration-color: var(--hl-accent);
        text-decoration-thickness: 2px;
        text-underline-offset: 6px;
      }
      @media (pointer: coarse) {
        a {
          min-height: 44px;
        }
      }
      @media print {
        :host {
          display: none;
        }
      }
    `,
  ];

  @property() current: SitePage = 'explorer';

  constructor() {
    super();
    new LanguageController(this);
  }

  protected override render() {
    return html`<nav aria-label=${t('site.pages')}>
      ${(Object.keys(ADDRESSES) as SitePage[]).map(
        (page) => html`<a
          href=${ADDRESSES[page]}
          aria-current=${page === this.current ? 'page' : nothing}
          >${t(`site.${page}`)}</a
        >`,
      )}
    </nav>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'hl-site-nav': SiteNav;
  }
}
