/** Keeps fixtures as layers in the database. The first process that needs one writes it; worlds made from it share its layer. */
import { createHash } from 'node:crypto';
import type { Database, Queries } from './postgres/database.ts';
import { copyBlobs } from '../server/server-worlds.ts';
import type { FixtureContent, Fixtures } from '../server/server-application.ts';
import type { InitialRecords } from '../storage/storage.ts';
import { whileWriting } from './lease.ts';
import type { FrozenChain } from './world-rows.ts';
import { writeLayer } from './write-layer.ts';
import type { BlobStorage, Clock, Identifiers } from '../openapi/openapi-records.ts';

type TeamFixturesOptions = {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Identifiers;
  /** By scheme. The bytes of a fixture are copied there. */
  readonly blobs: ReadonlyMap<string, BlobStorage>;
  readonly fixtures: () => Fixtures;
};

export type TeamFixtures = {
  /** A fixture by its name. Undefined when there is none. Throws 422 when it does not fit the site. */
  named(name: string): Promise<FrozenChain | undefined>;
  /** The content as a layer, written when there is none of the same name and content. */
  layerOf(name: string, content: FixtureContent): Promise<FrozenChain>;
  /** Fixtures are read again: the site has changed. */
  forget(): void;
};

export const createTeamFixtures = ({ database, clock, ids, blobs, fixtures }: TeamFixturesOptions): TeamFixtures => {
  const known = new Map<string, Promise<FrozenChain | undefined>>();
  const layerOf = async (name: string, content: FixtureContent): Promise<FrozenChain> => {
    const digest = digestOf(content);
    const found = await findFixture(database, name, digest);
    if (found !== undefined) return found;
    const write = async (): Promise<FrozenChain | undefined> => {
      const records = await copyBlobs(content, () => content.blobs, blobs);
      return database
        .transaction((queries) => insertFixture(queries, { name, digest, records, now: clock.now() }))
        .finally(records.settle);
    };
    const layer = (await whileWriting(database, ids.uuid(), write)) ?? (await findFixture(database, name, digest));
    if (layer === undefined) throw new Error(`The fixture ${name} was removed while it was written.`);
    return layer;
  };
  const read = async (name: string): Promise<FrozenChain | undefined> => {
    const content = await fixtures().namedContent(name);
    return content === undefined ? undefined : layerOf(name, content);
  };
  return {
    layerOf,
    named: (name) => {
      const reading = known.get(name) ?? read(name);
      known.set(name, reading);
      const forget = (): void => void known.delete(name);
      // Names of clients that lead to nothing are not kept.
      reading.then((found) => (found === undefined ? forget() : undefined), forget);
      return reading;
    },
    forget: () => known.clear(),
  };
};

type NewFixture = {
  readonly name: string;
  readonly digest: string;
  readonly records: InitialRecords;
  readonly now: number;
};

/** Undefined when another process was first. The collector removes a layer that nothing names. */
const insertFixture = async (
  queries: Queries,
  { name, digest, records, now }: NewFixture,
): Promise<FrozenChain | undefined> => {
  const { chain, counters, totals } = await writeLayer(queries, records, now);
  const rows = await queries.query(
    `insert into atoll_fixtures (name, digest, chain, counters, totals, created) values ($1, $2, $3, $4, $5, $6)
      on conflict (name, digest) do nothing returning name`,
    [name, digest, chain, counters, totals, now],
  );
  return rows.length === 0 ? undefined : { chain, counters, totals };
};

const findFixture = async (database: Database, name: string, digest: string): Promise<FrozenChain | undefined> => {
  const [row] = await database.query<FrozenChain>(
    'select chain, counters, totals from atoll_fixtures where name = $1 and digest = $2',
    [name, digest],
  );
  return row;
};

/** The same for the same records and bytes, wherever the bytes lie. */
const digestOf = ({ entities, counters }: FixtureContent): string => {
  const sum = createHash('sha256').update(JSON.stringify(counters));
  for (const { blob, ...entity } of entities) sum.update(JSON.stringify([entity, blob?.sha256]));
  return sum.digest('hex');
};
