/** The examples keep their promise: asked in Node, the shipped model lights what each example says it lights. */

import { createEngine } from 'headlights';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rolesOf } from '../../web/src/draw/roles.ts';
import { strongest, weightsOf } from '../../web/src/draw/statistics.ts';
import { makePicture } from '../../web/src/draw/transform.ts';
import type { Engine, Model } from '../../web/src/engine/types.ts';
import { EXAMPLES, type Example } from '../../web/src/state/examples.ts';
import { MODEL_IDS, type ModelId } from '../../web/src/state/models.ts';
import { suggestModel } from '../../web/src/state/script.ts';

let engine: Engine;
const models = new Map<ModelId, Model>();

beforeAll(async () => {
  engine = await createEngine();
  for (const id of MODEL_IDS) models.set(id, await engine.loadModel(id));
});

afterAll(() => engine?.dispose());

/** The row of a query as the page first shows it: special tokens hidden. Tokens are those of the run. */
async function rowOf({ text, model, layer, head }: Example, query: number) {
  const run = await models.get(model)!.run(text);
  const weights = await run.attentions();
  const size = run.heads * run.queryLength * run.keyLength;
  const picture = makePicture(
    {
      tokens: run.tokens,
      typedText: text,
      layers: run.layers,
      heads: run.heads,
      layersReady: run.layers,
      attentions: (of) => weights.subarray(of * size, (of + 1) * size),
    },
    { showSpecials: false, mergeWords: false },
  );
  await run.dispose();
  const choice = { layer, head };
  const at = picture.tokens.findIndex(({ sources }) => sources.includes(query));
  const row = weightsOf(picture.weights(choice), picture.tokens.length, at, 'from');
  const [most] = strongest(row, 1);
  return {
    most: picture.tokens[most!.index]!.sources[0]!,
    hidden: picture.removed(choice)![at]!,
  };
}

describe.each(EXAMPLES.map((example) => [example.text, example] as const))('%s', (_, example) => {
  test('shows a role that was measured for its head', () => {
    const roles = rolesOf(example.model).filter(
      ({ layer, head }) => layer === example.layer && head === example.head,
    );
    expect(roles.map(({ role }) => role)).toContain(example.role);
  });

  test('its pinned word looks most at the word that the role says', async () => {
    const { most } = await rowOf(example, example.query);
    expect(example.keys).toContain(most);
  });

  test('most of what its pinned word looks at is visible while special tokens are hidden', async () => {
    const { hidden } = await rowOf(example, example.query);
    expect(hidden).toBeLessThan(0.5);
  });

  test('is in the writing of its model', () => {
    expect(suggestModel(example.text)).toBe(example.model);
  });
});

test('another word of an example would be told apart: not every word shows the role', async () => {
  const [first] = EXAMPLES;
  expect(first!.keys).not.toContain((await rowOf(first!, 2)).most);
});
