/** Computes cells, figures and missed goals from coverage records, and merges records. */
import type { HostedOperation } from '../../openapi/openapi-host.ts';
import { type CoverageCounts, sumOfCounts } from './coverage-tally.ts';
import { responseKey, type DocumentObject, rawOperation } from '../../openapi/openapi-terms.ts';

export type OfferedOperation = {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  /** Whether it is none of the contract's own: HEAD, which is GET without a body, and what the document calls beyond the contract. */
  readonly isExtra: boolean;
  /** Media types by status, `4XX` or `default`. The list is empty for an answer without a body. */
  readonly answers: Readonly<Record<string, readonly string[]>>;
  /** Only `anonymous` when the operation has no authentication; otherwise also `authenticated` and every role of the site. */
  readonly identities: readonly string[];
  /** The relations of the links in the document's examples. */
  readonly relations: readonly string[];
};

const offeredOperations = (
  operations: readonly HostedOperation[],
  document: DocumentObject,
  roles: readonly string[],
): OfferedOperation[] => {
  const allIdentities = [...new Set(['anonymous', 'authenticated', ...roles])];
  return operations.map((operation) => ({
    operation: operation.id,
    method: operation.method,
    path: operation.path,
    answers: Object.fromEntries(
      [...operation.responses, ...(operation.responseRanges ?? [])].map(([status, types]) => [
        status,
        operation.method === 'HEAD' ? [] : types,
      ]),
    ),
    identities: operation.providers.length === 0 ? ['anonymous'] : allIdentities,
    relations: relationsOf(operation, document),
    isExtra: isExtra(operation, document),
  }));
};

const isExtra = (operation: HostedOperation, document: DocumentObject): boolean =>
  operation.method === 'HEAD' || (rawOperation(document, operation)?.tags ?? []).includes('Beyond the contract');

/** Read from the `Link` examples of the status 200. When an example has the name of the resource, only that example counts. */
const relationsOf = (operation: HostedOperation, document: DocumentObject): string[] => {
  const raw = rawOperation(document, operation);
  const link = raw?.responses['200']?.headers?.['Link'];
  if (raw === undefined || link === undefined) return [];
  const { example, examples = {} } = link;
  const named = examples[raw['x-resource'] ?? ''];
  const values = named === undefined ? [example, ...Object.values(examples).map(({ value }) => value)] : [named.value];
  const lines = values.filter((value) => typeof value === 'string').join(', ');
  return [...new Set([...lines.matchAll(/>; rel="([^"]*)"/g)].flatMap(([, names = '']) => names.split(' ')))].sort();
};

/** What one run has covered. The server sends such records; the CLI writes them to files and merges them. */
export type CoverageRecord = CoverageCounts & { readonly version: 1; readonly offered: readonly OfferedOperation[] };

/** Each metric divides the document into cells. A cell is covered or not. */
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

/** A cell of one metric, such as `getNode` and `404`. */
export type CoverageCell = { readonly operation: string; readonly name: string; readonly count: number };

type CoverageFigure = {
  readonly metric: CoverageMetric;
  /** The number of covered cells. */
  readonly met: number;
  readonly of: number;
  /** Rounded down, so that 100 means all. Also 100 when the document offers no cell. */
  readonly percent: number;
};

/** What has been counted of a document, which must be free of references. `roles` are the role ids of the site. */
export const coverageOf = (
  { backend, document }: CoveredContract,
  roles: readonly string[],
  counts: CoverageCounts,
): CoverageRecord => coverageRecord(offeredOperations(backend.operations, document, roles), counts);

type CoveredContract = {
  readonly backend: { readonly operations: readonly HostedOperation[] };
  readonly document: DocumentObject;
};

export const coverageRecord = (
  offered: readonly OfferedOperation[],
  { answers, relations, advice = [] }: Omit<CoverageCounts, 'advice'> & Partial<CoverageCounts>,
): CoverageRecord => ({ version: 1, offered, answers, relations, advice });

/** The cells of a metric in the order of the document. An uncovered cell has the `count` 0. */
export const coverageCells = (record: CoverageRecord, metric: CoverageMetric): CoverageCell[] => {
  const counts = countsOf(record, metric);
  return record.offered.flatMap((offered) =>
    namesOf(offered, metric).map((name) => ({
      operation: offered.operation,
      name,
      count: counts.get(`${offered.operation} ${name}`) ?? 0,
    })),
  );
};

/** One figure for each metric. */
export const coverageFigures = (record: CoverageRecord): CoverageFigure[] =>
  coverageMetrics.map((metric) => {
    const cells = coverageCells(record, metric);
    const covered = cells.filter(({ count }) => count > 0).length;
    return {
      metric,
      met: covered,
      of: cells.length,
      percent: cells.length === 0 ? 100 : Math.floor((100 * covered) / cells.length),
    };
  });

/** Merges the records of several runs. The result offers every operation that any of the records offers. */
export const mergeCoverage = (records: readonly CoverageRecord[]): CoverageRecord => {
  const offered = new Map<string, OfferedOperation>();
  for (const operation of records.flatMap((record) => record.offered)) {
    const other = offered.get(operation.operation);
    offered.set(operation.operation, other === undefined ? operation : merged(other, operation));
  }
  return coverageRecord([...offered.values()], sumOfCounts(records));
};

const merged = (a: OfferedOperation, b: OfferedOperation): OfferedOperation => ({
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

/** The names of an operation's cells in a metric. */
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
      return Object.keys(answers).filter((status) => isErrorStatus(status, answers));
    case 'media-types':
      return Object.entries(answers).flatMap(([status, types]) => types.map((type) => `${status} ${type}`));
    case 'identities':
      return identities;
    case 'relations':
    case 'followed':
      return relations;
  }
};

/** How often each cell was covered, by operation and name. */
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
  const operationCells = new Map(offered.map(({ operation, method, path }) => [operation, `${method} ${path}`]));
  const offeredAnswers = new Map(offered.map(({ operation, answers: statuses }) => [operation, statuses]));
  for (const { operation, status: sent, mediaType, identities, count } of answers) {
    const documented = offeredAnswers.get(operation) ?? {};
    const status = responseKey((key) => Object.hasOwn(documented, key), sent) ?? sent;
    if (metric === 'operations') add(operation, operationCells.get(operation) ?? '', count);
    else if (metric === 'identities') identities.forEach((identity) => add(operation, identity, count));
    else if (metric === 'media-types') add(operation, `${status} ${mediaType}`, count);
    else add(operation, String(status), count);
  }
  return counts;
};

/** Whether a response is for errors. `default` is, unless it is the only one. */
const isErrorStatus = (key: string, responses: { readonly [key: string]: unknown }): boolean =>
  key === 'default' ? Object.keys(responses).length > 1 : Number(key[0]) >= 4;

/** Minimum percentages by metric. */
export type CoverageGoals = Readonly<Partial<Record<CoverageMetric, number>>>;

/** A missed goal with the cells that are not covered. */
export type MissedGoal = CoverageFigure & { readonly wanted: number; readonly uncovered: readonly CoverageCell[] };

/** The goals that a record misses. */
export const missedGoals = (record: CoverageRecord, goals: CoverageGoals): MissedGoal[] =>
  coverageFigures(record).flatMap((figure) => {
    const wanted = goals[figure.metric];
    if (wanted === undefined || figure.of === 0 || (100 * figure.met) / figure.of >= wanted) return [];
    return [{ ...figure, wanted, uncovered: coverageCells(record, figure.metric).filter(({ count }) => count === 0) }];
  });
