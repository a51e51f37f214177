/** Fills stores for the bench of the team server: a database, a data directory, and a database by bare `pg`. */
import { recordModel } from '../../src/repository/repository.ts';
import { Pool } from 'pg';
import { listedRecordModel } from '../../src/repository/repository-content.ts';
import { openJournalEntityStore } from '../../src/storage/storage.ts';
import { fillLayer, newLayer } from '../../test/team/postgres/fill-layer.ts';
import { openPostgres } from '../../src/team/postgres/open-postgres.ts';
import { migrate } from '../../src/team/postgres/schema.ts';
import { insertWorld } from '../../src/team/world-rows.ts';
import type { Entity } from '../../src/openapi/openapi-records.ts';

const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
};

/** Makes the tables and a main world with these records. Resolves with the seconds of the records. */
export const fillDatabase = async (url: string, records: Iterable<Entity>): Promise<number> => {
  const database = await openPostgres({ url, statementTimeoutMs: 600_000 });
  try {
    await migrate(database);
    const now = Date.now();
    const layer = await newLayer(database, now);
    let filled: Awaited<ReturnType<typeof fillLayer>> | undefined;
    const taken = await seconds(async () => {
      filled = await fillLayer(database, layer, records, { model: listedRecordModel });
    });
    const { counters, totals } = filled ?? { counters: {}, totals: {} };
    await insertWorld(database, {
      ...{ name: 'main', source: { kind: 'fixture', name: 'bench', taken: null }, now, expires: null, caches: null },
      origin: { chain: [layer], counters: JSON.stringify(counters), totals: JSON.stringify(totals) },
    });
    return taken;
  } finally {
    await database.close();
  }
};

export const fillDirectory = async (directory: string, records: Iterable<Entity>): Promise<number> => {
  const warn = (message: string): void => void process.stderr.write(message);
  const opened = await openJournalEntityStore({ directory, model: recordModel, durability: 'full', warn });
  const all = [...records];
  const taken = await seconds(() => opened.fill(all, {}));
  await opened.store.close();
  return taken;
};

/** The same rows of the same tables by `insert … select`, from arrays that are ready before: what the database itself needs. */
export const copyRows = async (from: string, to: string): Promise<number> => {
  const source = new Pool({ connectionString: from, max: 1 });
  const target = new Pool({ connectionString: to, max: 2 });
  const tables: Readonly<Record<string, readonly string[]>> = {
    atoll_records: ['layer bigint', 'type text', 'id bigint', 'bundle text', 'record text'],
    atoll_keys: ['layer bigint', 'key text', 'type text', 'id bigint'],
    atoll_listings: [
      ...['layer bigint', 'type text', 'id bigint', 'bundle text', 'title bytea', 'changed float8'],
      ...['published boolean', 'refs text'],
    ],
  };
  let taken = 0;
  for (const [table, columns] of Object.entries(tables)) {
    const names = columns.map((column) => column.split(' ')[0] ?? '');
    const client = await source.connect();
    await client.query('begin');
    await client.query(`declare rows cursor for select ${names.join(', ')} from ${table}`);
    for (;;) {
      const { rows } = (await client.query('fetch 1000 from rows')) as { rows: Record<string, unknown>[] };
      if (rows.length === 0) break;
      const arrays = names.map((name) => rows.map((row) => row[name]));
      const parameters = columns.map((column, at) => `$${at + 1}::${column.split(' ')[1] ?? ''}[]`).join(', ');
      taken += await seconds(() =>
        target.query(`insert into ${table} (${names.join(', ')}) select * from unnest(${parameters})`, arrays),
      );
    }
    await client.query('commit');
    client.release();
  }
  const { rows } = await source.query("select counters, totals from atoll_worlds where name = 'main'");
  const [main] = rows as { counters: string; totals: string }[];
  await target.query("update atoll_worlds set counters = $1, totals = $2 where name = 'main'", [
    ...[main?.counters, main?.totals],
  ]);
  await target.query('analyze');
  await source.end();
  await target.end();
  return taken;
};
