/**
 * From a Hugging Face `config.json` to the sizes of a model of the BERT family. What the file leaves out has
 * the value that transformers' BertConfig gives it. Anything that would be computed differently is refused by
 * name rather than drawn wrongly.
 */
import { HeadlightsError } from '../errors.ts';
import { checkSpec, type ModelSpec } from './spec.ts';

/** Settings that must have one value here; each would change the numbers. */
const FIXED: { key: string; value: unknown; note: string }[] = [
  { key: 'hidden_act', value: 'gelu', note: 'only the exact GELU ("gelu") is implemented' },
  {
    key: 'position_embedding_type',
    value: 'absolute',
    note: 'only absolute positions are implemented',
  },
  { key: 'is_decoder', value: false, note: 'only encoders can be read' },
  { key: 'add_cross_attention', value: false, note: 'only encoders can be read' },
];

export function specFromConfig(config: unknown, file: string): ModelSpec {
  if (typeof config !== 'object' || config === null || Array.isArray(config))
    throw new HeadlightsError('corrupt', `${file} is not a JSON object.`, { file });
  const settings = config as Record<string, unknown>;
  if (settings.model_type !== 'bert') {
    throw new HeadlightsError(
      'unsupported',
      `${file} describes a model of type ${JSON.stringify(settings.model_type ?? null)}; only "bert" can be read.`,
      { file, key: 'model_type', value: settings.model_type },
    );
  }
  for (const { key, value, note } of FIXED) {
    const given = settings[key] ?? value;
    if (given !== value) {
      throw new HeadlightsError(
        'unsupported',
        `${file} sets ${key} to ${JSON.stringify(given)}; ${note}.`,
        { file, key, value: given },
      );
    }
  }
  const number = (key: string, otherwise: number): number => {
    const value = settings[key] ?? otherwise;
    if (typeof value !== 'number') {
      throw new HeadlightsError(
        'corrupt',
        `${file} gives ${JSON.stringify(value)} for ${key}, which must be a number.`,
        { file, key, value },
      );
    }
    return value;
  };
  const spec: ModelSpec = {
    family: 'bert',
    layers: number('num_hidden_layers', 12),
    heads: number('num_attention_heads', 12),
    width: number('hidden_size', 768),
    feedForward: number('intermediate_size', 3072),
    vocabulary: number('vocab_size', 30_522),
    positions: number('max_position_embeddings', 512),
    maxTokens: number('max_position_embeddings', 512),
    types: number('type_vocab_size', 2),
    epsilon: number('layer_norm_eps', 1e-12),
  };
  checkSpec(spec, file);
  return spec;
}
