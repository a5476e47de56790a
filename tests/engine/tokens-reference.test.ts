/**
 * Ids, type ids and places against Hugging Face's own implementation in Rust, on strings that were
 * written or drawn to be difficult (tests/golden/tokens/make.py says how), and on pairs that are cut.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Encoding } from '../../web/src/engine/tokens/tokenizer.ts';
import { goldenPath, MODELS, type ModelName, tokenizer, unitsOf } from './tokens-helpers.ts';

interface Row {
  ids: number[];
  types: number[];
  /** Which tokens come from a text, and their places in code points, flat. */
  plain: number[];
  offsets: number[];
}

interface Reference {
  texts: string[];
  pairs: [string, string][];
  limits: number[];
  models: Record<ModelName, { texts: Row[]; pairs: Row[] }>;
}

const reference: Reference = JSON.parse(readFileSync(goldenPath('tokens/reference.json'), 'utf8'));

function rowOf(encoding: Encoding): Omit<Row, 'offsets'> {
  return {
    ids: [...encoding.ids],
    types: [...encoding.typeIds],
    plain: encoding.tokens.flatMap(({ special }, i) => (special ? [] : [i])),
  };
}

/** The row's places in the UTF-16 units of the text that each token belongs to. */
function placesOf(row: Row, encoding: Encoding, texts: readonly string[]): number[] {
  const units = texts.map(unitsOf);
  return row.offsets.map(
    (place, i) => units[encoding.tokens[row.plain[i >> 1]!]!.segment]![place]!,
  );
}

const found = (encoding: Encoding) =>
  encoding.tokens.flatMap(({ special, start, end }) => (special ? [] : [start, end]));

describe.each(MODELS)('the reference implementation agrees with %s', (model) => {
  const rows = reference.models[model];

  it(`on ${reference.texts.length} texts`, () => {
    reference.texts.forEach((text, i) => {
      const { offsets, ...row } = rows.texts[i]!;
      const encoding = tokenizer(model).encode(text);
      expect(rowOf(encoding), JSON.stringify(text)).toEqual(row);
      const places = placesOf({ offsets, ...row }, encoding, [text]);
      expect(found(encoding), JSON.stringify(text)).toEqual(places);
    });
  });

  it(`on ${reference.pairs.length} pairs that are cut to a few tokens`, () => {
    let cut = 0;
    reference.pairs.forEach(([first, second], i) => {
      const { offsets, ...row } = rows.pairs[i]!;
      const encoding = tokenizer(model).encode(first, second, reference.limits[i]!);
      expect(rowOf(encoding), `${first} | ${second}`).toEqual(row);
      expect(found(encoding)).toEqual(placesOf({ offsets, ...row }, encoding, [first, second]));
      if (encoding.truncated) cut++;
    });
    expect(cut).toBeGreaterThan(20);
  });
});
