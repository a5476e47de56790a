/**
 * Computes a demonstration with the engine: draws the matrices, runs the attention, takes the chosen token apart.
 * Of several wishes in a row the newest counts.
 */

import type { Engine, MultiHeadInput, MultiHeadOutput, MultiHeadTimes } from 'headlights';
import { DEMOS, drawDemo } from '../demos/demos.ts';
import type { DemoState } from '../demos/link.ts';
import type { Inside } from '../draw/inside.ts';

export interface DemoResult {
  state: DemoState;
  input: MultiHeadInput;
  output: MultiHeadOutput;
}

export async function computeDemo(engine: Engine, state: DemoState): Promise<DemoResult> {
  const input = await drawDemo(engine, DEMOS[state.demo], state.settings);
  return { state, input, output: await engine.multiHead(input) };
}

/** One head and one pair of tokens, for the inspector. */
export async function insideDemo(
  engine: Engine,
  { state, input, output }: DemoResult,
  head: number,
  query: number,
  key: number,
): Promise<Inside> {
  const { heads, headSize, width } = input;
  const tokens = state.settings.tokens;
  const row = (matrix: Float32Array, index: number) =>
    matrix.slice(index * width, (index + 1) * width);
  const [steps, additions] = await Promise.all([
    engine.attentionSteps(
      {
        queries: output.queries,
        keys: output.keys,
        values: output.values,
        heads,
        headSize,
        queryLength: tokens.length,
      },
      head,
      query,
      key,
    ),
    engine.additions({
      context: row(output.concat, query),
      heads,
      wO: input.wO,
      residual: row(input.x, query),
    }),
  ]);
  return {
    layer: null,
    head,
    query,
    key,
    queryTokens: tokens,
    keyTokens: tokens,
    queryInput: row(input.x, query),
    keyInput: row(input.x, key),
    steps,
    additions,
  };
}

/**
 * What each dimension of the concatenation brings to each dimension of the output, for one token: [width * width].
 * Every dimension counts as a head of its own.
 */
export async function pathsOf(
  engine: Engine,
  { input, output }: DemoResult,
  token: number,
): Promise<{ paths: Float32Array; sum: Float32Array }> {
  const { width } = input;
  const { parts, output: sum } = await engine.additions({
    context: output.concat.slice(token * width, (token + 1) * width),
    heads: width,
    wO: input.wO,
    residual: input.x.slice(token * width, (token + 1) * width),
  });
  return { paths: parts, sum };
}

export interface LoopAgainstBatch {
  times: MultiHeadTimes;
  /** Largest difference between the two outputs. */
  difference: number;
}

export async function loopAgainstBatch(
  engine: Engine,
  { input, output }: DemoResult,
): Promise<LoopAgainstBatch> {
  const looped = await engine.multiHead({ ...input, projection: 'looped' });
  let difference = 0;
  looped.output.forEach((value, index) => {
    difference = Math.max(difference, Math.abs(value - output.output[index]!));
  });
  return { times: await engine.timeMultiHead(input, 21), difference };
}
