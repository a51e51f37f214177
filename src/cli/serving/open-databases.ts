/** Opens the databases that the program knows. */
import { ConfigurationError } from '../../basics/configuration-error.ts';
import type { DatabasePlace, Databases } from '../../server/server.ts';
import type { StartOptions } from '../../server/server-start.ts';
import type { Rim } from '../command-context.ts';

/** Rejects with `ConfigurationError` where the program knows none. */
export const loadDatabases = async (rim: Rim): Promise<Databases> => {
  if (rim.databases === undefined) throw new ConfigurationError('This Atoll has no database. Leave out --store.');
  return (await rim.databases()).databases;
};

/** What a server opens in place of a directory. Undefined where no database is named. */
export const databaseOpener = (place: DatabasePlace | undefined, rim: Rim): StartOptions['openDatabase'] =>
  place && (async (options) => (await loadDatabases(rim)).open(place, options));
