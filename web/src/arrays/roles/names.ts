/** What an array is for by its name, as papers, PyTorch, Hugging Face, Flax and TransformerLens write it. */
import type { Role } from './types.ts';

const LETTERS: Readonly<Record<string, 'Q' | 'K' | 'V' | 'O'>> = {
  q: 'Q',
  query: 'Q',
  queries: 'Q',
  k: 'K',
  key: 'K',
  keys: 'K',
  v: 'V',
  value: 'V',
  values: 'V',
  o: 'O',
  out: 'O',
  output: 'O',
};

const LETTER = '(q|query|queries|k|key|keys|v|value|values|o|out|output)';

/** W of one kind, whatever ends the name. */
const WEIGHT = new RegExp(
  `^(?:w_?\\^?${LETTER}|${LETTER}_?(?:proj|projection|lin|linear|kernel|weights?)(?:_?weights?)?)$`,
);
/** The same without a sign that it is a weight: what comes of the projection. */
const PROJECTED = new RegExp(`^(?:to_?|mat_?)?${LETTER}(?:_?(?:states?|layer|heads?|vectors?))?$`);

const VECTORS = { Q: 'queries', K: 'keys', V: 'values' } as const;

const OTHERS: readonly (readonly [RegExp, Role])[] = [
  [/^(x|hidden|hidden_?states?|inputs?|embed(ding)?s?|words|h)$/, 'x'],
  [/^(memory|encoder_?(hidden_?states?|outputs?)|cross_?states?)$/, 'memory'],
  [
    /^(a|alpha|pattern|probs?|weights?|(attn|att|attentions?)(_?(weights?|probs?|scores?|pattern|matrix|map|maps))?)$/,
    'weights',
  ],
  [/^(查询|查询矩阵|查询向量)$/, 'queries'],
  [/^(键|键矩阵|键向量)$/, 'keys'],
  [/^(值|值矩阵|值向量)$/, 'values'],
  [/^(注意力|注意力权重|权重)$/, 'weights'],
  [/^(输入|词向量)$/, 'x'],
];

/** null: the name does not say. */
export function roleOfName(name: string): Role | null {
  const parts = name
    .toLowerCase()
    .split(/[./\\:\s]+/)
    .map((part) => part.replace(/[-\s]/g, '_').replace(/^(hook|layer_?\d+|block_?\d+)_/, ''))
    .filter((part) => part !== '' && !/^\d+$/.test(part));
  const isParameter = parts.length > 1 && /^(weight|kernel|w)$/.test(parts.at(-1)!);
  const last = (isParameter ? parts.at(-2)! : (parts.at(-1) ?? '')).replace(/_?\d+$/, '');
  if (/bias/.test(parts.at(-1) ?? '') || /^b_?[qkvo]$/.test(last)) return null;

  const weight = WEIGHT.exec(last);
  if (weight) return `w${LETTERS[(weight[1] ?? weight[2])!]!}`;
  const projected = PROJECTED.exec(last);
  if (projected) {
    const letter = LETTERS[projected[1]!]!;
    if (isParameter) return `w${letter}`;
    return letter === 'O' ? null : VECTORS[letter];
  }
  if (isParameter) return last === 'dense' && parts.includes('attention') ? 'wO' : null;
  return OTHERS.find(([pattern]) => pattern.test(last))?.[1] ?? null;
}

/** Whether W of this name is kept as [out, in]: PyTorch's parameters are called so. */
export const isOutInName = (name: string) =>
  /(^|[._])weight$|proj|(^|[._])to_|lin(ear)?$/i.test(name);
