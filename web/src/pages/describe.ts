/**
 * What the page says about the state, as plain data for the views: progress, notes, hints, marks of the
 * sentence. Pure functions of the store; called inside computed values, so they follow it.
 */

import { shortText } from '../draw/labels.ts';
import type { Direction, HeadChoice, Picture } from '../draw/picture.ts';
import { suggestedToken, weightsOf } from '../draw/statistics.ts';
import { formatBytes, formatNumber, hasText, t } from '../i18n/index.ts';
import { followSpans } from '../state/follow-token.ts';
import { MODEL_IDS, MODELS, type ModelId } from '../state/models.ts';
import { suggestModel } from '../state/script.ts';
import type { Session } from '../state/session.ts';
import { type Failure, isCurrent, type Store } from '../state/store.ts';
import type { ProgressShown, TroubleShown } from '../views/load-progress.ts';
import type { ModelOffer } from '../views/model-picker.ts';
import type { NoteShown } from '../views/notes.ts';
import type { SentenceMark } from '../views/sentence.ts';
import { byTouch, headLabel } from '../views/texts.ts';

const NO_NOTES: readonly NoteShown[] = [];

export function modelName(id: ModelId): string {
  return t(`model.${id}`);
}

export function modelOffers(): ModelOffer[] {
  return MODEL_IDS.map((id) => {
    const { layers, heads } = MODELS[id];
    return { id, name: modelName(id), layers, heads, about: aboutModel(id) };
  });
}

export function aboutModel(id: ModelId): string {
  const { licence, liveBytes, wholeBytes } = MODELS[id];
  return t('model.about', {
    name: t(`model.name.${id}`),
    licence,
    size: formatBytes(liveBytes),
    whole: formatBytes(wholeBytes),
  });
}

export function describeEngine({ engine }: Session): string {
  if (!engine) return '';
  return t(`privacy.engine.${engine.thread}`, { variant: engine.variant });
}

/** How exact the weights on screen are; empty before the model is there. */
export function exactness({ model }: Session): string {
  if (!model) return '';
  const error = model.info.attentionError;
  if (!error) return t('model.exact');
  return t('model.error', {
    largest: formatNumber(100 * error.largest, 1),
    mean: formatNumber(100 * error.mean, 2),
    sentences: error.sentences,
  });
}

export function describeProgress(store: Store): ProgressShown {
  const { phase, progress, pausable, stalled, model } = store.load.value;
  const name = modelName(model);
  const { liveBytes } = MODELS[model];
  const nothing = { bytes: '', share: null, running: false, actions: [] };
  const cancel = { action: 'cancel', label: t('load.cancel') } as const;
  const pause = { action: 'pause', label: t('load.pause') } as const;
  const resume = { action: 'resume', label: t('load.resume') } as const;
  const retry = { action: 'retry', label: t('load.retry') } as const;
  const size = formatBytes(liveBytes);
  switch (phase) {
    case 'idle':
    case 'engine':
      return { ...nothing, text: t('load.engine'), running: true };
    case 'asking':
      return {
        ...nothing,
        text: t('load.asking', { model: name, size }),
        actions: [{ action: 'allow', label: t('load.load', { size }), first: true }],
      };
    case 'cancelled':
      return {
        ...nothing,
        text: t('load.cancelled'),
        actions: [{ action: 'retry', label: t('load.load', { size }), first: true }],
      };
    case 'failed':
      return { ...nothing, text: t('load.failed', { model: name }) };
    default:
  }
  const loaded = progress?.loaded ?? 0;
  const words = progress?.stage === 'words' || progress?.stage === 'done';
  const total = words || !progress ? (progress?.total ?? null) : liveBytes;
  const bytes = total === null ? formatBytes(loaded) : bytesOf(Math.min(loaded, total), total);
  const share = total ? Math.min(1, loaded / total) : null;
  if (phase === 'ready' || (phase === 'paused' && progress?.stage === 'words')) {
    return { ...nothing, text: t('privacy.short') };
  }
  if (phase === 'paused') {
    return { text: t('load.paused'), bytes, share, running: true, actions: [resume, cancel] };
  }
  const stage = progress?.stage ?? 'header';
  const text = stalled
    ? t('load.stalled')
    : stage === 'layers'
      ? t('load.layers', { ready: progress?.layersReady ?? 0, layers: MODELS[model].layers })
      : t(`load.${stage}`);
  const actions = [...(stalled ? [retry] : []), ...(pausable ? [pause] : []), cancel];
  return { text, bytes: progress ? bytes : '', share, running: true, actions };
}

/** The rest of the word table, which arrives once every head is live; null when nothing is to come. */
export function describeWords(store: Store): ProgressShown | null {
  const { phase, progress, pausable, stalled } = store.load.value;
  if (progress?.stage !== 'words' || (phase !== 'ready' && phase !== 'paused')) return null;
  const { loaded, total } = progress;
  const paused = phase === 'paused';
  const action = stalled ? 'retry' : paused ? 'resume' : 'pause';
  return {
    text: t(paused ? 'load.paused' : stalled ? 'load.stalled' : 'load.words'),
    bytes: total === null ? formatBytes(loaded) : bytesOf(Math.min(loaded, total), total),
    share: total === null ? null : Math.min(1, loaded / total),
    running: true,
    actions: pausable ? [{ action, label: t(`load.${action}`) }] : [],
  };
}

/** "4.2 of 11.6 MB": the unit once, where it is the same. */
function bytesOf(loaded: number, total: number): string {
  const [much, of] = [formatBytes(loaded), formatBytes(total)];
  const [value, unit] = much.split(' ');
  return t('load.bytes', { loaded: of.endsWith(` ${unit}`) ? value! : much, total: of });
}

/** Why heads that are not here are not on their way either; null while they are. */
export function describeTrouble(store: Store): TroubleShown | null {
  const failure = store.failure.value;
  switch (store.load.value.phase) {
    case 'failed':
      return {
        text: failure
          ? describeFailure(failure)
          : t('load.failed', { model: modelName(store.model.value) }),
        action: 'retry',
        label: t('load.retry'),
      };
    case 'cancelled':
      return { text: t('load.cancelled'), action: 'retry', label: t('load.retry') };
    case 'paused':
      return { text: t('load.paused'), action: 'resume', label: t('load.resume') };
    default:
      return null;
  }
}

export function describeNotes(store: Store, session: Session): readonly NoteShown[] {
  const notes: NoteShown[] = [];
  const failure = store.failure.value;
  const shown = store.shown.value;
  if (failure) {
    notes.push({
      id: 'failure',
      kind: 'error',
      text: describeFailure(failure),
      details: failure.message,
      actions: [{ label: t('load.retry'), run: () => session.retry() }],
    });
  }
  if (store.late.value && shown) {
    notes.push({
      id: 'late',
      kind: 'warning',
      text: t(failure || store.load.value.phase === 'cancelled' ? 'note.stale' : 'note.working'),
    });
  }
  if (shown?.truncated && isCurrent(store)) {
    const { words, tokens } = shown.truncated;
    const limit = MODELS[shown.model].maxTokens;
    notes.push({ id: 'cut', kind: 'warning', text: t('note.truncated', { limit, words, tokens }) });
  }
  const unknown = isCurrent(store) ? describeUnknown(store) : null;
  if (unknown) notes.push({ id: 'unknown', kind: 'info', text: unknown });
  const suggestion = describeSuggestion(store, session);
  if (suggestion) notes.push(suggestion);
  for (const { id, kind, text, actions, dismissible } of store.notes.value) {
    notes.push({
      id,
      kind,
      text: text(),
      dismissible,
      actions: actions?.map(({ label, run }) => ({ label: label(), run })),
    });
  }
  return notes.length === 0 ? NO_NOTES : notes;
}

export function describeFailure({ code, message, details }: Failure): string {
  const key = `error.${code}`;
  const file = typeof details.file === 'string' ? details.file : t('error.file');
  return hasText(key) ? t(key, { file, message }) : t('error.unknown', { message });
}

/** Which typed pieces the model's vocabulary does not have, and why where that is known. */
function describeUnknown({ shown }: Store): string | null {
  const { tokens = [], text, pair, model } = shown.value ?? {};
  const typed = new Set<string>();
  for (const { text: piece, special, start, end, segment } of tokens) {
    if (piece !== '[UNK]' || special || start === null || end === null) continue;
    const part = (segment === 1 ? (pair ?? '') : (text ?? '')).slice(start, end);
    typed.add(part.length > 24 ? `${part.slice(0, 24)}…` : part);
  }
  if (typed.size === 0) return null;
  const all = [...typed];
  const named = all.slice(0, 4).map((part) => `“${part}”`);
  const list = named.join(t('list.comma')) + (all.length > 4 ? ' …' : '');
  const capitals = model === 'bge-zh' && all.every((part) => /\p{Lu}/u.test(part));
  return t(capitals ? 'sentence.unknown.capitals' : 'sentence.unknown', { list });
}

/** The reader chose a model that was not trained on this writing: said once, quietly. */
function describeSuggestion(store: Store, session: Session): NoteShown | null {
  const { text, pair, model, modelChosen, dismissed } = store;
  if (!modelChosen.value || store.composing.value) return null;
  const suggested = suggestModel(`${text.value} ${pair.value ?? ''}`);
  if (!suggested || suggested === model.value || dismissed.value.includes(suggested)) return null;
  const name = modelName(suggested);
  const script = t(`script.${MODELS[suggested].script}`);
  return {
    id: 'suggest',
    kind: 'info',
    text: t('model.suggest', { script, model: name }),
    actions: [
      { label: t('model.suggest.use', { model: name }), run: () => session.choose(suggested) },
    ],
    dismissible: true,
  };
}

/** The choices that are drawn, the one on the stage last. */
export function choicesOf(store: Store): HeadChoice[] {
  return [...store.also.value, { layer: store.layer.value, head: store.head.value }];
}

/** The shown token that stands for a token of the run. */
export function shownIndex(picture: Picture | null, token: number | null): number | null {
  if (!picture || token === null) return null;
  const index = picture.tokens.findIndex(({ sources }) => sources.includes(token));
  return index < 0 ? null : index;
}

/** The token that the sentence lights, and the weight of every shown token for it. */
export function aimOf(
  picture: Picture | null,
  choice: HeadChoice,
  tokens: readonly (number | null)[],
  direction: Direction,
): { lamp: number | null; weights: Float32Array | null } {
  const none = { lamp: null, weights: null };
  if (!picture || picture.tokens.length === 0) return none;
  const { layer } = choice;
  if (layer === 'mean' ? picture.layersReady === 0 : layer >= picture.layersReady) return none;
  const n = picture.tokens.length;
  const all = picture.weights(choice);
  const lamp = tokens.find((token) => token !== null) ?? suggestedToken(picture, choice, direction);
  return lamp === null ? none : { lamp, weights: weightsOf(all, n, lamp, direction) };
}

/** Marks of one text; while the text is newer than the picture, those that still fit it. */
export function marksOf(store: Store, picture: Picture | null, segment: 0 | 1): SentenceMark[] {
  const shown = store.shown.value;
  if (!picture || !shown) return [];
  const before = segment === 0 ? shown.text : (shown.pair ?? '');
  const now = segment === 0 ? store.text.value : (store.pair.value ?? '');
  const marks: SentenceMark[] = [];
  picture.tokens.forEach((token, index) => {
    const { start, end, piece, continuation, unknown } = token;
    if (token.segment !== segment || start === null || end === null || end <= start) return;
    marks.push({ index, start, end, piece, continuation, unknown });
  });
  return followSpans(marks, before, now);
}

/** The line under the sentence: what is aimed at, how it was read, or what to do. */
export function describeHint(
  store: Store,
  picture: Picture | null,
  aim: number | null,
  pinned: number | null,
): string {
  if (store.composing.value) return t('sentence.composing');
  if (store.text.value.trim() === '') return t('sentence.empty');
  if (!picture) return t('note.waiting');
  const act = byTouch() ? 'tap' : 'hint';
  const at = aim ?? pinned;
  if (at === null) {
    const head = headLabel({ layer: store.layer.value, head: store.head.value });
    return t(store.from.value ? `sentence.${act}.aim` : `sentence.${act}.aimTo`, { head });
  }
  const token = shortText(picture.tokens[at]!);
  const words = [describeReading(picture, at)];
  if (pinned === null) words.push(t(`sentence.${act}.lit`, { token }));
  else if (aim === null) words.unshift(t('sentence.hint.pinned', { token }));
  else if (aim === pinned) words.unshift(t(`sentence.${act}.again`, { token }));
  else {
    words.push(t(`sentence.${act}.instead`, { token, pinned: shortText(picture.tokens[pinned]!) }));
  }
  return words.filter(Boolean).join(' ');
}

/** How the model read the typed word, where that is not as it was typed. */
function describeReading({ tokens }: Picture, index: number): string {
  const { unknown, special, piece } = tokens[index]!;
  if (special) return '';
  if (unknown) {
    return t('sentence.token.unknown', { text: shortText(tokens[index]!), piece });
  }
  let first = index;
  while (first > 0 && tokens[first]!.continuation) first -= 1;
  let last = index;
  while (tokens[last + 1]?.continuation) last += 1;
  if (first === last) return '';
  const parts = tokens.slice(first, last + 1);
  // A Chinese word is read a character at a time; that is how it is written.
  if (parts.every((part) => /^\p{Script=Han}$/u.test(part.text))) return '';
  return t('sentence.token.pieces', {
    word: parts.map((part) => shortText(part)).join(''),
    count: parts.length,
    pieces: parts.map((part) => part.piece).join(' · '),
  });
}
