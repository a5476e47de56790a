/**
 * The tiny BERT folder in every form that the library loads: as it is, renamed, in half precision, in shards,
 * as GGUF, and as a pack with card and check sums. Small enough to break it in many places.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { crc32, gzipSync } from 'node:zlib';
import { specFromConfig } from '../../../web/src/engine/formats/hf-config.ts';
import { parseSafetensorsHeader, readTensor } from '../../../web/src/engine/formats/safetensors.ts';
import {
  type Placement,
  placeTensors,
  type StoredTensor,
} from '../../../web/src/engine/formats/spec.ts';
import { TINY } from './golden.ts';
import { type TensorInput, writeGguf } from './write-gguf.ts';

export type Files = Map<string, Uint8Array>;

export function tinyFolder(): Files {
  const names = readdirSync(TINY).filter((name) => /\.(json|safetensors)$/.test(name));
  return new Map(names.map((name) => [name, new Uint8Array(readFileSync(`${TINY}/${name}`))]));
}

export function asFiles(files: Files, folder = ''): File[] {
  return [...files].map(([name, bytes]) => new File([bytes as BlobPart], folder + name));
}

interface Tensor {
  name: string;
  dtype: string;
  shape: readonly number[];
  bytes: Uint8Array;
}

function tensorsOf(safetensors: Uint8Array): Tensor[] {
  const { tensors } = parseSafetensorsHeader(safetensors, 'tiny', safetensors.length);
  return [...tensors].map(([name, { dtype, shape, begin, end }]) => ({
    name,
    dtype,
    shape,
    bytes: safetensors.slice(begin, end),
  }));
}

export function writeSafetensors(tensors: readonly Tensor[]): Uint8Array {
  const table: Record<string, unknown> = {};
  let offset = 0;
  for (const { name, dtype, shape, bytes } of tensors) {
    table[name] = { dtype, shape, data_offsets: [offset, offset + bytes.length] };
    offset += bytes.length;
  }
  const header = new TextEncoder().encode(JSON.stringify(table));
  const file = new Uint8Array(8 + header.length + offset);
  new DataView(file.buffer).setBigUint64(0, BigInt(header.length), true);
  file.set(header, 8);
  let at = 8 + header.length;
  for (const { bytes } of tensors) {
    file.set(bytes, at);
    at += bytes.length;
  }
  return file;
}

/** The folder with its tensors changed one by one. */
export function tinyWith(change: (tensor: Tensor) => Tensor): Files {
  const files = tinyFolder();
  files.set(
    'model.safetensors',
    writeSafetensors(tensorsOf(files.get('model.safetensors')!).map(change)),
  );
  return files;
}

/** Rounds floats to bfloat16 by cutting, or to binary16 towards the nearest. */
export function narrow(bytes: Uint8Array, dtype: 'F16' | 'BF16'): Uint8Array {
  const floats = new Float32Array(bytes.slice().buffer);
  const result = new Uint16Array(floats.length);
  const bits = new Uint32Array(floats.buffer);
  for (let i = 0; i < floats.length; i++)
    result[i] = dtype === 'BF16' ? bits[i]! >>> 16 : half(floats[i]!);
  return new Uint8Array(result.buffer);
}

function half(value: number): number {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  if (size < 2 ** -14) return sign | Math.round(size * 2 ** 24);
  const exponent = Math.floor(Math.log2(size));
  const fraction = Math.round((size / 2 ** exponent - 1) * 1024);
  return sign | (((exponent + 15) << 10) + fraction);
}

export function halved(dtype: 'F16' | 'BF16'): Files {
  return tinyWith((tensor) => ({ ...tensor, dtype, bytes: narrow(tensor.bytes, dtype) }));
}

/** In two files with an index. */
export function sharded(): Files {
  const files = tinyFolder();
  const tensors = tensorsOf(files.get('model.safetensors')!);
  files.delete('model.safetensors');
  const middle = tensors.length >> 1;
  const parts = [tensors.slice(0, middle), tensors.slice(middle)];
  const map: Record<string, string> = {};
  parts.forEach((part, i) => {
    const name = `model-0000${i + 1}-of-00002.safetensors`;
    files.set(name, writeSafetensors(part));
    for (const tensor of part) map[tensor.name] = name;
  });
  const index = JSON.stringify({ metadata: {}, weight_map: map });
  files.set('model.safetensors.index.json', new TextEncoder().encode(index));
  return files;
}

const GGUF_NAMES: Record<string, string> = {
  wordEmbedding: 'token_embd.weight',
  positionEmbedding: 'position_embd.weight',
  typeEmbedding: 'token_types.weight',
  embeddingNorm: 'token_embd_norm',
  query: 'attn_q',
  key: 'attn_k',
  value: 'attn_v',
  output: 'attn_output',
  attentionNorm: 'attn_output_norm',
  up: 'ffn_up',
  down: 'ffn_down',
  layerNorm: 'layer_output_norm',
};

function ggufName({ role, layer }: Placement): string {
  if (role.endsWith('Embedding')) return GGUF_NAMES[role]!;
  const [, stem, part] = /^(.*)(Weight|Bias)$/.exec(role)!;
  const name = `${GGUF_NAMES[stem!]}.${part!.toLowerCase()}`;
  return stem === 'embeddingNorm' ? name : `blk.${layer}.${name}`;
}

export const TINY_KEYS: Parameters<typeof writeGguf>[0]['keys'] = [
  ['general.architecture', { type: 'string', value: 'bert' }],
  ['bert.block_count', { type: 'u32', value: 2 }],
  ['bert.attention.head_count', { type: 'u32', value: 4 }],
  ['bert.embedding_length', { type: 'u32', value: 48 }],
  ['bert.feed_forward_length', { type: 'u32', value: 96 }],
  ['bert.context_length', { type: 'u32', value: 64 }],
  ['bert.attention.layer_norm_epsilon', { type: 'f32', value: 1e-12 }],
  ['bert.attention.causal', { type: 'bool', value: 0 }],
  [
    'tokenizer.ggml.tokens',
    { type: 'strings', value: Array.from({ length: 480 }, (_, i) => `t${i}`) },
  ],
];

/** The tensors under their GGUF names, tables last as in a pack. */
export function tinyTensors(): TensorInput[] {
  const folder = tinyFolder();
  const bytes = folder.get('model.safetensors')!;
  const config = JSON.parse(new TextDecoder().decode(folder.get('config.json')));
  const stored = new Map<string, StoredTensor>();
  for (const [name, entry] of parseSafetensorsHeader(bytes, 'tiny', bytes.length).tensors) {
    stored.set(name, { ...entry, name, type: 'F32' });
  }
  const places = placeTensors(specFromConfig(config, 'config.json'), stored, 'hf', 'tiny');
  const last = (place: Placement) => ['positionEmbedding', 'wordEmbedding'].indexOf(place.role) + 1;
  return places
    .sort((a, b) => last(a) - last(b))
    .map((place) => ({
      name: ggufName(place),
      shape: [...place.shape],
      type: 0,
      data: bytes.slice(place.begin, place.end),
    }));
}

/** A GGUF file with its tokenizer beside it. */
export function tinyGguf(): Files {
  return new Map([
    ['tiny.gguf', writeGguf({ keys: TINY_KEYS, tensors: tinyTensors() })],
    ['tokenizer.json', tinyFolder().get('tokenizer.json')!],
  ]);
}

const hex = (value: number) => value.toString(16).padStart(8, '0');

/** A pack like the shipped ones: card, check sums, gzipped tokenizer. */
export function tinyPack(): Files {
  const tensors = tinyTensors();
  const file = writeGguf({ keys: TINY_KEYS, tensors });
  const padded = tensors.reduce((sum, { data }) => sum + Math.ceil(data.length / 32) * 32, 0);
  const headerBytes =
    file.length -
    padded +
    (Math.ceil(tensors.at(-1)!.data.length / 32) * 32 - tensors.at(-1)!.data.length);
  const begins = new Map<string, number>();
  let next = headerBytes;
  for (const { name, data } of tensors) {
    begins.set(name, next);
    next += Math.ceil(data.length / 32) * 32;
  }
  const blocks = (name: string) => {
    const { data, shape } = tensors.find((tensor) => tensor.name === name)!;
    const step = (data.length / shape[0]!) * 16;
    const sums = new Uint32Array(Math.ceil(data.length / step));
    for (let i = 0; i < sums.length; i++) sums[i] = crc32(data.subarray(i * step, (i + 1) * step));
    return Buffer.from(sums.buffer).toString('base64');
  };
  const table = (name: string) => {
    const { data, shape } = tensors.find((tensor) => tensor.name === name)!;
    return { offset: begins.get(name), rowBytes: data.length / shape[0]!, rows: shape[0] };
  };
  const tokenizer = tinyFolder().get('tokenizer.json')!;
  const packed = new Uint8Array(gzipSync(tokenizer));
  const card = {
    id: 'tiny-pack',
    licence: 'Apache-2.0',
    files: {
      'model.gguf': { bytes: file.length },
      'tokenizer.json': { bytes: tokenizer.length },
      'tokenizer.json.gz': { bytes: packed.length },
    },
    architecture: {
      family: 'bert',
      layers: 2,
      heads: 4,
      width: 48,
      feedForward: 96,
      vocabulary: 480,
      maxTokens: 64,
    },
    attentionError: { 'model.gguf': { largest: 0.01, p999: 0.001, mean: 0.0001, sentences: 150 } },
    order: {
      headerBytes,
      layersEnd: begins.get('position_embd.weight'),
      positions: table('position_embd.weight'),
      words: table('token_embd.weight'),
    },
    crc32: {
      header: hex(crc32(file.subarray(0, headerBytes))),
      tensors: Object.fromEntries(tensors.map(({ name, data }) => [name, hex(crc32(data))])),
      blocks: {
        rows: 16,
        words: blocks('token_embd.weight'),
        positions: blocks('position_embd.weight'),
      },
    },
  };
  return new Map([
    ['card.json', new TextEncoder().encode(JSON.stringify(card))],
    ['model.gguf', file],
    ['tokenizer.json', tokenizer],
    ['tokenizer.json.gz', packed],
  ]);
}

/** A copy with some bytes changed. */
export function altered(
  files: Files,
  name: string,
  change: (bytes: Uint8Array) => Uint8Array | undefined,
): Files {
  const copy = new Map(files);
  const bytes = copy.get(name)!.slice();
  copy.set(name, change(bytes) ?? bytes);
  return copy;
}

/** Floats of a tensor of the folder, for expectations. */
export function tinyFloats(name: string): Float32Array {
  const bytes = tinyFolder().get('model.safetensors')!;
  const entry = parseSafetensorsHeader(bytes, 'tiny', bytes.length).tensors.get(name)!;
  return readTensor(bytes, entry) as Float32Array;
}
