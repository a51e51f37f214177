/** Starts a server in this process, for the library and for commands, and reaches the worlds of a server that runs elsewhere. */
import { packageFolder } from '../../basics/disk/package-folder.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { importOptions, systemClock, systemIds, startOptions, startSettings } from '../../server/server.ts';
import type { EngineEvent, ExportedConfiguration, ImportSource } from '../../openapi/openapi-host.ts';
import {
  demoAccountsOf,
  demoPasswordOf,
  type DemoAccount,
  serverAt,
  accountVariables,
} from '../../exchange/exchange.ts';
import { controlHeader } from '../../client/client-control.ts';
import { createFetch, start, type Started, type StartOptions } from '../../server/server-start.ts';
import type { AtollServer, TrafficPage } from '../../exchange/exchange-worlds.ts';
import { checkedOptions, type OptionsOf } from '../../basics/options/option-rows.ts';
import type { Rim } from '../command-context.ts';
import { hostedApplication } from '../options/hosted-application.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { prepared } from './prepared-file.ts';

/** The start options that hold here, and what only a program can give. */
export type AtollOptions = OptionsOf<typeof startOptions, 'startAtoll'> & {
  /**
   * Instead of a site: the configuration that a Drupal repository exports. `folders` lie over each other; `terms` are tables in
   * CSV. The site is made from it in memory, and a new repository begins with `sample`.
   */
  readonly drupalConfig?: ImportSource | undefined;
  /** Receives the engine's events: which operation was answered, which reply violates the contract, what failed. */
  readonly onEvent?: ((event: EngineEvent) => void) | undefined;
  /** Receives errors and warnings that clients do not see. Default: standard error. */
  readonly onError?: ((error: unknown) => void) | undefined;
};

/** The same, with what imports the configuration. */
export type InProcessOptions = Omit<AtollOptions, 'drupalConfig'> & {
  readonly drupalConfig?: ExportedConfiguration | undefined;
};

/** A server in this process. */
export type Atoll = AtollServer & {
  /** For your Express application or Node server, before any body parser: `app.use('/repo', atoll.middleware)`. */
  readonly middleware: (request: IncomingMessage, response: ServerResponse) => void;
  readonly accounts: readonly DemoAccount[];
  /**
   * The requests and replies that have broken the contract, in all worlds, with those that are dropped by now. `world` of an entry names
   * the test, if the world has its name. `clearCoverage()` empties the list.
   */
  violations(): Promise<TrafficPage['entries']>;
  /** Closes connections, files and timers, so that the process can end. */
  close(): Promise<void>;
};

const root = packageFolder(import.meta.url);

/** How long open requests may take to end, in milliseconds. */
const drainMs = 1000;

const logError = (error: unknown): void => {
  process.stderr.write(`atoll: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
};

/** Logs what the caller's own function throws, so that it cannot break a reply. */
const guarded =
  <T>(listener: (value: T) => void): ((value: T) => void) =>
  (value) => {
    try {
      listener(value);
    } catch (error) {
      logError(error);
    }
  };

/** Starts a server. Rejects when a port is in use, a site is invalid or a store is damaged. The message says what to change. */
export const startInProcess = async (options: InProcessOptions, rim: Rim): Promise<Atoll> => {
  const values = checkedOptions({ ...startOptions, ...importOptions }, 'startAtoll', options);
  const { cors, controlOrigins } = values;
  const onError = guarded(options.onError ?? logError);
  const onEvent = guarded(options.onEvent ?? (() => undefined));
  warnInsideExec(onError);
  const started = await start({
    ...startSettings({ ...values, drupalConfig: options.drupalConfig }),
    loadApplication: hostedApplication(rim),
    ...{ root, prepared, host: 'localhost', durability: 'full', demoAccounts: false },
    ...{ clock: systemClock, ids: systemIds, warn: onError, onError },
    areAnswersHeard: options.onEvent !== undefined,
    onEvent: (event) => {
      onEvent(event);
      if (event.kind === 'failed') onError(event.error);
    },
  });
  const { url, answer, respond, world, controlToken } = started;
  const documented = () => started.inside.contract().documented;
  const fetch = createFetch({ answer, baseUrl: url, cors, controlOrigins, documented, onError });
  const accounts = demoAccountsOf(world.site);
  return {
    // The control interface accepts these commands as local ones, whatever the base URL is.
    ...serverAt(url, {
      fetch,
      headers: { host: 'localhost', ...controlHeader(controlToken) },
      passwordOf: (account) => demoPasswordOf(accounts, account),
    }),
    middleware: (request, response) => respond(request, response),
    accounts,
    violations: () => violationsOf(started, values),
    close: () => started.stop(drainMs),
  };
};

const violationsOf = async (
  { inside }: Started,
  { checkReplies }: Pick<StartOptions, 'checkReplies'>,
): Promise<TrafficPage['entries']> => {
  const { brokenEntries } = await import('../../server/server-start.ts');
  return brokenEntries({ ...inside, areRepliesChecked: checkReplies !== 'off' });
};

/** `atoll exec` sets `ATOLL_EXEC` for its command. Its reports and goals know nothing of a second server. */
const warnInsideExec = (warn: (message: string) => void): void => {
  const url = process.env['ATOLL_EXEC'];
  if (url === undefined) return;
  warn(
    `startAtoll() starts a server of its own inside \`atoll exec\`. Coverage, goals and reports of \`atoll exec\` count ` +
      `nothing of it. Use connectAtoll(process.env.ATOLL_URL), which is the server of \`atoll exec\` at ${url}.`,
  );
};

/** Connects to a server that `atoll serve` or `atoll exec` has started, for example for tests in many processes. */
export const connectAtoll = (url: string, { controlToken }: { readonly controlToken?: string } = {}): AtollServer =>
  serverAt(url.replace(/\/$/, ''), {
    fetch: globalThis.fetch,
    headers: controlHeader(controlToken),
    passwordOf: passwordFromEnvironment,
  });

const passwordFromEnvironment = (account: string): string => {
  const { password: variable } = accountVariables(account);
  const password = process.env[variable];
  if (password !== undefined) return password;
  throw new ConfigurationError(`The password of "${account}" is not known here. Give it, or set ${variable}.`);
};
