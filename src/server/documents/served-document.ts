/** Serves a document of one's own as the server's other engines answer: with observations and events. */
import { streamEndingWith } from '../../basics/byte-streams.ts';
import type { Flaw } from '../../basics/configuration-error.ts';
import {
  type HostedEngine,
  type HostedIdentity,
  type PlainReply,
  type PlainRequest,
  readToEnd,
  type EngineEvent,
  logContextOf,
  type ReplyChecks,
  type Advice,
  type ObservedCallback,
  type HostedOperation,
  type HostedWorld,
  adviceOf,
} from '../../openapi/openapi-host.ts';
import { type ContractJudge, documentJudges } from '../../contract/contract.ts';
import {
  type Callers,
  type CollectionHost,
  createEngine,
  type Engine as DocumentEngine,
  type EngineOptions,
  type Handler,
  HandlerMistake,
  loadBoundedGenerator,
  newNoticed,
  type Noticed,
  type OpenedDocument,
  type Operation,
  type ReadOnlyMember,
} from '../../openapi/openapi.ts';
import type { CollectionStore } from '../../openapi/openapi-terms.ts';
import { type LoadedHandler, placeOfHandler, type ProposedHandlers } from '../own-handlers/proposed-handlers.ts';
import { boundedPattern } from './bounded-patterns.ts';
import { hostedOperation } from './hosted-operation.ts';
import { keepFile } from './kept-files.ts';
import { callbackHeader, type CallbackSender } from '../events/send-callbacks.ts';
import type { Json } from '../../basics/json.ts';

/** What a handler may ask of the world that a request is for. */
export type HandlerWorld = {
  /** `main` is the one without a name in its address. */
  readonly name: string;
  /** Where clients reach it. */
  readonly baseUrl: string;
  /** The time of the world, which a test may have set. */
  readonly clock: Pick<HostedWorld['clock'], 'now'>;
  /** With `--seed` the same at each start. */
  readonly ids: HostedWorld['ids'];
  /** The records that it keeps under a name, as they are in the world: a reset, a snapshot and a restart hold them. */
  readonly collection: HostedWorld['collection'];
};

/**
 * The handler of an operation of your own document. A module in the folder of `--handlers` exports it under the operation's id:
 * `export const search = async ({ query }, world) => ({ body: [] })`.
 */
export type DocumentHandler = Handler<HandlerWorld>;

export type ServedDocument = Pick<HostedEngine, 'handle' | 'operations' | 'operationOf'> & {
  readonly opened: OpenedDocument;
  /** The first path below which it is served. */
  readonly basePath: string;
  /** Whether overlays add its operations to the repository. */
  readonly isOfRepository: boolean;
  /** Answers as `handle` does, but reports and sends nothing. */
  readonly dryRun: HostedEngine['handle'];
  /** Whether the document has this path, with any method. */
  readonly hasPath: (path: string) => boolean;
  readonly engine: DocumentEngine<HostedWorld>;
  /** Explain and correct what is recorded of each operation. */
  readonly judges: ReadonlyMap<HostedOperation, ContractJudge>;
};

export type ServeDocumentOptions = {
  /** Paths below which it is served. The first is shown for its operations. */
  readonly basePaths: readonly string[];
  /** Those of an operation that is served elsewhere. */
  readonly basePathsOf?: EngineOptions<HostedWorld>['basePathsOf'];
  /** By the id under which an operation is shown. */
  readonly handlers: ProposedHandlers;
  readonly checkReplies: ReplyChecks;
  readonly seed?: string | undefined;
  readonly onEvent: (event: EngineEvent) => void;
  readonly areAnswersHeard?: boolean | undefined;
  /** Whether it answers from examples alone. Default: false. */
  readonly stateless?: boolean | undefined;
  /** Names of collections that other documents have. */
  readonly takenCollections?: ReadonlySet<string> | undefined;
  /** Sends the callbacks of documents. When left out they are only shown. */
  readonly sendCallback?: CallbackSender['send'] | undefined;
  /** Ids that other documents have. */
  readonly takenIds: ReadonlySet<string>;
  /** Rejects with a refusal where a record of the repository is not there, or not for this client. */
  readonly requireParent?: ((path: string, request: PlainRequest, world: HostedWorld) => Promise<void>) | undefined;
  readonly onUnusable?: ((flaw: Flaw) => void) | undefined;
  /** For operations that overlays add to the repository. */
  readonly callers?: Callers<HostedWorld> | undefined;
};

export const serveDocument = async (opened: OpenedDocument, options: ServeDocumentOptions): Promise<ServedDocument> => {
  const { basePaths, basePathsOf = () => basePaths, checkReplies, seed, takenIds } = options;
  const handlers = {
    get: (id: string) => options.handlers.get(freeId(id, takenIds))?.handler as DocumentHandler | undefined, // its author is responsible for its type
  };
  const makeAny = await loadBoundedGenerator();
  const hosts = createHosts(options);
  const engine = createEngine<HostedWorld>({
    ...{ document: opened.document, basePaths, basePathsOf, handlers, keepFile, checkReplies, seed, makeAny },
    regExp: boundedPattern,
    callers: options.callers,
    ...(options.stateless === true ? {} : { collectionsOf: hosts.of, takenCollections: options.takenCollections }),
    external: (address) => opened.externals.get(address),
    baseUrlOf: ({ baseUrl }) => baseUrl,
  });
  const hosted = new Map<Operation, HostedOperation>();
  for (const operation of engine.operations)
    hosted.set(operation, hostedOperation(operation, freeId(operation.id, takenIds), basePathsOf(operation)[0] ?? ''));
  const hostedOf = (operation: Operation | undefined): HostedOperation | undefined =>
    operation && hosted.get(operation);
  const judgeOf = documentJudges(opened, engine);
  return {
    ...{ opened, engine, basePath: basePaths[0] ?? '', isOfRepository: options.callers !== undefined },
    judges: new Map([...hosted].map(([operation, shown]) => [shown, judgeOf(operation)])),
    operations: [...hosted.values()],
    operationOf: (request) => hostedOf(engine.operationOf(request)),
    hasPath: (path) => engine.hasPath(path),
    handle: async (request, world) => {
      const noticed = newNoticed();
      const reply: PlainReply = await engine.handle(request, hosts.worldFor(world), noticed);
      if (isBodyUnread(request, noticed)) await readToEnd(request.body).catch(() => undefined);
      report(request, reply, { noticed, operation: hostedOf(noticed.operation), options });
      return noticed.callbacks.length === 0 ? reply : withCallbacks(request, reply, { noticed, options });
    },
    dryRun: (request, world) => engine.handle(request, hosts.worldFor(world)),
  };
};

/** What the engine and its handlers get of each world. */
const createHosts = ({ callers, requireParent }: Pick<ServeDocumentOptions, 'callers' | 'requireParent'>) => {
  const hosts = new WeakMap<object, CollectionHost | undefined>();
  const limited = new WeakMap<HostedWorld, HostedWorld>();
  const of = (given: HostedWorld): CollectionHost | undefined => hosts.get(given);
  return {
    of,
    /** Handlers of overlays work with the repository. Others get what every world has. */
    worldFor: (world: HostedWorld): HostedWorld => {
      const known = limited.get(world);
      if (known !== undefined) return known;
      const { name, baseUrl, clock, ids, collection, collections } = world;
      const own = { name, baseUrl, clock, ids, collection } satisfies HandlerWorld;
      const given = callers === undefined ? (own as HostedWorld) : world;
      limited.set(world, given);
      hosts.set(given, collections && collectionHost(world, collections, requireParent));
      return given;
    },
  };
};

const collectionHost = (
  world: HostedWorld,
  store: CollectionStore,
  requireParent: ServeDocumentOptions['requireParent'],
): CollectionHost => ({
  ...{ store, baseUrl: world.baseUrl, now: () => world.clock.now(), uuid: () => world.ids.uuid() },
  requireParent: requireParent && ((path, request) => requireParent(path, request as PlainRequest, world)), // that of the server
});

/** A refusal names one fault, and traffic tells all of a request: its body has to be seen, too, where it is short. */
const isBodyUnread = ({ headers }: PlainRequest, { refusal }: Noticed): boolean =>
  (refusal?.kind === 'parameter' || refusal?.kind === 'not-acceptable') &&
  headers['expect'] === undefined &&
  Number(headers['content-length'] ?? Infinity) <= longestSeen;

/** As much as traffic keeps, in bytes. */
const longestSeen = 16 * 1024;

/** The reply, after which the callbacks are sent. A request that is one itself has none: two servers would call each other for ever. */
const withCallbacks = (
  { observations, headers }: PlainRequest,
  reply: PlainReply,
  {
    noticed,
    options: { sendCallback },
  }: Pick<Reported, 'noticed'> & { readonly options: Pick<ServeDocumentOptions, 'sendCallback'> },
): PlainReply => {
  if (headers[callbackHeader.toLowerCase()] !== undefined) return reply;
  const observed = noticed.callbacks.map(({ name, method, url, mediaType, body, fault }): ObservedCallback => ({
    ...{ name, method, url, mediaType, text: typeof body === 'string' ? body : undefined },
    ...(fault === undefined ? { delivery: 'shown' } : { delivery: 'impossible', reason: fault }),
  }));
  if (observations !== undefined) observations.callbacks = observed;
  const send = (): void =>
    observed.forEach((each, index) => {
      if (each.delivery === 'shown') sendCallback?.(each, noticed.callbacks[index]?.body);
    });
  if (typeof reply.body === 'object')
    return { ...reply, body: { ...reply.body, stream: streamEndingWith(reply.body.stream, send) } };
  // A text is written before the next turn of the event loop.
  setImmediate(send);
  return reply;
};

const freeId = (id: string, taken: ReadonlySet<string>): string => {
  for (let number = 2, free = id; ; number += 1) {
    if (!taken.has(free)) return free;
    free = `${id}${number}`;
  }
};

type Reported = {
  readonly noticed: Noticed;
  readonly operation: HostedOperation | undefined;
  readonly options: Pick<ServeDocumentOptions, 'onEvent' | 'areAnswersHeard' | 'handlers'>;
};

const report = (request: PlainRequest, { status }: PlainReply, { noticed, operation, options }: Reported): void => {
  const { observations } = request;
  const { onEvent, areAnswersHeard } = options;
  const { requestViolations, replyViolations, readOnlyMembers, isPreferred, error } = noticed;
  const id = operation?.id;
  const logContext = logContextOf(observations);
  if (observations !== undefined) {
    observations.operation = operation;
    observations.identity = noticed.identity as HostedIdentity | undefined; // that of the application's callers
    observations.requestViolations = requestViolations;
    observations.replyViolations = replyViolations;
    observations.advice = adviceFor(readOnlyMembers, request);
    observations.isOrdered = isPreferred;
    observations.isReported = error !== undefined || replyViolations.length > 0;
  }
  if (error !== undefined)
    onEvent({ kind: 'failed', operation: id, error: withPlace(error, options.handlers.get(id ?? '')), logContext });
  if (id === undefined) return;
  if (replyViolations.length > 0)
    onEvent({ kind: 'reply-breaks-contract', operation: id, status, faults: replyViolations, logContext });
  if (areAnswersHeard !== false) onEvent({ kind: 'answered', operation: id, status, logContext });
};

const adviceFor = (members: readonly ReadOnlyMember[], request: PlainRequest): Advice[] => {
  const advice: Advice[] = [];
  const advise = adviceOf(request, {}, advice);
  for (const { pointer, sent } of members) advise?.({ pointer, sent: sent as Json, reason: readOnlyReason }); // of JSON or a form
  return advice;
};

/** The same for all, because coverage counts the kinds. */
const readOnlyReason = 'The document says that clients only read this member (readOnly).';

/** A mistake has no stack that leads to the handler, as what it throws has. */
const withPlace = (error: unknown, handler: LoadedHandler | undefined): unknown =>
  error instanceof HandlerMistake && handler !== undefined
    ? new HandlerMistake(`${placeOfHandler(handler)}: The handler ${error.message}.`)
    : error;
