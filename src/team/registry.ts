/** Makes, drops and resets worlds in the database. Each command is one transaction. */
import type { Database } from './postgres/database.ts';
import { mainName, worldNamePattern } from '../openapi/openapi-host.ts';
import type { ForkOptions } from '../server/server-worlds.ts';
import { findOrigin, findSnapshot, forkInOneQuery, madeFrom, type TeamOrigin } from './origins.ts';
import { copyClock, resetWorld } from './reset-world.ts';
import { createSnapshotCommands, findNamed, type SnapshotCommands } from './snapshots.ts';
import {
  countWorlds,
  drawNameNumber,
  findListed,
  findWorld,
  insertWorld,
  removeExpired,
  removeWorld,
  type FrozenChain,
  type ListedRow,
} from './world-rows.ts';
import type { Clock } from '../openapi/openapi-records.ts';
import { conflict, notFound, Problem, unavailable } from '../openapi/openapi-terms.ts';

/** The most worlds of a database, besides the main world. Exported for the test that compares the docs with it. */
export const teamWorldLimit = 10_000;

export type RegistryParts = {
  readonly database: Database;
  readonly clock: Clock;
  /** A fixture by its name, as layers. Undefined when there is none. Throws 422 when it cannot be used. */
  readonly fixture: (name: string) => Promise<FrozenChain | undefined>;
};

/** The Problems are those of `Worlds`. */
type Registry = SnapshotCommands & {
  fork(options: ForkOptions): Promise<ListedRow>;
  drop(name: string): Promise<boolean>;
  setTtl(name: string, ttl: number | null): Promise<ListedRow>;
  reset(name: string, to: string | undefined): Promise<void>;
};

export const createRegistry = (parts: RegistryParts): Registry => {
  const { database, clock } = parts;
  return {
    ...createSnapshotCommands(database, clock),
    fork: createFork(parts),
    drop: async (name) => {
      if (name === mainName) throw conflict('The main world cannot be dropped.');
      return database.transaction(async (queries) => {
        const world = await findWorld(queries, { name, now: clock.now(), lock: true });
        if (world !== undefined) await removeWorld(queries, world.id);
        return world !== undefined;
      });
    },
    setTtl: (name, ttl) =>
      database.transaction(async (queries) => {
        const now = clock.now();
        const world = await findNamed(queries, { name, now, lock: true });
        if (name === mainName) throw conflict('The main world always stays, so it can have no ttl.');
        const listed = await findListed(queries, name, now);
        const expires = expiry(ttl, now);
        await queries.query('update atoll_worlds set expires = $2 where id = $1', [world.id, expires]);
        return { ...world, snapshots: listed?.snapshots ?? 0, expires };
      }),
    reset: (name, to) =>
      database.transaction(async (queries) => {
        const now = clock.now();
        const snapshot = to === undefined ? undefined : await findSnapshot(queries, { name: to, of: name }, now);
        if (to !== undefined && snapshot === undefined) throw notFound(`There is no snapshot "${to}".`);
        const world = await findNamed(queries, { name, now, lock: true });
        await resetWorld(queries, world, (snapshot ?? madeFrom(world)).frozen, now);
      }),
  };
};

const createFork = ({ database, clock, fixture }: RegistryParts): Registry['fork'] => {
  const limit = createWorldLimit(database);
  const attempt = (options: ForkOptions, made: FrozenChain | undefined): Promise<ListedRow | Failed> =>
    database.transaction(async (queries) => {
      const now = clock.now();
      const { from, ttl = null, caches = null, snapshotsOf = mainName } = options;
      const origin: TeamOrigin | undefined =
        made === undefined
          ? await findOrigin(queries, { from, snapshotsOf }, now)
          : { frozen: made, source: { kind: 'fixture', name: from ?? '', taken: null } };
      if (origin === undefined) return 'no origin';
      const { frozen, source, clockOf } = origin;
      const name = options.name ?? `w${await drawNameNumber(queries)}`;
      const row = await insertWorld(queries, { name, origin: frozen, source, now, expires: expiry(ttl, now), caches });
      if (row !== undefined && clockOf !== undefined) await copyClock(queries, clockOf, row.id);
      return row ?? 'name in use';
    });
  const quickFork = async (options: ForkOptions): Promise<ListedRow | undefined> => {
    const { from, ttl = null, caches = null } = options;
    const name = options.name ?? `w${await drawNameNumber(database)}`;
    const now = clock.now();
    return forkInOneQuery(database, { name, from, now, expires: expiry(ttl, now), caches });
  };
  return async (options) => {
    refuseNoName(options.name);
    await limit.requireRoom();
    const quick = await quickFork(options);
    if (quick !== undefined) {
      limit.made(quick.id);
      return quick;
    }
    await refuseUsedName(database, options.name, clock.now());
    let made: FrozenChain | undefined;
    for (;;) {
      const forked = await attempt(options, made);
      if (typeof forked === 'object') {
        limit.made(forked.id);
        return forked;
      }
      if (forked === 'name in use' && options.name !== undefined) throw conflict(nameInUse(options.name));
      if (forked === 'no origin') {
        // Outside the transaction: a fixture that is used for the first time takes its time.
        made = options.from === undefined ? undefined : await fixture(options.from);
        if (made === undefined) throw new Problem(422, unknownOrigin(options.from));
      }
    }
  };
};

type Failed = 'no origin' | 'name in use';

const refuseNoName = (name: string | undefined): void => {
  if (name === undefined || worldNamePattern.test(name)) return;
  throw new Problem(422, `"${name.slice(0, 80)}" cannot be the name of a world.`);
};

/** Throws 409 for a name in use. */
const refuseUsedName = async (database: Database, name: string | undefined, now: number): Promise<void> => {
  if (name === undefined) return;
  if ((await findListed(database, name, now)) !== undefined) throw conflict(nameInUse(name));
  await removeExpired(database, name, now);
};

/**
 * Counts the worlds only when there may be too many: between two counts the ids of new worlds say how many have been made at most.
 * When several processes do so at once, each may make one above the limit.
 */
const createWorldLimit = (database: Database) => {
  let newest = 0;
  /** The first id that may be one too many. */
  let end = 0;
  return {
    /** Throws 503 when there are too many. */
    requireRoom: async (): Promise<void> => {
      if (newest < end) return;
      const counted = await countWorlds(database);
      if (counted.count >= teamWorldLimit) throw unavailable(tooManyWorlds);
      newest = counted.newest;
      end = newest + teamWorldLimit - counted.count;
    },
    made: (id: number): void => {
      newest = Math.max(newest, id);
    },
  };
};

const tooManyWorlds = `There are ${teamWorldLimit} worlds already. Drop some, or give them a ttl.`;
const nameInUse = (name: string): string => `There is a world "${name}" already.`;

export const unknownOrigin = (name = ''): string => `There is no world, snapshot or fixture "${name}".`;

/** Milliseconds since 1970. */
const expiry = (ttl: number | null, now: number): number | null => (ttl === null ? null : now + ttl * 1000);
