/**
 * The shipped model packs as files: what the card says about them is true, down to each check sum,
 * and another reader of GGUF sees the same tensors. Runs no model.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { crc32, gunzipSync } from 'node:zlib';
import { GGMLQuantizationType, gguf } from '@huggingface/gguf';
import { describe, expect, it } from 'vitest';

interface Table {
  offset: number;
  rowBytes: number;
  rows: number;
}

interface Card {
  id: string;
  licence: string;
  notice: string;
  source: Record<string, string>;
  files: Record<string, { bytes: number; sha256: string }>;
  architecture: Record<string, number | string>;
  attentionError: Record<string, Record<string, number | string>>;
  order: {
    headerBytes: number;
    layers: { end: number; complete: number }[];
    layersEnd: number;
    positions: Table;
    words: Table;
  };
  crc32: {
    header: string;
    tensors: Record<string, string>;
    blocks: { rows: number; words: string; positions: string };
  };
}

interface Tensor {
  name: string;
  type: string;
  shape: number[];
  begin: number;
  end: number;
}

const packs = fileURLToPath(new URL('../../web/public/models', import.meta.url));
const lists = fileURLToPath(new URL('../../tools/models', import.meta.url));

const BYTES_PER_VALUE: Record<string, number> = { F32: 4, F16: 2, Q8_0: 34 / 32 };

const hex = (value: number) => value.toString(16).padStart(8, '0');

function littleEndian(base64: string): number[] {
  const bytes = Buffer.from(base64, 'base64');
  return Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readUInt32LE(4 * i));
}

/** The tensors of a GGUF file in the order of their bytes, as `@huggingface/gguf` reads them. */
async function secondOpinion(path: string): Promise<{ tensors: Tensor[]; metadata: object }> {
  const { tensorInfos, tensorDataOffset, metadata } = await gguf(path, { allowLocalFile: true });
  const tensors = tensorInfos.map(({ name, dtype, shape, offset }) => {
    const type = GGMLQuantizationType[dtype]!;
    const begin = Number(tensorDataOffset + offset);
    const sizes = shape.map(Number);
    const values = sizes.reduce((product, size) => product * size, 1);
    const end = begin + values * BYTES_PER_VALUE[type]!;
    return { name, type, shape: sizes, begin, end };
  });
  return { tensors, metadata };
}

/** The order of DESIGN: what pictures need first, the last layer's rest late, tables last. */
function arrivalOrder(layers: number): string[] {
  const order = ['token_embd_norm.weight', 'token_embd_norm.bias', 'token_types.weight'];
  for (let layer = 0; layer < layers; layer++) {
    const rest = [
      ...['attn_v.bias', 'attn_output.bias', 'attn_output_norm.weight', 'attn_output_norm.bias'],
      ...['ffn_up.bias', 'ffn_down.bias', 'layer_output_norm.weight', 'layer_output_norm.bias'],
    ];
    const heads = ['attn_q.weight', 'attn_k.weight'];
    const last = layer === layers - 1;
    const names = [
      ...['attn_q.bias', 'attn_k.bias'],
      ...(last ? [...heads, ...rest] : [...rest, ...heads]),
      ...['attn_v.weight', 'attn_output.weight', 'ffn_up.weight', 'ffn_down.weight'],
    ];
    order.push(...names.map((name) => `blk.${layer}.${name}`));
  }
  return [...order, 'position_embd.weight', 'token_embd.weight'];
}

function expectedType(name: string): string {
  if (/^(token_embd|position_embd|token_types)\.weight$/.test(name)) return 'F16';
  return /^blk\.\d+\.(attn_(q|k|v|output)|ffn_(up|down))\.weight$/.test(name) ? 'Q8_0' : 'F32';
}

describe.each(['minilm-en', 'bge-zh'])('the pack %s', async (id) => {
  const folder = `${packs}/${id}`;
  const card = JSON.parse(readFileSync(`${folder}/card.json`, 'utf8')) as Card;
  const { order, architecture } = card;
  const bytes = readFileSync(`${folder}/model.gguf`);
  const { tensors, metadata } = await secondOpinion(`${folder}/model.gguf`);
  const find = (name: string) => tensors.find((tensor) => tensor.name === name)!;

  it('has the files of its card, with their sizes and sha256', () => {
    expect(readdirSync(folder).sort()).toEqual(['card.json', ...Object.keys(card.files)].sort());
    for (const [name, file] of Object.entries(card.files)) {
      const data = readFileSync(`${folder}/${name}`);
      const sha256 = createHash('sha256').update(data).digest('hex');
      expect({ name, bytes: data.length, sha256 }).toEqual({ name, ...file });
    }
  });

  it('says whose it is and under which licence', () => {
    expect(card.id).toBe(id);
    expect(card.licence).toMatch(/^(Apache-2\.0|MIT)$/);
    expect(card.notice).toContain(card.source.model!.split('/')[1]);
    expect(card.source).toMatchObject({
      package: expect.any(String),
      version: expect.any(String),
      licence: expect.any(String),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('unpacks its tokenizer to the original', () => {
    const unpacked = gunzipSync(readFileSync(`${folder}/tokenizer.json.gz`));
    expect(unpacked.equals(readFileSync(`${folder}/tokenizer.json`))).toBe(true);
  });

  it('keeps time and machine out of the gzip header', () => {
    const header = readFileSync(`${folder}/tokenizer.json.gz`).subarray(0, 10);
    expect([...header.subarray(0, 8)]).toEqual([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]);
  });

  it('stores standard names in order of arrival, in the types that the design asks for', () => {
    const byPlace = [...tensors].sort((a, b) => a.begin - b.begin);
    expect(byPlace.map(({ name }) => name)).toEqual(arrivalOrder(Number(architecture.layers)));
    expect(tensors.map(({ name, type }) => `${name} ${type}`)).toEqual(
      tensors.map(({ name }) => `${name} ${expectedType(name)}`),
    );
  });

  it('lays tensors end to end, each at a multiple of 32, and ends with the last one', () => {
    let end = order.headerBytes;
    for (const tensor of tensors) {
      expect(tensor.begin).toBe(Math.ceil(end / 32) * 32);
      end = tensor.end;
    }
    expect(end).toBe(bytes.length);
  });

  it('has the shape that the card says', () => {
    expect(metadata).toMatchObject({
      'general.architecture': 'bert',
      'bert.block_count': architecture.layers,
      'bert.attention.head_count': architecture.heads,
      'bert.embedding_length': architecture.width,
      'bert.feed_forward_length': architecture.feedForward,
      'bert.context_length': architecture.maxTokens,
      'bert.attention.causal': false,
      'general.license': card.licence.toLowerCase(),
    });
    const { width, vocabulary, maxTokens, feedForward } = architecture;
    expect(find('token_embd.weight').shape).toEqual([width, vocabulary]);
    expect(find('position_embd.weight').shape).toEqual([width, maxTokens]);
    expect(find('blk.0.attn_q.weight').shape).toEqual([width, width]);
    expect(find('blk.0.ffn_up.weight').shape).toEqual([width, feedForward]);
    expect(find('blk.0.ffn_down.weight').shape).toEqual([feedForward, width]);
    expect(Number(architecture.heads) * Number(architecture.headSize)).toBe(width);
  });

  it('has everything that a layer needs before the offsets of the card', () => {
    expect(order.layers).toHaveLength(Number(architecture.layers));
    order.layers.forEach(({ end, complete }, layer) => {
      expect(end).toBe(find(`blk.${layer}.attn_k.weight`).end);
      expect(complete).toBe(find(`blk.${layer}.ffn_down.weight`).end);
      const parts = tensors.filter(({ name }) => name.startsWith(`blk.${layer}.`));
      expect(Math.max(...parts.map((part) => part.end))).toBe(complete);
    });
    expect(order.layersEnd).toBe(find('position_embd.weight').begin);
  });

  it.each(['positions', 'words'] as const)('places the rows of the table of %s', (name) => {
    const tensor = find(name === 'words' ? 'token_embd.weight' : 'position_embd.weight');
    const { offset, rowBytes, rows } = order[name];
    expect([offset, offset + rows * rowBytes]).toEqual([tensor.begin, tensor.end]);
    expect([rowBytes, rows]).toEqual([2 * tensor.shape[0]!, tensor.shape[1]]);
  });

  it('has the check sums of its header and of each tensor', () => {
    expect(order.headerBytes).toBe(tensors[0]!.begin);
    expect(hex(crc32(bytes.subarray(0, order.headerBytes)))).toBe(card.crc32.header);
    const found = tensors.map(({ name, begin, end }) => [
      name,
      hex(crc32(bytes.subarray(begin, end))),
    ]);
    expect(Object.fromEntries(found)).toEqual(card.crc32.tensors);
  });

  it.each(['positions', 'words'] as const)('has the check sums of blocks of %s', (name) => {
    const { offset, rowBytes, rows } = order[name];
    const step = card.crc32.blocks.rows * rowBytes;
    const end = offset + rows * rowBytes;
    const found: number[] = [];
    for (let begin = offset; begin < end; begin += step) {
      found.push(crc32(bytes.subarray(begin, Math.min(begin + step, end))));
    }
    expect(card.crc32.blocks.rows).toBe(16);
    expect(found).toEqual(littleEndian(card.crc32.blocks[name]));
  });

  it('shows an altered byte in the check sum of its block', () => {
    const { offset, rowBytes } = order.words;
    const block = Buffer.from(bytes.subarray(offset, offset + 16 * rowBytes));
    const [expected] = littleEndian(card.crc32.blocks.words);
    expect(crc32(block)).toBe(expected);
    block[1000]! ^= 1;
    expect(crc32(block)).not.toBe(expected);
  });

  it('states an attention error measured over at least 150 sentences, none of them golden', () => {
    const { largest, p999, mean, sentences, list } = card.attentionError['model.gguf']!;
    const texts = readFileSync(`${lists}/${list}`, 'utf8').trimEnd().split('\n');
    expect(texts).toHaveLength(Number(sentences));
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts.length).toBeGreaterThanOrEqual(150);
    expect(Number(largest)).toBeLessThan(0.05);
    expect(Number(p999)).toBeLessThan(Number(largest));
    expect(Number(mean)).toBeLessThan(Number(p999));
    const index = fileURLToPath(new URL(`../golden/${id}/index.json`, import.meta.url));
    const golden = JSON.parse(readFileSync(index, 'utf8')) as { cases: { text: string }[] };
    expect(golden.cases.filter(({ text }) => texts.includes(text))).toEqual([]);
  });
});
