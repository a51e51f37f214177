/** The package's entry `atoll-server/service-worker`: starts the repository in a service worker, and gives its commands to the page. */
import { demoPasswordOf, type DemoAccount, serverAt } from '../../exchange/exchange.ts';
export type { DemoAccount } from '../../exchange/exchange.ts';
import type { AtollServer, Fetch } from '../../exchange/exchange-worlds.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { canSendStreams } from '../../client/client-requests.ts';
import { confirmedMark, exchangeHeader, type PageNews, type Welcome } from './messages.ts';
import { isServed, scriptWith, type ServedOptions, type WorkerSettings } from './settings.ts';
import { greet, keepAwake, registerWorker, stopWorker, tell, untilActive, untilControlled } from './worker-link.ts';

/** `isServed` says whether the repository answers at an address. Other requests go their usual way. */
const createPageFetch =
  (tell: (news: PageNews) => void, isServed: (url: URL) => boolean): Fetch =>
  async (input, init) => {
    const request = new Request(input, init);
    if (!isServed(new URL(request.url))) return fetch(request);
    const exchange = crypto.randomUUID();
    try {
      return await fetch(marked(request, exchange, tell));
    } catch (error) {
      tell({ kind: 'aborted', exchange });
      throw error;
    }
  };

const marked = (request: Request, exchange: string, tell: (news: PageNews) => void): Request => {
  const headers = new Headers(request.headers);
  if (request.body === null || !canSendStreams()) {
    headers.set(exchangeHeader, exchange);
    return new Request(request, { headers });
  }
  headers.set(exchangeHeader, exchange + confirmedMark);
  const body = request.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({ flush: () => tell({ kind: 'sent', exchange }) }),
  );
  return new Request(request, { headers, body, ...{ duplex: 'half' } }); // the type lacks `duplex`
};

export type * from '../../exchange/exchange-worlds.ts';

/** Addresses are resolved as those of a link in the page. */
type ServiceWorkerOptions = ServedOptions & {
  /** The script that `atoll prepare --service-worker` wrote, or one of your own. Default: `/atoll-sw.js`. */
  readonly script?: string | undefined;
  /** The pages whose requests the worker gets, this one among them. Default: the folder of the script. */
  readonly scope?: string | undefined;
  /** Requests at this address and below are answered by the repository. Default: `repo` below the scope. */
  readonly prefix?: string | undefined;
  /** Addresses below the prefix that go to the network all the same. One that ends with `*` stands for all that begin so. */
  readonly except?: readonly string[] | undefined;
  /** `module` for a script of your own with static imports, which not every browser runs. Default: `classic`. */
  readonly type?: WorkerType | undefined;
  /**
   * Whether the main world is kept in IndexedDB, or under which name. Default: true without a seed. With `false` all is gone when
   * the browser ends the worker, which it does some time after the last page is closed.
   */
  readonly persist?: boolean | string | undefined;
  /** A copy of `dist/console` of the package, which is then shown at `/repo/_atoll/`. Its address ends with a slash. */
  readonly console?: string | undefined;
  /** Called after the browser has restarted the worker: further worlds, faults, sessions and remembered requests are gone. */
  readonly onRestart?: (() => void) | undefined;
};

/** The repository in the service worker: the commands of `createAtoll`, sent by `fetch`. */
type ServiceWorkerAtoll = AtollServer & {
  readonly accounts: readonly DemoAccount[];
  readonly registration: ServiceWorkerRegistration;
  /** Removes the worker. Requests go to the network from now on. What is in IndexedDB stays. */
  stop(): Promise<void>;
};

/** Written by the build. */
declare const ATOLL_VERSION: string;

/**
 * Registers the worker. Resolves when it answers the requests of this page, on the first load too. Rejects with
 * `ConfigurationError`: no secure context, no script there, another version, no such fixture.
 */
export const startServiceWorker = async (options: ServiceWorkerOptions = {}): Promise<ServiceWorkerAtoll> => {
  const script = ownAddress('script', options.script ?? '/atoll-sw.js');
  const scope = options.scope === undefined ? new URL('.', script) : ownAddress('scope', options.scope);
  const base = options.prefix === undefined ? new URL('repo', scope) : ownAddress('prefix', options.prefix);
  const settings = settingsOf(options, base.pathname.replace(/\/$/, ''));
  const address = scriptWith(script, settings, ATOLL_VERSION);
  const registration = await registerWorker({ script: address, scope, type: options.type ?? 'classic' });
  const welcome = await greetSameVersion(registration, address);
  await untilControlled(address);
  const watch = keepAlive(registration, welcome.start, options.onRestart);
  const current = (): ServiceWorker => activeWorker(registration, address);
  const url = base.origin + settings.prefix;
  const { accounts } = welcome;
  return {
    ...serverAt(url, {
      fetch: createPageFetch(
        (news) => tell(current(), news),
        ({ origin, pathname }) => origin === base.origin && isServed(pathname, settings),
      ),
      headers: {},
      passwordOf: (account) => demoPasswordOf(accounts, account),
    }),
    ...{ accounts, registration },
    stop: async () => {
      watch.end();
      await stopWorker(current());
      await registration.unregister();
    },
  };
};

const ownAddress = (option: string, address: string): URL => {
  const { href } = new URL(address, document.baseURI);
  const resolved = new URL(href);
  if (resolved.origin === location.origin) return resolved;
  throw new ConfigurationError(`${option}: ${href} is of another origin than this page, ${location.origin}.`);
};

/** The options that the worker need not know. */
const ofPage: ReadonlySet<string> = new Set(['script', 'scope', 'type', 'onRestart']);

const settingsOf = (options: ServiceWorkerOptions, prefix: string): WorkerSettings => {
  const { except = [], seed, persist = seed === undefined } = options;
  const name = persist === true ? `atoll ${prefix}` : persist;
  return {
    ...(Object.fromEntries(Object.entries(options).filter(([name]) => !ofPage.has(name))) as ServedOptions), // the others
    prefix,
    except: except.map((path) => ownAddress('except', path).pathname),
    persist: name === false ? undefined : name,
    console: options.console === undefined ? undefined : ownAddress('console', options.console).pathname,
  };
};

const activeWorker = (registration: ServiceWorkerRegistration, script: URL): ServiceWorker => {
  const { active } = registration;
  if (active?.scriptURL === script.href) return active;
  throw new ConfigurationError(`Another page of this origin has replaced the service worker ${script.pathname}.`);
};

/** A script that was replaced on the host is loaded at the latest now. */
const greetSameVersion = async (registration: ServiceWorkerRegistration, script: URL): Promise<Welcome> => {
  const first = await greet(activeWorker(registration, script));
  const welcome = first.version === ATOLL_VERSION ? first : await greetNewest(registration, script);
  if (welcome.version !== ATOLL_VERSION) {
    throw new ConfigurationError(
      `The service worker ${script.pathname} is atoll-server ${welcome.version}, and this page has ${ATOLL_VERSION}. Write it again: npx atoll prepare --service-worker.`,
    );
  }
  if (welcome.refusal !== undefined) throw new ConfigurationError(welcome.refusal);
  return welcome;
};

const greetNewest = async (registration: ServiceWorkerRegistration, script: URL): Promise<Welcome> => {
  await registration.update();
  await untilActive(registration, script);
  return greet(activeWorker(registration, script));
};

/** Browsers end a worker that had nothing to do for about 30 seconds. */
const greetingMs = 10_000;

const keepAlive = (
  registration: ServiceWorkerRegistration,
  first: string,
  onRestart: ServiceWorkerOptions['onRestart'],
): { end(): void } => {
  let start = first;
  let hasEnded = false;
  const timer = setInterval(() => {
    const worker = registration.active;
    if (worker === null) return;
    keepAwake(worker).then(
      (welcome) => {
        if (hasEnded || welcome.start === start) return;
        start = welcome.start;
        onRestart?.();
      },
      () => undefined, // the next greeting may reach it
    );
  }, greetingMs);
  const end = (): void => {
    hasEnded = true;
    clearInterval(timer);
  };
  return { end };
};
