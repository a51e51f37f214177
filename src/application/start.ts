/** Starts a server that hosts the repository, or documents alone where the options say so. */
import type { Started, StartOptions } from '../server/server-start.ts';

/** See `start` in `server/start/start.ts`. */
export const start = async (options: Omit<StartOptions, 'loadApplication'>): Promise<Started> => {
  // Loaded late: most users of the door start nothing.
  const server = await import('../server/server-start.ts');
  return server.start({ ...options, loadApplication });
};

/** Documents alone load nothing of the repository. */
const loadApplication = async () => (await import('./repository-on-disk.ts')).repositoryOnDisk;
