/** Keeps what the processes observe of worlds in the database: requests with their replies, and coverage. */
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, gunzip, gzip } from 'node:zlib';
import type {
  NewObservations,
  ObservationStore,
  StoredPart,
  StoredTraffic,
  SumOfParts,
} from '../observations/observation-store.ts';
import { DatabaseProblem, type Database, type Queries, type Statement } from './database.ts';
import { installationWorld } from './schema.ts';

/**
 * Writes the observations of some worlds (`$1`): how many ids they take (`$2`), how many requests are lost (`$3`); requests (`$6`) of
 * worlds (`$4`) with their number (`$5`); coverage (`$8`) of worlds (`$7`). Who writes holds the rows of the worlds, so that ids become
 * visible in order. Requests of worlds that are gone are left out.
 */
const writeStatement: Statement = {
  name: 'atoll_observe',
  text: `with observed as (
      insert into atoll_observed_worlds (world, last, lost)
        select w.id, o.taken, o.lost from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as o(world, taken, lost)
        join atoll_worlds w on w.id = o.world order by w.id
        on conflict (world) do update
          set last = atoll_observed_worlds.last + excluded.last, lost = atoll_observed_worlds.lost + excluded.lost
        returning world, last
    ), counted as (
      insert into atoll_coverage (world, part, counts)
        select c.world, nextval('atoll_coverage_parts'), c.counts from unnest($7::bigint[], $8::text[]) as c(world, counts)
    )
    insert into atoll_traffic (world, id, count, entries)
      select o.world, o.last, e.count, e.entries
      from unnest($4::bigint[], $5::bigint[], $6::bytea[]) as e(world, count, entries) join observed o on o.world = e.world`,
};

/** The observations of a world (`$1`) with requests above an id (`$2`) and among the newest (`$3`). One row without any when there is none. */
const readStatement: Statement = {
  name: 'atoll_traffic_since',
  text: `select o.last, o.cleared, o.lost, t.id, t.count, t.entries
    from atoll_observed_worlds o
    left join atoll_traffic t on t.world = o.world and t.id > $2 and t.id > o.cleared and t.id > o.last - $3
    where o.world = $1 order by t.id`,
};

type TrafficRow = {
  readonly last: number;
  readonly cleared: number;
  readonly lost: number;
  readonly id: number | null;
  readonly count: number | null;
  readonly entries: Uint8Array | null;
};

type PartRow = { readonly world: number; readonly is_gone: boolean; readonly counts: string };

/** `now` is the time that the processes agree on. */
export const createObservationRows = (database: Database, now: () => number): ObservationStore => ({
  process: randomUUID(),
  now,
  write: async (observed) => {
    try {
      await database.query(writeStatement, await valuesOf(observed));
      return true;
    } catch (error) {
      if (error instanceof DatabaseProblem && error.isUnknown) return false;
      throw error;
    }
  },
  readClears: async (worlds) => {
    const rows = await database.query<{ readonly world: number; readonly coverage_clears: number }>(
      'select world, coverage_clears from atoll_observed_worlds where world = any($1::bigint[])',
      [worlds],
    );
    return new Map(rows.map((row) => [row.world, row.coverage_clears]));
  },
  keepNewest: async (worlds, most) => {
    await database.query(
      `delete from atoll_traffic t using atoll_observed_worlds o
        where o.world = any($1::bigint[]) and t.world = o.world and (t.id <= o.last - $2 or t.id <= o.cleared)`,
      [worlds, most],
    );
  },
  readTraffic: async (world, since, most) =>
    trafficOf(await database.query<TrafficRow>(readStatement, [world, since, most]), since, most),
  clearTraffic: async (world) => {
    await database.query('update atoll_observed_worlds set cleared = last, lost = 0 where world = $1', [world]);
    await database.query(
      `delete from atoll_traffic t using atoll_observed_worlds o
        where o.world = $1 and t.world = o.world and t.id <= o.cleared`,
      [world],
    );
  },
  ...coverageRows(database),
});

const valuesOf = async (observed: readonly NewObservations[]): Promise<unknown[]> => {
  const written = observed.filter(({ entries }) => entries.length > 0);
  const counted = observed.flatMap(({ world, coverage }) => (coverage === undefined ? [] : [{ world, coverage }]));
  return [
    observed.map(({ world }) => world),
    observed.map(({ entries, skipped }) => entries.length + skipped),
    observed.map(({ lost }) => lost),
    written.map(({ world }) => world),
    written.map(({ entries }) => entries.length),
    await Promise.all(written.map(({ entries }) => compress(entries))),
    counted.map(({ world }) => world),
    counted.map(({ coverage }) => coverage),
  ];
};

const [zip, unzip] = [promisify(gzip), promisify(gunzip)];

/** Requests resemble each other, so this saves nine tenths of the bytes. JSON on one line has no line breaks. */
const compress = (entries: readonly string[]): Promise<Buffer> =>
  zip(entries.join('\n'), { level: constants.Z_BEST_SPEED });

const trafficOf = async (rows: readonly TrafficRow[], since: number, most: number): Promise<StoredTraffic> => {
  const { last = 0, cleared = 0, lost = 0 } = rows[0] ?? {};
  const entries = await Promise.all(rows.map(entriesOf));
  const above = entries.flat().filter(({ id }) => id > since && id > cleared);
  return { last, cleared, lost, entries: above.slice(-most) };
};

const entriesOf = async ({ id, count, entries }: TrafficRow): Promise<StoredTraffic['entries']> => {
  if (id === null || count === null || entries === null) return [];
  const texts = (await unzip(entries)).toString().split('\n');
  return texts.map((text, at) => ({ id: id - count + 1 + at, text }));
};

const coverageRows = (database: Database): Pick<ObservationStore, 'readCoverage' | 'clearCoverage' | Sums> => ({
  ...coverageSums(database),
  readCoverage: async (world) => {
    const rows = await database.query<PartRow>(
      `select c.world, w.id is null as is_gone, c.counts
        from atoll_coverage c left join atoll_worlds w on w.id = c.world
        where $1::bigint is null or c.world = $1 order by c.world, c.part`,
      [world ?? null],
    );
    return rows.map(partOf);
  },
  clearCoverage: async (world) => {
    await database.transaction(async (queries) => {
      if (world === undefined) {
        await queries.query('update atoll_observed_worlds set coverage_clears = coverage_clears + 1');
        await queries.query('delete from atoll_coverage');
        return;
      }
      await queries.query(
        `insert into atoll_observed_worlds (world, coverage_clears) values ($1, 1)
          on conflict (world) do update set coverage_clears = atoll_observed_worlds.coverage_clears + 1`,
        [world],
      );
      await queries.query('delete from atoll_coverage where world = $1', [world]);
    });
  },
});

type Sums = 'sumCoverage' | 'sumGoneWorlds';

const coverageSums = (database: Database): Pick<ObservationStore, Sums> => ({
  sumCoverage: async (world, sum) => {
    await database.transaction(async (queries) => {
      const rows = await queries.query<{ readonly part: number; readonly counts: string }>(
        'delete from atoll_coverage where world = $1 returning part, counts',
        [world],
      );
      const inOrder = rows.toSorted((a, b) => a.part - b.part).map(({ counts }) => counts);
      if (rows.length > 0) await insertPart(queries, world, sum(inOrder));
    });
  },
  sumGoneWorlds: async (sum) => {
    await database.transaction(async (queries) => {
      const rows = await queries.query<Omit<PartRow, 'is_gone'>>(
        `delete from atoll_coverage c where c.world = $1 or not exists (select 1 from atoll_worlds w where w.id = c.world)
          returning c.world, c.counts`,
        [installationWorld],
      );
      if (rows.length > 0) await insertPart(queries, installationWorld, sumByWorld(rows, sum));
      for (const table of ['atoll_traffic', 'atoll_observed_worlds']) {
        await queries.query(
          `delete from ${table} t where not exists (select 1 from atoll_worlds w where w.id = t.world)`,
        );
      }
    });
  },
});

const partOf = ({ world, is_gone: isGone, counts }: PartRow): StoredPart => ({ world, isGone, text: counts });

const insertPart = async (queries: Queries, world: number, counts: string): Promise<void> => {
  await queries.query(
    "insert into atoll_coverage (world, part, counts) values ($1, nextval('atoll_coverage_parts'), $2)",
    [world, counts],
  );
};

const sumByWorld = (rows: readonly Omit<PartRow, 'is_gone'>[], sum: SumOfParts): string => {
  const worlds = [...new Set(rows.map(({ world }) => world))];
  return sum(worlds.map((id) => sum(rows.filter(({ world }) => world === id).map(({ counts }) => counts))));
};
