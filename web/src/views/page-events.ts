/**
 * What the sentence, the model choice, the switches and the notes tell the page: composed, bubbling
 * events with plain data. `hl-query` of stage-events.ts is shared with wall and stage.
 */

export interface PageEvents {
  /** Every input; `timeStamp` is that of the browser's event. */
  'hl-text': { field: 'text' | 'pair'; text: string; timeStamp: number };
  /** An input method begins or has committed. */
  'hl-compose': { composing: boolean };
  'hl-example': { index: number };
  'hl-model': { id: string };
  'hl-load': { action: 'allow' | 'pause' | 'resume' | 'cancel' | 'retry' };
  'hl-whole-first': { on: boolean };
  'hl-switch': { name: 'specials' | 'words'; on: boolean };
  'hl-note-dismiss': { id: string };
  'hl-language': { language: 'en' | 'zh' };
  'hl-theme': { theme: 'light' | 'dark' | null };
}

export function say<Name extends keyof PageEvents>(
  from: HTMLElement,
  name: Name,
  detail: PageEvents[Name],
): void {
  from.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
}
