/** Removes a repository that the browser keeps. */
import { deleteDatabase } from './database.ts';

/**
 * Removes the repository that `persist` names, with its records, bytes and key. A missing one is not an error. Rejects with
 * `ConfigurationError` while it is open.
 */
export const deleteRepository = (name: string): Promise<void> => deleteDatabase(name);
