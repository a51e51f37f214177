/** Imports the folders and tables that a user names. */
import type { ImportSource } from '../../../core/site/exported-configuration.ts';
import { importConfiguration, type Imported } from '../import-configuration.ts';
import type { KnownTerm } from '../terms/placed-terms.ts';
import { readFolders, readNamedTables } from './read-folders.ts';

/** Throws `ConfigurationError`. */
export const importSource = async (source: ImportSource, known: readonly KnownTerm[] = []): Promise<Imported> => {
  const files = await readFolders(source.folders);
  return importConfiguration(files, { terms: readNamedTables(source.terms), known });
};
