/** Where the strips of a picture of h matrices lie. More heads than fit are cut in the middle by three dots. */

export interface Strips {
  readonly width: number;
  readonly at: readonly number[];
  /** Width of one strip. */
  readonly each: number;
  /** Centres of the dots; empty when every head is drawn. */
  readonly dots: readonly number[];
}

/** `slim`: width of a strip as a part of its height, kept as far as `widest` pixels allow. */
export function strips(
  heads: number,
  slim: number,
  gap: number,
  height: number,
  widest: number,
): Strips {
  if (gap === 0) return joined(heads, heads * slim * height, widest);
  const least = 2; // pixels: thinner strips cannot be told apart
  const most = Math.max(2, Math.floor(widest / (least + gap)));
  const all = heads <= most;
  const shown = all ? heads : 2 * Math.floor((widest - DOTS) / (least + gap) / 2);
  const room = all ? widest : widest - DOTS;
  const each = Math.max(least, Math.min(slim * height, (room - gap * (shown - 1)) / shown));
  const step = each + gap;
  const half = shown / 2;
  const at = Array.from({ length: shown }, (_, i) =>
    round(i * step + (all || i < half ? 0 : DOTS)),
  );
  const middle = half * step - gap / 2 + DOTS / 2;
  return {
    width: round(at.at(-1)! + each),
    at,
    each: round(each),
    dots: all ? [] : [-5, 0, 5].map((offset) => round(middle + offset)),
  };
}

/** One matrix to scale; its heads are told apart where each has more than three pixels. */
function joined(heads: number, wanted: number, widest: number): Strips {
  const width = Math.max(2, Math.min(wanted, widest));
  const shown = width / heads > 3 ? heads : 1;
  const each = width / shown;
  const at = Array.from({ length: shown }, (_, i) => round(i * each));
  return { width: round(width), at, each: round(each), dots: [] };
}

/** Pixels that the dots take. */
const DOTS = 24;

const round = (value: number) => Math.round(value * 100) / 100;
