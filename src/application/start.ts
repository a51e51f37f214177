/** Starts a server that hosts the repository, or documents alone where the options say so. */
import { start as startServer, type Started, type StartOptions } from '../server/start/start.ts';

/** See `start` in `server/start/start.ts`. Documents alone load nothing of the repository here. */
export const start = async (options: Omit<StartOptions, 'application'>): Promise<Started> => {
  if (options.areDocumentsAlone === true) return startServer(options);
  const { repositoryApplication: application } = await import('./application.ts');
  return startServer({ ...options, application });
};
