/** Starts a whole server: site, documents, listener, world, application, in the order in which a fault does least harm. */
import { readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isLoopbackHost, isLoopbackUrl } from '../access/loopback.ts';
import { createDispatch, type Answer } from './dispatch.ts';
import { mountAnswer } from './express-app.ts';
import {
  readSourceFiles,
  requireSameBase,
  watchedPlaces,
  type SourceFiles,
  type SourcePlaces,
} from './source-files.ts';
import type { Clock, Identifiers } from '../model/clock.ts';
import type { EngineEvent, ReplyChecks } from '../engine/finish.ts';
import { pagePartsOf } from './page-parts.ts';
import type { Reload } from '../control/reload-handlers.ts';
import { createReloads } from './reloads.ts';
import { createFaultsByWorld } from '../faults/faults-by-world.ts';
import { createWorldObserver } from '../coverage/world-observer.ts';
import type { Worlds } from '../worlds/worlds.ts';
import type { CorsOrigins } from '../http/cors.ts';
import { systemIds } from '../worlds/system-clock.ts';
import { listen, type Listener, type Respond } from '../http/listener.ts';
import { openWorlds, type OpenedWorlds } from '../worlds/open-worlds.ts';
import { readVersion } from './package-version.ts';
import { watchFiles } from './watch-files.ts';
import { ConfigurationError } from '../site/read-yaml.ts';
import type { Site } from '../site/site.ts';
import type { Durability } from '../storage/files.ts';
import type { World } from '../world.ts';

/** `root` holds the documents, the default site and the fixtures; without `prepared` everything is read and checked. */
export type StartOptions = SourcePlaces & {
  /** `localhost` listens on both loopback families. */
  readonly host: string;
  /** 0 for any free one; nobody listens without one, and clients have no way in but `answer` and `respond`. */
  readonly port: number | undefined;
  /** The data directory; without one nothing is written to disk. */
  readonly data: string | undefined;
  /** The name of a fixture of the package, or a directory in the export format. */
  readonly fixture: string;
  /** How clients reach the server, when that is not where it listens. */
  readonly baseUrl: string | undefined;
  readonly durability: Durability;
  readonly checkReplies: ReplyChecks;
  readonly cors: CorsOrigins;
  /** Requests that are remembered in each world; 1,000 when left out, and with 0 nothing is watched. */
  readonly traffic?: number | undefined;
  /** Whether accounts with published passwords may be reached from other machines. */
  readonly demoAccounts: boolean;
  readonly signingKey: string | undefined;
  /** Opens the control interface to callers from elsewhere, and is asked of all. */
  readonly controlToken?: string | undefined;
  /** What uuids and secrets are drawn from, in memory only. */
  readonly seed?: string | undefined;
  readonly clock: Clock;
  readonly ids: Identifiers;
  readonly warn: (message: string) => void;
  /** Reads the document, the overlays, the handlers and the site anew when their files change. */
  readonly watch?: boolean | undefined;
  /** Told of every attempt to read them anew. */
  readonly onReload?: ((reload: Reload) => void) | undefined;
  readonly onEvent: (event: EngineEvent) => void;
  readonly onError: (error: unknown) => void;
};

export type Started = {
  readonly url: string;
  /** What the listener answers with, for those who come without a socket. */
  readonly answer: Answer;
  /** The same as Node's servers want it. */
  readonly respond: Respond;
  /** What the control interface asks for: the one that was given, or one that nobody outside has; undefined where none is asked for. */
  readonly controlToken: string | undefined;
  /** The main world as it stood at the start. */
  readonly world: World;
  readonly worlds: Worlds;
  /** False when the data directory held a repository already. */
  readonly isNew: boolean;
  /** Makes the key for tokens if there is none; the first token would wait for it. */
  readonly warmSigningKey: () => Promise<unknown>;
  /** Drains for up to `drainMs`, then lets go of everything. */
  stop(drainMs: number): Promise<void>;
};

/** Room for some thousands of replies; beyond it the oldest are made anew. */
const keptBytes = 32 * 1024 * 1024;

/** Rejects with `ConfigurationError`, or an error with one of the codes that `cli/exit-codes.ts` knows. */
export const start = async (options: StartOptions): Promise<Started> => {
  const [sources, fixture] = await Promise.all([readSourceFiles(options), findFixture(options)]);
  refuseOpenDemoAccounts(sources.site, options);
  const listener = options.port === undefined ? nobodyListens : await listen(options.host, options.port);
  try {
    const baseUrl = baseUrlOf(options, listener);
    const fixtureNamed = (name: string): Promise<string | undefined> => packagedFixture(options, name);
    const controlToken = controlTokenOf(options);
    const { intercept, ...seen } = createInterceptors(options);
    const opened = await openWorlds({ ...options, site: sources.site, fixture, fixtureNamed, baseUrl, intercept });
    const serving = await serve({ ...options, controlToken }, { sources, opened, seen, baseUrl }).catch(
      async (error: unknown) => {
        await opened.close();
        throw error;
      },
    );
    const respond = mountAnswer(serving.answer, { ...options, site: sources.site });
    listener.serve(respond);
    const { world, worlds, isNew, warmSigningKey } = opened;
    const stop = async (drainMs: number): Promise<void> => {
      await serving.end();
      // Streams go on for ever; nobody waits for their end.
      seen.watching.end();
      await listener.stop(drainMs);
      await opened.close();
    };
    return { url: baseUrl, answer: serving.answer, respond, controlToken, world, worlds, isNew, warmSigningKey, stop };
  } catch (error) {
    await listener.stop(0);
    throw error;
  }
};

type Opened = {
  readonly sources: SourceFiles;
  readonly opened: OpenedWorlds;
  readonly seen: Omit<ReturnType<typeof createInterceptors>, 'intercept'>;
  readonly baseUrl: string;
};

/** What answers, and goes on with other sources when their files change or somebody asks for it. */
const serve = async (options: StartOptions, { sources, opened, seen, baseUrl }: Opened) => {
  const reloads = createReloads({
    load: async () => {
      const next = await readSourceFiles(options);
      requireSameBase(sources.site, next.site, options.site ?? 'data/site');
      refuseOpenDemoAccounts(next.site, options);
      const { warnings, use } = await answering.prepare(next);
      // In one turn: no request meets the new document and the old site.
      opened.adopt(next.site);
      use();
      return warnings;
    },
    now: () => Date.now(),
    tell: (reload) => options.onReload?.(reload),
  });
  const { worlds } = opened;
  const answering = await createDispatch({
    ...{ ...options, ...sources, ...seen, worlds, reloads, baseUrl, replyCacheBytes: keptBytes },
    readPagePart: pagePartsOf(pagePartFolders(options)),
    locate: (request) => worlds.locate(request),
    version: await readVersion(options.root),
  });
  reloads.started(answering.warnings);
  const changed = (files: readonly string[]): void => void reloads.now(files);
  const failed = (error: unknown): void => options.warn(`Not all files are watched for changes: ${String(error)}`);
  const end =
    options.watch === true ? await watchFiles(watchedPlaces(options), { changed, failed }) : async () => undefined;
  return { answer: answering.answer, end };
};

/** Beside the prepared file where the build puts them, or, where nothing was built, in the package that they come from. */
const pagePartFolders = ({ root, prepared }: StartOptions): string[] => [
  ...(prepared === undefined ? [] : [join(dirname(prepared), 'api-page')]),
  join(root, 'node_modules/swagger-ui-dist'),
];

const baseUrlOf = ({ baseUrl, host }: StartOptions, { port }: Listener): string =>
  (baseUrl ?? `http://${urlHost(host)}${port === 0 ? '' : `:${port}`}`).replace(/\/$/, '');

/** What lies around every world, outermost first: whoever watches sees what the faults make of an answer. */
const createInterceptors = ({ root, traffic }: StartOptions) => {
  const watching = createWorldObserver({ entries: traffic });
  const faults = createFaultsByWorld();
  return {
    watching,
    faults,
    intercept: [watching.intercept, faults.intercept],
    documentText: () => readFile(join(root, 'openapi.yaml'), 'utf8'),
  };
};

const nobodyListens: Listener = { port: 0, serve: () => undefined, stop: async () => undefined };

/** Behind a proxy on this machine every caller seems to come from here: then nobody gets in without a token. */
const controlTokenOf = ({ controlToken, baseUrl, warn }: StartOptions): string | undefined => {
  if (controlToken !== undefined || baseUrl === undefined || isLoopbackUrl(baseUrl)) return controlToken;
  warn(`The control interface answers nobody, since ${baseUrl} is not this machine and there is no control token.`);
  return systemIds.secret();
};

const urlHost = (host: string): string => {
  if (isLoopbackHost(host)) return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
};

const refuseOpenDemoAccounts = (site: Site, options: StartOptions): void => {
  const demo = site.accounts.filter(({ demoPassword }) => demoPassword !== undefined).map(({ name }) => name);
  const outside = [options.host, ...(options.baseUrl === undefined ? [] : [new URL(options.baseUrl).hostname])].find(
    (host) => !isLoopbackHost(host.replace(/^\[|\]$/g, '')),
  );
  if (demo.length === 0 || options.demoAccounts || outside === undefined) return;
  throw new ConfigurationError(
    `The accounts ${demo.join(', ')} have published passwords and ${outside} can be reached from elsewhere. ` +
      'Add --demo-accounts to allow that, or name a --site with accounts of your own.',
  );
};

const findFixture = async (options: StartOptions): Promise<string> => {
  const { fixture } = options;
  const found = (await packagedFixture(options, fixture)) ?? (await whereExport(resolve(fixture)));
  if (found !== undefined) return found;
  throw new ConfigurationError(
    `There is no fixture "${fixture}". Name empty, starter, or a directory with an export.json.`,
  );
};

/** A fixture of the package by its name: other directories can be named at the start only. */
const packagedFixture = async ({ root }: StartOptions, name: string): Promise<string | undefined> =>
  /^[\w-]+$/.test(name) ? whereExport(join(root, 'data/fixtures', name)) : undefined;

const whereExport = async (directory: string): Promise<string | undefined> => {
  const found = await stat(join(directory, 'export.json')).catch(() => undefined);
  return found === undefined ? undefined : directory;
};
