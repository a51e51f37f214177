/** Keeps the key that tokens are signed with in the database, so that a token of one process is valid at every other. */
import { existingSigningKey, generatedSigningKey, type SigningKeySource } from '../basics/secrets/signing-key.ts';
import type { Database } from './postgres/database.ts';

/** Makes a key at the first call, when the database has none. Of processes that do so at once, the first one wins. */
export const teamSigningKey = (database: Database): SigningKeySource => {
  let opened: Promise<SigningKeySource> | undefined;
  const open = async (): Promise<SigningKeySource> => {
    const known = await readKey(database);
    if (known !== undefined) return existingSigningKey(known);
    const made = generatedSigningKey(async (pem) => {
      await database.query('update atoll_schema set signing_key = $1 where one and signing_key is null', [pem]);
    });
    await made();
    const kept = await readKey(database);
    if (kept === undefined) throw new Error('The database has kept no key.');
    return existingSigningKey(kept);
  };
  return async () => {
    opened ??= open();
    try {
      const source = await opened;
      return await source();
    } catch (error) {
      // The next call tries again.
      opened = undefined;
      throw error;
    }
  };
};

const readKey = async (database: Database): Promise<string | undefined> => {
  const [row] = await database.query<{ signing_key: string | null }>('select signing_key from atoll_schema where one');
  return row?.signing_key ?? undefined;
};
