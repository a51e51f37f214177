/** Connects commands to a running server: reads the options that name it, and sends requests to it. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import {
  CommandRefusal,
  controlClient,
  controlHeader,
  type ControlClient,
  type Answer,
  type InputParameter,
  type OperationId,
} from '../../client/client-control.ts';
import type { Fetch } from '../../exchange/exchange-worlds.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';

/** `url` is the address of a server or of one of its worlds, without a slash at its end. */
export type ServerOptions = { readonly url: string; readonly controlToken?: string };

/** Adds `--url`. Without it the variable `ATOLL_URL` names the server, which `atoll exec` and `atoll env` set. */
export const withUrl = (command: Command, description: string): Command =>
  command.addOption(
    new Option('--url <url>', description).env('ATOLL_URL').argParser(readServerUrl).default('http://localhost:8000'),
  );

/** Parses the address of a server, without the slash at its end. */
export const readServerUrl = (text: string): string => {
  if (/^https?:\/\/./i.test(text) && URL.canParse(text)) return text.replace(/\/+$/, '');
  const isWithoutScheme = !/^\w+:\/\//.test(text) && URL.canParse(`http://${text}`);
  const remedy = isWithoutScheme ? `Write http://${text}.` : 'One begins with http:// or https://.';
  throw new InvalidArgumentError(`"${text}" is not an address of a server. ${remedy}`);
};

/** Adds `--url` and `--control-token`. */
export const withServer = (command: Command): Command =>
  withUrl(command, 'the server, or a world of it: http://localhost:8000/~w7').addOption(
    new Option('--control-token <token>', 'the token of its control interface').env('ATOLL_CONTROL_TOKEN'),
  );

/** `fetch` that throws `ConfigurationError` for a malformed address, or when no server answers there. */
export const fetchRunningServer: Fetch = (input, init) => {
  const address = input instanceof Request ? input.url : String(input);
  if (!/^https?:\/\//.test(address) || !URL.canParse(address)) {
    throw new ConfigurationError(`"${address}" is not an address of a server. One begins with http:// or https://.`);
  }
  return fetch(input, init).catch((cause: unknown) => {
    const { origin } = new URL(address);
    throw new ConfigurationError(`Nobody answers at ${origin}. Start a server, or name it with --url.`, { cause });
  });
};

/** The control interface of a running server. */
export const controlOf = ({ url, controlToken }: ServerOptions): ControlClient =>
  controlClient({ fetch: fetchRunningServer, headers: controlHeader(controlToken) }, url);

/** Sends a command to the control interface. Throws `ConfigurationError` with the server's message when it is refused. */
export const sendCommand = <Id extends OperationId>(
  server: ServerOptions,
  id: Id,
  ...input: InputParameter<Id>
): Promise<Answer<Id>> =>
  controlOf(server)
    .ask(id, ...input)
    .catch(orConfigurationError);

/** Replaces a refusal by `ConfigurationError` with the server's message. */
export const orConfigurationError = (error: unknown): never => {
  const isRefusal = error instanceof CommandRefusal && !error.isUnexpected;
  throw isRefusal ? new ConfigurationError(error.reason, { cause: error }) : error;
};

/** Throws `ConfigurationError` where the repository is on disk, which may hold years of work. */
export const refuseOnDisk = async (server: ServerOptions): Promise<void> => {
  const { durability } = await sendCommand(server, 'getHealth');
  if (durability === 'memory') return;
  throw new ConfigurationError(`The repository at ${server.url} is kept on disk. Add --yes if all it holds may go.`);
};
