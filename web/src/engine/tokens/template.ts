/**
 * What a tokenizer puts around one text or two: [CLS] first [SEP] second [SEP], with type ids.
 * Read from the post_processor of `tokenizer.json` into two flat lists.
 */
import { HeadlightsError } from '../errors.ts';

/** A special token, or the place of the first ('A') or second ('B') text. */
export type Part =
  | { readonly id: number; readonly type: number }
  | { readonly text: 'A' | 'B'; readonly type: number };

export interface Template {
  readonly single: readonly Part[];
  readonly pair: readonly Part[];
}

const PLAIN: Template = {
  single: [{ text: 'A', type: 0 }],
  pair: [
    { text: 'A', type: 0 },
    { text: 'B', type: 0 },
  ],
};

export function createTemplate(config: unknown): Template {
  if (config == null) return PLAIN;
  if (typeof config !== 'object') throw corrupt('it is not an object');
  const settings = config as Record<string, unknown>;
  switch (settings.type) {
    case 'TemplateProcessing':
      return {
        single: fromTemplate(settings.single, settings.special_tokens, 'A'),
        pair: fromTemplate(settings.pair, settings.special_tokens, 'AB'),
      };
    case 'BertProcessing':
    case 'RobertaProcessing': {
      const roberta = settings.type === 'RobertaProcessing';
      const cls = { id: idOf(settings.cls, 'cls'), type: 0 };
      const sep = { id: idOf(settings.sep, 'sep'), type: 0 };
      const type = roberta ? 0 : 1;
      const single: Part[] = [cls, { text: 'A', type: 0 }, sep];
      const second: Part[] = [
        { text: 'B', type },
        { id: sep.id, type },
      ];
      return { single, pair: [...single, ...(roberta ? [sep] : []), ...second] };
    }
    case 'Sequence': {
      const list = settings.processors;
      if (!Array.isArray(list)) throw corrupt('its sequence has no list');
      const templates = list.map(createTemplate).filter((template) => template !== PLAIN);
      if (templates.length > 1) throw unsupported('Sequence');
      return templates[0] ?? PLAIN;
    }
    case 'ByteLevel': // moves offsets only
      return PLAIN;
    default:
      throw unsupported(settings.type);
  }
}

function fromTemplate(parts: unknown, specials: unknown, texts: 'A' | 'AB'): Part[] {
  if (!Array.isArray(parts)) throw corrupt('its template is not a list');
  const result: Part[] = [];
  let order = '';
  for (const part of parts as Record<string, Record<string, unknown> | undefined>[]) {
    const { SpecialToken: special, Sequence: text } = part ?? {};
    if (special) {
      const type = whole(special.type_id, 'a type_id');
      const known = (specials as Record<string, { ids?: unknown } | undefined> | undefined)?.[
        String(special.id)
      ];
      if (!Array.isArray(known?.ids)) throw corrupt(`it does not define "${String(special.id)}"`);
      for (const id of known.ids) result.push({ id: whole(id, 'a token id'), type });
    } else if (text && (text.id === 'A' || text.id === 'B')) {
      order += text.id;
      result.push({ text: text.id, type: whole(text.type_id, 'a type_id') });
    } else {
      throw corrupt('its template has a part that is neither a special token nor a sequence');
    }
  }
  if (order !== texts)
    throw unsupported(`TemplateProcessing with the texts in the order "${order}"`);
  return result;
}

function idOf(pair: unknown, name: string): number {
  return whole(Array.isArray(pair) ? pair[1] : undefined, `the id of "${name}"`);
}

function whole(value: unknown, name: string): number {
  if (Number.isInteger(value) && (value as number) >= 0) return value as number;
  throw corrupt(`${name} is not a whole number`);
}

function corrupt(reason: string): HeadlightsError {
  return new HeadlightsError('corrupt', `tokenizer.json: the post_processor is broken: ${reason}.`);
}

function unsupported(type: unknown): HeadlightsError {
  return new HeadlightsError(
    'unsupported',
    `The tokenizer uses the post-processor "${String(type)}", which is not implemented.`,
    { part: 'post_processor', type },
  );
}
