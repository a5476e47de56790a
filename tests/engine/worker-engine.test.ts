/** The engine in a worker: the same numbers, and a crash that ends nothing but what was running. */
import { execFile } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createEngine, type Engine } from 'headlights';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { distance, readGolden, TINY } from './support/golden.ts';
import { failure, hooks, progressLog } from './support/library.ts';
import { asFiles, tinyFolder } from './support/tiny.ts';

const golden = readGolden('models-tiny/bert/expected/01.safetensors');
const text = golden.text('text');
const library = pathToFileURL(
  fileURLToPath(new URL('../../web/dist/headlights.js', import.meta.url)),
).href;

describe.each([
  ['in a worker', true, 'worker'],
  ['in this thread', false, 'main'],
  ['where it wants to be', 'auto', 'main'],
] as const)('an engine %s', (_name, worker, thread) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await createEngine({ worker });
  });
  afterAll(() => engine.dispose());

  it('says where it lives', () => {
    expect(engine.thread).toBe(thread);
  });

  it('gives the right numbers, layers, progress and attention', async () => {
    const log = progressLog();
    const model = await engine.loadModel(TINY, { onProgress: log.onProgress });
    expect(log.reports.at(-1)!.layersReady).toBe(2);
    const layers: number[] = [];
    const run = await model.run(text, { onLayer: (layer) => layers.push(layer) });
    expect(layers).toEqual([0, 1]);
    expect(distance(await run.attentions(), golden.tensor('attentions'))).toBeLessThan(2e-5);
    expect((await run.head(1, 1)).weights).toEqual(await run.attention(1, 1));
    const { context } = await engine.attention({
      queries: Float32Array.of(1),
      keys: Float32Array.of(1),
      values: Float32Array.of(5),
      heads: 1,
      queryLength: 1,
      headSize: 1,
    });
    expect([...context]).toEqual([5]);
    await run.dispose();
    await model.dispose();
  });

  it('loads File objects', async () => {
    const model = await engine.loadModel(asFiles(tinyFolder()));
    const run = await model.run(text);
    expect(distance(await run.attentions(), golden.tensor('attentions'))).toBeLessThan(2e-5);
    await model.dispose();
    await run.dispose();
  });

  it('passes errors on with code, message and details', async () => {
    const found = await failure(engine.loadModel('no-such-model'));
    expect(found).toMatchObject({ code: 'not-found', details: { id: 'no-such-model' } });
    expect(found.message).toContain('no-such-model');
  });

  it('cancels between layers', async () => {
    const model = await engine.loadModel('minilm-en');
    const controller = new AbortController();
    const seen: number[] = [];
    const found = await failure(
      model.run('word '.repeat(300), {
        signal: controller.signal,
        onLayer: (layer) => {
          seen.push(layer);
          controller.abort();
        },
      }),
    );
    expect(found.code).toBe('cancelled');
    await (await model.run('after')).dispose();
    expect(seen).toEqual([0]);
    await model.dispose();
  });

  it('after a trap rejects what waits with crashed, and works again', async () => {
    const model = await engine.loadModel(TINY);
    const old = await model.run(text);
    const waiting = failure(model.run('the cat '.repeat(20)));
    expect((await failure(hooks(engine).trap())).code).toBe('crashed');
    expect((await waiting).code).toBe('crashed');
    expect((await failure(old.head(0, 0))).code).toBe('crashed');

    const run = await model.run(text); // the model loads itself again
    expect(distance(await run.attentions(), golden.tensor('attentions'))).toBeLessThan(2e-5);
    const other = await engine.loadModel(TINY);
    await (await other.run(text)).dispose();
    await other.dispose();
    await old.dispose();
    await run.dispose();
    await model.dispose();
    expect(await hooks(engine).bytesInUse()).toBe(0);
  });

  it('survives three crashes in a row', async () => {
    const model = await engine.loadModel(TINY);
    for (let i = 0; i < 3; i++) {
      expect((await failure(hooks(engine).trap())).code).toBe('crashed');
      const run = await model.run(text);
      expect(distance(await run.attentions(), golden.tensor('attentions'))).toBeLessThan(2e-5);
      await run.dispose();
    }
    await model.dispose();
  });
});

describe('wrong options', () => {
  it.each([
    ['variant', { variant: 'fast' }, 'bad-argument'],
    ['worker', { worker: 'yes' }, 'bad-argument'],
    ['base', { base: 5 }, 'bad-argument'],
    ['no object', 5, 'bad-argument'],
  ])('%s is refused', async (_name, options, code) => {
    expect((await failure(createEngine(options as object))).code).toBe(code);
  });
});

describe('a script', () => {
  const script = (body: string) =>
    promisify(execFile)(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { createEngine } from ${JSON.stringify(library)};${body}`,
      ],
      { timeout: 30_000 },
    );

  it.each([true, false])('ends by itself after dispose (worker: %s)', async (worker) => {
    const { stdout } = await script(`
      const engine = await createEngine({ worker: ${worker} });
      const model = await engine.loadModel('minilm-en');
      const run = await model.run('The cat sat on the mat');
      await engine.dispose();
      console.log(run.tokens.length);`);
    expect(stdout.trim()).toBe('8');
  });

  it.each([true, false])(
    'ends by itself when it forgets to dispose (worker: %s)',
    async (worker) => {
      const { stdout } = await script(`
      const engine = await createEngine({ worker: ${worker} });
      const model = await engine.loadModel(${JSON.stringify(TINY)});
      console.log((await model.run('x')).layers);`);
      expect(stdout.trim()).toBe('2');
    },
  );

  it('runs the baseline where Node has no relaxed SIMD, and says so when asked for it', async () => {
    const { stdout } = await script(`
      console.log((await createEngine()).variant);
      await createEngine({ variant: 'relaxed' }).catch((error) => console.log(error.code));`);
    expect(['baseline\nno-simd', 'relaxed']).toContain(stdout.trim());
  });
});
