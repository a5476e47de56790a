/** Geometry of a growth chart: where axes, lines and their names lie in a box of pixels. */

import type { Growth, LineId } from './growth.ts';

export interface Box {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export interface Tick {
  readonly at: number;
  readonly value: bigint;
}

export interface ChartLine {
  readonly id: LineId;
  /** A path of straight pieces. */
  readonly path: string;
  /** Foot of the name, right of the line's end. */
  readonly label: number;
  /** The dot at the page's own length. */
  readonly dot: number;
}

export interface ChartLayout {
  readonly x: readonly Tick[];
  readonly y: readonly Tick[];
  /** Across, the page's own length. */
  readonly here: number;
  readonly lines: readonly ChartLine[];
}

/** Names of lines are at least this far apart. */
const LABEL_GAP = 17;

export function layOut({ unit, lengths, lines, here }: Growth, box: Box): ChartLayout {
  const step = unit === 'bytes' ? 2 ** 10 : 1000;
  const logs = lines.flatMap(({ values }) => values.map(log));
  const floor = Math.floor(Math.min(...logs) / Math.log2(step));
  const ceiling = Math.max(floor + 1, Math.ceil(Math.max(...logs) / Math.log2(step)));
  const x = scale(log(lengths[0]!), log(lengths.at(-1)!), box.left, box.width - box.right);
  const y = scale(
    floor * Math.log2(step),
    ceiling * Math.log2(step),
    box.height - box.bottom,
    box.top,
  );
  // At 390 pixels there is room for five numbers across and eight up.
  const every = Math.max(2, 2 * Math.ceil(lengths.length / (box.width / 35)));
  const up = Math.max(1, Math.ceil((ceiling - floor) / 8));
  const labels = apart(lines.map(({ values }) => y(log(values.at(-1)!)) + 4));
  return {
    x: lengths.filter((_, i) => i % every === 0).map((value) => ({ at: x(log(value)), value })),
    y: Array.from({ length: Math.floor((ceiling - floor) / up) + 1 }, (_, i) => {
      const power = floor + i * up;
      return { at: y(power * Math.log2(step)), value: BigInt(step) ** BigInt(Math.max(0, power)) };
    }),
    here: x(log(here.n)),
    lines: lines.map(({ id, values }, i) => ({
      id,
      path: values
        .map(
          (value, j) =>
            `${j === 0 ? 'M' : 'L'}${round(x(log(lengths[j]!)))} ${round(y(log(value)))}`,
        )
        .join(''),
      label: round(labels[i]!),
      dot: round(y(log(here.values[i]!))),
    })),
  };
}

/** log2 of a positive whole number of any size. */
export function log(value: bigint): number {
  const bits = value.toString(2).length;
  const drop = Math.max(0, bits - 53);
  return Math.log2(Number(value >> BigInt(drop))) + drop;
}

function scale(low: number, high: number, from: number, to: number): (value: number) => number {
  const span = high - low || 1;
  return (value) => from + ((value - low) / span) * (to - from);
}

/** Moves names that would cover each other apart, each pair by half of what is missing. */
export function apart(wished: readonly number[]): number[] {
  const placed = [...wished];
  const order = wished.map((_, i) => i).sort((a, b) => wished[a]! - wished[b]!);
  for (let turn = 0; turn < 100; turn++)
    for (let place = 1; place < order.length; place++) {
      const [above, below] = [order[place - 1]!, order[place]!];
      const missing = LABEL_GAP - (placed[below]! - placed[above]!);
      if (missing <= 0) continue;
      placed[above]! -= missing / 2;
      placed[below]! += missing / 2;
    }
  return placed;
}

const round = (value: number) => Math.round(value * 10) / 10;
