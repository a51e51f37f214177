/** Joins a server with the repository, where the program has it. */
import type { ApplicationOnDisk } from '../../server/server-application.ts';
import type { Rim } from '../command-context.ts';

/** What is hosted together with documents, for `start`: loaded where these are not served alone. */
export const hostedApplication = ({ repository }: Rim): (() => Promise<ApplicationOnDisk>) | undefined =>
  repository && (async () => (await repository()).loadApplication());
