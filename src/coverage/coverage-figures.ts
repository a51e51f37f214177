/** A record of coverage, its sums, and what of the contract is not met: pure functions of what was counted and what is offered. */
import { sumOfCounts, type AnswerCount, type CoverageCounts } from './coverage-tally.ts';
import type { RelationCount } from './link-tally.ts';
import type { OfferedOperation } from './offered-operations.ts';

/** What is served, written to files and merged. */
export type CoverageRecord = {
  readonly version: 1;
  readonly offered: readonly OfferedOperation[];
  readonly answers: readonly AnswerCount[];
  readonly relations: readonly RelationCount[];
};

/** What is counted: each is so many cells of the document, met or not. */
export const coverageMetrics = [
  'operations',
  'statuses',
  'errors',
  'media-types',
  'identities',
  'relations',
  'followed',
] as const;
export type CoverageMetric = (typeof coverageMetrics)[number];

/** A cell such as `getNode 404`, of one metric. */
export type CoverageCell = { readonly operation: string; readonly name: string; readonly count: number };

export type CoverageFigure = {
  readonly metric: CoverageMetric;
  readonly met: number;
  readonly of: number;
  /** Rounded down, so that 100 is all of it; 100 when nothing is offered. */
  readonly percent: number;
};

/** A record of counts and of what was offered. */
export const coverageRecord = (
  offered: readonly OfferedOperation[],
  { answers, relations }: CoverageCounts,
): CoverageRecord => ({ version: 1, offered, answers, relations });

/** The cells of a metric, in the order of the document; `count` 0 for one that is not met. */
export const cellsOf = (record: CoverageRecord, metric: CoverageMetric): CoverageCell[] => {
  const counts = countsOf(record, metric);
  return record.offered.flatMap((offered) =>
    namesOf(offered, metric).map((name) => ({
      operation: offered.operation,
      name,
      count: counts.get(`${offered.operation} ${name}`) ?? 0,
    })),
  );
};

/** How much is met, metric by metric. */
export const figuresOf = (record: CoverageRecord): CoverageFigure[] =>
  coverageMetrics.map((metric) => {
    const cells = cellsOf(record, metric);
    const met = cells.filter(({ count }) => count > 0).length;
    return {
      metric,
      met,
      of: cells.length,
      percent: cells.length === 0 ? 100 : Math.floor((100 * met) / cells.length),
    };
  });

/** Several records as one: of parallel runs, or of one after the other. Operations that only some offer are offered. */
export const mergeCoverage = (records: readonly CoverageRecord[]): CoverageRecord => {
  const offered = new Map<string, OfferedOperation>();
  for (const operation of records.flatMap((record) => record.offered)) {
    const known = offered.get(operation.operation);
    offered.set(operation.operation, known === undefined ? operation : joined(known, operation));
  }
  return coverageRecord([...offered.values()], sumOfCounts(records));
};

const joined = (a: OfferedOperation, b: OfferedOperation): OfferedOperation => ({
  ...a,
  answers: Object.fromEntries(
    union(Object.keys(a.answers), Object.keys(b.answers)).map((status) => [
      status,
      union(a.answers[status] ?? [], b.answers[status] ?? []),
    ]),
  ),
  identities: union(a.identities, b.identities),
  relations: union(a.relations, b.relations),
});

const union = (a: readonly string[], b: readonly string[]): string[] => [...new Set([...a, ...b])];

/** The names that an operation's cells of a metric have. */
const namesOf = (
  { method, path, answers, identities, relations }: OfferedOperation,
  metric: CoverageMetric,
): readonly string[] => {
  switch (metric) {
    case 'operations':
      return [`${method} ${path}`];
    case 'statuses':
      return Object.keys(answers);
    case 'errors':
      return Object.keys(answers).filter((status) => Number(status) >= 400);
    case 'media-types':
      return Object.entries(answers).flatMap(([status, types]) => types.map((type) => `${status} ${type}`));
    case 'identities':
      return identities;
    case 'relations':
    case 'followed':
      return relations;
  }
};

/** How often each cell was met, by operation and name. */
const countsOf = (
  { offered, answers, relations }: CoverageRecord,
  metric: CoverageMetric,
): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  const add = (operation: string, name: string, count: number): void => {
    const key = `${operation} ${name}`;
    counts.set(key, (counts.get(key) ?? 0) + count);
  };
  if (metric === 'relations' || metric === 'followed') {
    for (const { operation, relation, seen, followed } of relations) {
      add(operation, relation, metric === 'relations' ? seen : followed);
    }
    return counts;
  }
  const whole = new Map(offered.map(({ operation, method, path }) => [operation, `${method} ${path}`]));
  for (const { operation, status, mediaType, identities, count } of answers) {
    if (metric === 'operations') add(operation, whole.get(operation) ?? '', count);
    else if (metric === 'identities') identities.forEach((identity) => add(operation, identity, count));
    else if (metric === 'media-types') add(operation, `${status} ${mediaType}`, count);
    else add(operation, String(status), count);
  }
  return counts;
};

/** Least percentages, by metric. */
export type CoverageGoals = Readonly<Partial<Record<CoverageMetric, number>>>;

/** A goal that is missed, and what would have to be met for it. */
export type MissedGoal = CoverageFigure & { readonly wanted: number; readonly unmet: readonly CoverageCell[] };

/** The goals that a record misses; none when it meets them all. */
export const missedGoals = (record: CoverageRecord, goals: CoverageGoals): MissedGoal[] =>
  figuresOf(record).flatMap((figure) => {
    const wanted = goals[figure.metric];
    if (wanted === undefined || figure.of === 0 || (100 * figure.met) / figure.of >= wanted) return [];
    return [{ ...figure, wanted, unmet: cellsOf(record, figure.metric).filter(({ count }) => count === 0) }];
  });
