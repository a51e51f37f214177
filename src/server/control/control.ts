/** Answers the control interface under `/_atoll`: a document of its own, served by the engine for any document. */
import type { Application } from '../application.ts';
import type { DocumentCollections } from '../../contract/contract.ts';
import type { DocumentObject } from '../../openapi/openapi-terms.ts';
import {
  type HostedWorld,
  isRead,
  type PlainReply,
  type PlainRequest,
  type ControlTokenStore,
  type AnswerRequest,
  mainName,
} from '../../openapi/openapi-host.ts';
import type { Guides } from '../guides/guides.ts';
import { documentAsJson, documentAsYaml } from '../sources/document-texts.ts';
import { archiveHandlers, worldHandlers } from './world-handlers.ts';
import { apiPageReply, isApiPagePath, type ReadSwaggerFile } from './api-page.ts';
import { clockHandlers } from './clock-handlers.ts';
import { consoleReply, isConsolePath, type ConsoleFiles } from './console-page.ts';
import type { ControlAccess } from './control-access.ts';
import { type ControlEngineOptions, createControlEngine } from './control-engine.ts';
import type { AnyControlHandler, ControlHandlers } from './control-handlers.ts';
import { differenceHandlers } from './difference-handlers.ts';
import { collectionHandlers } from './collection-handlers.ts';
import { faultHandlers } from './fault-handlers.ts';
import type { FaultsByWorld } from '../faults/faults-by-world.ts';
import {
  createHealth,
  healthHandlers,
  metricsHandlers,
  readyHandlers,
  serverHandlers,
  type WriteMetrics,
} from './health-handlers.ts';
import { createReadiness, type Readiness } from './readiness.ts';
import { coverageHandlers } from './coverage-handlers.ts';
import { trafficHandlers, type TrafficOptions } from './traffic-handlers.ts';
import { createReactionHandlers, eventHandlers } from './event-handlers.ts';
import { reloadHandlers, type Reloads } from './reload-handlers.ts';
import { type Copied, createGuard } from './tokens/guard.ts';
import { createNamedTokens } from './tokens/named-tokens.ts';
import { tokenHandlers } from './tokens/token-handlers.ts';
import { createMemoryControlTokens } from '../../storage/storage.ts';
import type { ReadHealth } from '../worlds/store-health.ts';
import type { OpenArchiveStorage } from '../worlds/archive/archive-storage.ts';
import type { Worlds } from '../worlds/worlds.ts';

export type ControlOptions = Omit<TrafficOptions, 'areRepliesChecked'> &
  ConsoleFiles &
  ControlAccess &
  ControlEngineOptions & {
    readonly application: Pick<Application, 'control' | 'content'>;
    readonly controlDocument: DocumentObject;
    /** The control document with its references resolved. Rejects with `ConfigurationError` when it is not valid. */
    readonly resolveControlDocument: () => Promise<DocumentObject>;
    readonly worlds: Worlds;
    /** Answers a request to the repository in a copy of a world, which nobody else sees. */
    readonly dryRun: AnswerRequest;
    readonly faults: FaultsByWorld;
    readonly reloads: Reloads;
    /** Opens a place for the bytes of an archive that is imported. */
    readonly openArchiveStorage: OpenArchiveStorage;
    /** What is wrong with the records and bytes now. */
    readonly health: ReadHealth;
    /** Whether this process may get requests. When left out it always may. */
    readonly readiness?: Pick<Readiness, 'read'> | undefined;
    /** Undefined where there is no process whose metrics could be read. */
    readonly metrics?: WriteMetrics | undefined;
    /** Reads the files of Swagger UI. Without it there is no API page. */
    readonly readSwaggerFile?: ReadSwaggerFile | undefined;
    /** Where there are none, as in a page or a worker, `/llms.txt` and the pages of the documentation are not served. */
    readonly guides?: Guides | undefined;
    /** The operations of the repository's document as it is served now. */
    readonly operationIds: () => readonly string[];
    /** Where named control tokens are kept. In memory when left out. */
    readonly controlTokens?: ControlTokenStore | undefined;
    /** The most requests of each control token in a minute. Undefined: any number. */
    readonly controlRate?: number | undefined;
    /** The real time for control tokens, in milliseconds since 1970. That of the machine when left out. */
    readonly controlTime?: (() => number) | undefined;
  };

/** Makes the function that answers requests under `/_atoll`, and a program at `/`. A caller that `tokens/guard.ts` refuses gets 403 or 429. */
export const createControl = async (options: ControlOptions): Promise<AnswerRequest> => {
  const document = await options.resolveControlDocument();
  const { tokens, guard } = createGuarded(options, document);
  const readiness = options.readiness ?? alwaysReady();
  const collections = (): readonly DocumentCollections[] => options.contract().documented?.collections ?? [];
  const handlers: ControlHandlers = {
    ...serverHandlers(options.version),
    ...healthHandlers(options.version, createHealth(options.health, readiness), collections),
    ...readyHandlers(readiness),
    ...metricsHandlers(options.metrics),
    ...collectionHandlers(collections),
    ...options.application.control({
      ...{ version: options.version, hasGuides: options.guides !== undefined },
      hasHelp: options.readHelpFile !== undefined,
      contract: options.contract,
    }),
    ...worldHandlers(options.worlds),
    ...archiveHandlers({ ...options, rules: options.application.content }),
    ...differenceHandlers(options.worlds, options.application.content),
    ...clockHandlers(options.worlds),
    ...createReactionHandlers(),
    ...eventHandlers,
    ...reloadHandlers(options.reloads),
    ...tokenHandlers(tokens),
    ...faultHandlers(options.faults, options.operationIds),
    ...coverageHandlers(options),
    ...trafficHandlers({ ...options, areRepliesChecked: options.checkReplies !== 'off' }),
  };
  // `ControlHandlers` has checked each handler against its operation.
  const guarded = guard.withRights(handlers as unknown as Record<string, AnyControlHandler>);
  const engine = createControlEngine(document, guarded, options);
  return (request, world) =>
    guard.answer(
      { request, world, operation: engine.operationOf(request), isPage: isPage(request) },
      async (sent, guardedWorld) => {
        const reply = isRead(sent) ? await readReply(sent, world, options) : undefined;
        return reply ?? engine.answer(sent, guardedWorld);
      },
    );
};

const alwaysReady = (): Readiness => {
  const readiness = createReadiness();
  readiness.serve([]);
  return readiness;
};

/** The named tokens, and the guard before the handlers. */
const createGuarded = (options: ControlOptions, document: DocumentObject) => {
  const { onEvent, controlTime: now = Date.now } = options;
  const tokens = createNamedTokens(options.controlTokens ?? createMemoryControlTokens(), {
    now,
    onError: (error) => onEvent({ kind: 'failed', operation: undefined, error }),
  });
  return {
    tokens,
    guard: createGuard({
      ...{ access: options, tokens, document, perMinute: options.controlRate, onEvent, now },
      holderOf: (copied, world) => holderOf(copied, world.name, options.worlds),
    }),
  };
};

/**
 * Looked up as the command does: for a fork a world, for all a snapshot of this world or of the main one, or else a fixture, which
 * nobody holds. A reset that took a world for the holder would hand out the main world's snapshot of the same name.
 */
const holderOf = async (
  { name: copied, isSnapshot }: Copied,
  world: string,
  worlds: Worlds,
): Promise<string | undefined> => {
  if (!isSnapshot && (await worlds.find(copied)) !== undefined) return copied;
  for (const holder of [world, mainName]) {
    if ((await worlds.listSnapshots(holder)).some(({ name }) => name === copied)) return holder;
  }
  return undefined;
};

/** Whether a file of a page is asked for. These files say nothing of the repository. */
const isPage = (request: PlainRequest): boolean =>
  isRead(request) && (isConsolePath(request.path) || isApiPagePath(request.path));

/** Answers the pages and the control document, which are not operations. The document has the address of the world as its server. */
const readReply = async (
  request: PlainRequest,
  world: HostedWorld,
  options: ControlOptions,
): Promise<PlainReply | undefined> => {
  const { path } = request;
  if (isConsolePath(path)) return consoleReply(request, world, options);
  const document = () => ({ ...options.controlDocument, servers: [{ url: world.baseUrl }] });
  if (path === '/_atoll/openapi.json') return documentAsJson(document());
  if (path === '/_atoll/openapi.yaml') return documentAsYaml(document());
  return apiPageReply(path, options.readSwaggerFile);
};
