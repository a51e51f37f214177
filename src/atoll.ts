/** The library's public face: a whole server in somebody's own process, and the worlds of a server that runs elsewhere. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { EngineEvent, ReplyChecks } from './engine/finish.ts';
import {
  basicCredentials,
  demoAccountsOf,
  demoPasswordOf,
  fetchToken,
  type DemoAccount,
} from './library/demo-accounts.ts';
import { controlHeader, type ServerConnection } from './library/control-command.ts';
import {
  forkWorld,
  serverCommands,
  worldCommands,
  type AtollWorld,
  type ServerCommands,
  type WorldCommands,
  type WorldOptions,
} from './library/controlled-world.ts';
import { createFetch } from './library/fetch.ts';
import type { CorsOrigins } from './http/cors.ts';
import { systemClock, systemIds } from './worlds/system-clock.ts';
import { start } from './server/start.ts';

export type { AnyHandler, AnyInput, AnyReply, AnyRequest } from './engine/handler.ts';
export type * from './library/controlled-world.ts';
export type { ProposedHandler } from './engine/handler.ts';
export type { DemoAccount } from './library/demo-accounts.ts';
export type { Fetch } from './library/fetch.ts';

export type AtollOptions = {
  /** The data directory; everything is in memory when left out. */
  readonly data?: string;
  /** What a new repository is filled with: `starter`, `empty`, or a directory in the export format. `starter` when left out. */
  readonly fixture?: string;
  /** The directory of the site; the built-in site when left out. */
  readonly site?: string;
  /** Files with an OpenAPI Overlay each, over the document in this order; a bad one rejects with its file and line. */
  readonly overlays?: readonly string[];
  /** A folder of modules whose exports are handlers, by the ids of operations that the overlays add. */
  readonly handlers?: string;
  /** The port to listen on, any free one when left out; with `false` nobody listens, and `fetch` and `middleware` are the ways in. */
  readonly port?: number | false;
  /** How clients reach the server, when that is not where it listens: for a `middleware` its address in the other application. */
  readonly baseUrl?: string;
  /** What happens to a reply that the document does not allow; with `fail`, as when left out, it becomes a 500 that names the fault. */
  readonly checkReplies?: ReplyChecks;
  /** Origins that may read answers: those of this machine when left out. */
  readonly cors?: CorsOrigins;
  /** Requests that are remembered in each world, 1,000 when left out; with 0 neither traffic nor coverage is kept. */
  readonly traffic?: number;
  /** What uuids and secrets are drawn from, so that the same requests give the same; in memory only. */
  readonly seed?: string;
  /** Opens the control interface to callers from elsewhere, and is asked of all. */
  readonly controlToken?: string;
  /** A PEM that tokens are signed with; one is made for the first token when left out. */
  readonly jwtKey?: string;
  /** What the engine tells: which operation was answered, which reply broke the contract, what failed. */
  readonly onEvent?: (event: EngineEvent) => void;
  /** Errors and warnings that no client is told; they go to standard error when left out. */
  readonly onError?: (error: unknown) => void;
};

/** A server: its commands, those of its main world, and what makes further worlds. */
export type AtollServer = WorldCommands &
  ServerCommands & {
    /** Makes a world that shares nothing with this one but the process: one for each test, with a base URL of its own. */
    world(nameOrOptions?: string | WorldOptions): Promise<AtollWorld>;
  };

/** A server in this process. */
export type Atoll = AtollServer & {
  /** Answers for somebody's Express application or Node server, before any parser of bodies: `app.use('/repo', atoll.middleware)`. */
  readonly middleware: (request: IncomingMessage, response: ServerResponse) => void;
  readonly accounts: readonly DemoAccount[];
  /** A token for `Authorization: Bearer`, of a demo account or of one whose password is given. */
  token(account: string, password?: string): Promise<string>;
  /** Ends connections and lets go of everything; the process can end by itself then. */
  close(): Promise<void>;
};

/** Above the bundle in `dist/` as above this file in `src/`: the package. */
const root = fileURLToPath(new URL('..', import.meta.url));
const prepared = fileURLToPath(new URL('./prepared.json', import.meta.url));

/** How long open requests may take to end, in milliseconds. */
const drainMs = 1000;

const tellStandardError = (error: unknown): void => {
  process.stderr.write(`atoll: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
};

/** What the caller's own function throws is told, and spoils no answer. */
const guarded =
  <T>(listener: (told: T) => void): ((told: T) => void) =>
  (told) => {
    try {
      listener(told);
    } catch (error) {
      tellStandardError(error);
    }
  };

/** Starts a server. Rejects with an error whose message says what to change: a port in use, a broken site, a damaged store. */
export const startAtoll = async (options: AtollOptions = {}): Promise<Atoll> => {
  const { cors = 'loopback' } = options;
  const onError = guarded(options.onError ?? tellStandardError);
  const onEvent = guarded(options.onEvent ?? (() => undefined));
  const started = await start({
    root,
    prepared,
    host: 'localhost',
    port: options.port === false ? undefined : (options.port ?? 0),
    data: options.data,
    fixture: options.fixture ?? 'starter',
    site: options.site,
    overlays: options.overlays,
    handlerFolder: options.handlers,
    baseUrl: options.baseUrl,
    durability: 'full',
    checkReplies: options.checkReplies ?? 'fail',
    cors,
    traffic: options.traffic,
    seed: options.seed,
    controlToken: options.controlToken,
    demoAccounts: false,
    signingKey: options.jwtKey,
    clock: systemClock,
    ids: systemIds,
    warn: onError,
    onEvent: (event) => {
      onEvent(event);
      if (event.kind === 'failed') onError(event.error);
    },
    onError,
  });
  const { url, answer, respond, world, controlToken } = started;
  const fetch = createFetch({ answer, baseUrl: url, cors, onError });
  const accounts = demoAccountsOf(world.site);
  return {
    // Wherever clients think that it is, the commands come from this machine.
    ...serverAt(url, { fetch, headers: { host: 'localhost', ...controlHeader(controlToken) } }),
    middleware: (request, response) => respond(request, response),
    accounts,
    token: async (account, password = demoPasswordOf(accounts, account)) =>
      fetchToken(fetch, url, basicCredentials(account, password)),
    close: () => started.stop(drainMs),
  };
};

/** The worlds of a server that runs elsewhere: started by `atoll serve` or `atoll exec`, for tests in many processes. */
export const connectAtoll = (url: string, { controlToken }: { readonly controlToken?: string } = {}): AtollServer =>
  serverAt(url.replace(/\/$/, ''), {
    fetch: globalThis.fetch,
    headers: controlHeader(controlToken),
  });

const serverAt = (url: string, reach: ServerConnection): AtollServer => ({
  ...worldCommands(reach, { name: 'main', url }),
  ...serverCommands(reach, url),
  world: (options = {}) => forkWorld(reach, url, typeof options === 'string' ? { name: options } : options),
});
