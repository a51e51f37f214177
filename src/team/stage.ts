/** Makes copies of a world in the database to try requests in: nobody can address them, and nothing observes them. */
import type { Database } from './postgres/database.ts';
import type { Stage } from '../server/worlds/registry/stage.ts';
import { resetWorld } from './reset-world.ts';
import type { TeamWorld } from './served-worlds.ts';
import type { UnlistedWorld } from './unlisted-worlds.ts';

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
