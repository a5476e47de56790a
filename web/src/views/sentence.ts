/**
 * The text field. A real textarea takes the typing; a sheet over it, with the same type and the same
 * line breaks, draws the letters and marks each token under exactly the characters that it came from.
 * Marks are buttons: hover or focus aims, press pins, Escape releases. A click into the text puts the
 * cursor there and pins the word under it. Knows no tokenizer: it is given spans of the text.
 */

import { css, html, LitElement, nothing, type PropertyValues } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import { cssColor, type ScaleKind, type Theme, weightColor } from '../draw/color-scale.ts';
import { shortWeight } from '../draw/labels.ts';
import { LanguageController, t } from '../i18n/index.ts';
import { cssProperties } from './css-properties.ts';
import { say } from './page-events.ts';
import { controlStyles } from './page-styles.ts';
import { tell } from './stage-events.ts';
import { baseStyles } from './stage-styles.ts';

/** A token of the text, or a word made of several. */
export interface SentenceMark {
  /** Index of the token among those that are shown. */
  index: number;
  /** [start, end) in the text, in UTF-16 units. */
  start: number;
  end: number;
  /** As in the vocabulary. */
  piece: string;
  /** Not the first piece of its word. */
  continuation: boolean;
  unknown: boolean;
}

/** Widest text of each type size, a Han character counting as two letters. */
const SIZES = [
  ['xl', 64],
  ['l', 140],
  ['m', 420],
] as const;

/** Weights from here on colour the mark; it stays neutral below. */
const COLOURED = 0.08;

@customElement('hl-sentence')
export class Sentence extends LitElement {
  static override styles = [
    baseStyles,
    controlStyles,
    css`
      :host {
        --size: clamp(1.625rem, 1.1rem + 2vw, 2.5rem);
      }
      :host([size='l']) {
        --size: clamp(1.375rem, 1rem + 1.4vw, 1.875rem);
      }
      :host([size='m']) {
        --size: clamp(1.125rem, 1rem + 0.5vw, 1.3125rem);
      }
      :host([size='s']) {
        --size: 1rem;
      }
      .scroll {
        max-height: min(44vh, 30rem);
        overflow: auto;
        overscroll-behavior: auto;
        border: 1px solid var(--hl-edge);
        border-radius: var(--hl-radius);
        background: var(--hl-panel);
      }
      .scroll:focus-within {
        border-color: var(--hl-accent);
        box-shadow: 0 0 0 1px var(--hl-accent);
      }
      .paper {
        position: relative;
        display: grid;
      }
      textarea,
      .sheet {
        grid-area: 1 / 1;
        min-width: 0;
        width: 100%;
        margin: 0;
        border: 0;
        padding: 0.35em clamp(14px, 2vw, 24px) 0.5em;
        font-family: var(--hl-font);
        font-size: var(--size);
        font-weight: 500;
        font-style: normal;
        line-height: 1.72;
        letter-spacing: -0.005em;
        text-align: start;
        text-indent: 0;
        white-space: pre-wrap;
        overflow-wrap: anywhere;
        word-break: normal;
        tab-size: 4;
      }
      textarea {
        display: block;
        height: 100%;
        overflow: hidden;
        resize: none;
        outline: none;
        border-radius: 0;
        background: none;
        color: transparent;
        caret-color: var(--hl-accent);
        appearance: none;
      }
      textarea::selection {
        background: var(--hl-selection);
        color: transparent;
      }
      textarea::placeholder {
        color: var(--hl-dim);
        opacity: 1;
      }
      .sheet {
        position: relative;
        pointer-events: none;
        color: var(--hl-ink);
        unicode-bidi: plaintext;
        user-select: none;
      }
      :host([composing]) textarea {
        color: var(--hl-ink);
      }
      :host([composing]) .sheet {
        visibility: hidden;
      }
      .mark {
        position: relative;
        border-radius: 5px;
        outline-offset: 1px;
      }
      .lamp {
        background: var(--hl-accent);
        color: var(--hl-accent-ink);
        box-shadow: 0 0 0 0.03em var(--hl-accent);
      }
      .bar {
        position: absolute;
        inset: 84% 0 -0.5em;
        cursor: pointer;
        pointer-events: auto;
      }
      .bar::after {
        content: '';
        position: absolute;
        top: 0.15em;
        left: 0;
        right: 1px;
        height: 3px;
        border-radius: 2px;
        background: var(--bar, var(--hl-mark));
      }
      .continuation > .bar::after {
        left: 2px;
      }
      .lamp > .bar::after {
        visibility: hidden;
      }
      .bar:hover::after {
        visibility: visible;
        background: var(--hl-accent);
      }
      .unknown > .bar::after {
        height: 0;
        border-bottom: 3px dotted var(--hl-dim);
        border-radius: 0;
        background: none;
      }
      @media (forced-colors: active) {
        textarea {
          color: CanvasText;
        }
        .sheet {
          color: transparent;
        }
        .lamp {
          outline: 2px solid Highlight;
        }
        .bar::after {
          background: CanvasText;
          forced-color-adjust: none;
        }
      }
    `,
  ];

  @property() field: 'text' | 'pair' = 'text';
  @property() value = '';
  @property({ attribute: false }) marks: readonly SentenceMark[] = [];
  /** The token aimed at, and the weight of each shown token for it. */
  @property({ type: Number }) lamp: number | null = null;
  @property({ type: Number }) pinned: number | null = null;
  @property({ attribute: false }) weights: ArrayLike<number> | null = null;
  @property() theme: Theme = 'light';
  @property() scale: ScaleKind = 'linear';
  @property() label = '';
  @query('textarea') private area!: HTMLTextAreaElement;
  @query('.sheet') private sheet!: HTMLElement;
  private composing = false;
  private hovered: number | null = null;
  private cursor = 0;
  /** What was pinned before the first click of a double-click, which selects and so changes no pin. */
  private pinnedBefore: number | null = null;

  constructor() {
    super();
    new LanguageController(this);
  }

  /** Puts the caret at the end of the text. */
  override focus(): void {
    this.area?.focus();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('value')) this.setAttribute('size', sizeOf(this.value));
    if (this.cursor >= this.marks.length) this.cursor = 0;
  }

  protected override render() {
    return html`<div class="scroll">
      <div
        class="paper"
        @pointermove=${this.onPointer}
        @pointerleave=${this.onLeave}
        @click=${this.onClick}
      >
        <textarea
          rows="1"
          dir="auto"
          spellcheck="false"
          autocomplete="off"
          aria-label=${this.label}
          placeholder=${t('sentence.placeholder')}
          @input=${this.onInput}
          @compositionstart=${this.onComposeStart}
          @compositionend=${this.onComposeEnd}
          @blur=${this.onBlur}
        ></textarea>
        <div
          class="sheet"
          dir="auto"
          role="group"
          aria-label=${t('sentence.tokens')}
          @keydown=${this.onKey}
        >${this.renderText()}</div>
      </div>
    </div>`;
  }

  protected override updated(): void {
    // Typed text comes back as it is: the field is written only when somebody else changed it.
    if (!this.composing && this.area.value !== this.value) this.area.value = this.value;
  }

  /** Every mark brings the text before it along, so that an edit changes text and moves no elements. */
  private renderText() {
    let at = 0;
    const marked = this.marks.map((mark, order) => {
      if (mark.start < at || mark.end > this.value.length) return nothing;
      const before = this.value.slice(at, mark.start);
      at = mark.end;
      return this.renderMark(mark, order, before);
    });
    // A last line break takes no room without something after it.
    const end = this.value.endsWith('\n') ? '\u200b' : '';
    return html`${marked}${this.value.slice(at)}${end}`;
  }

  private renderMark(mark: SentenceMark, order: number, before: string) {
    const { index, start, end, piece, continuation, unknown } = mark;
    const text = this.value.slice(start, end);
    const lamp = index === this.lamp;
    const weight = this.weights?.[index] ?? null;
    const bar =
      weight !== null && weight >= COLOURED
        ? cssColor(weightColor(weight, this.theme, this.scale))
        : null;
    const names = ['mark', continuation && 'continuation', unknown && 'unknown', lamp && 'lamp'];
    return html`${before}<span
      class=${names.filter(Boolean).join(' ')}
      role="button"
      tabindex=${order === this.cursor ? 0 : -1}
      data-order=${order}
      aria-pressed=${index === this.pinned}
      aria-label=${describe(text, piece, unknown, lamp ? null : weight)}
      ${cssProperties({ '--bar': bar })}
      @focus=${() => this.aim(order)}
      @blur=${() => tell(this, 'hl-query', { index: null, pinned: false })}
    >${text}<i class="bar" title=${describe(text, piece, unknown, null)}></i></span>`;
  }

  private aim(order: number): void {
    this.cursor = order;
    tell(this, 'hl-query', { index: this.marks[order]?.index ?? null, pinned: false });
    this.requestUpdate();
  }

  private press(index: number): void {
    tell(this, 'hl-query', { index: index === this.pinned ? null : index, pinned: true });
  }

  private onInput(event: Event): void {
    const text = this.area.value;
    say(this, 'hl-text', { field: this.field, text, timeStamp: event.timeStamp });
  }

  private onComposeStart(): void {
    this.composing = true;
    this.toggleAttribute('composing', true);
    say(this, 'hl-compose', { composing: true });
  }

  private onComposeEnd(event: Event): void {
    if (!this.composing) return;
    this.composing = false;
    this.toggleAttribute('composing', false);
    // Some browsers send the last input before this event and some after it.
    this.onInput(event);
    say(this, 'hl-compose', { composing: false });
  }

  private onBlur(event: Event): void {
    this.onComposeEnd(event);
  }

  /** The pointer over letters aims too, although the textarea has the pointer. */
  private onPointer(event: PointerEvent): void {
    if (event.pointerType === 'touch' || event.buttons !== 0) return;
    const found = this.tokenAt(event.clientX, event.clientY);
    if (found === this.hovered) return;
    this.hovered = found;
    tell(this, 'hl-query', { index: found, pinned: false });
  }

  /** A click or tap pins the word under it, or releases the pinned one. Selecting text pins nothing. */
  private onClick(event: MouseEvent): void {
    const mark = (event.target as Element).closest<HTMLElement>('.mark');
    const index = mark ? this.indexOf(mark) : this.tokenAt(event.clientX, event.clientY);
    if (event.detail > 1) {
      if (this.pinned !== this.pinnedBefore) {
        tell(this, 'hl-query', { index: this.pinnedBefore, pinned: true });
      }
      return;
    }
    this.pinnedBefore = this.pinned;
    const { selectionStart, selectionEnd } = this.area;
    if (!mark && selectionStart !== selectionEnd) return;
    if (index !== null) this.press(index);
  }

  private onLeave(): void {
    if (this.hovered === null) return;
    this.hovered = null;
    tell(this, 'hl-query', { index: null, pinned: false });
  }

  private tokenAt(x: number, y: number): number | null {
    for (const element of this.sheet.querySelectorAll<HTMLElement>('.mark')) {
      const below = parseFloat(getComputedStyle(element).fontSize) * 0.42;
      for (const rect of element.getClientRects()) {
        const inside = x >= rect.left && x < rect.right && y >= rect.top && y < rect.bottom + below;
        if (inside) return this.indexOf(element);
      }
    }
    return null;
  }

  private indexOf(mark: HTMLElement): number | null {
    return this.marks[Number(mark.dataset.order)]?.index ?? null;
  }

  private onKey(event: KeyboardEvent): void {
    const last = this.marks.length - 1;
    const forward = getComputedStyle(this.sheet).direction === 'rtl' ? -1 : 1;
    const moves: Record<string, number> = {
      ArrowRight: this.cursor + forward,
      ArrowLeft: this.cursor - forward,
      ArrowDown: this.cursor + 1,
      ArrowUp: this.cursor - 1,
      Home: 0,
      End: last,
    };
    const next = moves[event.key];
    if (next !== undefined) {
      event.preventDefault();
      const order = Math.min(last, Math.max(0, next));
      this.sheet.querySelector<HTMLElement>(`[data-order='${order}']`)?.focus();
    } else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      const mark = this.marks[this.cursor];
      if (mark) this.press(mark.index);
    } else if (event.key === 'Escape') {
      tell(this, 'hl-query', { index: null, pinned: true });
    }
  }
}

/** What a screen reader hears, and a tooltip shows, of a token. */
function describe(text: string, piece: string, unknown: boolean, weight: number | null): string {
  const short = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  const key = unknown
    ? 'sentence.token.unknown'
    : piece === text
      ? 'sentence.token'
      : 'sentence.token.piece';
  const name = t(key, { text: short, piece });
  return weight === null ? name : `${name}, ${shortWeight(weight)}`;
}

function sizeOf(text: string): string {
  let width = text.length;
  if (width <= SIZES.at(-1)![1]) {
    for (const _ of text.matchAll(/[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/g)) {
      width += 1;
    }
  }
  return SIZES.find(([, most]) => width <= most)?.[0] ?? 's';
}

declare global {
  interface HTMLElementTagNameMap {
    'hl-sentence': Sentence;
  }
}
