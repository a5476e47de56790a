/** The measured roles of a head in words, each with score, baseline and "tends to". */

import { css, html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { HeadChoice, HeadRole } from '../draw/picture.ts';
import { LanguageController, t } from '../i18n/index.ts';
import { baseStyles } from './stage-styles.ts';
import { roleEvidence, rolesAt, roleTends } from './texts.ts';

@customElement('hl-role-label')
export class RoleLabel extends LitElement {
  static override styles = [
    baseStyles,
    css`
      ul {
        margin: 0;
        padding: 0;
        list-style: none;
      }
      li {
        margin: 0 0 2px;
        line-height: 1.45;
      }
      .evidence {
        color: var(--hl-dim);
        font-size: 0.875em;
        font-variant-numeric: tabular-nums;
        white-space: nowrap;
      }
    `,
  ];

  @property({ attribute: false }) choice: HeadChoice | null = null;
  @property({ attribute: false }) roles: readonly HeadRole[] = [];

  /** Whether what is shown was computed otherwise than the model was trained. */
  @property({ type: Boolean }) changed = false;

  constructor() {
    super();
    new LanguageController(this);
  }

  protected override render() {
    const roles = this.choice ? rolesAt(this.roles, this.choice) : [];
    if (roles.length === 0) return nothing;
    return html`<ul title=${t(this.changed ? 'measured.unchanged' : 'measured.general')}>
      ${roles.map((role) => {
        const { text, hint } = roleEvidence(role);
        return html`<li>
          ${t(this.changed ? 'role.tendsUnchanged' : 'role.tends', { role: roleTends(role) })}
          <span class="evidence" title=${hint}>${text}</span>
        </li>`;
      })}
    </ul>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'hl-role-label': RoleLabel;
  }
}
