/** A whole Atoll for tests: one application a file, a fresh world in memory whenever a test asks, time and chance fixed. */
import { repositoryLoader, createSiteRequests } from '../../src/application/application.ts';
import { openEventTarget, repositoryOnDisk } from '../../src/application/application-disk.ts';
import { stalePrepared } from '../sources/stale-prepared.ts';
import { repositorySite, repositoryWorld, type World, type Site } from '../../src/repository/repository.ts';
import { scryptSync } from 'node:crypto';
import { appendFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { join } from 'node:path';
import type { Express } from 'express';
import request, { type Test } from 'supertest';
import { once } from '../../src/basics/once.ts';
import {
  createDispatch,
  createFaultsByWorld,
  createWorldObserver,
  createReloads,
  mountAnswer,
  type ReadSwaggerFile,
} from '../../src/server/server-start.ts';
import type { EngineEvent } from '../../src/openapi/openapi-host.ts';
import { onDemandSchemas } from '../../src/openapi/openapi.ts';
import { createGuides } from '../../src/server/server.ts';
import { openWorlds, type LocalWorlds, type OpenWorldsOptions } from '../../src/server/server-worlds.ts';
import { writeExport } from '../../src/storage/storage-export.ts';
import type { ApplicationOnDisk, FixtureContent } from '../../src/server/server-application.ts';
import { loadInWorker } from './in-service-worker/open-in-worker.ts';
import { deeplyFrozen, keptBackend, keptControlDocument, keptDocumentOfSite } from './kept-contract.ts';
import { keepServer, keptConnections } from './kept-server.ts';
import { inOneWorld } from './one-world.ts';
import { testSigningKey } from './signing-key.ts';
import { createClock, createIds, type TestClock } from './time-and-chance.ts';

export const root = join(import.meta.dirname, '../..');
export const baseUrl = 'http://localhost:8000';

const { fixturesOf, siteReader } = repositoryOnDisk;

export { createClock, createIds, type TestClock };

type DispatchOptions = Parameters<typeof createDispatch>[0];
type MountOptions = Parameters<typeof mountAnswer>[1];
type SiteReader = NonNullable<ApplicationOnDisk['siteReader']>;
type StartSources = Awaited<ReturnType<SiteReader['read']>> & { readonly site: Site };

export type TestAtoll = {
  readonly app: Express;
  /** Serves the application until the test file ends. */
  readonly server: Server;
  readonly site: Site;
  readonly clock: TestClock;
  /** What the engine told since the last `reset`. */
  readonly events: EngineEvent[];
  world(): World;
  readonly worlds: LocalWorlds;
  /** The main world is the fixture again. */
  reset(): Promise<World>;
  /** A request to the application, as an account or anonymous. */
  send(method: string, path: string, as?: string): Test;
};

export type TestOptions = {
  /** `starter`, `empty` or `sample:N`, or a directory. */
  readonly fixture?: string;
  readonly site?: (site: Site) => Site;
  /** Puts something between the program and the opened world, such as a store that fails. */
  readonly around?: (world: World) => World;
  readonly app?: Partial<DispatchOptions & MountOptions> & Pick<Parameters<typeof repositoryLoader>[0], 'handlers'>;
  /** How worlds are opened, where that matters. */
  readonly open?: Partial<OpenWorldsOptions>;
  /** How the site does what it does by itself after a write. At once, when left out. */
  readonly siteRequests?: ReturnType<typeof createSiteRequests>;
};

/** Sites send nothing, and derivatives are made. No process runs before the first one is due. */
export const builtInServices = await openEventTarget('services');

const prepared = join(root, 'coverage/prepared.json');

/** The folder of the starter fixture: a short fixture and its files. */
export const starter = join(root, 'data/fixtures/starter');

/** Reads a fixture of the package as a built program does, or a directory in the export format. */
export const readFixture = async (directory: string): Promise<FixtureContent> => {
  const { site } = await sources();
  const { readFixture: read } = await fixturesOf({ root, site: undefined, prepared, fixture: 'starter' }, { site });
  if (read === undefined) throw new Error('The repository reads fixtures.');
  return read(directory);
};

/** Writes the starter fixture as a directory in the export format. */
export const exportStarter = async (folder: string): Promise<void> => {
  const { entities, counters, blobs } = await readFixture(starter);
  await writeExport(folder, { entities: [...entities], counters, blobsOf: () => blobs }, () => undefined);
};

/** The file of the read and checked sources of the default site, beside those of the other sites. They are made when a source has changed since. */
export const preparedFile = async (): Promise<string> => {
  await sources();
  return prepared;
};

/** The sources as a built program reads them: read and checked once, not again by every test file. */
export const sources = once(async (): Promise<StartSources> => {
  const read = await readOrMade();
  deeplyFrozen([read.document, read.controlDocument]);
  return read;
});

const readOrMade = async (): Promise<StartSources> => {
  const made = await stalePrepared(root, prepared);
  mkdirSync(join(root, 'coverage'), { recursive: true });
  // The default site's comes last: it says that all are there.
  for (const { file, text } of made.toReversed()) {
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, text);
    renameSync(unfinished, file);
  }
  return readSources();
};

/** What a program reads when it starts. `name`: a site of the package, not the default one. */
export const readSources = async (name?: string): Promise<StartSources> => {
  if (siteReader === undefined) throw new Error('The repository reads sites.');
  const read = await siteReader.read({ root, prepared, site: name });
  return { ...read, site: repositorySite(read.site) };
};

/**
 * Every answer is checked against the document: one that breaks it becomes a 500 that names the fault. With `npm run
 * test:suite -- in-browser` the engine runs in a service worker.
 */
export const createTestAtoll = (options: TestOptions = {}): Promise<TestAtoll> =>
  process.env['ATOLL_TEST_BROWSER'] === undefined ? createInProcess(options) : createInWorker(options);

const createInProcess = async (options: TestOptions): Promise<TestAtoll> => {
  const { site: loaded, document, controlDocument, isChecked } = await sources();
  const site = withQuickPasswords(options.site?.(loaded) ?? loaded);
  const { handlers, ...app } = options.app ?? {};
  const clock = createClock();
  const events: EngineEvent[] = [];
  const named = options.fixture ?? 'starter';
  const isMade = named.includes('/') || named.startsWith('sample');
  const fixture = isMade ? named : join(root, 'data/fixtures', named);
  const records = named.startsWith('sample') ? undefined : await readFixture(fixture);
  const { followAddress, faults: ofApplication } = repositoryOnDisk;
  const faults = createFaultsByWorld({ ofApplication });
  const observer = createWorldObserver({ followAddress });
  let drawing = createIds();
  const siteRequests = options.siteRequests ?? createSiteRequests(0, builtInServices);
  const { worlds, health, openArchiveStorage } = await openWorlds({
    root,
    site,
    baseUrl,
    data: undefined,
    fixture,
    records,
    fixtureNamed: async (name) => (name === 'empty' ? join(root, 'data/fixtures/empty') : undefined),
    durability: 'full',
    clock,
    ids: { uuid: () => drawing.uuid(), secret: () => drawing.secret() },
    signingKey: testSigningKey,
    warn: () => undefined,
    intercept: [observer.intercept, faults.intercept],
    ownWork: siteRequests,
    application: repositoryOnDisk,
    ...options.open,
  });
  const current = (): World => {
    const main = repositoryWorld(worlds.main.world);
    return options.around?.(main) ?? main;
  };
  let world = current();
  const appOptions: DispatchOptions & MountOptions = {
    ...{ worlds, health, openArchiveStorage },
    application: {
      ...repositoryOnDisk,
      load: repositoryLoader({ documentOfSite: keptDocumentOfSite, createBackend: keptBackend, handlers }),
    },
    faults,
    reloads: createReloads({ load: async () => [], now: () => 0, report: () => undefined }),
    observer: observer,
    documentText: () => readFile(join(root, 'openapi.yaml'), 'utf8'),
    readSwaggerFile,
    // Tests need no build of the console. Those of the real one are in `test/system/browser`.
    readConsoleFile: async (name) =>
      name === 'index.html'
        ? { bytes: Buffer.from('<!doctype html><title>A console</title>'), coding: undefined }
        : undefined,
    guides: createGuides(root),
    locate: options.around === undefined ? (request) => worlds.locate(request) : inOneWorld(() => world),
    site,
    baseUrl,
    document,
    controlDocument,
    controlSchemas: onDemandSchemas,
    resolveControlDocument: () => keptControlDocument(controlDocument),
    // A site of the test's own makes another document, which is checked in full.
    isChecked: isChecked && options.site === undefined,
    areDocumentsChecked: isChecked && options.site === undefined,
    version: '0.0.0',
    checkReplies: 'fail',
    cors: 'loopback',
    replyCacheBytes: 4 * 1024 * 1024,
    onEvent: (event) => {
      events.push(event);
      noteCoverage(event);
    },
    onError: () => undefined,
    ...app,
  };
  const { answer, answerSite } = await createDispatch(appOptions);
  siteRequests.use(answerSite);
  const mounted = mountAnswer(answer, appOptions);
  const server = await keepServer(mounted);
  return {
    app: mounted,
    server,
    site,
    clock,
    events,
    world: () => world,
    worlds,
    reset: async () => {
      events.length = 0;
      drawing = createIds();
      await worlds.reset('main');
      world = current();
      return world;
    },
    send: sender(server, site),
  };
};

const createInWorker = async (options: TestOptions): Promise<TestAtoll> => {
  const openAtollInWorker = await loadInWorker();
  const { site: loaded, document, controlDocument, isChecked } = await sources();
  const site = withQuickPasswords(options.site?.(loaded) ?? loaded);
  const clock = createClock();
  const events: EngineEvent[] = [];
  const { app, reset, ...others } = await openAtollInWorker({
    ...{ root, prepared, baseUrl, loaded, site, now: () => clock.now(), signingKey: testSigningKey },
    sources: { document, controlDocument, isChecked: isChecked && options.site === undefined },
    ...{ options, fixture: options.fixture ?? 'starter' },
    onEvent: (event) => {
      events.push(event);
      noteCoverage(event);
    },
  });
  const server = await keepServer(app);
  return {
    ...{ app, server, site, clock, events },
    ...others,
    reset: async () => {
      await reset();
      events.length = 0;
      return others.world();
    },
    send: sender(server, site),
  };
};

const sender =
  (server: Server, site: Site): TestAtoll['send'] =>
  (method, path, as) => {
    const started = request(server)[methodName(method)](path).agent(keptConnections);
    return as === undefined ? started : started.auth(as, passwordOf(site, as));
  };

/** The same passwords under hashes that cost next to nothing: what a real hash costs is tested where it belongs. */
export const withQuickPasswords = (site: Site): Site => {
  const known = quick.get(site);
  if (known !== undefined) return known;
  const accounts = site.accounts.map((account) => {
    if (account.demoPassword === undefined) return account;
    const salt = Buffer.alloc(16, account.name);
    const hash = scryptSync(account.demoPassword, salt, 32, { N: 2, r: 1, p: 1 });
    return { ...account, passwordHash: `scrypt$2$1$1$${salt.toString('base64')}$${hash.toString('base64')}` };
  });
  const made = { ...site, accounts };
  quick.set(site, made);
  return made;
};

/** The same object each time, since caches of a site are found by it. */
const quick = new WeakMap<Site, Site>();

const readSwaggerFile: ReadSwaggerFile = (name) => readFile(join(root, 'node_modules/swagger-ui-dist', name), 'utf8');

type MethodName = 'get' | 'head' | 'post' | 'patch' | 'delete' | 'put' | 'options';
export const methodName = (method: string): MethodName => method.toLowerCase() as MethodName; // tests write the methods that supertest has

const passwordOf = (site: Site, name: string): string =>
  site.accounts.find((account) => account.name === name)?.demoPassword ?? 'wrong';

const noted = new Set<string>();

/** In a run of all tests each process writes its own file, each status once; the reporter adds them up (`contract-coverage.mjs`). */
export const noteCoverage = (event: EngineEvent): void => {
  const folder = process.env['ATOLL_TEST_COVERAGE'];
  if (event.kind !== 'answered' || folder === undefined) return;
  const met = `${event.operation} ${event.status}`;
  if (noted.has(met)) return;
  noted.add(met);
  mkdirSync(join(root, folder), { recursive: true });
  appendFileSync(join(root, folder, `${process.pid}.txt`), `${met}\n`);
};
