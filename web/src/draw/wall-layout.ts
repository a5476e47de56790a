/**
 * Where the heads stand on the wall: a cell's size in device pixels (so that every map is crisp) and the order of
 * the heads. Sorted by layer the wall is a table, a row a layer; by role or spread it is read like text.
 */

import type { HeadRole, Picture } from './picture.ts';
import { spread } from './statistics.ts';

export type WallSort = 'layer' | 'role' | 'entropy';

export interface HeadPlace {
  layer: number;
  head: number;
}

export interface WallLayout {
  columns: number;
  rows: number;
  /** Device pixels: side of a cell, distance between cells across and down. */
  cell: number;
  gapX: number;
  gapY: number;
  width: number;
  height: number;
}

const SMALLEST_CELL = 4;

/** The largest whole-pixel cells with which `columns` fit into `width` device pixels. */
export function layoutWall(
  columns: number,
  rows: number,
  width: number,
  gapX: number,
  gapY: number,
  largest: number,
): WallLayout {
  const fitting = Math.floor((width - gapX * (columns - 1)) / Math.max(1, columns));
  const cell = Math.max(SMALLEST_CELL, Math.min(largest, fitting));
  return {
    columns,
    rows,
    cell,
    gapX,
    gapY,
    width: columns * cell + Math.max(0, columns - 1) * gapX,
    height: rows * cell + Math.max(0, rows - 1) * gapY,
  };
}

/** All heads in the order of the wall. Heads that have not arrived stand at the end of a sorted wall. */
export function orderHeads(
  sort: WallSort,
  layers: number,
  heads: number,
  roles: readonly HeadRole[],
  picture: Picture | null,
): HeadPlace[] {
  const places = Array.from({ length: layers * heads }, (_, i) => ({
    layer: Math.floor(i / heads),
    head: i % heads,
  }));
  if (sort === 'layer') return places;
  const ready = picture?.layersReady ?? 0;
  const n = picture?.tokens.length ?? 0;
  const rank = places.map((place) => {
    if (sort === 'role') return roleRank(place, roles);
    if (!picture || place.layer >= ready) return Number.POSITIVE_INFINITY;
    const value = spread(picture.weights(place), n, picture.reach);
    return Number.isNaN(value) ? Number.MAX_VALUE : value;
  });
  const order = places.map((_, i) => i);
  order.sort((a, b) => (rank[a] === rank[b] ? a - b : rank[a]! - rank[b]!));
  return order.map((i) => places[i]!);
}

/** Heads with a role first, roles of one kind together, each kind by falling score. */
function roleRank(place: HeadPlace, roles: readonly HeadRole[]): number {
  const index = roles.findIndex((role) => role.layer === place.layer && role.head === place.head);
  return index < 0 ? Number.POSITIVE_INFINITY : index;
}
