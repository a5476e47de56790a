/**
 * Models with known sizes. The shipped ones agree with their cards and weights, which a test holds.
 * Sources: Vaswani et al. 2017 (arXiv 1706.03762) table 3, base; Devlin et al. 2018 (1810.04805);
 * GPT-2 and GPT-3 of Radford et al. 2019 and Brown et al. 2020 (2005.14165) table 2.1; Llama 3
 * of Grattafiori et al. 2024 (2407.21783) table 3.
 */

import { type Draft, FIELDS, type FieldId, type Settings } from './settings.ts';

export const PRESET_IDS = [
  'base',
  'bert',
  'gpt2',
  'gpt3',
  'llama3',
  'minilm-en',
  'bge-zh',
] as const;
export type PresetId = (typeof PRESET_IDS)[number];

/** Presets that the explorer runs. */
export const SHIPPED: readonly PresetId[] = ['minilm-en', 'bge-zh'];

type Sizes = Pick<Draft, 'dtype' | 'bias' | 'gated' | 'out'> &
  Partial<Record<'dk' | 'kv', number>> &
  Record<'d' | 'h' | 'layers' | 'n' | 'ff' | 'vocab', number>;

const SIZES: Readonly<Record<PresetId, Sizes>> = {
  // Its encoder. The paper fixes no length; its vocabulary is "about 37000".
  base: {
    ...{ d: 512, h: 8, layers: 6, n: 512, ff: 2048, vocab: 37_000 },
    ...{ dtype: 'fp32', bias: false, gated: false, out: 'tied' },
  },
  bert: {
    ...{ d: 768, h: 12, layers: 12, n: 512, ff: 3072, vocab: 30_522 },
    ...{ dtype: 'fp32', bias: true, gated: false, out: 'none' },
  },
  gpt2: {
    ...{ d: 768, h: 12, layers: 12, n: 1024, ff: 3072, vocab: 50_257 },
    ...{ dtype: 'fp32', bias: true, gated: false, out: 'tied' },
  },
  gpt3: {
    ...{ d: 12_288, h: 96, layers: 96, n: 2048, ff: 49_152, vocab: 50_257 },
    ...{ dtype: 'fp16', bias: true, gated: false, out: 'tied' },
  },
  llama3: {
    ...{ d: 4096, h: 32, kv: 8, layers: 32, n: 8192, ff: 14_336, vocab: 128_256 },
    ...{ dtype: 'fp16', bias: false, gated: true, out: 'own' },
  },
  'minilm-en': {
    ...{ d: 384, h: 12, layers: 6, n: 512, ff: 1536, vocab: 30_522 },
    ...{ dtype: 'int8', bias: true, gated: false, out: 'none' },
  },
  'bge-zh': {
    ...{ d: 512, h: 8, layers: 4, n: 512, ff: 2048, vocab: 21_128 },
    ...{ dtype: 'int8', bias: true, gated: false, out: 'none' },
  },
};

/** Width of the convolution and of the neighbourhood in the comparison; no preset changes them. */
export const COMPARED = { k: '3', r: '64' } as const;

export function presetDraft(id: PresetId, compared: { k: string; r: string } = COMPARED): Draft {
  const { dtype, bias, gated, out, ...sizes } = SIZES[id];
  const numbers: Partial<Record<FieldId, number>> = sizes;
  const text = Object.fromEntries(FIELDS.map((field) => [field, String(numbers[field] ?? '')]));
  return {
    text: { ...(text as Record<FieldId, string>), k: compared.k, r: compared.r },
    ...{ dtype, bias, gated, out },
  };
}

/** The preset whose model these settings are, whatever the length and the number type. */
export function presetOf(settings: Settings): PresetId | null {
  const found = PRESET_IDS.find((id) => {
    const { d, h, layers, ff, vocab, bias, gated, out, dk, kv } = SIZES[id];
    return (
      settings.d === d &&
      settings.h === h &&
      settings.dk === (dk ?? d / h) &&
      settings.kv === (kv ?? h) &&
      settings.layers === layers &&
      settings.ff === ff &&
      settings.vocab === vocab &&
      settings.bias === bias &&
      settings.gated === gated &&
      settings.out === out
    );
  });
  return found ?? null;
}
