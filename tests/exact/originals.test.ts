/**
 * The built library on the fp32 originals, against every golden file: in Node with both variants, and one sentence
 * a model in Chromium. This is where a wrong GELU, epsilon or order of operations would show: they stand 1e-4 to
 * 2e-3 away. `npm run test:exact` fetches the originals first.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createEngine, type Engine, type Model, type Variant } from 'headlights';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serve } from '../../tools/serve.mjs';
import { launchChromium } from '../browser/harness/chromium.ts';
import { distance, goldenCases, readGolden } from '../engine/support/golden.ts';

const ORIGINALS = fileURLToPath(new URL('../../.cache/models/', import.meta.url));
const SITE = fileURLToPath(new URL('../../web/dist', import.meta.url));
const MODELS = [
  { id: 'minilm-en', folder: 'minilm-en-hf', file: '01-cat.safetensors' },
  { id: 'bge-zh', folder: 'bge-zh-hf', file: '01-nlp.safetensors' },
] as const;
const ATTENTION_LIMIT = 2e-5;
const STATE_LIMIT = 5e-5;

describe.each(['baseline', 'relaxed'] as Variant[])('variant %s in Node', (variant) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await createEngine({ variant });
  });
  afterAll(() => engine.dispose());

  describe.each(MODELS)('the fp32 original of $id', ({ id, folder }) => {
    let model: Model;
    beforeAll(async () => {
      model = await engine.loadModel(ORIGINALS + folder);
    });
    afterAll(() => model.dispose());

    it('is not rounded, so that no error is stated', () => {
      expect(model.info.format).toContain('F32');
      expect(model.info.attentionError).toBeNull();
    });

    it.each(goldenCases(id))('equals the golden values on $file', async (golden_case) => {
      const { file, text, text_pair } = golden_case;
      const golden = readGolden(`${id}/${file}`);
      const run = await model.run(text, text_pair ? { pair: text_pair } : {});
      expect(run.tokens.map((token) => token.id)).toEqual(Array.from(golden.tensor('input_ids')));
      expect(distance(await run.attentions(), golden.tensor('attentions'))).toBeLessThan(
        ATTENTION_LIMIT,
      );
      const expected = golden.tensor('hidden_states');
      const size = expected.length / (run.layers + 1);
      for (let layer = 0; layer <= run.layers; layer++) {
        const states = expected.slice(layer * size, (layer + 1) * size);
        expect(distance(await run.hidden(layer), states)).toBeLessThan(STATE_LIMIT);
      }
      if (golden.has('query')) await compareHeads(run, golden);
      await run.dispose();
    });
  });
});

async function compareHeads(
  run: Awaited<ReturnType<Model['run']>>,
  golden: ReturnType<typeof readGolden>,
): Promise<void> {
  const names = { queries: 'query', keys: 'key', values: 'value', scores: 'scores' } as const;
  for (let layer = 0; layer < run.layers; layer++) {
    for (let head = 0; head < run.heads; head++) {
      const found = await run.head(layer, head);
      for (const [part, name] of Object.entries({ ...names, context: 'context' })) {
        const all = golden.tensor(name);
        const size = all.length / (run.layers * run.heads);
        const start = (layer * run.heads + head) * size;
        const values = found[part as keyof typeof names];
        expect(
          distance(values, all.slice(start, start + size)),
          `${name} L${layer} H${head}`,
        ).toBeLessThan(STATE_LIMIT);
      }
    }
  }
}

/** Written as text, because the test runner rewrites imports in functions. */
const inPage = (entry: string, source: string, text: string, variant: Variant) => `(async () => {
  const { createEngine } = await import(${JSON.stringify(entry)});
  const engine = await createEngine({ variant: ${JSON.stringify(variant)} });
  const model = await engine.loadModel(${JSON.stringify(source)});
  const run = await model.run(${JSON.stringify(text)});
  const weights = Array.from(await run.attentions());
  const hidden = Array.from(await run.hidden(run.layers));
  await engine.dispose();
  return { weights, hidden };
})()`;

describe('in Chromium', () => {
  it.each(MODELS)(
    'the fp32 original of $id equals the golden values on one sentence, in both variants',
    async ({ id, folder, file }) => {
      const site = await serve({ root: SITE, port: 0, csp: null }); // the originals are another host
      const originals = await serve({ root: ORIGINALS + folder, port: 0 });
      const browser = await launchChromium();
      try {
        // A blank page of the site's origin, without the explorer's policy in the way of a second address.
        const page = await browser.open(`${site.url}favicon.svg`);
        const golden = readGolden(`${id}/${file}`);
        for (const variant of ['baseline', 'relaxed'] as const) {
          const found = await page.native.evaluate<{ weights: number[]; hidden: number[] }>(
            inPage(`${site.url}headlights.js`, originals.url, golden.text('text'), variant),
          );
          expect(distance(found.weights, golden.tensor('attentions'))).toBeLessThan(
            ATTENTION_LIMIT,
          );
          const states = golden.tensor('hidden_states');
          expect(distance(found.hidden, states.slice(-found.hidden.length))).toBeLessThan(
            STATE_LIMIT,
          );
        }
      } finally {
        await browser.close();
        await site.close();
        await originals.close();
      }
    },
  );

  it('reads the originals that the golden values were made from', () => {
    for (const { folder } of MODELS) {
      const config = JSON.parse(readFileSync(`${ORIGINALS}${folder}/config.json`, 'utf8'));
      expect(config.model_type).toBe('bert');
    }
  });
});
