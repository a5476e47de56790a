/**
 * Lit directive that sets style properties through CSSOM: `<i ${cssProperties({ width: '3px' })}>`. A style
 * attribute written as text is blocked by `style-src 'self'`, and Lit's styleMap writes its first render so.
 */

import { nothing } from 'lit';
import { Directive, directive, type ElementPart, type PartInfo, PartType } from 'lit/directive.js';

export type CssProperties = Readonly<Record<string, string | null>>;

class CssPropertiesDirective extends Directive {
  private set = new Map<string, string>();

  constructor(part: PartInfo) {
    super(part);
    if (part.type !== PartType.ELEMENT) throw new Error('cssProperties belongs on an element');
  }

  render(_properties: CssProperties): typeof nothing {
    return nothing;
  }

  override update(part: ElementPart, [properties]: [CssProperties]): typeof nothing {
    const { style } = part.element as HTMLElement | SVGElement;
    for (const name of this.set.keys()) {
      if (properties[name] == null) {
        style.removeProperty(name);
        this.set.delete(name);
      }
    }
    for (const [name, value] of Object.entries(properties)) {
      if (value === null || this.set.get(name) === value) continue;
      style.setProperty(name, value);
      this.set.set(name, value);
    }
    return nothing;
  }
}

export const cssProperties = directive(CssPropertiesDirective);
