/** The tables of a team repository, and the migrations that make them. All names begin with `atoll_`. */
import { randomUUID } from 'node:crypto';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import type { Database } from './database.ts';
import { Problem } from '../../openapi/openapi-terms.ts';

/**
 * The migrations in order. Each one makes the schema of the version that is its place in this list, beginning with 1. Once a
 * version is released, its migration never changes. During a rollout the programs of two neighbouring versions run side by side,
 * so a migration may only add: a table, an index, or a column that is null or has a default. It may remove what the version
 * before has stopped using.
 *
 * The SQL is what PostgreSQL, CockroachDB and YugabyteDB share. JSON is kept as text, because jsonb reorders members.
 */
const migrations: readonly (readonly string[])[] = [
  [
    'create sequence atoll_world_ids',
    'create sequence atoll_layer_ids',
    // `chain`: ids of layers, the top first, descending. The top belongs to this world alone; those below never change.
    // `seq` grows by one with each change. `generation` grows with each reset. `counters`: the last id drawn, by counter.
    // `totals`: the number of visible records by type and by `type/bundle`. World 0 is the installation; it has no records.
    `create table atoll_worlds (
      id bigint primary key, name text not null unique,
      generation bigint not null default 1, seq bigint not null default 0,
      chain bigint[] not null, top_used boolean not null default false,
      counters text not null default '{}', totals text not null default '{}',
      origin text, origin_chain bigint[], origin_counters text, origin_totals text, origin_clock text,
      created bigint not null, expires bigint, caches text, last_name bigint not null default 0, settings text)`,
    'create index atoll_worlds_expires on atoll_worlds (expires) where expires is not null',
    'create table atoll_layers (id bigint primary key, created bigint not null, records bigint)',
    // `record` and `bundle` are null where the layer removes the record.
    `create table atoll_records (
      layer bigint not null, type text not null, id bigint not null, bundle text, record text,
      primary key (layer, type, id))`,
    'create index atoll_records_bundle on atoll_records (layer, type, bundle, id)',
    // What records are listed by, a narrow row for each (`listings.ts`). `title` and what follows is null where the layer removes.
    `create table atoll_listings (
      layer bigint not null, type text not null, id bigint not null, bundle text,
      title bytea, changed double precision, published boolean, refs text,
      primary key (layer, type, id))`,
    'create index atoll_listings_title on atoll_listings (layer, type, title, id) include (bundle, published)',
    'create index atoll_listings_changed on atoll_listings (layer, type, changed, id) include (bundle, published)',
    'create index atoll_listings_bundle on atoll_listings (layer, type, bundle, id)',
    'create index atoll_listings_hidden on atoll_listings (layer, type, id) where not published',
    // The index keys of the versions in the layer, and some that a version had before: who looks up checks the record.
    `create table atoll_keys (
      layer bigint not null, key text not null, type text not null, id bigint not null,
      primary key (layer, key, type, id))`,
    `create table atoll_changes (
      world bigint not null, seq bigint not null, payload text not null, at bigint not null,
      primary key (world, seq))`,
    'create index atoll_changes_at on atoll_changes (at)',
    // A null value is a removed one, until the collector deletes the row.
    `create table atoll_state (
      world bigint not null, topic text not null, key text not null, value text,
      primary key (world, topic, key))`,
    `create table atoll_snapshots (
      world bigint not null, name text not null, chain bigint[] not null, counters text not null, totals text not null,
      clock text, saved bigint not null, settings text,
      primary key (world, name))`,
    `create table atoll_fixtures (
      name text not null, digest text not null, chain bigint[] not null, counters text not null, totals text not null,
      created bigint not null, settings text,
      primary key (name, digest))`,
    // What is observed of a world: the id of its last request, that of the last one forgotten by a clear, how many requests were
    // lost since then, and how often its coverage was cleared.
    `create table atoll_observed_worlds (
      world bigint primary key, last bigint not null default 0, cleared bigint not null default 0,
      lost bigint not null default 0, coverage_clears bigint not null default 0)`,
    // Requests that were written together: the id of the last one, how many they are, and their lines of JSON, compressed.
    `create table atoll_traffic (
      world bigint not null, id bigint not null, count bigint not null, entries bytea not null, primary key (world, id))`,
    // Parts of the counts, each by one process for some time, and sums of such parts. They outlive their world.
    'create sequence atoll_coverage_parts',
    `create table atoll_coverage (
      world bigint not null, part bigint not null, counts text not null, primary key (world, part))`,
    `insert into atoll_worlds (id, name, chain, created) values (0, '#installation', '{}', 0)`,
  ],
];

/** The version of the schema that this program makes and uses. */
export const schemaVersion = migrations.length;

/** The world whose state belongs to the whole installation. Clients cannot address it. */
export const installationWorld = 0;

type Installation = {
  /** A name of this repository, made with the schema. */
  readonly instance: string;
  /** The schema as it is in the database, which a newer program may have migrated. */
  readonly version: number;
};

/**
 * Makes the tables, or brings them to the version of this program, under a lock. Several processes may start at once. Rejects with
 * `ConfigurationError` when a newer program has made the schema, unless that is the neighbouring version which keeps what this
 * one uses.
 */
export const migrate = async (database: Database): Promise<Installation> => {
  await createSchemaTable(database);
  return database.transaction(async (queries) => {
    const [row] = await queries.query<{ version: number; instance: string; oldest: number }>(
      'select version, instance, oldest from atoll_schema where one for update',
    );
    if (row === undefined) throw new Error('The row of the schema is missing.');
    if (row.oldest > schemaVersion) throw tooNew(row);
    for (const [at, statements] of migrations.entries()) {
      if (at >= row.version) for (const statement of statements) await queries.query(statement);
    }
    const version = Math.max(row.version, schemaVersion);
    if (row.version < schemaVersion) {
      await queries.query('update atoll_schema set version = $1, oldest = $2 where one', [
        version,
        oldestBeside(version),
      ]);
    }
    return { instance: row.instance, version };
  });
};

/** Makes the table of the version. `oldest` is the oldest schema version whose programs can run on this schema. */
const createSchemaTable = async (database: Database): Promise<void> => {
  const create = async (): Promise<void> => {
    await database.query(
      `create table if not exists atoll_schema (
        one boolean primary key, version bigint not null, oldest bigint not null, instance text not null, signing_key text)`,
    );
    await database.query(
      'insert into atoll_schema (one, version, oldest, instance) values (true, 0, 0, $1) on conflict (one) do nothing',
      [randomUUID()],
    );
  };
  for (let attempt = 1; ; attempt += 1) {
    try {
      await create();
      return;
    } catch (error) {
      // PostgreSQL does not lock what it creates "if not exists": one of two that start at once gets an error.
      if (error instanceof Problem || attempt === 5) throw error;
    }
  }
};

/** The oldest version whose programs can run on a schema of this version: its neighbour. */
const oldestBeside = (version: number): number => Math.max(1, version - 1);

const tooNew = ({ version }: { version: number }): ConfigurationError =>
  new ConfigurationError(
    `The database has the schema ${version} of a newer Atoll; this one knows the schema ${schemaVersion}. Start the newer Atoll.`,
  );
