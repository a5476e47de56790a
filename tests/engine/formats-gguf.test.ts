/** The GGUF header reader: what it gives for a right file, and that every wrong one is refused by name. */
import { readFileSync } from 'node:fs';
import { GGMLQuantizationType, gguf } from '@huggingface/gguf';
import { describe, expect, it } from 'vitest';
import { HeadlightsError } from '../../web/src/engine/errors.ts';
import { Cursor } from '../../web/src/engine/formats/cursor.ts';
import {
  GGUF_HEADER_LIMIT,
  readGgufHeader,
  specFromGguf,
} from '../../web/src/engine/formats/gguf.ts';
import { Feed } from '../../web/src/engine/sources/feed.ts';
import { FileSource } from '../../web/src/engine/sources/file-source.ts';
import { PACKS } from './support/golden.ts';
import { TINY_KEYS, tinyGguf } from './support/tiny.ts';
import { type GgufInput, type TensorInput, type Value, writeGguf } from './support/write-gguf.ts';

async function read(bytes: Uint8Array, size: number | null = bytes.length) {
  const feed = new Feed(new FileSource('test.gguf', new Blob([bytes as BlobPart])), 0, null);
  const header = await readGgufHeader(new Cursor(feed, GGUF_HEADER_LIMIT), size);
  return { header, spec: () => specFromGguf(header, 'test.gguf') };
}

async function failure(reading: Promise<unknown>): Promise<HeadlightsError> {
  const error = await reading.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(HeadlightsError);
  return error as HeadlightsError;
}

const f32 = (name: string, shape: number[], more: Partial<TensorInput> = {}): TensorInput => ({
  name,
  shape,
  type: 0,
  data: more.data ?? new Uint8Array(4 * shape.reduce((product, extent) => product * extent, 1)),
  ...more,
});

const small = (change: Partial<GgufInput> = {}): Uint8Array =>
  writeGguf({
    keys: [['general.architecture', { type: 'string', value: 'bert' }]],
    tensors: [f32('a', [2, 3]), f32('b', [8])],
    ...change,
  });

describe('a right GGUF header', () => {
  it('gives names, shapes with the outermost first, and absolute places', async () => {
    const bytes = small();
    const { header } = await read(bytes);
    expect(header.dataStart % 32).toBe(0);
    expect(header.tensors.get('a')).toEqual({
      name: 'a',
      type: 'F32',
      shape: [2, 3],
      begin: header.dataStart,
      end: header.dataStart + 24,
    });
    expect(header.tensors.get('b')).toMatchObject({
      begin: header.dataStart + 32,
      end: bytes.length,
    });
  });

  it.each(['minilm-en', 'bge-zh'])('reads %s as the npm reader does', async (id) => {
    const path = `${PACKS}${id}/model.gguf`;
    const bytes = new Uint8Array(readFileSync(path));
    const { header, spec } = await read(bytes);
    const other = await gguf(path, { allowLocalFile: true });
    expect([...header.tensors.keys()].sort()).toEqual(
      other.tensorInfos.map(({ name }) => name).sort(),
    );
    for (const { name, shape, dtype, offset } of other.tensorInfos) {
      const found = header.tensors.get(name)!;
      expect([...found.shape].reverse()).toEqual(shape.map(Number));
      expect(found.type).toBe(GGMLQuantizationType[dtype]);
      expect(found.begin).toBe(Number(other.tensorDataOffset) + Number(offset));
    }
    const metadata = other.metadata as unknown as Record<string, unknown>;
    expect(spec()).toMatchObject({
      layers: metadata['bert.block_count'],
      heads: metadata['bert.attention.head_count'],
      width: metadata['bert.embedding_length'],
      feedForward: metadata['bert.feed_forward_length'],
      maxTokens: metadata['bert.context_length'],
    });
  });

  it('skips long vocabularies and keeps short lists', async () => {
    const strings = (count: number): Value => ({
      type: 'strings',
      value: Array.from({ length: count }, (_, i) => `word ${i}`),
    });
    const { header } = await read(
      small({
        keys: [
          ['long', strings(1000)],
          ['short', strings(3)],
        ],
      }),
    );
    expect(header.metadata.get('long')).toEqual([]);
    expect(header.metadata.get('short')).toEqual(['word 0', 'word 1', 'word 2']);
  });

  it('honours another alignment', async () => {
    const keys: GgufInput['keys'] = [['general.alignment', { type: 'u32', value: 64 }]];
    const { header } = await read(small({ keys, alignment: 64 }));
    expect(header.dataStart % 64).toBe(0);
    expect(header.tensors.get('b')!.begin).toBe(header.dataStart + 64);
  });
});

describe('a GGUF file that is cut off', () => {
  const whole = small();

  it('is truncated at every byte of its header', async () => {
    const { header } = await read(whole);
    for (let length = 0; length < header.dataStart - 32; length++) {
      const error = await failure(read(whole.slice(0, length)));
      expect(error.code).toBe('truncated');
      expect(error.message).toContain('test.gguf');
    }
  });

  it('is truncated when its tensors reach beyond its end', async () => {
    const error = await failure(read(whole.slice(0, whole.length - 1)));
    expect(error).toMatchObject({ code: 'truncated', details: { tensor: 'b' } });
  });
});

describe('a wrong GGUF file is refused by name', () => {
  const cases: [string, Partial<GgufInput>, string, RegExp][] = [
    ['another magic', { magic: 'GGML' }, 'corrupt', /not a GGUF file/],
    ['version 2', { version: 2 }, 'unsupported', /version 2/],
    ['big-endian', { version: 0x03000000 }, 'unsupported', /big-endian/],
    ['an absurd number of tensors', { tensorCount: 2n ** 40n }, 'corrupt', /number of tensors/],
    ['a number beyond 2^53', { tensorCount: 2n ** 60n }, 'corrupt', /absurd number/],
    ['an absurd number of keys', { keyCount: 2n ** 40n }, 'corrupt', /metadata keys/],
    [
      'a key twice',
      {
        keys: [
          ['k', { type: 'u32', value: 1 }],
          ['k', { type: 'u32', value: 2 }],
        ],
      },
      'corrupt',
      /metadata key k twice/,
    ],
    [
      'an unknown value type',
      { keys: [['k', { type: 'unknown', value: 77 }]] },
      'corrupt',
      /value type 77 for k/,
    ],
    ['a boolean of 2', { keys: [['k', { type: 'bool', value: 2 }]] }, 'corrupt', /boolean k/],
    [
      'an odd alignment',
      { keys: [['general.alignment', { type: 'u32', value: 12 }]] },
      'corrupt',
      /12 as general.alignment/,
    ],
    ['a tensor twice', { tensors: [f32('a', [2]), f32('a', [2])] }, 'corrupt', /tensor a twice/],
    ['five dimensions', { tensors: [f32('a', [1, 1, 1, 1, 1])] }, 'corrupt', /5 dimensions for a/],
    [
      'an extent of 0',
      { tensors: [f32('a', [0, 3], { data: new Uint8Array(4) })] },
      'corrupt',
      /dimension 0 for a/,
    ],
    [
      'sizes that overflow',
      { tensors: [f32('a', [2 ** 40, 2 ** 40], { data: new Uint8Array(4) })] },
      'corrupt',
      /for a/,
    ],
    [
      'an unknown element type',
      { tensors: [f32('a', [2], { type: 99 })] },
      'corrupt',
      /type 99 for a/,
    ],
    [
      'Q4_0',
      { tensors: [f32('a', [32], { type: 2 })] },
      'unsupported',
      /a in test.gguf is stored as Q4_0/,
    ],
    ['a Q8_0 row of 33', { tensors: [f32('a', [33], { type: 8 })] }, 'corrupt', /multiple of 32/],
    ['a misaligned offset', { tensors: [f32('a', [2], { offset: 4 })] }, 'corrupt', /offset of a/],
    [
      'overlapping tensors',
      { tensors: [f32('a', [32], { offset: 0 }), f32('b', [8], { offset: 32 })] },
      'corrupt',
      /overlapping places for a and b/,
    ],
  ];

  it.each(cases)('%s', async (_name, change, code, message) => {
    const error = await failure(read(small(change)));
    expect(error.message).toMatch(message);
    expect(error.code).toBe(code);
    expect(error.details.file).toBe('test.gguf');
  });

  it('a name in invalid UTF-8', async () => {
    const bytes = small();
    const at = Buffer.from(bytes).indexOf('general.architecture');
    bytes[at] = 0xff;
    expect(await failure(read(bytes))).toMatchObject({ code: 'corrupt' });
  });

  it('never ends in anything but a HeadlightsError, whichever byte is altered', async () => {
    const whole = tinyGguf().get('tiny.gguf')!;
    const { header } = await read(whole);
    for (let at = 0; at < header.dataStart; at += 7) {
      const bytes = whole.slice();
      bytes[at] = bytes[at]! ^ 0x5a;
      await read(bytes).then(
        ({ spec }) => {
          try {
            spec();
          } catch (error) {
            expect(error).toBeInstanceOf(HeadlightsError);
          }
        },
        (error: unknown) => expect(error).toBeInstanceOf(HeadlightsError),
      );
    }
  });
});

describe('the model that a GGUF header describes', () => {
  const specOf = async (change: (keys: Map<string, Value>) => void) => {
    const keys = new Map(TINY_KEYS);
    change(keys);
    const tensors = [
      f32('token_embd.weight', [480, 48]),
      f32('position_embd.weight', [64, 48]),
      f32('token_types.weight', [2, 48]),
    ];
    return (await read(writeGguf({ keys: [...keys], tensors }))).spec();
  };

  it('has the sizes of its keys and tables', async () => {
    expect(await specOf(() => {})).toEqual({
      family: 'bert',
      layers: 2,
      heads: 4,
      width: 48,
      feedForward: 96,
      vocabulary: 480,
      positions: 64,
      maxTokens: 64,
      types: 2,
      epsilon: Math.fround(1e-12),
    });
  });

  const wrong: [string, [string, Value] | string, string, RegExp][] = [
    [
      'llama',
      ['general.architecture', { type: 'string', value: 'llama' }],
      'unsupported',
      /"llama"/,
    ],
    [
      'a causal model',
      ['bert.attention.causal', { type: 'bool', value: 1 }],
      'unsupported',
      /causal/,
    ],
    ['no number of layers', 'bert.block_count', 'corrupt', /bert\.block_count/],
    ['no layer', ['bert.block_count', { type: 'u32', value: 0 }], 'corrupt', /0 for layers/],
    [
      'heads that do not fit',
      ['bert.attention.head_count', { type: 'u32', value: 5 }],
      'corrupt',
      /5 heads/,
    ],
    [
      'a context beyond its positions',
      ['bert.context_length', { type: 'u32', value: 65 }],
      'corrupt',
      /65 tokens/,
    ],
    [
      'an epsilon of 0',
      ['bert.attention.layer_norm_epsilon', { type: 'f32', value: 0 }],
      'corrupt',
      /epsilon/,
    ],
  ];
  it.each(wrong)('is refused with %s', async (_name, change, code, message) => {
    const error = await failure(
      specOf((keys) => {
        if (typeof change === 'string') keys.delete(change);
        else keys.set(...change);
      }),
    );
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
  });
});
