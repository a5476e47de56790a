/** Tokens of the golden sentences: ids, type ids, spellings and places as transformers gave them. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseSafetensorsHeader, readTensor } from '../../web/src/engine/formats/safetensors.ts';
import { goldenPath, type ModelName, tokenizer, unitsOf } from './tokens-helpers.ts';

const FOLDERS: readonly [ModelName, string, number][] = [
  ['minilm-en', 'minilm-en', 8],
  ['bge-zh', 'bge-zh', 8],
  ['tiny-bert', 'models-tiny/bert/expected', 2],
];

for (const [model, folder, count] of FOLDERS) {
  describe(`tokens of ${folder}`, () => {
    const files = readdirSync(goldenPath(folder)).filter((name) => name.endsWith('.safetensors'));

    it('are compared for every golden file', () => {
      expect(files).toHaveLength(count);
    });

    it.each(files)('equal those of %s', (name) => {
      const bytes = readFileSync(goldenPath(`${folder}/${name}`));
      const { tensors, metadata } = parseSafetensorsHeader(bytes, name, bytes.length);
      const text = metadata.get('text')!;
      const pair = metadata.get('text_pair');
      const encoding = tokenizer(model).encode(text, pair, 512);

      const list = (tensor: string) => [...(readTensor(bytes, tensors.get(tensor)!) as Int32Array)];
      expect([...encoding.ids]).toEqual(list('input_ids'));
      expect([...encoding.typeIds]).toEqual(list('token_type_ids'));
      expect(encoding.tokens.map((token) => token.text)).toEqual(
        JSON.parse(metadata.get('tokens')!),
      );
      expect(encoding.truncated).toBeNull();

      const units = [unitsOf(text), unitsOf(pair ?? '')];
      const offsets = JSON.parse(metadata.get('offsets')!) as [number, number][];
      encoding.tokens.forEach(({ start, end, special, segment }, i) => {
        const [from, to] = offsets[i]!;
        const place = special ? [null, null] : [units[segment]![from], units[segment]![to]];
        expect([start, end]).toEqual(place);
        if (special) expect([from, to]).toEqual([0, 0]);
      });
    });
  });
}
