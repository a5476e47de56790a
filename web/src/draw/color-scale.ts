/**
 * The one colour scale of wall, matrix, columns and strips: weight 0 is --hl-faint, weight 1 is --hl-accent, and
 * between them lightness changes evenly (OKLab, B. Ottosson 2020), so that it reads the same in grey and with
 * any kind of colour blindness; tests hold this. Light and dark have a scale each.
 * 'linear' maps a weight as it is. 'sqrt' maps its square root, which lifts faint weights; wherever it is used
 * the scale on screen says so with numbers.
 */

export type Theme = 'light' | 'dark';
export type ScaleKind = 'linear' | 'sqrt';
export type Rgb = readonly [red: number, green: number, blue: number];

/** Lightness, chroma and hue (degrees) of OKLab; from weight 0 to weight 1. */
type Lch = readonly [lightness: number, chroma: number, hue: number];

const PATHS: Readonly<Record<Theme, readonly Lch[]>> = {
  dark: [
    [0.252, 0.012, 260],
    [0.38, 0.05, 62],
    [0.62, 0.118, 68],
    [0.88, 0.135, 84],
  ],
  light: [
    [0.945, 0.012, 84],
    [0.86, 0.08, 82],
    [0.7, 0.14, 68],
    [0.5, 0.122, 55],
  ],
};

/** Outline of a head that has not arrived: grey, so that it is no weight. */
export const WAITING: Readonly<Record<Theme, Rgb>> = { light: [205, 203, 198], dark: [62, 67, 76] };

/** Colours of a scale; index round(255 * position). */
export const STEPS = 256;

/** Entries of a pixel ramp: more than colours, so that faint weights keep apart on the square-root scale. */
export const RAMP_ENTRIES = 1024;

const FINE = 1024;
const ramps = new Map<Theme, readonly Rgb[]>();
const packed = new Map<string, Uint32Array>();

/** Where on the scale (0..1) a weight stands. Not a number is 0; outside 0..1 is cut. */
export function scalePosition(weight: number, kind: ScaleKind): number {
  if (!(weight > 0)) return 0;
  const cut = Math.min(weight, 1);
  return kind === 'sqrt' ? Math.sqrt(cut) : cut;
}

/** The colour of a weight. */
export function weightColor(weight: number, theme: Theme, kind: ScaleKind = 'linear'): Rgb {
  return colorRamp(theme)[Math.round(scalePosition(weight, kind) * (STEPS - 1))]!;
}

export function cssColor([red, green, blue]: Rgb): string {
  return `rgb(${red} ${green} ${blue})`;
}

/** The 256 colours of a theme, from weight 0 to 1 on the linear scale. */
export function colorRamp(theme: Theme): readonly Rgb[] {
  let ramp = ramps.get(theme);
  if (!ramp) {
    ramp = evenRamp(PATHS[theme]);
    ramps.set(theme, ramp);
  }
  return ramp;
}

/**
 * The colours as pixels for a Uint32Array over ImageData (little-endian, as every machine that runs
 * WebAssembly is), indexed by floor(weight * 1023 + 0.5).
 */
export function pixelRamp(theme: Theme, kind: ScaleKind = 'linear'): Uint32Array {
  const key = `${theme}.${kind}`;
  let pixels = packed.get(key);
  if (!pixels) {
    const ramp = colorRamp(theme);
    pixels = Uint32Array.from({ length: RAMP_ENTRIES }, (_, i) => {
      const position = scalePosition(i / (RAMP_ENTRIES - 1), kind);
      return pixelOf(ramp[Math.round(position * (STEPS - 1))]!);
    });
    packed.set(key, pixels);
  }
  return pixels;
}

export function pixelOf([red, green, blue]: Rgb): number {
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

/** WCAG 2 contrast of two colours, 1..21. */
export function contrast(a: Rgb, b: Rgb): number {
  const [la, lb] = [luminance(a), luminance(b)];
  return (Math.max(la, lb) + 0.05) / (Math.min(la, lb) + 0.05);
}

/** Black or white, whichever reads better on a colour: at least 4.5:1 on every colour there is. */
export function inkOn(background: Rgb): Rgb {
  const dark: Rgb = [0, 0, 0];
  const light: Rgb = [255, 255, 255];
  return contrast(background, dark) >= contrast(background, light) ? dark : light;
}

export function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * toLinear(red) + 0.7152 * toLinear(green) + 0.0722 * toLinear(blue);
}

/** OKLab coordinates of a colour. */
export function oklab(color: Rgb): [lightness: number, a: number, b: number] {
  const red = toLinear(color[0]);
  const green = toLinear(color[1]);
  const blue = toLinear(color[2]);
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** Walks the path so that lightness grows by the same amount at every step. */
function evenRamp(path: readonly Lch[]): readonly Rgb[] {
  const from = path[0]![0];
  const to = path.at(-1)![0];
  const fine = Array.from({ length: FINE + 1 }, (_, i) => alongPath(path, i / FINE));
  let at = 0;
  return Array.from({ length: STEPS }, (_, i) => {
    const wanted = from + ((to - from) * i) / (STEPS - 1);
    while (at < FINE && (fine[at]![0] - wanted) * Math.sign(to - from) < -1e-9) at++;
    const [, chroma, hue] = fine[at]!;
    return toRgb([wanted, chroma, hue]);
  });
}

/** Straight between the path's points in OKLab's a and b, so that hues need no turning. */
function alongPath(path: readonly Lch[], position: number): Lch {
  const scaled = position * (path.length - 1);
  const index = Math.min(path.length - 2, Math.floor(scaled));
  const part = scaled - index;
  const [l0, a0, b0] = cartesian(path[index]!);
  const [l1, a1, b1] = cartesian(path[index + 1]!);
  const a = a0 + (a1 - a0) * part;
  const b = b0 + (b1 - b0) * part;
  return [l0 + (l1 - l0) * part, Math.hypot(a, b), (Math.atan2(b, a) * 180) / Math.PI];
}

function cartesian([lightness, chroma, hue]: Lch): [number, number, number] {
  const angle = (hue * Math.PI) / 180;
  return [lightness, chroma * Math.cos(angle), chroma * Math.sin(angle)];
}

function toRgb(lch: Lch): Rgb {
  const [lightness, a, b] = cartesian(lch);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    toByte(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    toByte(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    toByte(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

function toLinear(byte: number): number {
  const v = byte / 255;
  return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
}

function toByte(linear: number): number {
  const cut = Math.min(1, Math.max(0, linear));
  const v = cut <= 0.0031308 ? cut * 12.92 : 1.055 * cut ** (1 / 2.4) - 0.055;
  return Math.round(v * 255);
}
