/** What the inspector tells the page: composed, bubbling events with plain data. */
import type { InsideStep } from '../../draw/inside.ts';

export interface InspectorEvents {
  /** Another step of the same pair is read. */
  'hl-inside-step': { step: InsideStep };
  /** Another query or key token (of the run); null keeps the one that is chosen. */
  'hl-inside-pair': { query: number | null; key: number | null };
  /** Another head of the same layer. */
  'hl-inside-head': { head: number };
  /** The reader opens a head, or closes it. */
  'hl-inside-open': { open: boolean };
}

export function tell<Name extends keyof InspectorEvents>(
  from: HTMLElement,
  name: Name,
  detail: InspectorEvents[Name],
): void {
  from.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
}
