/** Nothing grows: not over many runs, not over many loads, not over runs that nobody disposed of. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createEngine, type Engine } from 'headlights';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PACKS, TINY } from './support/golden.ts';
import { hooks, pause, progressLog } from './support/library.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await createEngine({ base: PACKS });
});
afterAll(() => engine.dispose());

const inUse = () => hooks(engine).bytesInUse();

describe('memory', { timeout: 300_000 }, () => {
  it('is flat over 500 runs of a shipped model', async () => {
    const log = progressLog();
    const model = await engine.loadModel('minilm-en', { onProgress: log.onProgress });
    await log.until(({ complete }) => complete);
    const sentences = [
      'The cat sat on the mat',
      'word',
      'a longer sentence, with a comma, for once',
    ];
    const before = await inUse();
    for (let i = 0; i < 500; i++) {
      const run = await model.run(sentences[i % 3]!);
      if (i % 50 === 0) await run.head(i % 6, i % 12);
      await run.dispose();
      if (i % 100 === 99) expect(await inUse()).toBe(before);
    }
    await model.dispose();
  });

  it('is flat over 50 loads of a shipped model', async () => {
    const before = await inUse();
    for (let i = 0; i < 50; i++) {
      const model = await engine.loadModel(i % 2 === 0 ? 'bge-zh' : 'minilm-en', {
        wholeTable: i % 4 === 0,
      });
      await (await model.run('猫 cat')).dispose();
      await model.dispose();
      expect(await inUse()).toBe(before);
    }
  });

  it('of models and runs together goes back to nothing', async () => {
    const models = await Promise.all([1, 2, 3].map(() => engine.loadModel(TINY)));
    const runs = await Promise.all(models.map((model) => model.run('the cat')));
    expect(await inUse()).toBeGreaterThan(0);
    for (const run of runs) await run.dispose();
    for (const model of models) await model.dispose();
    expect(await inUse()).toBe(0);
  });

  it('of forgotten runs comes back', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const model = await engine.loadModel(TINY);
    const before = await inUse();
    for (let i = 0; i < 20; i++) await model.run('the cat');
    expect(await inUse()).toBeGreaterThan(before);
    for (let i = 0; i < 10 && (await inUse()) > before; i++) {
      collect();
      await pause(50);
    }
    expect(await inUse()).toBe(before);
    await model.dispose();
  });
});
