/**
 * The shipped models as the page offers them before any byte of them has arrived: names for the
 * choice, shape for the waiting wall, sizes for Save-Data. The packs' own `card.json` is the source
 * of these figures; a test holds the two together.
 */

export const MODEL_IDS = ['minilm-en', 'bge-zh'] as const;
export type ModelId = (typeof MODEL_IDS)[number];

/** The writing that a model was trained on. */
export type Script = 'latin' | 'han';

export interface ShippedModel {
  id: ModelId;
  script: Script;
  layers: number;
  heads: number;
  maxTokens: number;
  licence: string;
  /** Bytes until every head is live: the gzipped tokenizer and all layers, without the word table. */
  liveBytes: number;
  /** Bytes of the whole model with its tokenizer. */
  wholeBytes: number;
  /** The head that a first visit shows. */
  firstHead: { layer: number; head: number };
}

export const MODELS: Readonly<Record<ModelId, ShippedModel>> = {
  'minilm-en': {
    id: 'minilm-en',
    script: 'latin',
    layers: 6,
    heads: 12,
    maxTokens: 512,
    licence: 'Apache-2.0',
    liveBytes: 11_579_398,
    wholeBytes: 35_413_510,
    firstHead: { layer: 3, head: 1 },
  },
  'bge-zh': {
    id: 'bge-zh',
    script: 'han',
    layers: 4,
    heads: 8,
    maxTokens: 512,
    licence: 'MIT',
    liveBytes: 13_568_937,
    wholeBytes: 35_728_297,
    firstHead: { layer: 0, head: 0 },
  },
};

export function isModelId(value: string): value is ModelId {
  return (MODEL_IDS as readonly string[]).includes(value);
}
