/**
 * What every view draws: attention weights over the tokens that are shown. `draw/transform.ts` makes a
 * Picture from a run (hiding special tokens, merging pieces into words, averaging); views only read it.
 */

export interface ShownToken {
  /** What the reader typed where that is known ("Didn"), else the vocabulary's text. */
  text: string;
  /** As in the vocabulary ("didn", "##n"). */
  piece: string;
  special: boolean;
  /** Not the first piece of its word. */
  continuation: boolean;
  /** True for [UNK]. */
  unknown: boolean;
  start: number | null;
  end: number | null;
  segment: 0 | 1;
  /** The run's token indices that this one stands for (several when pieces are merged into words). */
  sources: number[];
}

/** One head, or a mean: over the heads of a layer, over the layers at one head index, or over all. */
export interface HeadChoice {
  layer: number | 'mean';
  head: number | 'mean';
}

export interface Picture {
  layers: number;
  heads: number;
  /** Layers that have arrived; higher ones are drawn as waiting. */
  layersReady: number;
  tokens: ShownToken[];
  /** Weights [n*n] of a head or a mean, row = query, n = tokens.length. Cached. */
  weights(choice: HeadChoice): Float32Array;
  /** Mass [n] that each query's row gave to hidden tokens before renormalising; null when none is hidden. */
  removed(choice: HeadChoice): Float32Array | null;
  /** How many of the shown tokens each may look at [n]; null where there is no mask: all of them. */
  reach: Uint32Array | null;
  /** Names of the hidden tokens that a query may look at, each name once; for null: that any shown query may. */
  hidden(query: number | null): readonly string[];
}

/** A role measured on a treebank: shown as a label with score, baseline and "tends to". */
export interface HeadRole {
  layer: number;
  head: number;
  /** Key of an i18n text, for example 'role.previousPiece'. */
  role: string;
  score: number;
  /** null where no baseline applies. */
  baseline: number | null;
  /** Which kind of baseline: best fixed offset, chance, or another stated one. */
  baselineKind: 'offset' | 'chance' | 'coin' | null;
}

/** From: a query lights the keys it looks at. To: a key lights the queries that look at it. */
export type Direction = 'from' | 'to';
