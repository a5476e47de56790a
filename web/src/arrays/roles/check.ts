/** Checks what arrays are chosen for: canonical layout and the steps to it, or what does not fit and what might. */
import type { NamedArray } from '../types.ts';
import { arrange, type Fit, fitsOf, optionsOf, TRANSPOSED } from './attention.ts';
import { problem } from './problems.ts';
import { arrangeProjections, orderText, projectionFits } from './projections.ts';
import {
  type Alternative,
  type CheckOptions,
  type CheckResult,
  type Kind,
  type Problem,
  ROLES_OF,
  type Role,
  type Roles,
  type Suggestion,
} from './types.ts';
import { reportOf, weightsFits, weightsNotes } from './weights.ts';

const MOST_SUGGESTIONS = 4;

/** The kind is that of most roles; of others, arrays are not used. */
export function checkRoles(roles: Roles, options: CheckOptions = {}): CheckResult {
  const kind = kindOf(roles);
  if (kind === 'attention') return checkAttention(roles, options);
  if (kind === 'projections') return checkProjections(roles, options);
  if (kind === 'weights') return checkWeights(roles, options);
  const message = 'No array was chosen for anything.';
  return { ok: false, kind, problems: [{ code: 'missing-role', message, suggestions: [] }] };
}

function kindOf(roles: Roles): Kind | null {
  const counts = (['attention', 'projections', 'weights'] as const).map((kind) => ({
    kind,
    count: ROLES_OF[kind].filter((role) => roles[role]).length,
  }));
  const best = counts.reduce((a, b) => (b.count > a.count ? b : a));
  return best.count > 0 ? best.kind : null;
}

function checkAttention(roles: Roles, options: CheckOptions): CheckResult {
  const kind = 'attention';
  const { fits, problems } = fitsOf(roles, options);
  const [best, ...others] = fits;
  if (!best) return { ok: false, kind, problems: withSuggestions(problems, roles, options) };
  return {
    ok: true,
    kind,
    ...arrange(best),
    notes: notesOf(roles, kind),
    alternatives: distinct(best, others).map((fit) => alternative(fit, options)),
    labels: {
      ...labelsFor('queries', best.readings[0].length, roles.queries?.labels?.rows),
      ...labelsFor('keys', best.readings[1].length, roles.keys?.labels?.rows),
    },
  };
}

const sizesOf = ({ heads, kvHeads, headSize, valueSize, readings: [q, k] }: Fit) =>
  [heads, kvHeads, headSize, valueSize, q.length, k.length].join();

/** Readings in another sense; transposed only where the best one is. */
function distinct(best: Fit, others: readonly Fit[]): Fit[] {
  const seen = new Set([sizesOf(best)]);
  return others.filter((fit) => {
    if (fit.cost >= best.cost + TRANSPOSED || seen.has(sizesOf(fit))) return false;
    seen.add(sizesOf(fit));
    return true;
  });
}

function alternative(fit: Fit, options: CheckOptions): Alternative {
  const { heads, headSize, readings } = fit;
  const turned = readings.flatMap(({ tensor }) =>
    tensor.steps.filter(({ code }) => code === 'transposed').map(() => tensor.array.name),
  );
  const what = `${heads} heads of ${headSize}, ${readings[0].length} queries, ${readings[1].length} keys`;
  const how = turned.length > 0 ? `, ${turned.join(' and ')} transposed` : '';
  return { message: `Read as ${what}${how}.`, options: optionsOf(fit, options) };
}

function checkProjections(roles: Roles, options: CheckOptions): CheckResult {
  const kind = 'projections';
  const { fits, problems } = projectionFits(roles, options);
  const [best] = fits;
  if (!best) return { ok: false, kind, problems: withSuggestions(problems, roles, options) };
  const order = best.order === 'in-out' ? 'out-in' : 'in-out';
  const turned = { ...options, weightOrder: order } as const;
  const isOpen = best.order !== null && projectionFits(roles, turned).fits.length > 0;
  const asking = roles.x?.labels?.rows;
  const { input, steps } = arrangeProjections(best);
  return {
    ok: true,
    kind,
    input,
    steps,
    notes: notesOf(roles, kind),
    alternatives: isOpen ? [{ message: orderText(order), options: turned }] : [],
    labels: {
      ...labelsFor('queries', input.queryLength, asking),
      ...labelsFor('keys', input.keyLength, roles.memory ? roles.memory.labels?.rows : asking),
    },
  };
}

function checkWeights(roles: Roles, options: CheckOptions): CheckResult {
  const kind = 'weights';
  const { fits, problems } = weightsFits(roles, options);
  const [best, ...others] = fits;
  if (!best) return { ok: false, kind, problems };
  const { array, steps } = best.tensor;
  const { input, report } = reportOf(best.tensor);
  const { rows, columns } = array.labels ?? {};
  const isTurned = options.transposed?.includes('weights');
  return {
    ok: true,
    kind,
    input,
    report,
    steps,
    notes: [...notesOf(roles, kind), ...weightsNotes(array, best.tensor, report)],
    alternatives: others.map(({ layout, tensor: { shape } }) => ({
      message: `Read as ${shape[0]} heads of ${shape[1]} queries and ${shape[2]} keys.`,
      options: { ...options, layout },
    })),
    labels: {
      ...labelsFor('queries', input.queryLength, isTurned ? columns : rows),
      ...labelsFor('keys', input.keyLength, isTurned ? rows : columns),
    },
  };
}

function labelsFor(side: 'queries' | 'keys', length: number, labels: string[] | undefined) {
  return labels?.length === length ? { [side]: labels } : {};
}

/** Numbers that are none, and numbers that did not fit. */
function notesOf(roles: Roles, kind: Kind): Problem[] {
  return ROLES_OF[kind].flatMap((role) => {
    const array = roles[role];
    return array ? valueNotes(role, array) : [];
  });
}

function valueNotes(role: Role, array: NamedArray): Problem[] {
  const notes: Problem[] = [];
  const add = (code: 'non-finite' | 'beyond-single', what: string) => {
    const { count, first } = code === 'non-finite' ? array.nonFinite : array.beyondSingle;
    if (first === null) return;
    const place = `the first at [${first.join(', ')}]`;
    notes.push(
      problem(code, role, array, `${count} ${what}, ${place}`, { found: count, position: first }),
    );
  };
  add('non-finite', 'NaN or infinite');
  add('beyond-single', 'beyond single precision');
  return notes;
}

/** What would make it fit: another number of heads, fewer demands, or two arrays that change places. */
function withSuggestions(
  problems: readonly Problem[],
  roles: Roles,
  options: CheckOptions,
): Problem[] {
  const [first, ...others] = problems;
  if (!first || others.length > 0 || first.code === 'missing-role') return [...problems];
  const suggestions: Suggestion[] = [...first.suggestions];
  for (let heads = 1; heads <= 128 && suggestions.length < MOST_SUGGESTIONS; heads++)
    if (heads !== options.heads && fits(roles, { ...options, heads }))
      suggestions.push({ message: `Read as ${heads} heads.`, options: { ...options, heads } });
  const { heads, batch } = options;
  if (suggestions.length === 0 && fits(roles, { heads, batch }))
    suggestions.push({
      message: 'Read it without the chosen layout.',
      options: { heads, batch },
    });
  if (suggestions.length === 0) suggestions.push(...swaps(roles, options));
  return [{ ...first, suggestions }];
}

function fits(roles: Roles, options: CheckOptions): boolean {
  const find = kindOf(roles) === 'attention' ? fitsOf : projectionFits;
  return find(roles, options).fits.length > 0;
}

function swaps(roles: Roles, options: CheckOptions): Suggestion[] {
  const given = (Object.keys(roles) as Role[]).filter((role) => roles[role]);
  const found: Suggestion[] = [];
  for (const [i, a] of given.entries())
    for (const b of given.slice(i + 1)) {
      const swapped = { ...roles, [a]: roles[b], [b]: roles[a] };
      if (!fits(swapped, options)) continue;
      const message = `Take "${roles[b]!.name}" for ${a} and "${roles[a]!.name}" for ${b}.`;
      found.push({ message, roles: swapped });
    }
  return found.slice(0, MOST_SUGGESTIONS);
}
