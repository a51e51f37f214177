/** Filters, sorts and pages the records of a list. The results are cached with the array of records. */
import { isRecord } from '../../basics/json.ts';
import { createLruMap, type LruMap } from '../../basics/lru-map.ts';
import { plainText } from '../answers/answer.ts';
import { Refusal } from '../refusal.ts';
import type { CollectionRecord } from './collection-store.ts';
import { namesLike } from './names.ts';
import { type CollectionPlan, type ListPlan, prefixOf } from './plan.ts';
import { recordsBelow, recordsWith, textsOf } from './record-index.ts';

type Records = readonly CollectionRecord[];
type Query = Readonly<Record<string, unknown>>;

/** Where a page lies in the records that pass. */
export type Page = {
  readonly records: Records;
  readonly total: number;
  readonly offset: number;
  /** Infinity where the list has no pages. */
  readonly limit: number;
};

/** Where a list has pages, but no parameter with a default says how long they are. */
const usualLimit = 20;

const mostKept = 20;
const listsKept = new WeakMap<Records, LruMap<string, Records>>();

/** The page that a query asks for. */
export const pageOf = (
  all: Records,
  {
    plan,
    list,
    parents,
    query,
    shown,
  }: {
    readonly plan: CollectionPlan;
    readonly list: ListPlan;
    readonly parents: readonly string[];
    readonly query: Query;
    /** A record as clients read it: by what they do not read they do not find it either. */
    readonly shown: (value: unknown) => unknown;
  },
): Page => {
  const passing = passingRecords(all, { plan, list, prefix: prefixOf(parents), query, shown });
  const { limit, offset } = window(passing, list, query);
  return { records: passing.slice(offset, offset + limit), total: passing.length, offset, limit };
};

type Wanted = {
  readonly plan: CollectionPlan;
  readonly list: ListPlan;
  readonly prefix: string;
  readonly query: Query;
  readonly shown: (value: unknown) => unknown;
};

const passingRecords = (all: Records, { plan, list, prefix, query, shown }: Wanted): Records => {
  const { filters, objects, search, sort, direction } = list.query;
  const used = [...filters.map(({ parameter }) => parameter), ...objects, search, sort, direction]
    .filter((name) => name !== undefined)
    .map((name) => [name, query[name]] as const)
    .filter(([, value]) => value !== undefined);
  if (prefix === '' && used.length === 0) return all;
  const kept = listsKept.get(all) ?? createLruMap<string, Records>(mostKept);
  listsKept.set(all, kept);
  const key = JSON.stringify([plan.path, prefix, used]);
  const known = kept.get(key);
  if (known !== undefined) return known;
  const tests = testsOf(list, query);
  const passes = (value: unknown): boolean => {
    const read = tests.length === 0 ? value : shown(value);
    return tests.every((test) => test(read));
  };
  const passing = candidates(all, { list, prefix, query }).filter(
    ({ id, value }) => id.startsWith(prefix) && passes(value),
  );
  const sorted = sortedBy(
    passing,
    orderOf(list, query, () => memberNames(passing, shown)),
  );
  kept.set(key, sorted);
  return sorted;
};

/** All that can pass, and few others. */
const candidates = (all: Records, { list, prefix, query }: Pick<Wanted, 'list' | 'prefix' | 'query'>): Records => {
  if (prefix !== '') return recordsBelow(all, prefix);
  const filter = list.query.filters.find(({ parameter }) => query[parameter] !== undefined);
  return filter === undefined ? all : recordsWith(all, filter.member, textsOf(query[filter.parameter]));
};

type Test = (value: unknown) => boolean;

const testsOf = ({ query: { filters, objects, search } }: ListPlan, query: Query): Test[] => [
  ...filters.flatMap(({ parameter, member }) =>
    query[parameter] === undefined ? [] : [equals(member, query[parameter])],
  ),
  ...objects.flatMap((parameter) => {
    const wanted = query[parameter];
    return isRecord(wanted)
      ? Object.entries(wanted).map(([name, each]): Test => (value) => {
          const [member] = isRecord(value) ? namesLike(Object.keys(value), name) : [];
          return member !== undefined && equals(member, each)(value);
        })
      : [];
  }),
  ...(typeof query[search ?? ''] === 'string' ? [contains(String(query[search ?? '']))] : []),
];

/** A list of values means any of them, and so does a list in the record. */
const equals = (member: string, wanted: unknown): Test => {
  const texts = new Set(textsOf(wanted));
  return (value) =>
    textsOf(isRecord(value) && Object.hasOwn(value, member) ? value[member] : undefined).some((text) =>
      texts.has(text),
    );
};

/** Whether any text of the record has it, in any case. */
const contains = (text: string): Test => {
  const wanted = text.toLowerCase();
  const has = (value: unknown): boolean => {
    if (typeof value === 'string') return value.toLowerCase().includes(wanted);
    return typeof value === 'object' && value !== null && Object.values(value).some(has);
  };
  return has;
};

type Order = { readonly member: string; readonly isDescending: boolean };

/** `-name`, `+name`, `name:desc`, `name desc`, `nameDesc`, a list of these, and a direction of its own. */
const orderOf = ({ query: { sort, direction } }: ListPlan, query: Query, membersOf: () => string[]): Order[] => {
  const written = sort === undefined ? undefined : query[sort];
  if (written === undefined) return [];
  const names = membersOf();
  const isDescendingAll = /^-?desc/i.test(plainText(direction === undefined ? undefined : query[direction]));
  const texts = (Array.isArray(written) ? (written as unknown[]) : [written]).flatMap((each) =>
    plainText(each).split(','),
  );
  return texts.flatMap((text): Order[] => {
    const [, sign = '', name = '', suffix = ''] =
      /^\s*([+-]?)(.*?)(?:[:. _-]?(asc|desc|ascending|descending))?\s*$/i.exec(text) ?? [];
    const whole = namesLike(names, text.trim())[0];
    const member = whole ?? namesLike(names, name)[0];
    if (member === undefined) return [];
    const isDescending = sign === '-' || (whole === undefined && /^desc/i.test(suffix));
    return [{ member, isDescending: isDescending !== isDescendingAll }];
  });
};

const memberNames = (records: Records, shown: Wanted['shown']): string[] => {
  const names = new Set<string>();
  for (const record of records) {
    const value = shown(record.value);
    if (isRecord(value)) for (const name of Object.keys(value)) names.add(name);
  }
  return [...names];
};

/** Records without the member are last. The order of equal ones stays. */
const sortedBy = (records: Records, order: readonly Order[]): Records => {
  if (order.length === 0) return records;
  return [...records].sort((a, b) => {
    for (const { member, isDescending } of order) {
      const [one, other] = [a, b].map(({ value }) => (isRecord(value) ? value[member] : undefined));
      const isMissing = (value: unknown): boolean => value === undefined || value === null;
      if (isMissing(one) || isMissing(other)) {
        if (isMissing(one) !== isMissing(other)) return isMissing(one) ? 1 : -1;
        continue;
      }
      const compared = compare(one, other);
      if (compared !== 0) return isDescending ? -compared : compared;
    }
    return 0;
  });
};

const compare = (a: unknown, b: unknown): number => {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [one, other] = [plainText(a), plainText(b)];
  return one < other ? -1 : one > other ? 1 : 0;
};

const window = (
  records: Records,
  { query: plan }: ListPlan,
  query: Query,
): { readonly offset: number; readonly limit: number } => {
  const { page, limit: limitName, offset: offsetName, cursor } = plan;
  const asked = wholeNumber(limitName === undefined ? undefined : query[limitName]);
  const hasPages = page !== undefined || offsetName !== undefined || cursor !== undefined;
  const limit = asked ?? (hasPages || limitName !== undefined ? usualLimit : Infinity);
  const after = cursor === undefined ? undefined : query[cursor];
  if (after !== undefined && after !== '') return { offset: positionAfter(records, after, cursor), limit };
  const offset = wholeNumber(offsetName === undefined ? undefined : query[offsetName]);
  if (offset !== undefined) return { offset, limit };
  const number = wholeNumber(page === undefined ? undefined : query[page.parameter]);
  return { offset: number === undefined || page === undefined ? 0 : Math.max(0, number - page.first) * limit, limit };
};

const wholeNumber = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

/** A cursor names the last record of the page before, and where it was: it may be gone by now. */
export const cursorAfter = ({ records, offset }: Page): string =>
  Buffer.from(JSON.stringify([offset + records.length, records.at(-1)?.id ?? ''])).toString('base64url');

const positionAfter = (records: Records, cursor: unknown, parameter = 'cursor'): number => {
  if (typeof cursor === 'number') return Math.max(0, Math.trunc(cursor));
  const read: unknown = readCursor(plainText(cursor));
  if (!Array.isArray(read) || !Number.isSafeInteger(read[0]) || Number(read[0]) < 0)
    throw new Refusal('parameter', `/query/${parameter}: is not a cursor of this list`, {
      violations: [{ pointer: `/query/${parameter}`, message: 'is not a cursor of this list' }],
    });
  const [offset, id] = read as [number, unknown];
  if (records[offset - 1]?.id === id) return offset;
  const found = records.findIndex((record) => record.id === id);
  // Without its record, the records before it are one fewer.
  return found < 0 ? Math.max(0, offset - 1) : found + 1;
};

const readCursor = (text: string): unknown => {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
};
