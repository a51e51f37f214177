/** Registers the worker, and speaks with it. */
import { ConfigurationError } from '../../basics/configuration-error.ts';
import type { PageMessage, PageNews, Welcome } from './messages.ts';
import { isOwnScript } from './settings.ts';

type Registering = {
  /** With the settings. */
  readonly script: URL;
  readonly scope: URL;
  readonly type: WorkerType;
};

/** Resolves with the registration when its worker of this script is active. Rejects with `ConfigurationError`. */
export const registerWorker = async ({ script, scope, type }: Registering): Promise<ServiceWorkerRegistration> => {
  const container = containerOfPage();
  refuseForeignPage(scope);
  const before = await container.getRegistration(scope.href);
  const foreign = before?.scope === scope.href ? (before.active ?? before.waiting ?? before.installing) : undefined;
  if (foreign && !isOwnScript(foreign.scriptURL)) {
    throw new ConfigurationError(
      `Another service worker has the scope ${scope.pathname}: ${foreign.scriptURL}. Give this one another scope, or call serveRepository in the other one.`,
    );
  }
  const options = { scope: scope.href, type, updateViaCache: 'none' as const };
  const registration = await container.register(script, options).catch(async (cause: unknown) => {
    throw new ConfigurationError(await whyRefused(script, scope, cause), { cause });
  });
  await untilActive(registration, script);
  return registration;
};

const containerOfPage = (): ServiceWorkerContainer => {
  const { serviceWorker } = navigator as { readonly serviceWorker?: ServiceWorkerContainer }; // not on every page
  if (serviceWorker !== undefined) return serviceWorker;
  throw new ConfigurationError(
    globalThis.isSecureContext
      ? 'This browser offers no service workers to this page. Some do not in a private window.'
      : `Service workers need https, or http on localhost. This page is at ${location.origin}.`,
  );
};

/** A worker answers the requests of pages below its scope only. */
const refuseForeignPage = (scope: URL): void => {
  if (location.href.startsWith(scope.href)) return;
  throw new ConfigurationError(
    `The page ${location.pathname} is not below the scope ${scope.pathname} of the service worker, which would not get its requests.`,
  );
};

const whyRefused = async (script: URL, scope: URL, cause: unknown): Promise<string> => {
  const words = cause instanceof Error ? cause.message : String(cause);
  const remedy = 'Write one there: npx atoll prepare --service-worker.';
  const response = await fetch(script, { cache: 'no-store' }).catch(() => undefined);
  if (response === undefined) return `The script of the service worker, ${script.pathname}, cannot be loaded: ${words}`;
  if (!response.ok) return `There is no service worker at ${script.pathname}: ${response.status}. ${remedy}`;
  const type = response.headers.get('content-type') ?? 'nothing';
  if (!/javascript/.test(type)) return `There is no service worker at ${script.pathname}, but ${type}. ${remedy}`;
  if (!scope.pathname.startsWith(new URL('.', script).pathname) && !response.headers.has('service-worker-allowed')) {
    return `The script ${script.pathname} cannot have the scope ${scope.pathname}, which is not below its folder. Move the script up, or let the host send "Service-Worker-Allowed: ${scope.pathname}" with it.`;
  }
  return `The browser does not take the service worker ${script.pathname}: ${words}`;
};

/** An earlier worker of the scope may still be active while this one is installed. */
export const untilActive = async (registration: ServiceWorkerRegistration, script: URL): Promise<void> => {
  const { installing, waiting, active } = registration;
  const worker = [installing, waiting, active].find((each) => each?.scriptURL === script.href);
  if (worker === undefined || worker === null) throw new Error('A registration has a worker of its script.');
  if (worker.state === 'activated') return;
  await new Promise<void>((resolve, reject) => {
    const look = (): void => {
      if (worker.state === 'activated') resolve();
      if (worker.state !== 'redundant') return;
      reject(new ConfigurationError(`The service worker ${script.pathname} was not installed. Its console says why.`));
    };
    worker.addEventListener('statechange', look);
    look();
  });
};

/** Tells the worker something that it does not answer. */
export const tell = (worker: ServiceWorker, news: PageNews): void =>
  worker.postMessage({ atoll: news } satisfies PageMessage);

/** Longer than any start of a worker, which reads some megabytes of script. */
const patienceMs = 60_000;

/** The answer of the worker. Rejects with `ConfigurationError` when it gives none: then it is not a worker of Atoll. */
const ask = <Answer>(worker: ServiceWorker, news: PageNews): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { port1, port2 } = new MessageChannel();
    const end = (): void => {
      clearTimeout(timer);
      port1.close();
    };
    const timer = setTimeout(() => {
      end();
      reject(new ConfigurationError(`${worker.scriptURL} does not answer. Is it the service worker of atoll-server?`));
    }, patienceMs);
    port1.onmessage = ({ data }) => {
      end();
      resolve(data as Answer); // `serve-repository.ts` answers so
    };
    worker.postMessage({ atoll: news } satisfies PageMessage, [port2]);
  });

/** Also keeps the worker from being ended. */
export const greet = (worker: ServiceWorker): Promise<Welcome> => ask(worker, { kind: 'hello' });

/** Greets a worker so that it is not ended as idle. */
export const keepAwake = (worker: ServiceWorker): Promise<Welcome> => ask(worker, { kind: 'alive' });

export const stopWorker = (worker: ServiceWorker): Promise<unknown> => ask(worker, { kind: 'stop' });

/** Resolves when the worker answers the requests of this page. */
export const untilControlled = (script: URL): Promise<void> =>
  new Promise((resolve, reject) => {
    const container = navigator.serviceWorker;
    const end = (): void => {
      clearTimeout(timer);
      container.removeEventListener('controllerchange', look);
    };
    const look = (): void => {
      if (container.controller?.scriptURL !== script.href) return;
      end();
      resolve();
    };
    const timer = setTimeout(() => {
      end();
      reject(new ConfigurationError(`The service worker ${script.pathname} does not get the requests of this page.`));
    }, patienceMs);
    container.addEventListener('controllerchange', look);
    look();
  });
