/** How a pack arrives: in order, in ranges, row by row, paused and resumed, and without any of that. */
import { createEngine, type Engine } from 'headlights';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { distance, readGolden } from './support/golden.ts';
import { hooks, pause, progressLog } from './support/library.ts';
import { FaultServer } from './support/server.ts';
import { tinyPack } from './support/tiny.ts';

const golden = readGolden('models-tiny/bert/expected/01.safetensors');
const text = golden.text('text');
const pack = tinyPack();
const card = JSON.parse(new TextDecoder().decode(pack.get('card.json')));
const { layersEnd, words, positions } = card.order;
const size = pack.get('model.gguf')!.length;

let engine: Engine;
let server: FaultServer;
beforeAll(async () => {
  server = await FaultServer.start([...pack].map(([name, bytes]) => [`pack/${name}`, bytes]));
  engine = await createEngine({ base: server.url });
});
beforeEach(() => server.reset());
afterAll(async () => {
  await engine.dispose();
  await server.close();
});

/** Slow enough to see layers arrive one after the other. */
const slowly = (bytes: number) => ({
  pace: ({ path }: { path: string }) => (path.endsWith('.gguf') ? bytes : null),
});

describe('with ranges', () => {
  it('asks for header and layers in one request, then for the tables, then for nothing', async () => {
    const log = progressLog();
    const model = await engine.loadModel('pack', { onProgress: log.onProgress });
    await log.until(({ complete }) => complete);
    expect(server.of('model.gguf').map(({ range }) => range)).toEqual([
      [0, layersEnd],
      [layersEnd, size],
    ]);
    expect(server.of('tokenizer.json')).toHaveLength(0);
    expect(server.of('tokenizer.json.gz')).toHaveLength(1);
    const before = server.requests.length;
    const run = await model.run(text);
    expect(distance(await run.attentions(), golden.tensor('attentions'))).toBeLessThan(2e-5);
    expect(server.requests).toHaveLength(before);
    await run.dispose();
    await model.dispose();
  });

  it('counts bytes up to the total and names the stages in order', async () => {
    const log = progressLog();
    const model = await engine.loadModel('pack', { onProgress: log.onProgress });
    await log.until(({ complete }) => complete);
    const last = log.reports.at(-1)!;
    expect(last).toMatchObject({ stage: 'done', complete: true, layers: 2, layersReady: 2 });
    const bytes = ['card.json', 'model.gguf', 'tokenizer.json.gz'].map(
      (name) => pack.get(name)!.length,
    );
    expect(last.loaded).toBe(bytes.reduce((sum, length) => sum + length));
    expect(last.total).toBe(last.loaded);
    const order = ['header', 'tokenizer', 'layers', 'words', 'done'];
    const stages = log.reports.map(({ stage }) => order.indexOf(stage));
    expect(stages).toEqual([...stages].sort((a, b) => a - b));
    const loaded = log.reports.map((report) => report.loaded);
    expect(loaded).toEqual([...loaded].sort((a, b) => a - b));
    await model.dispose();
  });

  it('asks only for the rows that a text needs when the whole table is not wanted', async () => {
    const model = await engine.loadModel('pack', { wholeTable: false });
    expect(server.of('model.gguf')).toHaveLength(1);
    const run = await model.run(text);
    const rows = server
      .of('model.gguf')
      .slice(1)
      .map(({ range }) => range!);
    expect(rows.length).toBeGreaterThan(1);
    for (const [from, to] of rows) {
      const table = from >= words.offset ? words : positions;
      expect((from - table.offset) % (16 * table.rowBytes)).toBe(0);
      const end = (to - table.offset) / table.rowBytes;
      expect(end % 16 === 0 || end === table.rows).toBe(true);
    }
    const bytes = rows.reduce((sum, [from, to]) => sum + to - from, 0);
    expect(bytes).toBeLessThan(size - layersEnd);
    expect(distance(await run.attentions(), golden.tensor('attentions'))).toBeLessThan(2e-5);

    const before = server.requests.length;
    await (await model.run(text)).dispose();
    expect(server.requests).toHaveLength(before);
    await run.dispose();
    await model.dispose();
  });

  it('asks for a block once when two runs want it at the same time', async () => {
    const model = await engine.loadModel('pack', { wholeTable: false });
    server.reset();
    const runs = await Promise.all([model.run(text), model.run(text), model.run(text)]);
    const ranges = server.of('model.gguf').map(({ range }) => String(range));
    expect(new Set(ranges).size).toBe(ranges.length);
    expect(await runs[2]!.attentions()).toEqual(await runs[0]!.attentions());
    await model.dispose();
  });

  it('gives each layer to a run as it arrives, and the same weights as at the end', async () => {
    server.reset(slowly(2000));
    const log = progressLog();
    const model = await engine.loadModel('pack', { stream: true, onProgress: log.onProgress });
    expect(log.reports.at(-1)!.layersReady).toBeLessThan(2);
    const seen: { layer: number; weights: Float32Array; ready: number; tokens: number }[] = [];
    const run = await model.run(text, {
      onLayer: (layer, weights, tokens) =>
        seen.push({
          layer,
          weights,
          tokens: tokens.length,
          ready: log.reports.at(-1)!.layersReady,
        }),
    });
    expect(seen.map(({ layer }) => layer)).toEqual([0, 1]);
    expect(seen[0]!.ready).toBeLessThan(2);
    expect(seen[0]!.tokens).toBe(run.tokens.length);
    const all = await run.attentions();
    const cells = run.heads * run.queryLength ** 2;
    for (const { layer, weights } of seen)
      expect(weights).toEqual(all.slice(layer * cells, (layer + 1) * cells));
    expect(distance(all, golden.tensor('attentions'))).toBeLessThan(2e-5);
    await run.dispose();
    await model.dispose();
  });

  it('stops at a pause, goes on after it, and asks for nothing again that had arrived', async () => {
    server.reset(slowly(1500));
    const log = progressLog();
    const model = await engine.loadModel('pack', { stream: true, onProgress: log.onProgress });
    await log.until(({ layersReady }) => layersReady >= 1);
    await model.pauseLoading();
    await pause(60);
    const { loaded } = log.reports.at(-1)!;
    const sent = server.of('model.gguf').reduce((sum, request) => sum + request.sent, 0);
    await pause(150);
    expect(log.reports.at(-1)!.loaded).toBe(loaded);
    expect(server.of('model.gguf').reduce((sum, request) => sum + request.sent, 0)).toBe(sent);
    await model.resumeLoading();
    const run = await model.run(text);
    expect(distance(await run.attentions(), golden.tensor('attentions'))).toBeLessThan(2e-5);
    await log.until(({ complete }) => complete);
    const starts = server.of('model.gguf').map(({ range }) => range![0]);
    const again = starts.slice(starts.indexOf(0) + 1);
    expect(again.length).toBeGreaterThan(0);
    expect(Math.min(...again)).toBeGreaterThan(0);
    expect(log.reports.at(-1)!.loaded).toBe(log.reports.at(-1)!.total);
    await run.dispose();
    await model.dispose();
  });
});

describe('without ranges', () => {
  it('reads the file once, to its end, and works the same', async () => {
    server.reset({ ranges: false });
    const log = progressLog();
    const model = await engine.loadModel('pack', { onProgress: log.onProgress });
    const run = await model.run(text);
    expect(distance(await run.attentions(), golden.tensor('attentions'))).toBeLessThan(2e-5);
    await log.until(({ complete }) => complete);
    expect(server.of('model.gguf')).toHaveLength(1);
    await run.dispose();
    await model.dispose();
  });

  it('does so even when the whole table is not wanted, since there is no other way', async () => {
    server.reset({ ranges: false });
    const model = await engine.loadModel('pack', { wholeTable: false });
    const run = await model.run(text);
    expect(distance(await run.attentions(), golden.tensor('attentions'))).toBeLessThan(2e-5);
    expect(server.of('model.gguf')).toHaveLength(1);
    await model.dispose();
    await run.dispose();
  });

  it('pauses by no longer reading, and goes on with the same answer', async () => {
    server.reset({ ranges: false, ...slowly(1500) });
    const log = progressLog();
    const model = await engine.loadModel('pack', { stream: true, onProgress: log.onProgress });
    await log.until(({ layersReady }) => layersReady >= 1);
    await model.pauseLoading();
    await pause(60);
    const { loaded } = log.reports.at(-1)!;
    await pause(150);
    expect(log.reports.at(-1)!.loaded).toBe(loaded);
    await model.resumeLoading();
    const run = await model.run(text);
    expect(distance(await run.attentions(), golden.tensor('attentions'))).toBeLessThan(2e-5);
    expect(server.of('model.gguf')).toHaveLength(1);
    await run.dispose();
    await model.dispose();
  });

  it('works when the host unpacks the tokenizer on the way', async () => {
    const plain = await FaultServer.start(
      [...pack].map(([name, bytes]) => [
        name,
        name.endsWith('.gz') ? pack.get('tokenizer.json')! : bytes,
      ]),
    );
    const model = await engine.loadModel(plain.url);
    expect(await model.tokenize(text)).toMatchObject({ truncated: null });
    await model.dispose();
    await plain.close();
  });

  it('takes tokenizer.json where the packed one is missing', async () => {
    const bare = await FaultServer.start([...pack].filter(([name]) => !name.endsWith('.gz')));
    const model = await engine.loadModel(bare.url);
    const { tokens } = await model.tokenize(text);
    expect(tokens.map(({ id }) => id)).toEqual(Array.from(golden.tensor('input_ids')));
    await model.dispose();
    await bare.close();
  });
});

describe('a model that is given up', () => {
  it('stops loading and gives all memory back', async () => {
    const before = await hooks(engine).bytesInUse();
    server.reset(slowly(1000));
    const model = await engine.loadModel('pack', { stream: true });
    expect(await hooks(engine).bytesInUse()).toBeGreaterThan(before);
    await model.dispose();
    expect(await hooks(engine).bytesInUse()).toBe(before);
    await pause(50);
    const sent = server.of('model.gguf').reduce((sum, request) => sum + request.sent, 0);
    await pause(100);
    expect(server.of('model.gguf').reduce((sum, request) => sum + request.sent, 0)).toBe(sent);
  });
});
