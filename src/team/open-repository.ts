/** Opens the repository that a server serves: in memory, in a directory, or in the database of a team. */
import type { TeamStore } from './open-team-worlds.ts';
import { openWorlds, type OpenedWorlds, type OpenWorldsOptions } from '../worlds/open-worlds.ts';

/** With `store` in that database, otherwise as `openWorlds` says. */
export const openRepository = async (
  options: OpenWorldsOptions,
  store: TeamStore | undefined,
): Promise<OpenedWorlds> => {
  if (store === undefined) return openWorlds(options);
  // Loaded late: most servers have no database.
  const { openTeamWorlds } = await import('./open-team-worlds.ts');
  return openTeamWorlds({ ...options, store });
};
