/** Starts a server that hosts the repository, or documents alone where the options say so. */
import { start as startServer, type Started, type StartOptions } from '../server/server-start.ts';

/** See `start` in `server/start/start.ts`. */
export const start = (options: Omit<StartOptions, 'loadApplication'>): Promise<Started> =>
  startServer({ ...options, loadApplication });

/** Documents alone load nothing of the repository. */
const loadApplication = async () => (await import('./repository-on-disk.ts')).repositoryOnDisk;
