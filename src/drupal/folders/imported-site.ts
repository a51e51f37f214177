/** Imports the folders and tables that a user names. */
import { importConfiguration, type Imported } from '../import-configuration.ts';
import type { KnownTerm } from '../terms/placed-terms.ts';
import { readFolders, readNamedTables } from './read-folders.ts';

export type ImportSource = {
  /** Folders of exported configuration. A later one lies over those before it. */
  readonly folders: readonly string[];
  /** Tables of terms in CSV. */
  readonly terms: readonly string[];
};

/** Throws `ConfigurationError`. */
export const importSource = async (source: ImportSource, known: readonly KnownTerm[] = []): Promise<Imported> => {
  const files = await readFolders(source.folders);
  return importConfiguration(files, { terms: readNamedTables(source.terms), known });
};
