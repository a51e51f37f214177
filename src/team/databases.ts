/** Repositories in PostgreSQL, behind any number of processes. */
import type { Databases } from '../server/server.ts';
import { hasRepository } from './has-repository.ts';
import { openTeamWorlds } from './open-team-worlds.ts';

/** The databases that a server opens in place of a directory. */
export const databases: Databases = {
  open: (store, options) => openTeamWorlds({ ...options, store }),
  hasRepository,
};
