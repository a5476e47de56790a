/**
 * The three demonstrations of multi-head attention that tutorials show with random weights: their words, and how
 * their weights are drawn from NumPy's legacy stream. Nothing is stored but the words' vectors; the engine draws
 * and computes the rest.
 */
import type { Engine, MultiHeadInput } from 'headlights';

export type DemoId = 'heads' | 'fusion' | 'batched';

/** In which order the tutorials draw W_Q, W_K and W_V from the stream; W_O follows. */
export type DrawOrder =
  | 'head-by-head' // W_Q, W_K, W_V of the first head, then of the next
  | 'kind-by-kind' // W_Q of every head, then W_K, then W_V
  | 'whole'; // W_Q, W_K, W_V as matrices d × d whose columns the heads share

export interface DemoSettings {
  seed: number;
  /** Factor of every Gaussian number. */
  scale: number;
  width: number;
  heads: number;
  tokens: readonly string[];
}

export interface Demo {
  id: DemoId;
  order: DrawOrder;
  settings: DemoSettings;
  /** [tokens * width] at the tutorial's own tokens and width; null = drawn like any other. */
  words: readonly number[] | null;
}

// biome-ignore format: a row a word
const WORDS_OF_HEADS = [
  0.8, 0.1, 0.3, 0.2, 0.5, 0.1, 0.0, 0.4,
  0.1, 0.9, 0.2, 0.1, 0.3, 0.6, 0.2, 0.1,
  0.3, 0.2, 0.8, 0.4, 0.1, 0.2, 0.5, 0.3,
  0.1, 0.1, 0.3, 0.9, 0.2, 0.1, 0.4, 0.6,
  0.2, 0.3, 0.1, 0.2, 0.7, 0.3, 0.1, 0.5,
];

// biome-ignore format: a row a word
const WORDS_OF_FUSION = [
  0.9, 0.1, 0.2, 0.1, 0.3, 0.1,
  0.2, 0.8, 0.3, 0.1, 0.5, 0.2,
  0.1, 0.2, 0.9, 0.1, 0.1, 0.3,
];

/** Of the words where the tutorial gives none: numpy.random.RandomState(7).randn(n, d), not scaled. */
export const WORDS_SEED = 7;

export const DEMOS: Record<DemoId, Demo> = {
  heads: {
    id: 'heads',
    order: 'head-by-head',
    settings: {
      seed: 42,
      scale: 0.1,
      width: 8,
      heads: 2,
      tokens: ['我', '爱', '自然', '语言', '处理'],
    },
    words: WORDS_OF_HEADS,
  },
  fusion: {
    id: 'fusion',
    order: 'kind-by-kind',
    settings: { seed: 123, scale: 0.3, width: 6, heads: 2, tokens: ['猫', '追', '老鼠'] },
    words: WORDS_OF_FUSION,
  },
  batched: {
    id: 'batched',
    order: 'whole',
    settings: {
      seed: 42,
      scale: 0.1,
      width: 64,
      heads: 8,
      tokens: numbered(32),
    },
    words: null,
  },
};

/** Tokens without words: '1', '2', … */
export function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, index) => String(index + 1));
}

/** Whether the vectors of the words are the tutorial's own. */
export function hasOwnWords({ words, settings }: Demo, chosen: DemoSettings): boolean {
  return (
    words !== null &&
    chosen.width === settings.width &&
    chosen.tokens.length === settings.tokens.length
  );
}

/** Draws the demo's matrices. `width` must be a multiple of `heads`; the engine says what else is wrong. */
export async function drawDemo(
  engine: Pick<Engine, 'gaussians'>,
  demo: Demo,
  settings: DemoSettings = demo.settings,
): Promise<MultiHeadInput> {
  const { seed, scale, width, heads, tokens } = settings;
  const headSize = width / heads;
  const square = width * width;
  const drawn = await engine.gaussians(seed, 4 * square);
  const numbers = drawn.map((number) => number * scale);
  const kinds = [0, 1, 2].map((kind) =>
    demo.order === 'whole'
      ? Float32Array.from(numbers.subarray(kind * square, (kind + 1) * square))
      : sideBySide(numbers, width, heads, (head) =>
          demo.order === 'head-by-head' ? 3 * head + kind : kind * heads + head,
        ),
  ) as [Float32Array, Float32Array, Float32Array];
  const [wQ, wK, wV] = kinds;
  return {
    x: await wordsOf(engine, demo, settings),
    wQ,
    wK,
    wV,
    wO: Float32Array.from(numbers.subarray(3 * square)),
    width,
    heads,
    headSize,
    queryLength: tokens.length,
  };
}

/** [width, heads * headSize] from blocks [width, headSize]; `block` says which block of the stream is a head's. */
function sideBySide(
  numbers: Float64Array,
  width: number,
  heads: number,
  block: (head: number) => number,
): Float32Array {
  const headSize = width / heads;
  const result = new Float32Array(width * width);
  for (let head = 0; head < heads; head++)
    for (let row = 0; row < width; row++) {
      const from = (block(head) * width + row) * headSize;
      result.set(numbers.subarray(from, from + headSize), row * width + head * headSize);
    }
  return result;
}

async function wordsOf(
  engine: Pick<Engine, 'gaussians'>,
  demo: Demo,
  settings: DemoSettings,
): Promise<Float32Array> {
  if (hasOwnWords(demo, settings)) return Float32Array.from(demo.words!);
  const { width, tokens } = settings;
  return Float32Array.from(await engine.gaussians(WORDS_SEED, tokens.length * width));
}
