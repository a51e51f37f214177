/** Makes worlds in the database that no client can address: stages to try requests in, and what an export reads. */
import type { Stage } from '../server/server-worlds.ts';
import { freezeWorld } from './layers.ts';
import type { Database } from './postgres/database.ts';
import { copyClock, resetWorld } from './reset-world.ts';
import type { TeamWorld } from './served-worlds.ts';
import { findNamed } from './snapshots.ts';
import { type FrozenChain, insertWorld, removeWorld, sourceOf, unlistedName } from './world-rows.ts';
import type { Clock, Identifiers } from '../openapi/openapi-records.ts';

/** `copy` is the row of the stage, `world` what serves it. */
export const createTeamStage = (
  database: Database,
  copy: UnlistedWorld,
  world: TeamWorld,
  now: () => number,
): Stage => ({
  world: () => world.served.world,
  renew: async () => {
    await database.transaction((queries) => resetWorld(queries, copy, copy.frozen, now()));
    await world.stored.refresh();
    world.follow();
  },
  end: async () => {
    world.drop();
    await copy.end();
  },
});

/** A process that dies leaves the row. The collector drops it after this time, in milliseconds. */
const lastsMs = 6 * 3600 * 1000;

type UnlistedWorld = {
  readonly id: number;
  readonly name: string;
  /** What it was made from. It stays as long as the world. */
  readonly frozen: FrozenChain;
  end(): Promise<void>;
};

/** A copy of a world with its clock. Throws 404 when there is no such world. */
export const copyUnlisted = async (
  { database, clock, ids }: { readonly database: Database; readonly clock: Clock; readonly ids: Identifiers },
  name: string,
): Promise<UnlistedWorld> => {
  const copyName = unlistedName(ids.uuid());
  const { id, frozen } = await database.transaction(async (queries) => {
    const now = clock.now();
    const world = await findNamed(queries, { name, now, lock: true });
    const origin = await freezeWorld(queries, world, now);
    const copy = await insertWorld(queries, {
      ...{ name: copyName, origin, source: sourceOf(world), now, expires: now + lastsMs, caches: null },
    });
    if (copy === undefined) throw new Error('A uuid was drawn twice.');
    await copyClock(queries, world.id, copy.id);
    return { id: copy.id, frozen: origin };
  });
  return {
    ...{ id, name: copyName, frozen },
    end: () => database.transaction((queries) => removeWorld(queries, id)),
  };
};
