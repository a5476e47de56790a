/**
 * What a reader changes in a run: heads off or louder, tokens hidden, another pattern, temperature, positions.
 * `checkInterventions` needs nothing but the model's sizes (lengths come later); `fitInterventions` checks the
 * masks against the number of tokens.
 */
import { HeadlightsError } from '../errors.ts';
import type { AttentionKernel, Interventions, Pattern } from '../types.ts';
import { ALGORITHMS } from '../wasm/module.ts';
import { badArgument, boolean, finite, integer, mask, object, oneOf } from './arguments.ts';
import { type CheckedPattern, checkPattern } from './pattern.ts';

export interface CheckedInterventions {
  gains: { layer: number; head: number; gain: number }[];
  keyMask: Uint8Array | null;
  pattern: Pattern;
  temperature: number;
  positions: boolean;
  algorithm: AttentionKernel;
}

const KNOWN = ['gains', 'keyMask', 'pattern', 'temperature', 'positions', 'algorithm'];

/** Every value checked and copied; masks keep their lengths for fitInterventions. */
export function checkInterventions(
  given: Interventions | undefined,
  layers: number,
  heads: number,
): CheckedInterventions {
  const fields = given === undefined ? {} : object(given, 'interventions');
  for (const name of Object.keys(fields)) {
    if (KNOWN.includes(name)) continue;
    throw new HeadlightsError(
      'bad-argument',
      `There is no intervention '${name}'; there are ${KNOWN.join(', ')}.`,
      { argument: `interventions.${name}` },
    );
  }
  const { gains = [], keyMask, pattern = 'model', temperature = 1, positions, algorithm } = fields;
  if (!Array.isArray(gains)) throw badArgument('interventions.gains', gains, 'a list');
  const warmth = finite(temperature, 'interventions.temperature');
  if (!(Math.fround(warmth) > 0) || !Number.isFinite(Math.fround(1 / warmth)))
    throw badArgument('interventions.temperature', temperature, 'a number above 0');
  return {
    gains: gains.map((entry: unknown, i) => {
      const name = `interventions.gains[${i}]`;
      const { layer, head, gain } = object(entry, name);
      return {
        layer: integer(layer, `${name}.layer`, 0, layers - 1),
        head: integer(head, `${name}.head`, 0, heads - 1),
        gain: finite(gain, `${name}.gain`),
      };
    }),
    keyMask: keyMask === undefined ? null : copied(keyMask, 'interventions.keyMask'),
    pattern: checkedEarly(pattern as Pattern),
    temperature: warmth,
    positions: boolean(positions, 'interventions.positions', true),
    algorithm: oneOf(algorithm, 'interventions.algorithm', ALGORITHMS, 'explained'),
  };
}

function copied(value: unknown, name: string): Uint8Array {
  if (!(value instanceof Uint8Array)) throw badArgument(name, value, 'a Uint8Array');
  return new Uint8Array(value);
}

/** A pattern whose length will be checked when the tokens are known. */
function checkedEarly(pattern: Pattern): Pattern {
  if (pattern instanceof Uint8Array) return copied(pattern, 'interventions.pattern');
  checkPattern(pattern, 'interventions.pattern', 0, 0, ['model', 'full']);
  return typeof pattern === 'object' ? { ...pattern } : pattern;
}

export interface FittedInterventions extends Omit<CheckedInterventions, 'pattern'> {
  pattern: CheckedPattern;
}

/** The masks against `tokens`, the number of tokens of the run. */
export function fitInterventions(
  checked: CheckedInterventions,
  tokens: number,
): FittedInterventions {
  const { keyMask } = checked;
  return {
    ...checked,
    keyMask:
      keyMask && mask(keyMask, 'interventions.keyMask', tokens, `the run's ${tokens} tokens`),
    pattern: checkPattern(checked.pattern, 'interventions.pattern', tokens, tokens, [
      'model',
      'full',
    ]),
  };
}
