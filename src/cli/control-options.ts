/** Reads the options that say who may use the control interface of a server, and how often. */
import type { Command } from 'commander';
import { ConfigurationError } from '../basics/configuration-error.ts';
import { digitsParser, readSecretFile } from './option-parsers.ts';

export type ControlTokenOptions = { readonly controlToken?: string; readonly controlTokenFile?: string };

/** Adds `--control-token` and `--control-token-file`. */
export const addControlToken = (command: Command): Command =>
  command
    .option(
      '--control-token <token>',
      'opens the control interface to other machines; every client must send it (or set ATOLL_CONTROL_TOKEN)',
    )
    .option(
      '--control-token-file <file>',
      'a file that holds the control token, which then does not appear in lists of processes (or set ATOLL_CONTROL_TOKEN_FILE)',
    );

/** Adds `--control-rate`. */
export const addControlRate = (command: Command): Command =>
  command.option(
    '--control-rate <number>',
    'the most requests that each control token may send in a minute (default: any number)',
    digitsParser(/^[1-9]\d{0,5}$/, 'A number of requests is from 1 to 999999.'),
  );

/**
 * The control token of the options or else of the environment. Undefined where none is given. Throws `ConfigurationError` for a token
 * that no header can carry, and never says it.
 */
export const readControlToken = async (
  options: ControlTokenOptions,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> => {
  const { controlToken, controlTokenFile } = options;
  if (controlToken !== undefined && controlTokenFile !== undefined) {
    throw new ConfigurationError(
      '--control-token and --control-token-file both give the token. Leave out one of them.',
    );
  }
  if (controlToken !== undefined) return checked(controlToken);
  if (controlTokenFile !== undefined) return readTokenFile('--control-token-file', controlTokenFile);
  const token = environment['ATOLL_CONTROL_TOKEN'];
  if (token !== undefined) return checked(token);
  const file = environment['ATOLL_CONTROL_TOKEN_FILE'];
  return file === undefined ? undefined : readTokenFile('ATOLL_CONTROL_TOKEN_FILE', file);
};

const readTokenFile = async (source: string, file: string): Promise<string> =>
  checked(await readSecretFile(source, file), `${source} ${file}: `);

const checked = (token: string, source = ''): string => {
  if (/^[\x21-\x7e]{8,256}$/.test(token)) return token;
  throw new ConfigurationError(`${source}A control token has 8 to 256 printable characters without blanks.`);
};
