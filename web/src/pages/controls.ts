/** What the control panel shows, what it changes, and the sentence that says what differs from the model's own. */

import { maskCells } from '../draw/mask-cells.ts';
import { t } from '../i18n/index.ts';
import {
  type Controls,
  DEFAULT_CONTROLS,
  isPlain,
  MOST_DRAWN,
  openCells,
  packCells,
} from '../state/controls.ts';
import type { ControlHistory } from '../state/history.ts';
import { apply, controlsNow, type Store } from '../state/store.ts';
import type { ControlEvents, ControlsShown } from '../views/controls.ts';
import { namesOf } from './inside.ts';

export function controlsShown(store: Store, history: ControlHistory): ControlsShown {
  history.version.value;
  const shown = store.shown.value;
  const tokens = shown ? namesOf(shown) : [];
  const controls = controlsNow(store);
  const { mask, radius, cells, off, temperature, positions } = controls;
  const drawable = tokens.length > 0 && tokens.length <= MOST_DRAWN;
  return {
    mask,
    radius,
    temperature,
    positions,
    off,
    quad: store.quad.value,
    tokens,
    open: drawable
      ? maskCells(mask, tokens.length, radius, openCells(cells, tokens.length), off)
      : null,
    pair: store.pair.value !== null,
    canUndo: history.canUndo,
    canRedo: history.canRedo,
    plain: isPlain(controls) && store.quad.value === 'all',
  };
}

export function changeControls(store: Store, change: ControlEvents['hl-control']): void {
  const shown = store.shown.value;
  if (change.mask === 'drawn' && store.mask.value !== 'drawn' && shown) {
    // Drawing begins with what is there now.
    const tokens = shown.tokens.length;
    if (tokens > MOST_DRAWN) return;
    const { mask, radius, cells } = controlsNow(store);
    const open = maskCells(mask, tokens, radius, openCells(cells, tokens), []);
    apply(store, { ...change, cells: packCells(open, tokens) });
    return;
  }
  apply(store, change);
}

/** A stroke on the mask: whatever it was before, it is a drawn one now. */
export function drawMask(store: Store, open: Uint8Array): void {
  const tokens = Math.round(Math.sqrt(open.length));
  // Hidden tokens are hidden by themselves: their columns were closed in the picture only.
  for (const key of store.off.value)
    if (key < tokens) for (let query = 0; query < tokens; query++) open[query * tokens + key] = 1;
  apply(store, { mask: 'drawn', cells: packCells(open, tokens) });
}

export function moveControls(
  store: Store,
  history: ControlHistory,
  { to }: ControlEvents['hl-control-move'],
): void {
  if (to === 'undo') history.undo();
  else if (to === 'redo') history.redo();
  else apply(store, { ...DEFAULT_CONTROLS, quad: 'all' });
}

/** Hides a token of the run, or shows it again. */
export function toggleToken(store: Store, token: number): void {
  const off = store.off.value;
  store.off.value = off.includes(token)
    ? off.filter((other) => other !== token)
    : [...off, token].sort((a, b) => a - b);
}

/** "Changed: mask causal, not what this model was trained with; temperature 0.5"; null where nothing is. */
export function describeChange(store: Store): string | null {
  const controls: Controls = controlsNow(store);
  const parts: string[] = [];
  const mask = describeMask(controls);
  if (mask) parts.push(t('changed.mask', { mask }));
  const count = controls.off.filter(
    (token) => token < (store.shown.value?.tokens.length ?? 0),
  ).length;
  if (count > 0) parts.push(t('changed.off', { count }));
  if (controls.temperature !== 1)
    parts.push(t('changed.temperature', { temperature: String(controls.temperature) }));
  if (!controls.positions) parts.push(t('changed.positions'));
  if (store.pair.value !== null && store.quad.value !== 'all')
    parts.push(t('changed.quad', { quad: t(`controls.quad.${store.quad.value}`) }));
  return parts.length === 0 ? null : `${t('changed.lead')} ${parts.join('; ')}.`;
}

function describeMask({ mask, radius, cells }: Controls): string | null {
  if (mask === 'causal') return t('changed.causal');
  if (mask === 'window') return t('changed.window', { radius });
  if (mask === 'drawn' && cells !== '') return t('changed.drawn');
  return null;
}
