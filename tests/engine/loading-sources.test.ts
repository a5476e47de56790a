/** Every way to name a model gives the same model; every wrong one a sentence. */

import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { createEngine, type Engine } from 'headlights';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Cursor } from '../../web/src/engine/formats/cursor.ts';
import { GGUF_HEADER_LIMIT, readGgufHeader } from '../../web/src/engine/formats/gguf.ts';
import { widenHalf } from '../../web/src/engine/formats/half.ts';
import { Feed } from '../../web/src/engine/sources/feed.ts';
import { FileSource } from '../../web/src/engine/sources/file-source.ts';
import { distance, PACKS, readGolden, TINY } from './support/golden.ts';
import { failure } from './support/library.ts';
import { FaultServer } from './support/server.ts';
import {
  altered,
  asFiles,
  type Files,
  halved,
  narrow,
  sharded,
  tinyFolder,
  tinyGguf,
  tinyPack,
  tinyWith,
} from './support/tiny.ts';
import { type Value, writeGguf } from './support/write-gguf.ts';

const golden = readGolden('models-tiny/bert/expected/01.safetensors');
const text = golden.text('text');

let engine: Engine;
let server: FaultServer;

/** Blocks of 32 numbers: a half-precision scale and 32 signed bytes. */
function roundToQ8(floats: Float32Array): Uint8Array {
  const result = new Uint8Array((floats.length / 32) * 34);
  const scales = new Float32Array(floats.length / 32);
  for (let block = 0; block < scales.length; block++) {
    const values = floats.subarray(32 * block, 32 * block + 32);
    const scale = Math.max(...values.map(Math.abs)) / 127;
    scales[block] = scale;
    for (let i = 0; i < 32; i++)
      result[34 * block + 2 + i] = scale === 0 ? 0 : Math.round(values[i]! / scale) & 0xff;
  }
  const halves = narrow(new Uint8Array(scales.buffer), 'F16');
  for (let block = 0; block < scales.length; block++)
    result.set(halves.subarray(2 * block, 2 * block + 2), 34 * block);
  return result;
}

const under = (folder: string, files: Files): [string, Uint8Array][] =>
  [...files].map(([name, bytes]) => [`${folder}/${name}`, bytes]);

beforeAll(async () => {
  server = await FaultServer.start([
    ...under('tiny', tinyFolder()),
    ...under('gguf', tinyGguf()),
    ...under('pack', tinyPack()),
    ...under('shards', sharded()),
  ]);
  engine = await createEngine({ base: `${server.url}` });
});
afterAll(async () => {
  await engine.dispose();
  await server.close();
});

/** Largest difference of all attention weights from the expected ones. */
async function error(source: Parameters<Engine['loadModel']>[0]): Promise<number> {
  const model = await engine.loadModel(source);
  const run = await model.run(text);
  const found = distance(await run.attentions(), golden.tensor('attentions'));
  await run.dispose();
  await model.dispose();
  return found;
}

describe('a model is found', () => {
  const sources: [string, () => Parameters<Engine['loadModel']>[0]][] = [
    ['by the path of its folder', () => TINY],
    ['by a path with a slash at the end', () => `${TINY}/`],
    ['by a path relative to here', () => `./${TINY.slice(process.cwd().length + 1)}`],
    ['by the path of a file in the folder', () => `${TINY}/config.json`],
    ['by a file: address as text', () => pathToFileURL(TINY).href],
    ['by a file: address as URL', () => pathToFileURL(`${TINY}/`)],
    ['as File objects', () => asFiles(tinyFolder())],
    ['at an http address', () => `${server.url}tiny/`],
    ['at an http address without the slash', () => `${server.url}tiny`],
    ['at a URL with a query', () => new URL(`${server.url}tiny/?token=1`)],
    ['in two files with an index, as Files', () => asFiles(sharded())],
    ['in two files with an index, at an address', () => `${server.url}shards/`],
    ['as a GGUF file at an address', () => `${server.url}gguf/tiny.gguf`],
    ['as a GGUF file with its tokenizer, as Files', () => asFiles(tinyGguf())],
    ['as a pack at an address', () => `${server.url}pack/`],
    ['as a pack by its id under base', () => 'pack'],
    ['as a pack in File objects', () => asFiles(tinyPack())],
    ['in a dropped folder inside another', () => asFiles(tinyFolder(), 'models/mine/')],
    [
      'as a GGUF file beside a config.json',
      () => asFiles(new Map([...tinyGguf(), ['config.json', tinyFolder().get('config.json')!]])),
    ],
  ];
  it.each(sources)('%s', async (_name, source) => {
    expect(await error(source())).toBeLessThan(2e-5);
  });

  it('by its id beside the library when no base is given', async () => {
    const own = await createEngine();
    const model = await own.loadModel('bge-zh');
    expect(model.info).toMatchObject({ id: 'bge-zh', layers: 4, heads: 8, licence: 'MIT' });
    await own.dispose();
  });

  it('as a shipped pack by its path, or its GGUF file alone with the same weights', async () => {
    const attentions = async (source: string) => {
      const model = await engine.loadModel(source);
      const run = await model.run('The cat sat on the mat');
      const found = await run.attentions();
      await model.dispose();
      await run.dispose();
      return { found, info: model.info };
    };
    const pack = await attentions(`${PACKS}minilm-en`);
    const file = await attentions(`${PACKS}minilm-en/model.gguf`);
    expect(file.found).toEqual(pack.found);
    expect(pack.info).toMatchObject({ id: 'minilm-en', format: 'gguf Q8_0' });
    expect(file.info).toMatchObject({
      id: 'model.gguf',
      format: 'gguf Q8_0',
      attentionError: null,
    });
  });

  it('as a GGUF file whose word table is Q8_0 too, as other converters make it', async () => {
    const path = `${PACKS}bge-zh/model.gguf`;
    const bytes = new Uint8Array(readFileSync(path));
    const feed = new Feed(new FileSource('model.gguf', new Blob([bytes])), 0, null);
    const header = await readGgufHeader(new Cursor(feed, GGUF_HEADER_LIMIT), bytes.length);
    const numbers: Record<string, number> = { F32: 0, F16: 1, Q8_0: 8 };
    const tensors = [...header.tensors.values()].map(({ name, shape, type, begin, end }) =>
      name === 'token_embd.weight'
        ? {
            name,
            shape: [...shape],
            type: 8,
            data: roundToQ8(widenHalf(bytes.slice(begin, end), 'F16')),
          }
        : { name, shape: [...shape], type: numbers[type]!, data: bytes.slice(begin, end) },
    );
    const keys = [...header.metadata]
      .filter(([key]) => /architecture|^bert\.(?!attention\.causal|pooling)/.test(key))
      .map(([key, value]): [string, Value] => {
        if (typeof value === 'string') return [key, { type: 'string', value }];
        const type = key.endsWith('epsilon') ? 'f32' : 'u32';
        return [key, { type, value: value as number }];
      });
    const tokenizer = new Uint8Array(readFileSync(`${PACKS}bge-zh/tokenizer.json`));
    const model = await engine.loadModel(
      asFiles(
        new Map([
          ['all-q8.gguf', writeGguf({ keys, tensors })],
          ['tokenizer.json', tokenizer],
        ]),
      ),
    );
    const pack = await engine.loadModel(path);
    expect(model.info.memory).toBeLessThan(0.75 * pack.info.memory);
    const [run, original] = [
      await model.run('我爱自然语言处理'),
      await pack.run('我爱自然语言处理'),
    ];
    const difference = distance(await run.attentions(), await original.attentions());
    expect(difference).toBeGreaterThan(0);
    expect(difference).toBeLessThan(0.05);
    for (const held of [run, original, model, pack]) await held.dispose();
  });

  it('at an address, with what its card says', async () => {
    const model = await engine.loadModel(`${server.url}pack`);
    expect(model.info).toMatchObject({
      id: 'tiny-pack',
      format: 'gguf F32',
      licence: 'Apache-2.0',
      attentionError: { largest: 0.01, sentences: 150 },
      maxTokens: 64,
      vocabulary: 480,
    });
    await model.dispose();
  });
});

describe('a folder written differently', () => {
  const rename = (change: (name: string) => string) =>
    asFiles(tinyWith((tensor) => ({ ...tensor, name: change(tensor.name) })));

  it('has names without the prefix', async () => {
    expect(await error(rename((name) => name.replace(/^bert\./, '')))).toBeLessThan(2e-5);
  });

  it('calls the weights of its norms gamma and beta', async () => {
    const older = rename((name) =>
      name
        .replace('LayerNorm.weight', 'LayerNorm.gamma')
        .replace('LayerNorm.bias', 'LayerNorm.beta'),
    );
    expect(await error(older)).toBeLessThan(2e-5);
  });

  it.each([
    ['F16', 2e-3],
    ['BF16', 2e-2],
  ] as const)('holds %s, kept so in memory', async (dtype, limit) => {
    const model = await engine.loadModel(asFiles(halved(dtype)));
    expect(model.info.format).toBe(`safetensors ${dtype}`);
    const full = await engine.loadModel(TINY);
    expect(model.info.memory).toBeLessThan(0.55 * full.info.memory);
    const run = await model.run(text);
    const found = distance(await run.attentions(), golden.tensor('attentions'));
    expect(found).toBeGreaterThan(1e-6);
    expect(found).toBeLessThan(limit);
    await model.dispose();
    await full.dispose();
  });

  it('holds a tensor that is missing: it is named', async () => {
    const name = 'bert.encoder.layer.1.attention.self.key.weight';
    const files = asFiles(
      tinyWith((tensor) => (tensor.name === name ? { ...tensor, name: 'other' } : tensor)),
    );
    const found = await failure(engine.loadModel(files));
    expect(found.code).toBe('corrupt');
    expect(found.message).toContain(name);
  });

  it('holds a tensor of another shape: both shapes are named', async () => {
    const files = asFiles(
      altered(tinyFolder(), 'config.json', (bytes) =>
        new TextEncoder().encode(
          new TextDecoder()
            .decode(bytes)
            .replace('"intermediate_size": 96', '"intermediate_size": 100'),
        ),
      ),
    );
    const found = await failure(engine.loadModel(files));
    expect(found.code).toBe('corrupt');
    expect(found.message).toMatch(/\[96, 48\].*\[100, 48\]/);
  });

  it('holds a type that cannot be computed with', async () => {
    const files = asFiles(
      tinyWith((tensor) =>
        tensor.name.endsWith('self.query.weight') ? { ...tensor, dtype: 'I32' } : tensor,
      ),
    );
    expect(await failure(engine.loadModel(files))).toMatchObject({ code: 'unsupported' });
  });

  it('holds a tokenizer with more tokens than the model has words', async () => {
    const files = asFiles(
      altered(tinyFolder(), 'tokenizer.json', (bytes) => {
        const json = JSON.parse(new TextDecoder().decode(bytes));
        json.model.vocab.onemore = 480;
        return new TextEncoder().encode(JSON.stringify(json));
      }),
    );
    const found = await failure(engine.loadModel(files));
    expect(found).toMatchObject({ code: 'corrupt', details: { tokens: 481, vocabulary: 480 } });
  });
});

describe('a model is refused', () => {
  it.each([
    ['nothing', undefined, 'bad-argument', /id, an address, a path/],
    ['a number', 5, 'bad-argument', /id, an address, a path/],
    ['an empty name', ' ', 'bad-argument', /empty/],
    ['an empty list', [], 'not-found', /card\.json/],
    ['a list of something else', [{}], 'bad-argument', /not a File/],
    ['a hub id', 'google/bert', 'unsupported', /later version/],
    ['a hub id with a revision', 'google/bert@main', 'unsupported', /later version/],
    ['another scheme', 'ftp://host/model', 'unsupported', /ftp:/],
    ['a broken address', 'http://[', 'bad-argument', /valid address/],
    ['nonsense', 'a b c', 'bad-argument', /neither/],
    ['an id that does not exist', 'no-such-model', 'not-found', /no model "no-such-model"/],
    ['a path that does not exist', './no/such/folder', 'not-found', /neither card\.json/],
    ['a GGUF path that does not exist', './no-such.gguf', 'not-found', /no-such\.gguf/],
  ])('when given %s', async (_name, source, code, message) => {
    const found = await failure(engine.loadModel(source as string));
    expect(found.code).toBe(code);
    expect(found.message).toMatch(message);
  });

  it('when a GGUF file has no tokenizer.json beside it', async () => {
    const files = tinyGguf();
    files.delete('tokenizer.json');
    const found = await failure(engine.loadModel(asFiles(files)));
    expect(found.code).toBe('not-found');
    expect(found.message).toContain('tokenizer.json');
  });

  it('when options are wrong', async () => {
    for (const options of [
      { stream: 1 },
      { signal: {} },
      { onProgress: 3 },
      { wholeTable: 'no' },
      { quantise: 'x' },
    ]) {
      const found = await failure(engine.loadModel(TINY, options as object));
      expect(found.code).toBe('bad-argument');
    }
    const later = await failure(engine.loadModel(TINY, { quantise: true }));
    expect(later.code).toBe('unsupported');
  });
});
