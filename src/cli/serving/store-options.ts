/** Reads the options that say which database the repository is in. */
import { resolve } from 'node:path';
import { Option, type Command } from 'commander';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { isDatabaseUrl, shownDatabase, type DatabasePlace } from '../../server/start/databases.ts';
import { digitsParser, readSeconds, readSecretFile } from '../option-parsers.ts';

export type StoreOptions = {
  readonly store?: string;
  readonly storePasswordFile?: string;
  readonly consistency: DatabasePlace['consistency'];
  readonly poolSize: number;
  readonly statementTimeout: number;
  readonly storeWait: number;
};

/** Adds `--store` and what goes with it. */
export const addStore = (command: Command): Command =>
  command
    .option(
      '--store <url>',
      'keep all worlds in a database, postgres://user@host/database, behind any number of processes (or set ATOLL_STORE)',
    )
    .option(
      '--store-password-file <file>',
      'a file that holds the password of the database, which then does not appear in lists of processes (or set PGPASSWORD)',
    )
    .addOption(
      new Option(
        '--consistency <level>',
        'with --store: strict asks the database before each request, so every read sees every acknowledged write; local asks once a second, and a read may miss what another process wrote in the last second',
      )
        .choices(['strict', 'local'])
        .default('strict'),
    )
    .option('--pool-size <number>', 'with --store: connections to the database', readPoolSize, 10)
    .option('--statement-timeout <seconds>', 'with --store: the database ends what takes longer', readSeconds, 10)
    .option('--store-wait <seconds>', 'with --store: how long a start waits for the database', readSeconds, 30);

const readPoolSize = digitsParser(/^[1-9]\d{0,2}$/, 'A number of connections to the database is from 1 to 999.');

type Environment = Readonly<Record<string, string | undefined>>;

/** Options that mean something else, or nothing, where the repository is in a database. */
const contradictions: Readonly<Record<string, string>> = {
  memory: '--memory keeps everything in this process, and the database keeps it for all',
  seed: '--seed makes two starts draw the same uuids, and the processes of a database must draw different ones',
  durability: '--durability is about files, and what a write survives is a setting of the database',
  replay: '--replay answers from a recording, and from nothing else',
};

/**
 * The database of the options or else of the environment. Undefined where none is named. Throws `ConfigurationError` for what is no
 * address of a database, and for options that contradict it. No message has the password.
 */
export const readStore = async (command: Command, environment: Environment): Promise<DatabasePlace | undefined> => {
  const options = command.opts<StoreOptions>();
  const url = options.store ?? (environment['ATOLL_STORE'] || undefined);
  const isNamed = (name: string): boolean => command.getOptionValueSource(name) === 'cli';
  if (url === undefined) {
    const alone = ['storePasswordFile', 'consistency', 'poolSize', 'statementTimeout', 'storeWait'].find(isNamed);
    if (alone !== undefined) throw new ConfigurationError(`--${dashed(alone)} goes with --store. Add it.`);
    return undefined;
  }
  const source = options.store === undefined ? 'ATOLL_STORE' : '--store';
  if (!isDatabaseUrl(url)) {
    throw new ConfigurationError(
      `${source} names a database: postgres://user@host/database. A directory goes with --data.`,
    );
  }
  for (const [name, reason] of Object.entries(contradictions)) {
    if (isNamed(name))
      throw new ConfigurationError(`${reason}. Leave out --${name} or ${source} ${shownDatabase(url)}.`);
  }
  return {
    url,
    password: await readStorePassword(options, environment),
    consistency: options.consistency,
    poolSize: options.poolSize,
    statementTimeoutMs: Math.ceil(options.statementTimeout * 1000),
    waitMs: options.storeWait * 1000,
  };
};

const dashed = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The password of the option's file, or else of the environment. Throws `ConfigurationError` for a file that cannot be read. */
export const readStorePassword = async (
  { storePasswordFile: file }: Pick<StoreOptions, 'storePasswordFile'>,
  environment: Environment,
): Promise<string | undefined> =>
  file === undefined ? environment['PGPASSWORD'] : readSecretFile('--store-password-file', file);

/** The directory of the repository, or with a database that of the bytes. Undefined where there is none. */
export const directoryOf = (command: Command, store: DatabasePlace | undefined): string | undefined => {
  const { memory, data } = command.opts<{ readonly memory?: boolean; readonly data: string }>();
  // With a database the default would not be the directory that the others use.
  const isNamed = command.getOptionValueSource('data') === 'cli';
  return memory === true || (store !== undefined && !isNamed) ? undefined : resolve(data);
};

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
