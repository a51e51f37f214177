/** Lists of records in a real PostgreSQL: what they have, and by which indexes the engine makes them. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ContentFilter, listedRecordModel } from '../../../src/repository/repository-content.ts';
import { storeFilter } from '../../content/store-filter.ts';
import type { Database } from '../../../src/team/postgres/database.ts';
import { fillLayer, newLayer } from '../../team/postgres/fill-layer.ts';
import { openPostgres } from '../../../src/team/postgres/open-postgres.ts';
import { findStatement } from '../../../src/team/postgres/lists/record-query.ts';
import { migrate } from '../../../src/team/postgres/schema.ts';
import { describeRecordQuery } from '../../team/postgres/record-query.suite.ts';
import { startPostgres, type Postgres } from '../../support/postgres.ts';
import { longOrShort } from './support/counts.ts';
import type { Entity, RecordOrder, RecordQuery } from '../../../src/openapi/openapi-records.ts';

let postgres: Postgres;
let database: Database;
beforeAll(async () => {
  postgres = await startPostgres();
  database = await openPostgres({ url: await postgres.database() });
  await migrate(database);
});
afterAll(async () => {
  await database.close();
  await postgres.close();
});

describeRecordQuery('PostgreSQL', () => database, longOrShort(300, 30));

const nodes = longOrShort(100_000, 20_000);

/** One of 200 is not published, one of 500 is a page, and so many have model 31; each collection has 100 members. */
const node = (id: number): Entity => ({
  ...{ type: 'node', id, uuid: `uuid-${id}`, bundle: id % 500 === 0 ? 'page' : 'work' },
  fields: {
    title: [{ value: `${(id * 7919) % nodes} of them` }],
    status: [{ value: id % 200 !== 0 }],
    changed: [{ value: 1_700_000_000 + ((id * 104_729) % nodes) }],
    field_model: [{ target_id: id % 500 === 1 ? 31 : 24 + (id % 6) }],
    field_member_of: [{ target_id: Math.floor(id / 100) }],
    field_description: [{ value: 'x'.repeat(200) }],
  },
});

describe('The engine makes pages of a long list from indexes', () => {
  let chain: readonly number[];
  beforeAll(async () => {
    const layer = await newLayer(database, 0);
    const found = { model: listedRecordModel };
    await fillLayer(
      database,
      layer,
      Array.from({ length: nodes }, (_, at) => node(at + 1)),
      found,
    );
    // A world that has changed some of them.
    const top = await newLayer(database, 0);
    await fillLayer(
      database,
      top,
      Array.from({ length: 20 }, (_, at) => node(at * 90 + 1)),
      found,
    );
    chain = [top, layer];
    // Statistics are taken of a random sample. This one has most rows, so that a plan does not depend on luck.
    await database.query('alter table atoll_keys alter key set statistics 1000');
    for (const table of ['atoll_listings', 'atoll_keys', 'atoll_records'])
      await database.query(`vacuum analyze ${table}`);
  });

  const planOf = async (layers: readonly number[], query: RecordQuery): Promise<string> => {
    const { text, values } = findStatement(query, layers, 0);
    const rows = await database.query<Readonly<Record<string, string>>>(`explain (costs off) ${text}`, values);
    return rows.flatMap((row) => Object.values(row)).join('\n');
  };

  const first: readonly (readonly [string, RecordOrder, ContentFilter])[] = [
    ['all by id', 'id', {}],
    ['all by title', 'title', {}],
    ['all by change', 'changed', {}],
    ['a rare bundle', 'title', { bundles: ['page'] }],
    ['what is not published', 'changed', { isPublished: false }],
    ['a rare model', 'title', { model: 31 }],
    ['a collection', 'title', { memberOf: 12 }],
  ];

  it.each(first)('the first page of %s, in either direction', async (_name, order, filter) => {
    for (const isDescending of [false, true]) {
      const query: RecordQuery = {
        ...{ type: 'node', order, isDescending, filter: storeFilter('node', filter) },
        limit: 50,
        offset: 0,
      };
      for (const layers of [chain, chain.slice(1)]) {
        const plan = await planOf(layers, query);
        expect(plan).toMatch(
          /Index (Only )?Scan (Backward )?using atoll_listings_|Bitmap Index Scan on atoll_listings_/,
        );
        expect(plan).not.toMatch(/Seq Scan on atoll_(listings|records|keys)/);
      }
    }
  });
});
