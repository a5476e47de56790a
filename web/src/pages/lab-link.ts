/** The link of the lab: settings and where the reader looks, never the numbers. Fields are kept as typed. */
import type { InsideStep } from '../draw/inside.ts';
import { INSIDE_STEPS } from '../draw/inside.ts';
import { EXAMPLES, type ExampleId } from './lab-examples.ts';

export interface LabState {
  example: ExampleId | null;
  heads: string;
  kv: string;
  scale: string;
  mask: 'none' | 'causal' | 'window';
  radius: string;
  out: string;
  head: number;
  row: number;
  column: number;
  step: InsideStep;
}

export const START: LabState = {
  example: null,
  heads: '',
  kv: '',
  scale: '',
  mask: 'none',
  radius: '1',
  out: '',
  head: 0,
  row: 0,
  column: 0,
  step: 'vectors',
};

const MASKS: readonly string[] = ['none', 'causal', 'window'];

/** What a link says wrongly is left out and named. */
export function readLabLink(fragment: string): { state: LabState; faults: string[] } {
  const given = new Map<string, string>();
  const faults: string[] = [];
  for (const part of fragment.replace(/^#/, '').split('&')) {
    const equals = part.indexOf('=');
    if (equals < 1) continue;
    try {
      given.set(part.slice(0, equals), decodeURIComponent(part.slice(equals + 1)));
    } catch {
      faults.push(part.slice(0, equals));
    }
  }
  const take = <T>(field: string, usual: T, parse: (text: string) => T | null): T => {
    const text = given.get(field);
    if (text === undefined) return usual;
    const value = parse(text);
    if (value === null) faults.push(field);
    return value ?? usual;
  };
  const typed = (text: string) => (text.length <= 200 ? text : null);
  const index = (text: string) => (/^\d{1,7}$/.test(text) ? Number(text) : null);
  const example = take<ExampleId | null>('example', null, (text) =>
    Object.hasOwn(EXAMPLES, text) ? (text as ExampleId) : null,
  );
  const own = example ? EXAMPLES[example] : null;
  const cell = take('cell', own ? own.cell.slice(1) : [0, 0], (text) => {
    const pair = /^(\d{1,7})\.(\d{1,7})$/.exec(text);
    return pair ? [Number(pair[1]), Number(pair[2])] : null;
  });
  const state: LabState = {
    example,
    heads: take('heads', own?.heads ?? '', typed),
    kv: take('kv', '', typed),
    scale: take('scale', '', typed),
    mask: take('mask', START.mask, (text) =>
      MASKS.includes(text) ? (text as LabState['mask']) : null,
    ),
    radius: take('radius', START.radius, typed),
    out: take('out', '', typed),
    head: take('head', own?.cell[0] ?? 0, index),
    row: cell[0]!,
    column: cell[1]!,
    step: take('step', START.step, (text) =>
      (INSIDE_STEPS as readonly string[]).includes(text) ? (text as InsideStep) : null,
    ),
  };
  return { state, faults };
}

export function writeLabLink(state: LabState): string {
  const { example, head, row, column } = state;
  const own = example ? EXAMPLES[example] : null;
  const fields: [string, string, string][] = [
    ['example', example ?? '', ''],
    ['heads', state.heads, own?.heads ?? ''],
    ['kv', state.kv, ''],
    ['scale', state.scale, ''],
    ['mask', state.mask, START.mask],
    ['radius', state.mask === 'window' ? state.radius : START.radius, START.radius],
    ['out', state.out, ''],
    ['head', String(head), String(own?.cell[0] ?? 0)],
    ['cell', `${row}.${column}`, own ? `${own.cell[1]}.${own.cell[2]}` : '0.0'],
    ['step', state.step, START.step],
  ];
  return fields
    .filter(([, value, usual]) => value !== usual)
    .map(([field, value]) => `${field}=${encodeURIComponent(value)}`)
    .join('&');
}
