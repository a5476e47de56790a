/** Settings to count with: a preset's, with changes. */
import { type PresetId, presetDraft } from '../../web/src/calculator/presets.ts';
import {
  type Draft,
  type FieldId,
  readDraft,
  type Settings,
} from '../../web/src/calculator/settings.ts';

export type Changes = Partial<Record<FieldId, string>> & Partial<Omit<Draft, 'text'>>;

export function draft(id: PresetId, { dtype, bias, gated, out, ...text }: Changes = {}): Draft {
  const preset = presetDraft(id);
  return {
    text: { ...preset.text, ...text },
    dtype: dtype ?? preset.dtype,
    bias: bias ?? preset.bias,
    gated: gated ?? preset.gated,
    out: out ?? preset.out,
  };
}

export function settings(id: PresetId, changes: Changes = {}): Settings {
  const { settings: read, faults } = readDraft(draft(id, changes));
  if (!read) throw new Error(`faults: ${JSON.stringify(faults)}`);
  return read;
}

/** Numbers in [0, 1) from a seed (mulberry32), so that a failure can be run again. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Any sizes that the fields allow and that fit together, small and huge alike. */
export function anySettings(random: () => number): Settings {
  const up = (largest: number) => Math.max(1, Math.floor(largest ** random()));
  const kv = up(100);
  const h = kv * up(100);
  const own = random() < 0.5;
  const d = own ? up(1_000_000) : h * up(100);
  return {
    d,
    h,
    dk: own ? up(100_000) : d / h,
    kv: random() < 0.5 ? h : kv,
    layers: up(10_000),
    n: up(100_000_000),
    ff: random() < 0.3 ? 0 : up(10_000_000),
    vocab: random() < 0.3 ? 0 : up(100_000_000),
    k: 1 + up(999_999),
    r: up(100_000_000),
    dtype: (['fp32', 'fp16', 'int8', 'int4'] as const)[Math.floor(4 * random())]!,
    bias: random() < 0.5,
    gated: random() < 0.5,
    out: (['none', 'tied', 'own'] as const)[Math.floor(3 * random())]!,
  };
}
