/** How commands reach a running server: the options that name it, and requests to it. */
import type { Command } from 'commander';
import type { components } from '../../generated/control.ts';
import { CommandRefusal, controlHeader, createCommandSender, type SendCommand } from '../../library/control-command.ts';
import type { Fetch } from '../../library/fetch.ts';
import { ConfigurationError } from '../../site/read-yaml.ts';
import type { CommandContext } from '../command-context.ts';

/** The wire types of the control interface. */
export type Schemas = components['schemas'];

/** `url` is the address of a server or of one of its worlds, without a slash at its end. */
export type ServerOptions = { readonly url: string; readonly controlToken?: string };

/** Adds `--url`. */
export const withUrl = (command: Command, description: string): Command =>
  command.option('--url <url>', description, (url) => url.replace(/\/$/, ''), 'http://localhost:8000');

/** Adds `--url` and `--control-token`. */
export const withServer = (command: Command, { environment }: CommandContext): Command =>
  withUrl(command, 'the server, or a world of it: http://localhost:8000/~w7').option(
    '--control-token <token>',
    'the token of its control interface (or set ATOLL_CONTROL_TOKEN)',
    environment['ATOLL_CONTROL_TOKEN'],
  );

/** `fetch` that throws `ConfigurationError` for a malformed address, or when no server answers there. */
export const fetchRunningServer: Fetch = (input, init) => {
  const address = input instanceof Request ? input.url : String(input);
  if (!/^https?:\/\//.test(address) || !URL.canParse(address)) {
    throw new ConfigurationError(`"${address}" is no address of a server. One begins with http:// or https://.`);
  }
  return fetch(input, init).catch((cause: unknown) => {
    const { origin } = new URL(address);
    throw new ConfigurationError(`Nobody answers at ${origin}. Start a server, or name it with --url.`, { cause });
  });
};

/** Sends a command to the control interface. Throws `ConfigurationError` with the server's message when it is refused. */
export const sendCommand = <Answer = undefined>(
  { url, controlToken }: ServerOptions,
  ...command: Parameters<SendCommand>
): Promise<Answer> =>
  createCommandSender(
    { fetch: fetchRunningServer, headers: controlHeader(controlToken) },
    url,
  )<Answer>(...command).catch((error: unknown) => {
    throw error instanceof CommandRefusal ? new ConfigurationError(error.reason, { cause: error }) : error;
  });
