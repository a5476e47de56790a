/**
 * Lit directive that makes a group of buttons one stop of the Tab key: `<div ${roving()}>`. The stop is the button
 * that is on (pressed, selected, checked), else the one last focused, else the first; arrow keys, Home and End move
 * inside the group.
 */

import { nothing } from 'lit';
import { Directive, directive, type ElementPart, type PartInfo, PartType } from 'lit/directive.js';

const ON = '[aria-pressed="true"], [aria-selected="true"], [aria-checked="true"]';

class RovingDirective extends Directive {
  private group: HTMLElement | null = null;
  private last: HTMLElement | null = null;

  constructor(part: PartInfo) {
    super(part);
    if (part.type !== PartType.ELEMENT) throw new Error('roving belongs on an element');
  }

  render(): typeof nothing {
    return nothing;
  }

  override update(part: ElementPart): typeof nothing {
    const group = part.element as HTMLElement;
    if (group !== this.group) {
      this.group = group;
      group.addEventListener('keydown', this.onKey);
      group.addEventListener('focusin', this.onFocus);
    }
    // The buttons are drawn after the group that holds them.
    queueMicrotask(() => this.settle());
    return nothing;
  }

  private get buttons(): HTMLElement[] {
    return [...(this.group?.querySelectorAll<HTMLElement>('button:not([disabled])') ?? [])];
  }

  private settle(): void {
    const { buttons } = this;
    const stop =
      buttons.find((button) => button.matches(':focus')) ??
      buttons.find((button) => button.matches(ON)) ??
      buttons.find((button) => button === this.last) ??
      buttons[0];
    for (const button of buttons) button.tabIndex = button === stop ? 0 : -1;
  }

  private readonly onFocus = (event: FocusEvent): void => {
    this.last = event.target as HTMLElement;
    this.settle();
  };

  private readonly onKey = (event: KeyboardEvent): void => {
    const buttons = this.buttons.filter((button) => button.getClientRects().length > 0);
    const at = buttons.indexOf(event.target as HTMLElement);
    if (at < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    const end = buttons.length - 1;
    const moves: Record<string, number> = {
      ArrowRight: at === end ? 0 : at + 1,
      ArrowDown: at === end ? 0 : at + 1,
      ArrowLeft: at === 0 ? end : at - 1,
      ArrowUp: at === 0 ? end : at - 1,
      Home: 0,
      End: end,
    };
    const next = moves[event.key];
    if (next === undefined) return;
    event.preventDefault();
    buttons[next]!.focus();
  };
}

export const roving = directive(RovingDirective);
