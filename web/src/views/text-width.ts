/** Widths of texts in a font, measured on a canvas (no layout of the page) and remembered. */

const LONGEST_MEMORY = 5000;
const widths = new Map<string, number>();
let context: CanvasRenderingContext2D | null = null;

export function textWidth(text: string, font: string): number {
  const key = `${font}\n${text}`;
  let width = widths.get(key);
  if (width === undefined) {
    context ??= document.createElement('canvas').getContext('2d')!;
    context.font = font;
    width = context.measureText(text).width;
    if (widths.size > LONGEST_MEMORY) widths.clear();
    widths.set(key, width);
  }
  return width;
}
