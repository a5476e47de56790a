/**
 * Nested lists of numbers as JSON, one or several by name: `[[1, 2], [3, 4]]`, `{"Q": [[1, 2]], "K": [[3, 4]]}`. Read
 * here rather than by JSON.parse, which refuses the NaN and Infinity that Python's json writes, cannot say where a list
 * is ragged, and builds an object for every list. Whatever JSON.parse refuses besides is refused.
 */

import { NestedLists } from './json-lists.ts';
import { JsonText } from './json-text.ts';
import type { NamedArray } from './types.ts';

/** `name` is for a list without a name of its own. */
export function parseJson(source: string, file: string, name: string): NamedArray[] {
  const text = new JsonText(source, file);
  const arrays: NamedArray[] = [];
  if (text.next() === '{') readNamed(text, arrays);
  else if (text.next() === '[') arrays.push(new NestedLists(text, null, 0).read(name));
  else throw text.unexpected('"[" or "{"');
  text.end();
  return arrays;
}

function readNamed(text: JsonText, arrays: NamedArray[]): void {
  const names = new Set<string>();
  let numbers = 0;
  text.take('{');
  if (text.next() === '}') throw text.fault('empty', '', 'There is no array in', {});
  for (;;) {
    if (text.next() !== '"') throw text.unexpected('a name in double quotes');
    const name = text.string();
    if (names.has(name))
      throw text.fault('duplicate-name', name, `The name "${name}" stands twice in`, {
        array: name,
      });
    names.add(name);
    text.expect(':');
    const array = new NestedLists(text, name, numbers).read(name);
    arrays.push(array);
    numbers += array.data.length;
    if (text.take(',')) continue;
    text.expect('}', '"," or "}"');
    return;
  }
}
