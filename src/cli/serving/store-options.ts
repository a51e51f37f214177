/** Reads the options that say which database the repository is in. */
import { resolve } from 'node:path';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { type DatabasePlace, isDatabaseUrl, shownDatabase } from '../../server/server.ts';
import { readSecretFile } from '../options/secret-files.ts';
import { writtenFlag } from '../options/option-table.ts';
import type { ReadOptions } from '../options/start-options.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Options that mean something else, or nothing, where the repository is in a database. */
const contradictions = [
  ['memory', '--memory keeps everything in this process, and the database keeps it for all'],
  ['seed', '--seed makes two starts draw the same uuids, and the processes of a database must draw different ones'],
  ['durability', '--durability is about files, and what a write survives is a setting of the database'],
] as const;

/**
 * The database of the options or else of the environment. Undefined where none is named. Throws `ConfigurationError` for what is no
 * address of a database, and for options that contradict it. No message has the password.
 */
export const readStore = async (
  { values, isGiven, sourceOf }: ReadOptions<'serve'>,
  environment: Environment,
): Promise<DatabasePlace | undefined> => {
  const { store: url, storePasswordFile, consistency, poolSize, statementTimeout, storeWait } = values;
  if (url === undefined) return undefined;
  const source = sourceOf('store');
  if (!isDatabaseUrl(url)) {
    throw new ConfigurationError(
      `${source} names a database: postgres://user@host/database. A directory goes with --data.`,
    );
  }
  for (const [name, reason] of contradictions) {
    if (!isGiven(name)) continue;
    const remedy = `Leave out ${writtenFlag(name)} or ${source} ${shownDatabase(url)}.`;
    throw new ConfigurationError(`${reason}. ${remedy}`);
  }
  return {
    ...{ url, password: await readStorePassword({ storePasswordFile }, environment) },
    ...{ consistency, poolSize, statementTimeoutMs: Math.ceil(statementTimeout * 1000), waitMs: storeWait * 1000 },
  };
};

/** The password of the option's file, or else of the environment. Throws `ConfigurationError` for a file that cannot be read. */
export const readStorePassword = async (
  { storePasswordFile: file }: { readonly storePasswordFile?: string | undefined },
  environment: Environment,
): Promise<string | undefined> =>
  file === undefined ? environment['PGPASSWORD'] : readSecretFile('--store-password-file', file);

/** The directory of the repository, or with a database that of the bytes. Undefined where there is none. */
export const directoryOf = (
  { values: { memory, data }, isGiven }: ReadOptions<'serve'>,
  store: DatabasePlace | undefined,
): string | undefined =>
  // With a database the default would not be the directory that the others use.
  memory === true || (store !== undefined && !isGiven('data')) ? undefined : resolve(data);

/** Where a repository is, as the first lines of a server say it. */
export type RepositoryPlace = { readonly data: string | undefined; readonly store?: string };

/** The address of the database is without its password. */
export const repositoryPlace = (store: DatabasePlace | undefined, data: string | undefined): RepositoryPlace => ({
  data,
  ...(store === undefined ? {} : { store: shownDatabase(store.url) }),
});

/** The rows of the table of a start: title and text. */
export const placeRows = ({ data, store }: RepositoryPlace, durability: string): readonly [string, string][] =>
  store === undefined
    ? [
        ['Data', data ?? 'in memory only, gone when this ends'],
        ['Durability', durability],
      ]
    : [['Store', store], ...(data === undefined ? [] : [['Bytes', data] as [string, string]])];
