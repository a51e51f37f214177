/** The options that say which repository `atoll export` and `atoll import` mean: a folder, a database, or a world of a running server. */
import { Option, type Command } from 'commander';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { isDatabaseUrl, type DatabasePlace } from '../../server/server.ts';
import { readServerUrl, type ServerOptions } from '../remote/server-connection.ts';
import { addOptions } from '../options/start-options.ts';
import { readStorePassword } from '../serving/store-options.ts';

export type ArchiveSourceOptions = {
  readonly bytes?: string;
  readonly data?: string;
  readonly url?: string;
  readonly controlToken?: string;
  readonly store?: string;
  readonly storePasswordFile?: string;
};

/** Adds the options. `ATOLL_URL` and `ATOLL_STORE` are not read: without `--url` and `--store` the folder is meant. */
export const withArchiveSource = (command: Command, ofData: string): Command =>
  addOptions(command, ['bytes'])
    .option('--data <dir>', `${ofData} (default: ./atoll-data); with --store the directory of bytes`)
    .option('--store <url>', 'the database of a team, postgres://user@host/database: its main world')
    .option('--store-password-file <file>', 'a file that holds the password of the database (or set PGPASSWORD)')
    .addOption(
      new Option('--url <url>', 'a running server, or a world of it: http://localhost:8000/~w7').argParser(
        readServerUrl,
      ),
    )
    .addOption(new Option('--control-token <token>', 'the token of its control interface').env('ATOLL_CONTROL_TOKEN'));

type ArchiveSource =
  | { readonly kind: 'folder'; readonly directory: string }
  | { readonly kind: 'store'; readonly store: DatabasePlace; readonly data: string | undefined }
  | { readonly kind: 'server'; readonly server: ServerOptions };

/** A large batch of records may take longer than one request does. */
const statementTimeoutMs = 120_000;

type Environment = Readonly<Record<string, string | undefined>>;

/** Throws `ConfigurationError` when the options name several, and for a text that is not an address of a database. */
export const oneSource = async (options: ArchiveSourceOptions, environment: Environment): Promise<ArchiveSource> => {
  const { data, url, controlToken, store } = options;
  if (url !== undefined && (data !== undefined || store !== undefined)) {
    throw new ConfigurationError(
      'Name one repository: --data for a folder, --store for a database, --url for a server.',
    );
  }
  if (url !== undefined) {
    return { kind: 'server', server: { url, ...(controlToken === undefined ? {} : { controlToken }) } };
  }
  if (store === undefined) return { kind: 'folder', directory: data ?? './atoll-data' };
  if (!isDatabaseUrl(store)) throw new ConfigurationError('--store names a database: postgres://user@host/database.');
  const password = await readStorePassword(options, environment);
  const limits = { poolSize: 4, statementTimeoutMs, waitMs: 10_000 };
  return { kind: 'store', data, store: { url: store, password, consistency: 'strict', ...limits } };
};
