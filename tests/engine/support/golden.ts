/** Reads the golden files: tensors with their shapes, and the texts that they were made from. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseSafetensorsHeader, readTensor } from '../../../web/src/engine/formats/safetensors.ts';

export const GOLDEN = fileURLToPath(new URL('../../golden/', import.meta.url));
export const PACKS = fileURLToPath(new URL('../../../web/public/models/', import.meta.url));
export const TINY = `${GOLDEN}models-tiny/bert`;

type Numbers = Float32Array | Float64Array | Int32Array | Uint8Array;

export interface GoldenFile {
  tensor(name: string): Numbers;
  shape(name: string): readonly number[];
  has(name: string): boolean;
  text(name: string): string;
  metadata: ReadonlyMap<string, string>;
}

export function readGolden(path: string): GoldenFile {
  const bytes = new Uint8Array(readFileSync(path.startsWith('/') ? path : GOLDEN + path));
  const { tensors, metadata } = parseSafetensorsHeader(bytes, path, bytes.length);
  const entry = (name: string) => {
    const found = tensors.get(name);
    if (found === undefined) throw new Error(`${path} has no tensor ${name}`);
    return found;
  };
  return {
    tensor: (name) => readTensor(bytes, entry(name)) as Numbers,
    shape: (name) => entry(name).shape,
    has: (name) => tensors.has(name),
    text: (name) => metadata.get(name) ?? '',
    metadata,
  };
}

export interface Case {
  file: string;
  text: string;
  text_pair: string | null;
}

export function goldenCases(folder: 'minilm-en' | 'bge-zh'): Case[] {
  const index = JSON.parse(readFileSync(`${GOLDEN}${folder}/index.json`, 'utf8'));
  return index.cases;
}

/** Largest absolute difference; NaN anywhere, or another length, is infinitely far. */
export function distance(found: ArrayLike<number>, expected: ArrayLike<number>): number {
  if (found.length !== expected.length) return Number.POSITIVE_INFINITY;
  let largest = 0;
  for (let i = 0; i < found.length; i++) {
    const difference = Math.abs(found[i]! - expected[i]!);
    if (!(difference <= largest)) largest = Number.isNaN(difference) ? Infinity : difference;
  }
  return largest;
}
