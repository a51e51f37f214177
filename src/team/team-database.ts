/** Gives a server the database of a team. */
import type { StartOptions } from '../server/start/start.ts';
import type { TeamStore } from './open-team-worlds.ts';

/** What a server opens in place of a directory. Undefined without a database. Loaded late: most servers have none. */
export const teamDatabase = (store: TeamStore | undefined): StartOptions['openDatabase'] =>
  store &&
  (async (options) => {
    const { openTeamWorlds } = await import('./open-team-worlds.ts');
    return openTeamWorlds({ ...options, store });
  });
