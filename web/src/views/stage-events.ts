/**
 * What wall and stage tell the page: composed, bubbling events with plain data. The page answers by setting
 * properties; views keep no state of their own that the link should hold.
 */

import type { ScaleKind } from '../draw/color-scale.ts';
import type { Direction } from '../draw/picture.ts';
import type { WallSort } from '../draw/wall-layout.ts';

export type StageView = 'beams' | 'matrix' | 'columns' | 'token';

export interface StageEvents {
  /**
   * A head, or a mean, is chosen; `additive` adds it to (or takes it from) what is chosen, `pointed` says that a
   * mouse or a finger did it.
   */
  'hl-head-select': {
    layer: number | 'mean';
    head: number | 'mean';
    additive: boolean;
    pointed?: boolean;
  };
  /**
   * A token is aimed at. Hover or focus: (index, false); left: (null, false); pressed: (index, true);
   * released by Escape or by pressing the pinned one: (null, true).
   */
  'hl-query': { index: number | null; pinned: boolean };
  'hl-view': { view: StageView };
  'hl-direction': { direction: Direction };
  'hl-sort': { sort: WallSort };
  'hl-scale': { scale: ScaleKind };
}

export function tell<Name extends keyof StageEvents>(
  from: HTMLElement,
  name: Name,
  detail: StageEvents[Name],
): void {
  from.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
}
