/** Commands to the control interface of a running server, and the options that name it. */
import type { Command } from 'commander';
import { CommandRefusal, commandsOf, controlHeader, type Ask } from '../../library/control-command.ts';
import { ConfigurationError } from '../../site/read-yaml.ts';
import { reach } from './reach.ts';
import type { CommandContext } from '../serve.ts';

/** Which server, and which of its worlds. */
export type ServerOptions = { readonly url: string; readonly controlToken?: string };

/** Adds `--url` and `--control-token`. */
export const withServer = (command: Command, { environment }: CommandContext): Command =>
  command
    .option('--url <url>', 'the server, or a world of it: http://localhost:8000/~w7', 'http://localhost:8000')
    .option(
      '--control-token <token>',
      'the token of its control interface (or set ATOLL_CONTROL_TOKEN)',
      environment['ATOLL_CONTROL_TOKEN'],
    );

/** Sends a command. Throws `ConfigurationError` with the server's own words, or when nobody answers. */
export const askControl = <Answer = undefined>(
  { url, controlToken }: ServerOptions,
  ...command: Parameters<Ask>
): Promise<Answer> =>
  commandsOf(
    { fetch: reach, headers: controlHeader(controlToken) },
    url,
  )<Answer>(...command).catch((error: unknown) => {
    throw error instanceof CommandRefusal ? new ConfigurationError(error.reason, { cause: error }) : error;
  });
