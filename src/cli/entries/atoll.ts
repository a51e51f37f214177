/** Defines the package's public interface: a server in your own process, and the worlds of a server that runs elsewhere. */
import { packageFolder } from '../../basics/disk/package-folder.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ImportSource } from '../../core/site/exported-configuration.ts';
import { exportedConfiguration } from '../../sites/drupal/folders/exported-configuration.ts';
import type { EngineEvent, ReplyChecks } from '../../core/engine/finish.ts';
import { demoAccountsOf, demoPasswordOf, variableSuffix, type DemoAccount } from '../../exchange/accounts.ts';
import { controlHeader } from '../../client/control/control-client.ts';
import { createFetch } from '../../server/in-process/fetch.ts';
import { serverAt, type AtollServer } from '../../exchange/worlds/server-at.ts';
import type { TrafficPage } from '../../exchange/worlds/controlled-world.ts';
import { namedDocument } from '../../server/sources/named-document.ts';
import { callbackTarget } from '../../server/events/send-callbacks.ts';
import type { CorsOrigins } from '../../server/http/cors.ts';
import type { BasicChallenge } from '../../server/start/basic-challenge.ts';
import { systemClock, systemIds } from '../../server/worlds/world-clock.ts';
import { start, type Started } from '../../server/start/start.ts';
import { firstContent } from '../../server/site-folders/packaged-sites.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import type { CacheMode } from '../../core/site/site.ts';
import { prepared } from './prepared-file.ts';

export type { AnyHandler, AnyInput, AnyReply, AnyRequest, ProposedHandler } from '../../core/engine/handler.ts';
export type { HandlerHeader, HandlerReply, HandlerRequest, SentFile } from '../../openapi/openapi.ts';
export type { Collection, CollectionNamed, CollectionWriter } from '../../openapi/openapi.ts';
export type { DocumentHandler, HandlerWorld } from '../../server/documents/served-document.ts';
export type * from '../../exchange/worlds/controlled-world.ts';
export type { DemoAccount } from '../../exchange/accounts.ts';
export type { Fetch } from '../../exchange/worlds/controlled-world.ts';
export type { AtollServer } from '../../exchange/worlds/server-at.ts';

export type AtollOptions = {
  /** The data directory. When left out, everything is in memory. */
  readonly data?: string;
  /**
   * The content of a new repository: `starter`, `empty`, `sample` or `sample:N` (content made for any site, N objects), a
   * directory in the export format, or a short fixture. Default: `starter`, or `sample` where that does not fit the site.
   */
  readonly fixture?: string;
  /** `default` (the built-in one), `starter-site`, or the directory of a site. Default: the built-in site. */
  readonly site?: string;
  /**
   * Instead of a site: the configuration that a Drupal repository exports. `folders` lie over each other; `terms` are tables in
   * CSV. The site is made from it in memory, and a new repository begins with `sample`.
   */
  readonly drupalConfig?: ImportSource;
  /**
   * OpenAPI documents of your own, as `FILE` or `PREFIX=FILE`. Without `site` and `drupalConfig` they are served alone, at the root and
   * below the path of their servers; else next to the repository.
   */
  readonly documents?: readonly string[];
  /** The same for one document. */
  readonly document?: string;
  /** Files with one OpenAPI Overlay each, applied to the document in this order. An invalid one rejects with file and line. */
  readonly overlays?: readonly string[];
  /** A folder of modules. Each exported function handles the operation of its name, which a document or an overlay has added. */
  readonly handlers?: string;
  /**
   * Where the callbacks of documents are sent after the answer: `loopback`, or one origin such as `http://localhost:9000`. Default:
   * nowhere; `callbacks` of a traffic entry shows them.
   */
  readonly callbacks?: string;
  /**
   * Whether operations of documents answer from examples alone. Default: false; what clients write to the collections of a document is
   * remembered.
   */
  readonly stateless?: boolean;
  /** The port to listen on. Default: any free one. With `false` only `fetch` and `middleware` reach the server. */
  readonly port?: number | false;
  /** The URL that clients use, when it differs from where the server listens, for example the mount point of `middleware`. */
  readonly baseUrl?: string;
  /** What happens to a reply that violates the document. Default: `fail`, which answers 500 and names the violation. */
  readonly checkReplies?: ReplyChecks;
  /** Where clients see which values were stored otherwise than they sent them. `header` adds `Atoll-Advice` to the replies. Default: `traffic`. */
  readonly advice?: 'traffic' | 'header';
  /** Whether browsers get a readable page at the address of a record, such as `/node/5`. Default: true. */
  readonly pages?: boolean;
  /** The origins that may read replies, `null` among them for pages opened as files. Default: those of this machine. */
  readonly cors?: CorsOrigins;
  /**
   * Which clients get `WWW-Authenticate: Basic` with a 401. A browser then asks people in a dialog, and `fetch` with credentials waits for
   * it. Default: `always`, as the real site; `outside-browsers` tells no script of a page, `never` nobody.
   */
  readonly basicChallenge?: BasicChallenge;
  /** The origins of other servers whose pages may use the control interface, such as those that reset a world. Default: none. */
  readonly controlOrigins?: readonly string[];
  /** Host names that are answered besides those of this machine and of the base URL. `fetch` and `middleware` answer any. */
  readonly allowedHosts?: readonly string[];
  /** How reads are answered: `fresh`, or `reference`, from caches as those of a real site. Default: as the site says. */
  readonly caches?: CacheMode;
  /** Requests that are remembered in each world. Default: 1,000. With 0 there is neither traffic nor coverage. */
  readonly traffic?: number;
  /** Where messages that the site sends after writes go: `services` (built-in ones make the derivatives), `none`, or an address. Default: `services`. */
  readonly events?: string;
  /** A seed, so that the same requests give the same uuids and secrets, in memory only. A sample is drawn by it, too. */
  readonly seed?: string;
  /** With a token, callers from other machines may use the control interface, and every caller must send it. */
  readonly controlToken?: string;
  /** The most requests that each control token may send in a minute. Default: any number. */
  readonly controlRate?: number;
  /** A PEM to sign tokens with. When left out, a key is made for the first token. */
  readonly jwtKey?: string;
  /** Receives the engine's events: which operation was answered, which reply violates the contract, what failed. */
  readonly onEvent?: (event: EngineEvent) => void;
  /** Receives errors and warnings that clients do not see. Default: standard error. */
  readonly onError?: (error: unknown) => void;
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

/** The site, and the content that a new repository of it begins with. */
const siteOf = ({ site, drupalConfig, fixture }: AtollOptions) => {
  if (site !== undefined && drupalConfig !== undefined) {
    throw new ConfigurationError('drupalConfig makes the site, so site has no use. Leave out one of them.');
  }
  const configuration = drupalConfig && exportedConfiguration(drupalConfig);
  return {
    site,
    drupalConfig: configuration,
    ...firstContent(fixture, { site, isImported: drupalConfig !== undefined }),
  };
};

/** Documents, overlays and handlers of one's own. */
const proposalsOf = ({ overlays, document, documents = [], handlers, callbacks, stateless }: AtollOptions) => ({
  overlays,
  documents: [...(document === undefined ? [] : [document]), ...documents].map(namedDocument),
  handlerFolder: handlers,
  stateless,
  callbacks: callbacks === undefined ? undefined : callbackTarget(callbacks),
});

/** Starts a server. Rejects when a port is in use, a site is invalid or a store is damaged. The message says what to change. */
export const startAtoll = async (options: AtollOptions = {}): Promise<Atoll> => {
  const { cors = 'loopback', controlOrigins } = options;
  const onError = guarded(options.onError ?? logError);
  const onEvent = guarded(options.onEvent ?? (() => undefined));
  warnInsideExec(onError);
  const started = await start({
    root,
    prepared,
    host: 'localhost',
    port: options.port === false ? undefined : (options.port ?? 0),
    data: options.data,
    ...siteOf(options),
    ...proposalsOf(options),
    baseUrl: options.baseUrl,
    ...{ durability: 'full', caches: options.caches },
    checkReplies: options.checkReplies ?? 'fail',
    advice: options.advice,
    pages: options.pages,
    ...{ cors, controlOrigins, basicChallenge: options.basicChallenge },
    allowedHosts: options.allowedHosts,
    traffic: options.traffic,
    events: options.events,
    seed: options.seed,
    ...{ controlToken: options.controlToken, controlRate: options.controlRate },
    demoAccounts: false,
    signingKey: options.jwtKey,
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
    violations: () => violationsOf(started, options),
    close: () => started.stop(drainMs),
  };
};

const violationsOf = async ({ inside }: Started, { checkReplies }: AtollOptions): Promise<TrafficPage['entries']> => {
  const { brokenEntries } = await import('../../server/control/traffic-handlers.ts');
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
  const variable = `ATOLL_PASSWORD_${variableSuffix(account)}`;
  const password = process.env[variable];
  if (password !== undefined) return password;
  throw new ConfigurationError(`The password of "${account}" is not known here. Give it, or set ${variable}.`);
};
