/**
 * Formulas as trees. One tree gives the value, the letters and the numbers put in, so that what is
 * printed cannot differ from what is computed. Whole numbers of any size; the only fraction is the
 * half byte of a 4-bit number, and a result is rounded up to whole bytes.
 */

/** The letters of the page. `b` is bytes for one number. */
export type Variable = 'n' | 'd' | 'h' | 'dk' | 'kv' | 'layers' | 'ff' | 'vocab' | 'b' | 'k' | 'r';

export type Expression =
  | { readonly kind: 'number'; readonly value: bigint }
  | { readonly kind: 'variable'; readonly name: Variable }
  | { readonly kind: 'square'; readonly name: Variable }
  | { readonly kind: 'product' | 'sum' | 'difference'; readonly of: readonly Expression[] }
  /** An earlier result: printed as its symbol, with its value put in. */
  | { readonly kind: 'named'; readonly symbol: string; readonly of: Expression };

/** A part of a printed formula: `F_qkv` is a letter with an index. */
export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'letter'; readonly text: string; readonly index: string }
  | { readonly kind: 'power'; readonly text: string };

/** Numerator and denominator. */
type Fraction = readonly [bigint, bigint];

/** `b` in bits, so that all are whole numbers. */
export type Values = Readonly<Record<Exclude<Variable, 'b'>, bigint>> & { readonly bits: bigint };

type Operand = Expression | Variable | number;

const LETTERS: Readonly<Record<Variable, string>> = {
  n: 'n',
  d: 'd',
  h: 'h',
  dk: 'd_k',
  kv: 'h_kv',
  layers: 'L',
  ff: 'd_ff',
  vocab: 'V',
  b: 'b',
  k: 'k',
  r: 'r',
};

const SIGNS = { product: ['·', '×'], sum: ['+', '+'], difference: ['−', '−'] } as const;

function operand(of: Operand): Expression {
  if (typeof of === 'number') return { kind: 'number', value: BigInt(of) };
  return typeof of === 'string' ? { kind: 'variable', name: of } : of;
}

export const product = (...of: Operand[]): Expression => ({ kind: 'product', of: of.map(operand) });
export const sum = (...of: Operand[]): Expression => ({ kind: 'sum', of: of.map(operand) });
export const difference = (from: Operand, less: Operand): Expression => ({
  kind: 'difference',
  of: [operand(from), operand(less)],
});
export const square = (name: Variable): Expression => ({ kind: 'square', name });
export const named = (symbol: string, of: Operand): Expression => ({
  kind: 'named',
  symbol,
  of: operand(of),
});

/** The result, rounded up to a whole number. */
export function evaluate(expression: Expression, values: Values): bigint {
  const [above, below] = fraction(expression, values);
  return above <= 0n ? above / below : (above + below - 1n) / below;
}

function fraction(expression: Expression, values: Values): Fraction {
  switch (expression.kind) {
    case 'number':
      return [expression.value, 1n];
    case 'variable':
      return expression.name === 'b' ? [values.bits, 8n] : [values[expression.name], 1n];
    case 'square': {
      const [above, below] = fraction({ kind: 'variable', name: expression.name }, values);
      return [above * above, below * below];
    }
    case 'named':
      return [evaluate(expression.of, values), 1n];
    case 'product':
      return expression.of
        .map((of) => fraction(of, values))
        .reduce(([a, b], [c, d]) => [a * c, b * d]);
    case 'sum':
    case 'difference': {
      const sign = expression.kind === 'sum' ? 1n : -1n;
      return expression.of
        .map((of) => fraction(of, values))
        .reduce(([a, b], [c, d]) => [a * d + sign * c * b, b * d]);
    }
  }
}

/** The formula in letters. */
export function letters(expression: Expression): Part[] {
  return print(expression, 0, (leaf) => {
    if (leaf.kind === 'number') return [{ kind: 'text', text: String(leaf.value) }];
    if (leaf.kind === 'named') return [letter(leaf.symbol)];
    const part = letter(LETTERS[leaf.name]);
    return leaf.kind === 'square' ? [part, { kind: 'power', text: '2' }] : [part];
  });
}

/** The formula with the numbers put in; `write` forms a whole number. */
export function numbers(
  expression: Expression,
  values: Values,
  write: (value: bigint) => string,
): Part[] {
  return print(expression, 1, (leaf) => {
    if (leaf.kind === 'variable' && leaf.name === 'b')
      return [{ kind: 'text', text: bytesEach(values.bits) }];
    if (leaf.kind !== 'square') return [{ kind: 'text', text: write(evaluate(leaf, values)) }];
    const base = evaluate({ kind: 'variable', name: leaf.name }, values);
    return [
      { kind: 'text', text: write(base) },
      { kind: 'power', text: '2' },
    ];
  });
}

/** Bytes of one number: whole, or a half. */
export const bytesEach = (bits: bigint): string => (bits < 8n ? '½' : String(bits / 8n));

export function letter(symbol: string): Part {
  const [text, index = ''] = symbol.split('_');
  return { kind: 'letter', text: text!, index };
}

type Leaf = Exclude<Expression, { of: readonly Expression[] }>;

function print(expression: Expression, form: 0 | 1, leaf: (leaf: Leaf) => Part[]): Part[] {
  if (
    expression.kind === 'product' ||
    expression.kind === 'sum' ||
    expression.kind === 'difference'
  ) {
    const sign: Part = { kind: 'text', text: ` ${SIGNS[expression.kind][form]} ` };
    return expression.of.flatMap((of, place) => {
      const parts = print(of, form, leaf);
      const whole = bracketed(expression.kind, of.kind, place)
        ? [bracket('('), ...parts, bracket(')')]
        : parts;
      return place === 0 ? whole : [sign, ...whole];
    });
  }
  return leaf(expression as Leaf);
}

/** A product inside a product keeps its brackets: they show which matrix is meant. */
function bracketed(outer: Expression['kind'], inner: Expression['kind'], place: number): boolean {
  if (inner === 'sum' || inner === 'difference')
    return outer === 'product' || (outer === 'difference' && place > 0);
  return inner === 'product' && outer === 'product';
}

const bracket = (text: string): Part => ({ kind: 'text', text });
