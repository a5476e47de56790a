/** One growth chart as SVG: lines with their names at them, the page's own length as a mark across. */

import { css, html, LitElement, svg } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { layOut } from '../calculator/chart-layout.ts';
import type { Growth } from '../calculator/growth.ts';
import { shorten } from '../calculator/units.ts';
import { LanguageController, t } from '../i18n/index.ts';
import { inFull, write } from './calculator-numbers.ts';
import { baseStyles } from './stage-styles.ts';

const HEIGHT = 320;

@customElement('hl-calculator-chart')
export class CalculatorChart extends LitElement {
  static override styles = [
    baseStyles,
    css`
      svg {
        display: block;
        width: 100%;
        height: 320px;
        overflow: visible;
        font-size: 13px;
        font-variant-numeric: tabular-nums;
      }
      .grid {
        stroke: var(--hl-rule);
      }
      .tick {
        fill: var(--hl-dim);
      }
      .here {
        stroke: var(--hl-edge);
        stroke-dasharray: 2 3;
      }
      .at {
        fill: var(--hl-ink);
        font-weight: 600;
      }
      .line {
        fill: none;
        stroke: var(--line);
        stroke-width: 2.25;
        stroke-linejoin: round;
      }
      .name,
      .dot {
        fill: var(--line);
      }
      .name {
        font-weight: 500;
      }
      g {
        --line: var(--hl-dim);
      }
      .scores,
      .matrix,
      .flash {
        --line: var(--hl-accent);
      }
      .projections,
      .cache {
        --line: var(--hl-second);
      }
      .flash .line {
        stroke-dasharray: 7 4;
      }
      .weights .line,
      .feed .line {
        stroke-dasharray: 2 4;
        stroke-linecap: round;
      }
    `,
  ];

  @property({ attribute: false }) growth!: Growth;
  @property() label = '';
  @state() private width = 480;

  private readonly watch = new ResizeObserver(([entry]) => {
    const width = Math.round(entry!.contentRect.width);
    if (width > 0) this.width = width;
  });

  constructor() {
    super();
    new LanguageController(this);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.watch.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.watch.disconnect();
  }

  protected override render() {
    const { growth, width } = this;
    const box = { width, height: HEIGHT, left: 62, right: 108, top: 26, bottom: 26 };
    const { x, y, here, lines } = layOut(growth, box);
    const bottom = HEIGHT - box.bottom;
    const right = width - box.right;
    const anchor = here < box.left + 30 ? 'start' : here > right - 30 ? 'end' : 'middle';
    return html`<svg role="img" aria-label=${this.description()} viewBox="0 0 ${width} ${HEIGHT}">
      ${y.map(
        ({ at, value }) =>
          svg`<line class="grid" x1=${box.left} x2=${right} y1=${at} y2=${at}></line>
            <text class="tick" x=${box.left - 8} y=${at + 4} text-anchor="end">${short(value, growth)}</text>`,
      )}
      ${x.map(
        ({ at, value }) =>
          svg`<text class="tick" x=${at} y=${bottom + 19} text-anchor="middle">${power(value)}</text>`,
      )}
      <line class="here" x1=${here} x2=${here} y1=${box.top - 8} y2=${bottom}></line>
      <text class="at" x=${here} y=${box.top - 13} text-anchor=${anchor}>
        ${t('calculator.growth.slider.value', { n: Number(growth.here.n) })}
      </text>
      ${lines.map(
        ({ id, path, dot }) => svg`<g class=${id}>
          <path class="line" d=${path}></path>
          <circle class="dot" cx=${here} cy=${dot} r="4.5"></circle>
        </g>`,
      )}
      ${lines.map(
        ({ id, label }) => svg`<g class=${id}>
          <text class="name" x=${right + 10} y=${label}>${t(`calculator.line.${id}`)}</text>
        </g>`,
      )}
    </svg>`;
  }

  private description(): string {
    const { lengths, lines, here, unit } = this.growth;
    const list = lines.map(({ id }, i) =>
      t('calculator.growth.item', {
        name: t(`calculator.line.${id}`),
        value: write(here.values[i]!, unit),
      }),
    );
    return t('calculator.growth.chart', {
      title: this.label,
      from: inFull(lengths[0]!),
      to: inFull(lengths.at(-1)!),
      n: inFull(here.n),
      list: list.join(', '),
    });
  }
}

function short(value: bigint, { unit }: Growth): string {
  const { digits, unit: sign } = shorten(value, unit);
  return sign ? `${digits} ${sign.replace('FLOP', '')}`.trim() : digits;
}

/** Lengths are powers of two: 16, 1K, 1M with K = 1024. */
function power(value: bigint): string {
  for (const [size, sign] of [
    [2n ** 20n, 'M'],
    [2n ** 10n, 'K'],
  ] as const)
    if (value >= size) return `${value / size}${sign}`;
  return String(value);
}

declare global {
  interface HTMLElementTagNameMap {
    'hl-calculator-chart': CalculatorChart;
  }
}
