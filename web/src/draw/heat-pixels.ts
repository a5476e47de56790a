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

/** No text has more samples in a row. */
const LONGEST = 1 << 20;
const MOST_MAPS = 64;
const maps = new Map<number, Int32Array>();

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

/** The smaller map that a picture of fewer pixels than samples shows; `rows`, `columns` at most the map's own. */
export function downsample(
  samples: Samples,
  rows: number,
  columns: number,
  reduce: Reduce,
): { values: Float32Array; rows: number; columns: number } {
  const out = new Float32Array(rows * columns);
  const values =
    samples.values instanceof Float32Array ? samples.values : Float32Array.from(samples.values);
  const edges = blockEdges(columns, samples.columns);
  for (let y = 0; y < rows; y++) {
    const y0 = Math.floor((y * samples.rows) / rows);
    const y1 = Math.max(y0 + 1, Math.floor(((y + 1) * samples.rows) / rows));
    for (let row = y0; row < y1; row++) {
      const start = row * samples.columns;
      if (reduce === 'max') maxInto(out, y * columns, values, start, edges);
      else addInto(out, y * columns, values, start, edges, y1 - y0);
    }
  }
  return { values: out, rows, columns };
}

/** First sample of each block, and the end of the last. */
function blockEdges(blocks: number, samples: number): Int32Array {
  const edges = new Int32Array(blocks + 1);
  for (let block = 0; block <= blocks; block++) {
    edges[block] = Math.floor((block * samples) / blocks);
  }
  return edges;
}

function maxInto(
  out: Float32Array,
  at: number,
  values: Float32Array,
  start: number,
  edges: Int32Array,
): void {
  for (let block = 0; block + 1 < edges.length; block++) {
    let largest = out[at + block]!;
    const end = start + edges[block + 1]!;
    for (let i = start + edges[block]!; i < end; i++) {
      const value = values[i]!;
      if (value > largest) largest = value;
    }
    out[at + block] = largest;
  }
}

function addInto(
  out: Float32Array,
  at: number,
  values: Float32Array,
  start: number,
  edges: Int32Array,
  rows: number,
): void {
  for (let block = 0; block + 1 < edges.length; block++) {
    const from = edges[block]!;
    const to = edges[block + 1]!;
    let sum = 0;
    for (let i = start + from; i < start + to; i++) sum += values[i]!;
    out[at + block]! += sum / (rows * (to - from));
  }
}

/** Which sample each of `pixels` pixels shows: the one under the pixel's centre. Remembered; do not write. */
export function sampleOfPixel(pixels: number, samples: number): Int32Array {
  const key = pixels * LONGEST + samples;
  let map = maps.get(key);
  if (!map) {
    map = new Int32Array(pixels);
    for (let p = 0; p < pixels; p++) {
      map[p] = Math.min(samples - 1, Math.floor(((p + 0.5) * samples) / pixels));
    }
    if (maps.size >= MOST_MAPS) maps.clear();
    maps.set(key, map);
  }
  return map;
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
  const { width } = area;
  let shown = -1;
  for (let y = 0; y < area.height; y++) {
    const start = (area.y + y) * stride + area.x;
    if (down[y] === shown) {
      // The same samples as the line above.
      for (let x = start; x < start + width; x++) pixels[x] = pixels[x - stride]!;
      continue;
    }
    shown = down[y]!;
    const row = shown * columns;
    let sample = -1;
    let color = 0;
    for (let x = 0; x < width; x++) {
      if (across[x] !== sample) {
        sample = across[x]!;
        color = ramp[rampIndex(values[row + sample]!, top)]!;
      }
      pixels[start + x] = color;
    }
  }
}

/** Cut to 0..1; not a number paints as 0. */
function rampIndex(value: number, top: number): number {
  if (!(value > 0)) return 0;
  return value < 1 ? (value * top + 0.5) | 0 : top;
}
