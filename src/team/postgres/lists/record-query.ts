/** Finds the records of a list by the indexes of the database: a part of them, how many there are, and how many stand before it. */
import type { Queries } from '../database.ts';
import { referencePart, sortKey } from './listings.ts';
import { storedKey } from '../statements.ts';
import { totalName, type Totals, type WorldRow } from '../world-row.ts';
import type {
  Entity,
  FindRecords,
  Place,
  RecordFilter,
  RecordOrder,
  RecordQuery,
} from '../../../openapi/openapi-records.ts';

type RecordQueryOptions = {
  readonly queries: Queries;
  /** The world as it was at the last refresh or write. */
  readonly row: () => WorldRow;
};

type FoundRow = {
  readonly total: number | null;
  readonly before: number;
  readonly totals: string | null;
  readonly record: string | null;
};

/**
 * One statement for each answer. To count what passes a filter costs more than a page of it, so a total is kept until the world
 * changes: who turns the pages of a list waits for it once.
 */
export const createFindRecords = ({ queries, row }: RecordQueryOptions): FindRecords => {
  const totals = createKeptTotals(row);
  return async (query) => {
    const { id, chain } = row();
    const kept = totals(query);
    const { text, values } = findStatement(query, chain, id, kept.get());
    const rows = await queries.query<FoundRow>(text, values);
    const [first] = rows;
    const plain = JSON.parse(first?.totals ?? '{}') as Totals; // a store wrote it
    if (first?.total != null) kept.set(first.total);
    return {
      total: first?.total ?? plainTotal(query, plain),
      begin: 'after' in query ? (first?.before ?? 0) : query.offset,
      entities: rows.flatMap(({ record }) => (record === null ? [] : [JSON.parse(record) as Entity])), // likewise
    };
  };
};

/** The most totals of a world. */
const maxTotals = 50;

/** Totals of filters. A change of the world drops all of them. */
const createKeptTotals = (row: RecordQueryOptions['row']) => {
  const byFilter = new Map<string, number>();
  let seen = '';
  return ({ type, filter }: RecordQuery) => {
    const { generation, seq } = row();
    const now = `${generation}.${seq}`;
    if (now !== seen) byFilter.clear();
    seen = now;
    const key = JSON.stringify([type, filter]);
    return {
      get: () => byFilter.get(key),
      set: (total: number) => {
        // The world has changed while the total was counted.
        if (seen !== now) return;
        if (byFilter.size >= maxTotals) byFilter.clear();
        byFilter.set(key, total);
      },
    };
  };
};

/** The condition of a type or of bundles, which the world's totals have. */
const plainTotal = ({ type, filter: { bundles } }: RecordQuery, totals: Totals): number => {
  if (bundles === undefined) return totals[totalName(type)] ?? 0;
  return [...new Set(bundles)].reduce((sum, bundle) => sum + (totals[totalName(type, bundle)] ?? 0), 0);
};

const isPlain = (filter: RecordFilter): boolean =>
  Object.values({ ...filter, bundles: undefined }).every((wanted) => wanted === undefined);

/** Gives the values of a statement their numbers. */
const createValues = () => {
  const values: unknown[] = [];
  return {
    values,
    add: (value: unknown, type: string): string => {
      values.push(value);
      return `$${values.length}::${type}`;
    },
  };
};

type Add = ReturnType<typeof createValues>['add'];

/** `knownTotal` is not counted again. Exported for the tests that read the engine's plans. */
export const findStatement = (
  query: RecordQuery,
  chain: readonly number[],
  world: number,
  knownTotal?: number,
): { readonly text: string; readonly values: readonly unknown[] } => {
  const { type, order, filter, isDescending, limit } = query;
  const { values, add } = createValues();
  const typeValue = add(type, 'text');
  const layers = chain.map((layer) => add(layer, 'bigint'));
  const passes = conditions(filter, add);
  const visible = (columns: string, more = '', end = ''): string =>
    branches(layers, typeValue, columns, `${passes}${more}`, end);
  const column = order === 'id' ? '' : `${order}, `;
  const direction = isDescending ? ' desc' : '';
  const sorting = (prefix = ''): string =>
    [...(order === 'id' ? [] : [`${prefix}${order}${direction}`]), `${prefix}id${direction}`].join(', ');
  const place = 'after' in query ? placeOf(order, query.after, add) : undefined;
  const [behind, upTo] = isDescending ? ['<', '>='] : ['>', '<='];
  const offset = 'offset' in query ? query.offset : 0;
  // Each layer says its first ones. Otherwise the engine would read all of a layer before it sorts.
  const first = `order by ${sorting('l.')} limit ${add(offset + limit, 'bigint')}`;
  const part = visible(`l.layer, ${order === 'id' ? '' : `l.${order}, `}l.id`, place?.(behind), first);
  const window = `limit ${add(limit, 'bigint')} offset ${add(offset, 'bigint')}`;
  const counted = (): string =>
    knownTotal === undefined ? `(select count(*) from (${visible('1')}) c)` : add(knownTotal, 'bigint');
  const total = isPlain(filter) ? 'null::bigint' : counted();
  const before = place === undefined ? '0::bigint' : `(select count(*) from (${visible('1', place(upTo))}) b)`;
  const text = `select n.total, n.before, w.totals, r.record
    from (select ${total} as total, ${before} as before) n left join atoll_worlds w on w.id = ${add(world, 'bigint')}
    left join (select layer, ${column}id from (${part}) s order by ${sorting()} ${window}) p on true
    left join atoll_records r on r.layer = p.layer and r.type = ${typeValue} and r.id = p.id
    order by ${sorting('p.')}`;
  return { text, values };
};

/** The rows of each layer that no layer above it has. `end` is the end of each branch. */
const branches = (layers: readonly string[], type: string, columns: string, passes: string, end: string): string => {
  if (layers.length === 0) {
    return `select ${columns} from atoll_listings l where false`;
  }
  return layers
    .map((layer, at) => {
      const above = layers.slice(0, at);
      const isVisible =
        above.length === 0
          ? ''
          : ` and not exists (select 1 from atoll_listings u where u.layer in (${above.join(', ')}) and u.type = l.type and u.id = l.id)`;
      const of = `l.layer = ${layer} and l.type = ${type} and l.title is not null`;
      return `(select ${columns} from atoll_listings l where ${of}${passes}${isVisible} ${end})`;
    })
    .join(' union all ');
};

const conditions = (filter: RecordFilter, add: Add): string => {
  const { bundles, isPublished, text, references = [], indexKeys = [] } = filter;
  const [one, ...others] = bundles ?? [];
  const ofBundles =
    others.length === 0
      ? `l.bundle = ${one === undefined ? 'null' : add(one, 'text')}`
      : `l.bundle = any(${add(bundles, 'text[]')})`;
  return [
    ...(bundles === undefined ? [] : [ofBundles]),
    ...(isPublished === undefined ? [] : [isPublished ? 'l.published' : 'not l.published']),
    ...(text === undefined
      ? []
      : [`position(decode(${add(sortKey(text).toString('hex'), 'text')}, 'hex') in l.title) > 0`]),
    ...references.map((reference) => `position(${add(referencePart(reference), 'text')} in l.refs) > 0`),
    // A key may be that of an earlier version. The reference decides.
    ...indexKeys.map(
      (key) =>
        `exists (select 1 from atoll_keys k where k.layer = l.layer and k.key = ${add(storedKey(key), 'text')} and k.type = l.type and k.id = l.id)`,
    ),
  ]
    .map((condition) => ` and ${condition}`)
    .join('');
};

/** Compares the rows with a place, so that an index can begin there. */
const placeOf = (order: RecordOrder, { value, id }: Place, add: Add): ((sign: string) => string) => {
  // A client can write a cursor with any number. Ids are whole ones, so the next whole one compares alike.
  const idFor = (sign: string): string =>
    add(wholeId(sign === '>' || sign === '<=' ? Math.floor(id) : Math.ceil(id)), 'bigint');
  if (order === 'id') return (sign) => ` and l.id ${sign} ${idFor(sign)}`;
  const bytes = order === 'title' ? sortKey(String(value)).toString('hex') : undefined;
  const sorted = bytes === undefined ? add(value, 'float8') : `decode(${add(bytes, 'text')}, 'hex')`;
  return (sign) => ` and (l.${order}, l.id) ${sign} (${sorted}, ${idFor(sign)})`;
};

const wholeId = (id: number): number => Math.min(Math.max(id, -1), Number.MAX_SAFE_INTEGER);
