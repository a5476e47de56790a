/** Broken, missing and hostile files, and connections that fail: a sentence with the file's name, and retry works. */
import { createEngine, type Engine } from 'headlights';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { distance, readGolden } from './support/golden.ts';
import { failure, hooks, pause, progressLog } from './support/library.ts';
import { FaultServer, type Request } from './support/server.ts';
import {
  altered,
  asFiles,
  type Files,
  tinyFolder,
  tinyGguf,
  tinyPack,
  tinyTensors,
  tinyWith,
} from './support/tiny.ts';

const golden = readGolden('models-tiny/bert/expected/01.safetensors');
const text = golden.text('text');
const pack = tinyPack();
const card = JSON.parse(new TextDecoder().decode(pack.get('card.json')));
const { layersEnd, headerBytes, words } = card.order;

let engine: Engine;
let server: FaultServer;
beforeAll(async () => {
  server = await FaultServer.start([]);
  engine = await createEngine({ base: server.url });
});
beforeEach(() => {
  server.reset();
  serve(pack);
});
afterAll(async () => {
  await engine.dispose();
  await server.close();
});

function serve(files: Files): void {
  server.files.clear();
  for (const [name, bytes] of files) server.files.set(`pack/${name}`, bytes);
}

/** Loads and runs as a page does; whatever goes wrong comes out of one of the two. */
async function loadAndRun(
  source: Parameters<Engine['loadModel']>[0] = 'pack',
  stream = false,
): Promise<number> {
  const model = await engine.loadModel(source, { stream });
  try {
    const run = await model.run(text);
    const found = distance(await run.attentions(), golden.tensor('attentions'));
    await run.dispose();
    return found;
  } finally {
    await model.dispose();
  }
}

/** That the engine is as it was: a good pack loads and gives the right numbers. */
async function recovers(): Promise<void> {
  server.faults = {};
  serve(pack);
  expect(await loadAndRun()).toBeLessThan(2e-5);
}

const isModel = ({ path }: Request) => path.endsWith('model.gguf');

describe('a file that is missing', () => {
  it.each(['card.json', 'model.gguf'])('%s is named, and a retry works', async (name) => {
    serve(new Map([...pack].filter(([file]) => file !== name)));
    const found = await failure(loadAndRun());
    expect(found.code).toBe('not-found');
    expect(found.message).toContain('pack');
    await recovers();
  });

  it('a missing tokenizer is named', async () => {
    serve(new Map([...pack].filter(([file]) => !file.startsWith('tokenizer'))));
    const found = await failure(loadAndRun());
    expect(found.code).toBe('not-found');
    expect(found.message).toContain('tokenizer.json');
  });

  it('counts as missing when the host sends its start page instead', async () => {
    server.faults = { headers: { 'Content-Type': 'text/html; charset=utf-8' } };
    expect((await failure(loadAndRun())).code).toBe('not-found');
  });

  it.each([
    [401, 'gated'],
    [403, 'gated'],
    [404, 'not-found'],
    [418, 'network'],
  ])('answer %d is %s', async (status, code) => {
    server.faults = { status: (request) => (isModel(request) ? status : null) };
    const found = await failure(loadAndRun());
    expect(found.code).toBe(code);
    expect(found.message).toContain('model.gguf');
    await recovers();
  });
});

describe('a file that is cut off', () => {
  const lengths = [0, 3, 4, 30, 300, headerBytes - 1, headerBytes, headerBytes + 100];
  const more = [layersEnd - 1, layersEnd, words.offset - 1, words.offset + 1000];
  const size = pack.get('model.gguf')!.length;

  it.each([...lengths, ...more, size - 1])('model.gguf after %d bytes', async (length) => {
    serve(altered(pack, 'model.gguf', (bytes) => bytes.slice(0, length)));
    const found = await failure(loadAndRun());
    expect(found.code).toBe('truncated');
    expect(found.message).toContain('model.gguf');
    await recovers();
  });

  it('model.gguf from a host without ranges', async () => {
    serve(altered(pack, 'model.gguf', (bytes) => bytes.slice(0, words.offset + 1000)));
    server.faults = { ranges: false };
    expect((await failure(loadAndRun())).code).toBe('truncated');
  });

  it('model.gguf without card, from a host that does not tell its length', async () => {
    const files = altered(tinyGguf(), 'tiny.gguf', (bytes) => bytes.slice(0, 50_000));
    serve(files);
    server.faults = { headers: { 'Content-Length': undefined } };
    const found = await failure(loadAndRun(`${server.url}pack/tiny.gguf`));
    expect(found.code).toBe('truncated');
  });

  it.each([0, 7, 8, 1000, 20_000, 273_159])('model.safetensors after %d bytes', async (length) => {
    const files = altered(tinyFolder(), 'model.safetensors', (bytes) => bytes.slice(0, length));
    const found = await failure(loadAndRun(asFiles(files)));
    expect(found.code).toBe('truncated');
    expect(found.message).toContain('model.safetensors');
  });

  it('the packed tokenizer', async () => {
    serve(altered(pack, 'tokenizer.json.gz', (bytes) => bytes.slice(0, 1000)));
    const found = await failure(loadAndRun());
    expect(found.code).toBe('truncated');
    expect(found.message).toContain('tokenizer.json.gz');
  });

  it.each(['card.json', 'tokenizer.json'])('%s', async (name) => {
    const bare = new Map([...pack].filter(([file]) => !file.endsWith('.gz')));
    serve(altered(bare, name, (bytes) => bytes.slice(0, bytes.length >> 1)));
    const found = await failure(loadAndRun());
    expect(['truncated', 'corrupt']).toContain(found.code);
    expect(found.message).toContain(name);
    await recovers();
  });
});

describe('a file with an altered byte', () => {
  const tensors = tinyTensors();
  let begin = headerBytes;
  const places = tensors.map(({ name, data }) => {
    const place = { name, at: begin + (data.length >> 1) };
    begin += Math.ceil(data.length / 32) * 32;
    return place;
  });

  it.each(places)('in $name: the tensor is named, and a retry works', async ({ name, at }) => {
    serve(
      altered(pack, 'model.gguf', (bytes) => {
        bytes[at] = bytes[at]! ^ 1;
        return undefined;
      }),
    );
    const log = progressLog();
    const found = await failure(
      (async () => {
        const model = await engine.loadModel('pack', { onProgress: log.onProgress });
        try {
          const everyWord = Array.from({ length: 480 }, (_, id) => id);
          for (let from = 0; from < 480; from += 60)
            await (await model.run({ ids: everyWord.slice(from, from + 60) })).dispose();
          await (await model.run({ ids: everyWord.slice(0, 64) })).dispose();
        } finally {
          await model.dispose();
        }
      })(),
    );
    expect(found.code).toBe('corrupt');
    expect(found.message).toContain('model.gguf');
    expect(found.message).toContain(name);
    if (!/embd\.weight/.test(name)) await recovers();
  });

  it('in its header, at many places', async () => {
    for (let at = 0; at < headerBytes; at += 97) {
      serve(
        altered(pack, 'model.gguf', (bytes) => {
          bytes[at] = bytes[at]! ^ 1;
          return undefined;
        }),
      );
      const found = await failure(loadAndRun());
      expect(['corrupt', 'unsupported', 'truncated']).toContain(found.code);
    }
    await recovers();
  });

  it('in the packed tokenizer', async () => {
    serve(
      altered(pack, 'tokenizer.json.gz', (bytes) => {
        bytes[bytes.length >> 1] = bytes[bytes.length >> 1]! ^ 1;
        return undefined;
      }),
    );
    const found = await failure(loadAndRun());
    expect(found.code).toBe('corrupt');
    expect(found.message).toContain('tokenizer.json');
  });

  it('in a row that is fetched alone; once it is right, the same model goes on', async () => {
    const at = words.offset + 5;
    const model = await engine.loadModel('pack', { wholeTable: false });
    serve(
      altered(pack, 'model.gguf', (bytes) => {
        bytes[at] = bytes[at]! ^ 1;
        return undefined;
      }),
    );
    const found = await failure(model.run({ ids: [0, 1] }));
    expect(found).toMatchObject({ code: 'corrupt', details: { rows: [0, 16] } });
    serve(pack);
    await (await model.run({ ids: [0, 1] })).dispose();
    await model.dispose();
  });

  it.each([['more bytes', (bytes: Uint8Array) => new Uint8Array([...bytes, 0]), /bytes/]] as const)(
    'or with %s than its card says',
    async (_name, change, message) => {
      serve(altered(pack, 'model.gguf', change));
      const found = await failure(loadAndRun());
      expect(found.code).toBe('corrupt');
      expect(found.message).toMatch(message);
    },
  );

  it.each([
    ['NaN in a norm', 'bert.embeddings.LayerNorm.weight', Number.NaN],
    ['infinity in a matrix', 'bert.encoder.layer.1.output.dense.weight', Number.POSITIVE_INFINITY],
    ['NaN in a word', 'bert.embeddings.word_embeddings.weight', Number.NaN],
  ])('that makes %s', async (_name, tensor, value) => {
    const files = tinyWith((entry) => {
      if (entry.name === tensor) new DataView(entry.bytes.buffer).setFloat32(40, value, true);
      return entry;
    });
    const found = await failure(loadAndRun(asFiles(files)));
    expect(found.code).toBe('corrupt');
    expect(found.message).toMatch(/NaN or infinite/);
    expect(found.message).toContain(tensor);
  });
});

describe('a card that does not fit', () => {
  it.each([
    [
      'another number of heads',
      (json: typeof card) => {
        json.architecture.heads = 6;
      },
    ],
    [
      'another place of the words',
      (json: typeof card) => {
        json.order.words.offset += 32;
      },
    ],
    [
      'too few check sums of rows',
      (json: typeof card) => {
        json.crc32.blocks.words = 'AAAA'.repeat(4);
      },
    ],
    [
      'a missing check sum',
      (json: typeof card) => {
        delete json.crc32.tensors['blk.0.attn_q.weight'];
      },
    ],
    [
      'no order',
      (json: typeof card) => {
        delete json.order;
      },
    ],
    [
      'a check sum that is none',
      (json: typeof card) => {
        json.crc32.tensors['blk.0.attn_q.weight'] = 'zz';
      },
    ],
  ])('has %s', async (_name, change) => {
    const json = structuredClone(card);
    change(json);
    serve(altered(pack, 'card.json', () => new TextEncoder().encode(JSON.stringify(json))));
    const found = await failure(loadAndRun());
    expect(found.code).toBe('corrupt');
    expect(found.message).toContain('card.json');
  });
});

describe('a connection that breaks', () => {
  it('is taken up again where it broke', async () => {
    let broken = 0;
    server.faults = {
      breakAfter: (request) => (isModel(request) && broken++ < 3 ? 40_000 : null),
    };
    const log = progressLog();
    const model = await engine.loadModel('pack', { onProgress: log.onProgress });
    await log.until(({ complete }) => complete);
    const ranges = server.of('model.gguf').map(({ range }) => range!);
    expect(ranges.length).toBeGreaterThanOrEqual(4);
    expect(ranges[1]![0]).toBeGreaterThan(0);
    expect(ranges[2]![0]).toBeGreaterThan(ranges[1]![0]);
    const run = await model.run(text);
    expect(distance(await run.attentions(), golden.tensor('attentions'))).toBeLessThan(2e-5);
    await run.dispose();
    await model.dispose();
  });

  it('is taken up again from a host without ranges by reading from the start', async () => {
    let broken = 0;
    server.faults = {
      ranges: false,
      breakAfter: (request) => (isModel(request) && broken++ < 1 ? 90_000 : null),
    };
    expect(await loadAndRun()).toBeLessThan(2e-5);
    expect(server.of('model.gguf')).toHaveLength(2);
  });

  it('and never comes back is a network error that says how far it came; a retry works', async () => {
    server.faults = {
      breakAfter: (request) => (isModel(request) ? (request.range![0] === 0 ? 90_000 : 0) : null),
    };
    const found = await failure(loadAndRun());
    expect(found.code).toBe('network');
    expect(found.message).toContain('model.gguf');
    await recovers();
  });

  it('while a model is streaming: the run fails, and the next one goes on where it stopped', async () => {
    let dead = true;
    server.faults = {
      breakAfter: (request) =>
        dead && isModel(request) ? (request.range![0] === 0 ? 60_000 : 0) : null,
    };
    const model = await engine.loadModel('pack', { stream: true });
    const found = await failure(model.run(text));
    expect(found.code).toBe('network');
    dead = false;
    const before = server.of('model.gguf').length;
    const run = await model.run(text);
    expect(distance(await run.attentions(), golden.tensor('attentions'))).toBeLessThan(2e-5);
    for (const { range } of server.of('model.gguf').slice(before))
      expect(range![0]).toBeGreaterThan(0);
    await run.dispose();
    await model.dispose();
  });

  it('a busy host is asked again', async () => {
    let busy = 2;
    server.faults = { status: (request) => (isModel(request) && busy-- > 0 ? 503 : null) };
    const found = await loadAndRun().catch((error: unknown) => error);
    expect(typeof found === 'number' || (found as { code: string }).code === 'network').toBe(true);
    await recovers();
  });

  it('no host at all is a network error', async () => {
    const gone = await FaultServer.start([]);
    const { url } = gone;
    await gone.close();
    const found = await failure(engine.loadModel(`${url}pack/`));
    expect(found.code).toBe('network');
    expect(found.message).toContain('card.json');
  });
});

describe('a load that is cancelled', () => {
  const slow = { pace: ({ path }: { path: string }) => (path.endsWith('.gguf') ? 500 : null) };

  it('before it begins, at its card, in its header or in its layers, leaves nothing behind', async () => {
    const before = await hooks(engine).bytesInUse();
    for (const wait of [0, 5, 20, 60, 120]) {
      server.reset(slow);
      const controller = new AbortController();
      if (wait === 0) controller.abort();
      const loading = failure(engine.loadModel('pack', { signal: controller.signal }));
      await pause(wait);
      controller.abort();
      expect((await loading).code).toBe('cancelled');
      await pause(30);
      expect(await hooks(engine).bytesInUse()).toBe(before);
    }
    await recovers();
  });

  it('closes its connection', async () => {
    server.reset(slow);
    const controller = new AbortController();
    const loading = failure(engine.loadModel('pack', { signal: controller.signal }));
    await pause(80);
    controller.abort();
    await loading;
    await pause(50);
    const sent = () => server.of('model.gguf').reduce((sum, request) => sum + request.sent, 0);
    const then = sent();
    await pause(100);
    expect(sent()).toBe(then);
  });

  it('is not disturbed by a signal that comes after it', async () => {
    const controller = new AbortController();
    const model = await engine.loadModel('pack', { signal: controller.signal });
    controller.abort();
    await (await model.run(text)).dispose();
    await model.dispose();
  });
});

describe('failed loads', () => {
  it('leave no memory behind', async () => {
    const before = await hooks(engine).bytesInUse();
    for (const cut of [headerBytes + 100, layersEnd - 1, words.offset + 1000]) {
      serve(altered(pack, 'model.gguf', (bytes) => bytes.slice(0, cut)));
      server.faults = { ranges: false };
      await failure(loadAndRun());
    }
    expect(await hooks(engine).bytesInUse()).toBe(before);
  });
});
