/** Small cases to begin with, as a reader would type them. */

export type ExampleId = 'translation' | 'ratings' | 'projections';

export interface LabExample {
  text: string;
  heads: string;
  rows: string;
  columns: string;
  /** The cell that is looked into first: head, row, column. */
  cell: readonly [number, number, number];
}

export const EXAMPLES: Readonly<Record<ExampleId, LabExample>> = {
  /** Cross-attention of two heads: words look at their translations, and at the subject. */
  translation: {
    text: `Q:
le,    2,  0, 0, 1
chat,  0,  2, 1, 0
dort, -2, -1, 0, 1

K:
the,       2,  0, 1, 0
cat,       0,  2, 0, 3
is,       -2,  0, 0, 0
sleeping, -2, -2, 1, 1

V:
the,      1, 0, 0, 1
cat,      0, 1, 2, 0
is,       1, 1, 0, 0
sleeping, 0, 2, 1, 1
`,
    heads: '2',
    rows: '',
    columns: '',
    cell: [0, 2, 3],
  },
  /** Ready-made weights: what share of each user's evenings went to which film. */
  ratings: {
    text: `weights:
,      Alien, Amélie, Metropolis, Solaris, Totoro
Ana,   0.5,   0,      0.25,       0.25,    0
Bruno, 0,     0.5,    0,          0,       0.5
Chen,  0.125, 0.125,  0.25,       0.25,    0.25
Dilek, 0,     0,      0,          1,       0
`,
    heads: '',
    rows: '',
    columns: '',
    cell: [0, 0, 0],
  },
  /** Own words and weights, two heads. */
  projections: {
    text: `X:
I,    1, 0, 1, 0
like, 0, 1, 0, 1
tea,  1, 1, 0, 0

W_Q = [[2, 0, 0, 1], [0, 2, 1, 0], [0, 1, 1, 0], [1, 0, 0, 1]]
W_K = [[1, 0, 0, 1], [0, 1, 1, 0], [1, 0, 1, 0], [0, 1, 0, 1]]
W_V = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
W_O = [[1, 0, 0, 1], [0, 1, 1, 0], [1, 0, -1, 0], [0, 1, 0, -1]]
`,
    heads: '2',
    rows: '',
    columns: '',
    cell: [0, 0, 0],
  },
};

export const EXAMPLE_IDS = Object.keys(EXAMPLES) as ExampleId[];
