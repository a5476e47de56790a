/**
 * Weights -> pixels of a heat map, written straight into the picture's buffer: for the wall, where 72 maps are
 * repainted at every keystroke, and for matrix and strips. Pure; the caller owns the ImageData.
 *
 * Where a map has fewer samples than pixels, every pixel shows the sample under its centre (crisp edges). Where it
 * has more, a pixel stands for a block of samples: 'max' shows the largest (a thin diagonal stays visible; a
 * single strong weight looks as strong as a full block), 'mean' their average (mass stays right; thin lines fade).
 */

export type Reduce = 'max' | 'mean';

export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Samples {
  /** [rows*columns], row-major. */
  values: ArrayLike<number>;
  rows: number;
  columns: number;
}

/** Paints samples into `area` of a picture that is `stride` pixels wide. An empty map paints value 0. */
export function paintHeat(
  pixels: Uint32Array,
  stride: number,
  area: Area,
  samples: Samples,
  ramp: Uint32Array,
  reduce: Reduce = 'max',
): void {
  const { rows, columns } = samples;
  if (rows === 0 || columns === 0) {
    fillArea(pixels, stride, area, ramp[0]!);
    return;
  }
  const small =
    columns > area.width || rows > area.height
      ? downsample(samples, Math.min(rows, area.height), Math.min(columns, area.width), reduce)
      : samples;
  paintEnlarged(pixels, stride, area, small, ramp);
}

/** The smaller map that a picture of fewer pixels than samples shows. */
export function downsample(
  samples: Samples,
  rows: number,
  columns: number,
  reduce: Reduce,
): { values: Float32Array; rows: number; columns: number } {
  const out = new Float32Array(rows * columns);
  const { values } = samples;
  for (let y = 0, at = 0; y < rows; y++) {
    const y0 = Math.floor((y * samples.rows) / rows);
    const y1 = Math.max(y0 + 1, Math.floor(((y + 1) * samples.rows) / rows));
    for (let x = 0; x < columns; x++, at++) {
      const x0 = Math.floor((x * samples.columns) / columns);
      const x1 = Math.max(x0 + 1, Math.floor(((x + 1) * samples.columns) / columns));
      let largest = 0;
      let sum = 0;
      for (let row = y0; row < y1; row++) {
        const start = row * samples.columns;
        for (let i = start + x0; i < start + x1; i++) {
          const value = values[i]!;
          sum += value;
          if (value > largest) largest = value;
        }
      }
      out[at] = reduce === 'max' ? largest : sum / ((y1 - y0) * (x1 - x0));
    }
  }
  return { values: out, rows, columns };
}

/** Which sample each of `pixels` pixels shows; the sample under the pixel's centre. */
export function sampleOfPixel(pixels: number, samples: number): Int32Array {
  return Int32Array.from({ length: pixels }, (_, p) =>
    Math.min(samples - 1, Math.floor(((p + 0.5) * samples) / pixels)),
  );
}

export function fillArea(pixels: Uint32Array, stride: number, area: Area, color: number): void {
  for (let y = 0; y < area.height; y++) {
    const start = (area.y + y) * stride + area.x;
    pixels.fill(color, start, start + area.width);
  }
}

function paintEnlarged(
  pixels: Uint32Array,
  stride: number,
  area: Area,
  samples: Samples,
  ramp: Uint32Array,
): void {
  const { values, columns } = samples;
  const across = sampleOfPixel(area.width, columns);
  const down = sampleOfPixel(area.height, samples.rows);
  const top = ramp.length - 1;
  let shown = -1;
  let last = 0;
  for (let y = 0; y < area.height; y++) {
    const start = (area.y + y) * stride + area.x;
    if (down[y] === shown) {
      pixels.copyWithin(start, last, last + area.width);
    } else {
      shown = down[y]!;
      const row = shown * columns;
      for (let x = 0; x < area.width; x++) {
        pixels[start + x] = ramp[rampIndex(values[row + across[x]!]!, top)]!;
      }
    }
    last = start;
  }
}

/** Cut to 0..1; not a number paints as 0. */
function rampIndex(value: number, top: number): number {
  if (!(value > 0)) return 0;
  return value < 1 ? (value * top + 0.5) | 0 : top;
}
