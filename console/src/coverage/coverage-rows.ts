/** Reads what a coverage record says of each operation. */
import type { components } from '../../../src/client/generated/control.ts';

type Coverage = components['schemas']['Coverage'];

export type StatusCoverage = {
  /** `404`, `4XX` or `default`. */
  readonly status: string;
  /** How often clients have met it. */
  readonly count: number;
  /** `anonymous`, or `authenticated` and roles, of those who have met it. */
  readonly identities: readonly string[];
};

export type OperationCoverage = {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  /** In the order of the document. */
  readonly statuses: readonly StatusCoverage[];
  readonly met: number;
  readonly relations: readonly { readonly relation: string; readonly seen: number; readonly followed: number }[];
  readonly advice: Coverage['advice'];
};

/** One row for each operation, in the order of the document. */
export const rowsOf = ({ offered, answers, relations, advice }: Coverage): OperationCoverage[] => {
  const offeredStatuses = new Map(offered.map((each) => [each.operation, each.answers]));
  const answersOf = groupedBy(
    answers,
    ({ operation, status }) => `${operation} ${documentedKey(offeredStatuses.get(operation) ?? {}, status)}`,
  );
  const relationOf = new Map(relations.map((each) => [`${each.operation} ${each.relation}`, each]));
  const adviceOf = groupedBy(advice, ({ operation }) => operation);
  return offered.map(({ operation, method, path, answers: statuses, relations: names }) => {
    const rows = Object.keys(statuses).map((status) => {
      const met = answersOf.get(`${operation} ${status}`) ?? [];
      return {
        status,
        count: met.reduce((sum, { count }) => sum + count, 0),
        identities: [...new Set(met.flatMap(({ identities }) => identities))],
      };
    });
    return {
      operation,
      method,
      path,
      statuses: rows,
      met: rows.filter(({ count }) => count > 0).length,
      relations: names.map((relation) => {
        const { seen = 0, followed = 0 } = relationOf.get(`${operation} ${relation}`) ?? {};
        return { relation, seen, followed };
      }),
      advice: adviceOf.get(operation) ?? [],
    };
  });
};

/** The response that a status is counted for: its own, that of its class, or `default`. */
const documentedKey = (statuses: Readonly<Record<string, unknown>>, status: number): string =>
  [String(status), `${String(status)[0]}XX`, 'default'].find((key) => Object.hasOwn(statuses, key)) ?? String(status);

const groupedBy = <Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, Item[]> => {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
};

export type RowFilter = {
  /** A part of the operation's name, method or path; of any case. */
  readonly text: string;
  /** Only operations with a status that nobody has met. */
  readonly isUnmetOnly: boolean;
};

export const filtered = (rows: readonly OperationCoverage[], { text, isUnmetOnly }: RowFilter): OperationCoverage[] => {
  const wanted = text.trim().toLowerCase();
  return rows.filter(
    ({ operation, method, path, statuses, met }) =>
      `${operation} ${method} ${path}`.toLowerCase().includes(wanted) && (!isUnmetOnly || met < statuses.length),
  );
};

/** The words of each figure. */
export const metricTitles: Readonly<Record<string, string>> = {
  operations: 'Operations',
  statuses: 'Statuses',
  errors: 'Errors',
  'media-types': 'Media types',
  identities: 'Kinds of accounts',
  relations: 'Relations seen',
  followed: 'Links followed',
};

/** The short form of a relation's name, which most names begin with alike. */
export const shortRelation = (name: string): string => name.replace('https://drupal.org/link-relations/', 'drupal:');
