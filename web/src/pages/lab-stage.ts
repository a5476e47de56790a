/**
 * The explorer's own views over the heads of the lab: beams, matrix, two columns, one token in all heads. Where rows
 * and columns have names of their own (cross-attention), all of them stand in one line: first who looks, then who is
 * looked at. Which view and which token is this element's own affair.
 */

import { html, LitElement, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { ScaleKind, Theme } from '../draw/color-scale.ts';
import type { Direction, HeadChoice, Picture, ShownToken } from '../draw/picture.ts';
import { t } from '../i18n/index.ts';
import type { StageEvents, StageView } from '../views/stage-events.ts';
import type { LabResult } from './lab-work.ts';
import '../views/stage.ts';

/** Names in one line; beyond, the table with its window is the only view. */
const MOST_TOKENS = 256;

interface Labels {
  queries: readonly string[];
  keys: readonly string[];
}

/** The page makes the lists anew at every drawing; only other names are a change. */
function differ(next: Labels, before: Labels | undefined): boolean {
  return JSON.stringify(next) !== JSON.stringify(before);
}

@customElement('hl-lab-stage')
export class LabStage extends LitElement {
  @property({ attribute: false }) result: LabResult | null = null;
  @property({ attribute: false, hasChanged: differ }) labels: Labels = { queries: [], keys: [] };
  @property({ type: Number }) head = 0;
  @property() theme: Theme = 'light';

  @state() private view: StageView = 'beams';
  @state() private direction: Direction = 'from';
  @state() private scale: ScaleKind = 'linear';
  @state() private aim: number | null = null;
  @state() private pinned: number | null = null;
  private picture: Picture | null = null;

  /** The page's style sheet is this element's. */
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  constructor() {
    super();
    const on = <Name extends keyof StageEvents>(
      name: Name,
      handle: (detail: StageEvents[Name]) => void,
    ) =>
      this.addEventListener(name, (event) => {
        event.stopPropagation();
        handle((event as CustomEvent<StageEvents[Name]>).detail);
      });
    on('hl-view', ({ view }) => {
      this.view = view;
    });
    on('hl-direction', ({ direction }) => {
      this.direction = direction;
    });
    on('hl-scale', ({ scale }) => {
      this.scale = scale;
    });
    on('hl-query', ({ index, pinned }) => {
      if (pinned) this.pinned = index;
      else this.aim = index;
    });
    on('hl-head-select', ({ head }) => {
      const event = new CustomEvent('hl-inside-head', { detail: { head }, bubbles: true });
      if (head !== 'mean') this.dispatchEvent(event);
    });
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has('result') && !changed.has('labels')) return;
    this.picture = this.result && pictureOf(this.result, this.labels);
    const count = this.picture?.tokens.length ?? 0;
    if (this.pinned !== null && this.pinned >= count) this.pinned = null;
    this.aim = null;
  }

  protected override render() {
    const { picture } = this;
    if (!picture) return nothing;
    return html`<h2>${t('lab.views')}</h2>
      ${this.result && isCross(this.result, this.labels) ? html`<p class="note">${t('lab.views.cross')}</p>` : nothing}
      <hl-stage
        .picture=${picture}
        .choices=${[{ layer: 0, head: this.head }]}
        .query=${this.aim}
        .pinned=${this.pinned}
        .direction=${this.direction}
        .view=${this.view}
        .theme=${this.theme}
        .scale=${this.scale}
      ></hl-stage>`;
  }
}

function isCross({ queryLength, keyLength }: LabResult, { queries, keys }: Labels): boolean {
  return queryLength !== keyLength || queries.some((name, index) => name !== keys[index]);
}

/** null where not every head has been computed, or where there are too many names. */
export function pictureOf(result: LabResult, labels: Labels): Picture | null {
  const { queryLength, keyLength, heads, weights } = result;
  const cross = isCross(result, labels);
  const names = cross ? [...labels.queries, ...labels.keys] : labels.queries;
  const n = names.length;
  if (n === 0 || n > MOST_TOKENS || weights.size < heads) return null;
  const wide = new Map<number, Float32Array>();
  const square = (head: number): Float32Array => {
    const own = weights.get(head)!;
    if (!cross) return own;
    let known = wide.get(head);
    if (!known) {
      known = new Float32Array(n * n);
      for (let row = 0; row < queryLength; row++)
        known.set(own.subarray(row * keyLength, (row + 1) * keyLength), row * n + queryLength);
      wide.set(head, known);
    }
    return known;
  };
  return {
    layers: 1,
    heads,
    layersReady: 1,
    tokens: names.map((name, index) => tokenOf(name, index, cross && index >= queryLength ? 1 : 0)),
    weights: ({ head }: HeadChoice) => square(head === 'mean' ? 0 : head),
    removed: () => null,
    reach: null,
    hidden: () => [],
  };
}

function tokenOf(text: string, index: number, segment: 0 | 1): ShownToken {
  return {
    text,
    piece: text,
    special: false,
    continuation: false,
    unknown: false,
    start: null,
    end: null,
    segment,
    sources: [index],
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'hl-lab-stage': LabStage;
  }
}
