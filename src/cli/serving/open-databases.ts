/** Opens the databases that the program knows. */
import { ConfigurationError } from '../../basics/configuration-error.ts';
import type { DatabasePlace, Databases } from '../../server/start/databases.ts';
import type { StartOptions } from '../../server/start/start.ts';
import { rim } from '../rim.ts';

/** Rejects with `ConfigurationError` where the program knows none. */
export const loadDatabases = async (): Promise<Databases> => {
  if (rim.databases === undefined) throw new ConfigurationError('This Atoll has no database. Leave out --store.');
  return (await rim.databases()).databases;
};

/** What a server opens in place of a directory. Undefined where no database is named. */
export const databaseOpener = (place: DatabasePlace | undefined): StartOptions['openDatabase'] =>
  place && (async (options) => (await loadDatabases()).open(place, options));
