/**
 * What a model of the BERT family consists of: its sizes, and one table that names every tensor in each file
 * format together with its shape. Readers of GGUF and Hugging Face files both place their tensors by it.
 */
import { HeadlightsError } from '../errors.ts';
import type { ElementTypeName, TensorRoleName } from '../wasm/module.ts';

export interface ModelSpec {
  family: 'bert';
  layers: number;
  heads: number;
  width: number;
  feedForward: number;
  vocabulary: number;
  /** Rows of the position table. */
  positions: number;
  /** What a run may take; at most `positions`. */
  maxTokens: number;
  types: number;
  /** Of every LayerNorm. */
  epsilon: number;
}

/** A tensor as a file holds it. */
export interface StoredTensor {
  name: string;
  type: ElementTypeName;
  /** Outermost first, so a matrix is [out, in]. */
  shape: readonly number[];
  /** Bytes [begin, end) of the file. */
  begin: number;
  end: number;
}

/** A stored tensor and its place in the model. `layer` is 0 for those that belong to no layer. */
export interface Placement extends StoredTensor {
  role: TensorRoleName;
  layer: number;
  rows: number;
}

export type Naming = 'gguf' | 'hf';

type Size = 'vocabulary' | 'positions' | 'types' | 'width' | 'feedForward';

interface TensorKind {
  role: TensorRoleName;
  gguf: string;
  /** After the optional `bert.`; `{}` stands for the layer's number. */
  hf: string;
  shape: readonly Size[];
}

const EMBEDDINGS: readonly TensorKind[] = [
  {
    role: 'wordEmbedding',
    gguf: 'token_embd.weight',
    hf: 'embeddings.word_embeddings.weight',
    shape: ['vocabulary', 'width'],
  },
  {
    role: 'positionEmbedding',
    gguf: 'position_embd.weight',
    hf: 'embeddings.position_embeddings.weight',
    shape: ['positions', 'width'],
  },
  {
    role: 'typeEmbedding',
    gguf: 'token_types.weight',
    hf: 'embeddings.token_type_embeddings.weight',
    shape: ['types', 'width'],
  },
  ...pair('embeddingNorm', 'token_embd_norm', 'embeddings.LayerNorm', ['width']),
];

const LAYER: readonly TensorKind[] = [
  ...pair('query', 'blk.{}.attn_q', 'attention.self.query', ['width', 'width']),
  ...pair('key', 'blk.{}.attn_k', 'attention.self.key', ['width', 'width']),
  ...pair('value', 'blk.{}.attn_v', 'attention.self.value', ['width', 'width']),
  ...pair('output', 'blk.{}.attn_output', 'attention.output.dense', ['width', 'width']),
  ...pair('attentionNorm', 'blk.{}.attn_output_norm', 'attention.output.LayerNorm', ['width']),
  ...pair('up', 'blk.{}.ffn_up', 'intermediate.dense', ['feedForward', 'width']),
  ...pair('down', 'blk.{}.ffn_down', 'output.dense', ['width', 'feedForward']),
  ...pair('layerNorm', 'blk.{}.layer_output_norm', 'output.LayerNorm', ['width']),
].map((kind) => ({ ...kind, hf: `encoder.layer.{}.${kind.hf}` }));

/** Weight and bias of one linear map or norm. */
function pair(role: string, gguf: string, hf: string, shape: readonly Size[]): TensorKind[] {
  return [
    { role: `${role}Weight` as TensorRoleName, gguf: `${gguf}.weight`, hf: `${hf}.weight`, shape },
    {
      role: `${role}Bias` as TensorRoleName,
      gguf: `${gguf}.bias`,
      hf: `${hf}.bias`,
      shape: shape.slice(0, 1),
    },
  ];
}

/**
 * The place of every tensor of the model, in the order of the files' bytes; tensors of other parts (a pooler,
 * a language-model head) are left out. `corrupt` where one is missing or has another shape.
 */
export function placeTensors(
  spec: ModelSpec,
  stored: ReadonlyMap<string, StoredTensor>,
  naming: Naming,
  file: string,
): Placement[] {
  const prefix =
    naming === 'hf' && stored.has('bert.embeddings.word_embeddings.weight') ? 'bert.' : '';
  const placements: Placement[] = [];
  const place = (kind: TensorKind, layer: number) => {
    const name = prefix + kind[naming].replace('{}', String(layer));
    const tensor = stored.get(name) ?? stored.get(olderName(name));
    if (tensor === undefined) {
      throw new HeadlightsError('corrupt', `${file} has no tensor ${name}.`, {
        file,
        tensor: name,
      });
    }
    const shape = kind.shape.map((size) => spec[size]);
    if (tensor.shape.join() !== shape.join()) {
      throw new HeadlightsError(
        'corrupt',
        `${tensor.name} in ${file} has the shape [${tensor.shape.join(', ')}] where [${shape.join(', ')}] belongs.`,
        { file, tensor: tensor.name, shape: [...tensor.shape], expected: shape },
      );
    }
    placements.push({ ...tensor, role: kind.role, layer, rows: shape.length > 1 ? shape[0]! : 1 });
  };
  for (const kind of EMBEDDINGS) place(kind, 0);
  for (let layer = 0; layer < spec.layers; layer++) {
    for (const kind of LAYER) place(kind, layer);
  }
  return placements;
}

/** Checkpoints converted from TensorFlow call the weight of a LayerNorm gamma and its bias beta. */
function olderName(name: string): string {
  return name
    .replace(/LayerNorm\.weight$/, 'LayerNorm.gamma')
    .replace(/LayerNorm\.bias$/, 'LayerNorm.beta');
}

/** Bounds that any model here keeps, so that a hostile file cannot ask for absurd amounts of work. */
const LIMITS: Record<Exclude<keyof ModelSpec, 'family' | 'epsilon'>, number> = {
  layers: 1024,
  heads: 4096,
  width: 65_536,
  feedForward: 1_048_576,
  vocabulary: 16_777_216,
  positions: 1_048_576,
  maxTokens: 1_048_576,
  types: 1024,
};

/** Throws `corrupt` unless the sizes are whole numbers that fit together. */
export function checkSpec(spec: ModelSpec, file: string): void {
  for (const [size, limit] of Object.entries(LIMITS) as [keyof typeof LIMITS, number][]) {
    const value = spec[size];
    if (!Number.isInteger(value) || value < 1 || value > limit) {
      throw new HeadlightsError(
        'corrupt',
        `${file} gives ${String(value)} for ${size}, which must be a whole number from 1 to ${limit}.`,
        { file, size, value, limit },
      );
    }
  }
  if (spec.width % spec.heads !== 0) {
    throw new HeadlightsError(
      'corrupt',
      `${file} gives a width of ${spec.width}, which ${spec.heads} heads cannot share equally.`,
      { file, width: spec.width, heads: spec.heads },
    );
  }
  if (!(spec.epsilon > 0 && spec.epsilon < 1)) {
    throw new HeadlightsError(
      'corrupt',
      `${file} gives ${String(spec.epsilon)} as the epsilon of LayerNorm; it must lie between 0 and 1.`,
      { file, epsilon: spec.epsilon },
    );
  }
}

/** The element type that most of the layers' matrices have, for `info.format`. */
export function mainType(placements: readonly Placement[]): ElementTypeName {
  const bytes = new Map<ElementTypeName, number>();
  for (const { role, type, begin, end, rows } of placements) {
    if (role.endsWith('Embedding') || rows === 1) continue;
    bytes.set(type, (bytes.get(type) ?? 0) + end - begin);
  }
  const [most] = [...bytes].sort((a, b) => b[1] - a[1]);
  return most?.[0] ?? 'F32';
}

/** Bytes of `elements` numbers in a row of that type; null where the row cannot be cut into its blocks. */
export function rowBytes(type: ElementTypeName, elements: number): number | null {
  switch (type) {
    case 'F32':
      return elements * 4;
    case 'F16':
    case 'BF16':
      return elements * 2;
    case 'Q8_0':
      return elements % 32 === 0 ? (elements / 32) * 34 : null;
  }
}
