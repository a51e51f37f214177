/** Makes worlds that no client can address: stages to try requests in, and what an export reads. */
import type { Clock } from '../core/model/clock.ts';
import type { Identifiers } from '../core/model/clock.ts';
import type { Database } from './postgres/database.ts';
import { freezeWorld } from './layers.ts';
import { copyClock } from './reset-world.ts';
import { findNamed } from './snapshots.ts';
import { insertWorld, removeWorld, sourceOf, unlistedName, type FrozenChain } from './world-rows.ts';

/** A process that dies leaves the row. The collector drops it after this time, in milliseconds. */
const lastsMs = 6 * 3600 * 1000;

export type UnlistedWorld = {
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
