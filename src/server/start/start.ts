/** The composition root: starts a whole server from its options. */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { resolveDocument, resolveReferences } from '../../openapi/openapi-parts.ts';
import { createDispatch, type Answer, type DispatchOptions } from './dispatch.ts';
import {
  readSourceFiles,
  watchedPaths,
  type SourceFiles,
  type SourceLocations,
  withSiteNamed,
} from '../sources/source-files.ts';
import { createGuides } from '../guides/guides.ts';
import { consoleFileReader, swaggerFileReader } from './console-files.ts';
import { onDemandSchemas } from '../../openapi/openapi.ts';
import type { ControlAccess } from '../control/control-access.ts';
import { createHealth } from '../control/health-handlers.ts';
import { createReadiness, type Readiness } from '../control/readiness.ts';
import type { Reload } from '../control/reload-handlers.ts';
import { createReloads } from './reloads.ts';
import type { FaultsByWorld } from '../faults/faults-by-world.ts';
import { createTallies, type Tallies } from '../metrics/tallies.ts';
import { createMetrics } from '../metrics/metrics.ts';
import type { WorldObserver } from '../coverage/world-observer.ts';
import type { HostedOperation, HostedWorld, ImportReport } from '../../openapi/openapi-host.ts';
import type { LocalWorlds, Worlds } from '../worlds/worlds.ts';
import type { Listener, Respond } from '../http/listener.ts';
import type { ReadHealth } from '../worlds/store-health.ts';
import { type OpenedWorlds, type OpenWorldsOptions, openWorlds } from '../worlds/open-worlds.ts';
import { stopping } from './stopping.ts';
import { createKeyWarming } from './warm-key.ts';
import { createCallbackSender, type CallbackSender } from '../events/send-callbacks.ts';
import type { PassedOptions } from '../options/start-options.ts';
import type { ApplicationOnDisk, EntryPoint, FixtureOptionsOfStart } from '../application.ts';
import { applicationOf } from '../plain/plain-application.ts';
import { hostRefusal, mountAnswer, type MountOptions } from './express-app.ts';
import { loadSoon } from './load-soon.ts';
import { openListener } from './own-listener.ts';
import { readVersion } from './package-version.ts';
import {
  baseUrlOf,
  checkReach,
  controlTokenOf,
  knownHostsOf,
  refuseOpenDemoAccounts,
  type ReachOptions,
} from './reach.ts';
import { createInterceptors } from './interceptors.ts';
import { serveOwnDocuments } from '../documents/serve-documents.ts';
import { readAgain } from './read-again.ts';
import { beginCollections, warnOfRecords } from './stored-records.ts';
import { watchFiles } from './watch-files.ts';
import { flawText } from '../../basics/configuration-error.ts';
import type { ServedContract } from '../../contract/contract.ts';

type WorldsStartOptions = Pick<OpenWorldsOptions, 'data' | 'durability' | 'caches' | 'seed' | 'clock' | 'ids' | 'warn'>;
type ServingStartOptions = Pick<DispatchOptions, 'checkReplies' | 'advice' | 'pages' | 'onEvent' | 'areAnswersHeard'> &
  Pick<DispatchOptions, 'controlToken' | 'controlRate'> &
  Pick<MountOptions, 'onError' | 'readerIdleMs'>;

/** The start options, in the form that its parts take, and what the host gives. `root` is the package's folder, with the documents, the default site and the fixtures. */
export type StartOptions = SourceLocations &
  WorldsStartOptions &
  ServingStartOptions &
  ReachOptions &
  PassedOptions & {
    /** 0 for any free port. Undefined: the server does not listen, and only `answer` and `respond` reach it. */
    readonly port: number | undefined;
    /** A fixture of the package, `sample` or `sample:N`, a directory in the export format, or a short fixture (YAML or JSON). `empty`: nothing. When left out: what the application begins with; documents alone with records made of their examples. */
    readonly fixture: string | undefined;
    readonly signingKey: string | undefined;
    /** Loads what is hosted together with the documents of a user. Not called where these are served alone. */
    readonly loadApplication?: (() => Promise<ApplicationOnDisk>) | undefined;
    /** Opens a database in place of a directory or memory. `data` is then the directory of bytes. */
    readonly openDatabase?: ((options: OpenWorldsOptions) => Promise<OpenedWorlds>) | undefined;
    /** Whether somebody builds the console now. */
    readonly isConsoleBeingBuilt?: (() => boolean) | undefined;
    /** Called after every attempt to reload the sources. */
    readonly onReload?: ((reload: Reload) => void) | undefined;
  };

export type Started = {
  /** Where clients reach the server, without a slash at the end. */
  readonly url: string;
  /** Answers a plain request without a socket. */
  readonly answer: Answer;
  /** Answers a request of Node's `http` server. */
  readonly respond: Respond;
  /** The token that the control interface requires. Undefined when it requires none. */
  readonly controlToken: string | undefined;
  /** The first view of the main world. */
  readonly world: HostedWorld;
  readonly worlds: Worlds;
  /** The same. Undefined where they are in a database. */
  readonly localWorlds: LocalWorlds | undefined;
  /** False where documents are served alone. */
  readonly hasRepository: boolean;
  /** False when the data directory already held a repository. */
  readonly isNew: boolean;
  /** What an import took and did not take, where `drupalConfig` made the site. */
  readonly imported: ImportReport | undefined;
  /** Where a person begins to look. Empty without a repository. */
  readonly entryPoints: () => Promise<readonly EntryPoint[]>;
  /** Makes the signing key if there is none, so that the first token need not wait for the key. */
  readonly warmSigningKey: () => Promise<void>;
  /** Loads what requests need and a start does not. */
  readonly loadSoon: () => Promise<void>;
  /** What is wrong with the data directory now. */
  readonly health: ReadHealth;
  /** For a program that answers the requests itself and shows them here, as the proxy does. */
  readonly inside: Inside;
  /**
   * Says at once that the process may get no more requests, and answers those that come until `notice` resolves, so that a
   * load balancer notices. Then waits up to `drainMs` milliseconds for open requests, and closes everything.
   */
  stop(drainMs: number, notice?: Promise<unknown>): Promise<void>;
};

/** What the control interface shows and changes, and what requests are checked against. */
export type Inside = {
  readonly observer: WorldObserver;
  readonly faults: FaultsByWorld;
  /** The document as it is served now. */
  readonly contract: () => ServedContract;
  /** The operation of a request, of the repository or of a document of one's own. */
  readonly operationOf: Awaited<ReturnType<typeof createDispatch>>['operationOf'];
  /** The text of `openapi.yaml`. Undefined where there is no repository. */
  readonly documentText: (() => Promise<string>) | undefined;
};

/** Room for some thousands of replies. */
const replyCacheBytes = 32 * 1024 * 1024;

/**
 * Starts in this order, so that a failure leaves as little behind as possible:
 *
 * 1. Sources (`source-files.ts`): reads the site, the document, overlays, handlers and the fixture.
 * 2. Demo accounts (`reach.ts`): refuses published passwords on an address that other machines can reach.
 * 3. Listener (`server/http/listener.ts`): takes the port. Requests wait until step 7.
 * 4. Interceptors (`interceptors.ts`): the observer, the faults, and with `basicChallenge` what leaves challenges out.
 * 5. Worlds (`server/worlds/open-worlds.ts`, or `openDatabase`): opens the data directory, memory or the database, and fills a
 *    new repository.
 * 6. Dispatch (`dispatch.ts`): loads the contract (`load-contract.ts`), builds the engine and prepares the control
 *    interface. With `watch`, `watch-files.ts` and `reloads.ts` reload the sources from now on.
 * 7. `express-app.ts` mounts the dispatch, and the listener passes requests to it.
 *
 * A failure closes what was opened. Rejects with `ConfigurationError`, or an error with a code of `cli/exit-codes.ts`.
 */
export const start = async (given: StartOptions): Promise<Started> => {
  const options = withSiteNamed(given);
  checkReach(options);
  const since = Date.now();
  const application = await applicationOf(options);
  const sources = await readSourceFiles(options, application.siteReader);
  const fixtures = await application.fixturesOf(options, sources);
  refuseOpenDemoAccounts(sources.site, options);
  const listener = await openListener(options);
  try {
    return await startBehind(listener, { ...options, application }, { since, sources, fixtures });
  } catch (error) {
    await listener.stop(0, 'The server has not started. Its log says why.');
    throw error;
  }
};

type Hosting = StartOptions & { readonly application: ApplicationOnDisk };

type Read = {
  /** When the sources were read, in milliseconds since 1970. */
  readonly since: number;
  readonly sources: SourceFiles;
  readonly fixtures: FixtureOptionsOfStart;
};

/** Steps 4 to 7. */
const startBehind = async (
  listener: Listener,
  options: Hosting,
  { since, sources, fixtures }: Read,
): Promise<Started> => {
  const baseUrl = baseUrlOf(options, listener.port);
  const controlToken = controlTokenOf(options);
  const tallies = createTallies();
  const readiness = createReadiness();
  let operations = (): readonly HostedOperation[] => [];
  const { application } = options;
  const { observer, faults, intercept } = createInterceptors(options, () => operations());
  const [{ writes, uploads }, { keepIn: keepRecords }] = [tallies, observer];
  const ownWork = await application.openOwnWork?.(options);
  const callbackSender = options.callbacks === undefined ? undefined : createCallbackSender(options.callbacks);
  const placed = {
    ...{ ...options, ...fixtures, site: sources.site, baseUrl, intercept, keepRecords, writes, uploads },
    ownWork,
  };
  const opened = await (options.openDatabase ?? openWorlds)(placed);
  const serving = await serve(
    { ...options, controlToken, isControlClosed: controlToken !== options.controlToken },
    { since, sources, opened, observer, faults, baseUrl, tallies, readiness, sendCallback: callbackSender?.send },
  ).catch(async (error: unknown) => {
    await opened.close();
    throw error;
  });
  const { worlds, localWorlds, isNew, health } = opened;
  const ending = { key: createKeyWarming(opened.signingKey), opened, warn: options.warn };
  await warnOfRecords(opened, { ...options, site: sources.site, contract: serving.contract() });
  const mounting = { ...options, site: sources.site, documented: () => serving.contract().documented };
  // An application that mounts `respond`, and `fetch` in this process, have hosts of their own.
  const respond = mountAnswer(serving.answer, mounting);
  const known = knownHostsOf(options, { baseUrl, site: () => worlds.main.world.site });
  listener.serve(mountAnswer(serving.answer, { ...mounting, refusedHost: hostRefusal(known) }));
  readiness.serve(opened.readiness);
  const { answer, answerSite, contract, operationOf } = serving;
  ownWork?.use(answerSite);
  operations = () => contract().backend.operations;
  return {
    url: baseUrl,
    imported: sources.imported,
    hasRepository: application.hasRepository,
    entryPoints: async () => (await application.entryPoints?.(worlds.main.world)) ?? [],
    inside: { observer, faults, contract, operationOf, documentText: documentText(options) },
    ...{ answer, respond, controlToken, worlds, localWorlds, isNew, health },
    ...{ world: opened.world, warmSigningKey: ending.key.warm },
    loadSoon: () => loadSoon(application.loads),
    stop: stopping({ ...{ listener, readiness, serving, observer, ownWork, callbackSender }, ...ending }),
  };
};

type ServingParts = {
  /** When the sources were read, in milliseconds since 1970. */
  readonly since: number;
  readonly sources: SourceFiles;
  readonly opened: OpenedWorlds;
  readonly observer: WorldObserver;
  readonly faults: FaultsByWorld;
  readonly baseUrl: string;
  readonly tallies: Tallies;
  readonly readiness: Readiness;
  readonly sendCallback: CallbackSender['send'] | undefined;
};

/** Makes the dispatch and the reloads of its sources. */
const serve = async (options: Hosting & ControlAccess, parts: ServingParts) => {
  const { since, sources, opened, tallies, ...shared } = parts;
  const version = await readVersion(options.root);
  const reloads = createReloads({
    load: async () => {
      const { next, whenUsed } = await readAgain(options, sources.site, watcher);
      const { warnings, use } = await dispatch.prepare(next);
      // No `await` in between: no request may see the new document and the old site.
      opened.useSite(next.site);
      use();
      await beginCollections(opened, dispatch.contract());
      await warnOfRecords(opened, { ...options, site: next.site, contract: dispatch.contract() });
      whenUsed();
      return warnings;
    },
    now: () => Date.now(),
    report: (reload) => options.onReload?.(reload),
  });
  const { worlds, health, controlTokens, openArchiveStorage } = opened;
  const { controlDocument, areDocumentsChecked } = sources;
  const dispatch = await createDispatch({
    ...{ ...options, ...sources, ...shared, worlds, health, controlTokens, reloads, replyCacheBytes },
    ...{ openArchiveStorage, serveDocuments: serveOwnDocuments, controlSchemas: onDemandSchemas },
    resolveControlDocument: async () =>
      areDocumentsChecked ? resolveReferences(controlDocument) : resolveDocument(controlDocument),
    documentText: documentText(options),
    ...pagesOf(options),
    locate: worlds.locate,
    requests: tallies.requests,
    version,
    replyCacheTally: tallies.replyCache,
    metrics: createMetrics({
      ...tallies,
      ...metricsOf(opened),
      health: createHealth(health, shared.readiness),
      lostTraffic: lostBy(shared.observer, options),
      version,
    }),
  });
  await beginCollections(opened, dispatch.contract());
  reloads.started(dispatch.warnings);
  for (const warning of dispatch.warnings) options.warn(flawText(warning));
  const onChange = (files: readonly string[]): void => void reloads.now(files);
  const onError = (error: unknown): void => options.warn(`Not all files are watched for changes: ${String(error)}`);
  const watcher =
    options.watch === true
      ? watchFiles(watchedPaths(options, options.application.siteReader, sources), since, { onChange, onError })
      : undefined;
  return { ...dispatch, end: async () => watcher?.end() };
};

/** Only observations for a database can be lost. */
const lostBy = ({ lost }: WorldObserver, { openDatabase }: StartOptions) => openDatabase && lost;

const metricsOf = ({ pool, worlds, countWorlds }: OpenedWorlds) => ({
  pool,
  worlds: countWorlds ?? (async () => (await worlds.list()).length),
});

const documentText = ({ root, areDocumentsAlone }: StartOptions): Inside['documentText'] =>
  areDocumentsAlone === true ? undefined : () => readFile(join(root, 'openapi.yaml'), 'utf8');

/** The build copies the files of Swagger UI next to the prepared file. Without a build they are in their own package. */
const swaggerFolders = ({ root, prepared }: StartOptions): string[] => [
  ...(prepared === undefined ? [] : [join(dirname(prepared), 'api-page')]),
  join(root, 'node_modules/swagger-ui-dist'),
];

/** What people and agents read: the console, the API page, the manual. Each file is read when it is asked for. */
const pagesOf = (options: StartOptions) => ({
  readSwaggerFile: swaggerFileReader(swaggerFolders(options)),
  readConsoleFile: consoleFileReader(join(options.root, 'dist/console')),
  readHelpFile: consoleFileReader(join(options.root, 'dist/help')),
  isConsoleBeingBuilt: options.isConsoleBeingBuilt,
  guides: createGuides(options.root),
});
