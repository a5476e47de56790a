/** Presets of the shipped models say what the packs' cards say, and formulas count what their weights hold. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { type Count, parameterCounts } from '../../web/src/calculator/counts.ts';
import { evaluate } from '../../web/src/calculator/expression.ts';
import { PRESET_IDS, presetDraft, presetOf, SHIPPED } from '../../web/src/calculator/presets.ts';
import { readDraft, valuesOf } from '../../web/src/calculator/settings.ts';
import { Cursor } from '../../web/src/engine/formats/cursor.ts';
import { GGUF_HEADER_LIMIT, readGgufHeader } from '../../web/src/engine/formats/gguf.ts';
import { Feed } from '../../web/src/engine/sources/feed.ts';
import { FileSource } from '../../web/src/engine/sources/file-source.ts';
import { settings } from './support.ts';

const pack = (id: string, file: string) =>
  readFileSync(fileURLToPath(new URL(`../../web/public/models/${id}/${file}`, import.meta.url)));

async function tensors(id: string) {
  const bytes = pack(id, 'model.gguf');
  const feed = new Feed(new FileSource(id, new Blob([bytes])), 0, null);
  const header = await readGgufHeader(new Cursor(feed, GGUF_HEADER_LIMIT), bytes.length);
  return header.tensors;
}

describe.each(SHIPPED)('%s', (id) => {
  const shown = settings(id);
  const counts = parameterCounts(shown);
  const result = ({ of }: Count) => evaluate(of, valuesOf(shown));
  const row = (name: string) => result(counts.rows.find((count) => count.id === name)!);

  test('has the sizes of its card', () => {
    const { architecture } = JSON.parse(pack(id, 'card.json').toString('utf8'));
    expect({
      layers: shown.layers,
      heads: shown.h,
      width: shown.d,
      headSize: shown.dk,
      feedForward: shown.ff,
      vocabulary: shown.vocab,
      maxTokens: shown.n,
    }).toEqual({
      ...{ layers: architecture.layers, heads: architecture.heads, width: architecture.width },
      ...{ headSize: architecture.headSize, feedForward: architecture.feedForward },
      ...{ vocabulary: architecture.vocabulary, maxTokens: architecture.maxTokens },
    });
  });

  test('query, key, value and output hold as many numbers as the formulas say', async () => {
    const stored = await tensors(id);
    const size = (name: string) =>
      BigInt(stored.get(name)!.shape.reduce((all, extent) => all * extent, 1));
    const all = (pattern: RegExp) =>
      [...stored.keys()]
        .filter((name) => pattern.test(name))
        .reduce((sum, name) => sum + size(name), 0n);
    expect(size('blk.0.attn_q.weight')).toBe(row('joined'));
    expect(size('blk.0.attn_k.weight')).toBe(row('key'));
    expect(size('blk.0.attn_v.weight')).toBe(row('value'));
    expect(size('blk.0.attn_output.weight')).toBe(row('output'));
    expect(all(/^blk\.0\.attn_(q|k|v|output)\.bias$/)).toBe(row('biases'));
    expect(all(/\.attn_(q|k|v|output)\.(weight|bias)$/)).toBe(row('attention'));
    expect(all(/\.ffn_(up|down)\.(weight|bias)$/)).toBe(row('feedForwards'));
    expect(size('token_embd.weight')).toBe(row('words'));
    const notCounted =
      all(/norm\.(weight|bias)$/) + size('position_embd.weight') + size('token_types.weight');
    expect(all(/./)).toBe(row('model') + notCounted);
  });
});

describe('presets', () => {
  test.each(PRESET_IDS)('%s can be used and is found again, at any length and type', (id) => {
    const { settings: read, faults } = readDraft(presetDraft(id));
    expect(faults).toEqual({});
    expect(presetOf(read!)).toBe(id);
    expect(presetOf({ ...read!, n: 77, dtype: 'int4', k: 9 })).toBe(id);
    expect(presetOf({ ...read!, layers: read!.layers + 1 })).toBeNull();
    expect(presetOf({ ...read!, dk: read!.dk + 1 })).toBeNull();
  });

  test('Llama 3 shares each key between four heads', () => {
    const { h, kv } = settings('llama3');
    expect(h / kv).toBe(4);
  });
});
