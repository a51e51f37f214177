/** Answers requests as an OpenAPI document says: with handlers where there are some, else with mocks. Its schemas are given. */
import { type AnswerOptions, createAnswers } from './answers/answer.ts';
import { type BodyLimits, defaultBodyLimits, type ReaderOptions } from './request/body.ts';
import { acceptedBodies } from './request/body-media.ts';
import type { Callers } from './callers.ts';
import type { CollectionHost } from './collections/collection-request.ts';
import type { Collections, createCollections } from './collections/collections.ts';
import type { EngineReply, EngineRequest, HeaderValues } from './exchange.ts';
import { countFile, type KeepFile } from './request/form-file.ts';
import type { AnyHandler } from './call-handler.ts';
import { type BasePathsOf, createLocator, type Locator } from './locator.ts';
import { allowedMethods } from './operation-router.ts';
import { type Operation, operationsOf, securitySchemesOf } from './document/operation.ts';
import { readerOf, type ReadParameters } from './request/parameters.ts';
import { readOnlyFinder } from './request/read-only.ts';
import { createReferences, type References } from './schemas/references.ts';
import type { Spelling } from './router.ts';
import { faultsOf, Refusal } from './refusal.ts';
import { refusalReply } from './answers/refusal-reply.ts';
import { type SentReply, sentReplyFaults } from './answers/sent-reply.ts';
import { problemReply } from './answers/problem-details.ts';
import { HandlerMistake, withoutBodyOfHead } from './answers/reply-body.ts';
import { createReplyCheck } from './answers/reply-violations.ts';
import { createSampler, type MakeSample, type SamplerOptions } from './answers/sample.ts';
import type { Schemas } from './schemas/schemas.ts';
import type { Violation } from './schemas/violations.ts';
import { newNoticed, type Noticed } from './noticed.ts';
import { answerOperation, type Context, preferredMock, type ReplyChecks, type Served } from './answer-operation.ts';

/** What an engine takes besides what reads schemas and forms. */
export type AnsweringOptions<World> = {
  /** The document, whose `$ref`s all begin with `#`. */
  readonly document: Readonly<Record<string, unknown>>;
  /** Paths below which the document is served, without a slash at the end: `['']` is the root, an empty list serves nothing. */
  readonly basePaths: readonly string[];
  /** Those of an operation, where it is served below others. */
  readonly basePathsOf?: BasePathsOf | undefined;
  /** By the id of the operation. */
  readonly handlers: Pick<ReadonlyMap<string, AnyHandler<World>>, 'get'>;
  /** Where an application knows schemes itself. All others are checked by their form. */
  readonly callers?: Callers<World> | undefined;
  readonly limits?: Partial<BodyLimits> | undefined;
  /** Those that are others in a world. */
  readonly limitsOf?: ((world: World) => Partial<BodyLimits>) | undefined;
  /** Which spellings of a path are the same. Default: those of any document. */
  readonly spelling?: Spelling | undefined;
  /** Whether parameters are read as PHP reads them (`ReaderOptions.isTolerant`). Default: false. */
  readonly isTolerant?: boolean | undefined;
  /** Whether every client gets what an operation answers, whatever its `Accept` says (RFC 9110 §12.5.1 allows it). Default: false. */
  readonly ignoresAccept?: boolean | undefined;
  /**
   * The reply to a `Refusal` and to any other error, where an application has one form for all of its operations. When left out: the form that the operation documents, else problem details.
   */
  readonly replyToError?: ReplyToError<World> | undefined;
  /** The address below which clients reach the paths of requests: `http://localhost:8000`. For callbacks alone. */
  readonly baseUrlOf?: ((world: World) => string) | undefined;
  /** When left out, files are counted and not kept. */
  readonly keepFile?: KeepFile | undefined;
  /** `fail` answers 500 in place of a reply that breaks the document, `log` only notes it in `Noticed.replyViolations`. */
  readonly checkReplies: ReplyChecks;
  /** Another one makes other samples. */
  readonly seed?: string | undefined;
  /** That of `loadBoundedGenerator`. */
  readonly makeAny: SamplerOptions['makeAny'];
  readonly external?: AnswerOptions['external'] | undefined;
  /** What its collections need of a world. When left out, or undefined for a world: every answer is that of a mock. */
  readonly collectionsOf?: ((world: World) => CollectionHost | undefined) | undefined;
  /** Names of collections that other documents have. */
  readonly takenCollections?: ReadonlySet<string> | undefined;
};

/** A request that was refused, or that has failed. */
type FailedRequest<World> = {
  readonly request: EngineRequest;
  /** Undefined where the document has none. */
  readonly operation: Operation | undefined;
  /** Undefined for a mock, which no world answers. */
  readonly world: World | undefined;
};

export type ReplyToError<World> = (error: unknown, failed: FailedRequest<World>) => EngineReply;

export type EngineParts = {
  /** Those of the document. */
  readonly schemas: Schemas;
  /** Undefined where forms of several parts are refused. */
  readonly loadForms?: ReaderOptions['loadForms'];
  /** Undefined where nothing is remembered. */
  readonly createCollections?: typeof createCollections;
};

export type AnsweringEngine<World> = {
  /** Never rejects. Fills in what is noticed. */
  readonly handle: (request: EngineRequest, world: World, noticed?: Noticed) => Promise<EngineReply>;
  readonly operations: readonly Operation[];
  /** The operation of a request, HEAD being GET. */
  readonly operationOf: (request: Pick<EngineRequest, 'method' | 'path'>) => Operation | undefined;
  /** Whether the document has this path, with any method. */
  readonly hasPath: (path: string) => boolean;
  /** What the document does not allow in a reply that another server has sent. */
  readonly checkReply: (operation: Operation, reply: SentReply) => readonly Violation[];
  /** The mock of an operation as the client prefers it, whatever else is wrong with the request. */
  readonly mock: (operation: Operation, request: EngineRequest) => EngineReply;
};

/** What the engine was made of, for what looks at its document without answering. */
export type EngineTools<World> = Context<World> & {
  readonly find: Locator<Served<World>>['find'];
  readonly references: References;
  readonly sample: MakeSample;
};

type Methods<World> = ReadonlyMap<string, Served<World>>;

/** Compiles nothing by itself, so that a host may give schemas whose checks are compiled ahead of time. */
export const createEngineWith = <World>(options: AnsweringOptions<World>, parts: EngineParts): AnsweringEngine<World> =>
  assembleEngine(options, parts).engine;

/** The same, with what the engine was made of. */
export const assembleEngine = <World>(
  options: AnsweringOptions<World>,
  parts: EngineParts,
): { readonly engine: AnsweringEngine<World>; readonly tools: EngineTools<World> } => {
  const { operations, references, sample, context } = contextOf(options, parts);
  const { schemas, replyCheck } = context;
  const served = new Map(operations.map((operation) => [operation, servedOf(operation, { ...options, schemas })]));
  const { find, methodsAt } = createLocator(
    [...served.values()],
    options.basePathsOf ?? (() => options.basePaths),
    options.spelling,
  );
  const engine: AnsweringEngine<World> = {
    operations,
    operationOf: ({ method, path }) => find(method, path)?.value.operation,
    hasPath: (path) => methodsAt(path).size > 0,
    checkReply: (operation, reply) => sentReplyFaults(reply, operation, { schemas, replyCheck }),
    mock: (operation, request) => {
      const noticed = { ...newNoticed(), operation };
      try {
        const found = served.get(operation);
        if (found === undefined) throw new Refusal('path', `The document has no ${operation.id}.`);
        return withoutBodyOfHead(request, preferredMock(found, request.headers, context));
      } catch (error) {
        return refused(error, { request, world: undefined }, { options, context, noticed });
      }
    },
    handle: async (request, world, noticed = newNoticed()) => {
      try {
        const found = find(request.method, request.path);
        if (found === undefined) return withoutOperation(request, methodsAt(request.path));
        const { value, pieces } = found;
        noticed.operation = value.operation;
        return await answerOperation(request, world, { context, served: value, pieces, noticed });
      } catch (error) {
        return refused(error, { request, world }, { options, context, noticed });
      }
    },
  };
  return { engine, tools: { ...context, find, references, sample } };
};

const contextOf = <World>(
  options: AnsweringOptions<World>,
  { schemas, loadForms, createCollections: create }: EngineParts,
) => {
  const { document } = options;
  const references = createReferences(document);
  const sample = createSampler({ schemas, seed: options.seed ?? '', makeAny: options.makeAny });
  const answers = createAnswers({ schemas, sample, external: options.external ?? (() => undefined) });
  const operations = operationsOf(document, references);
  const collections = collectionsOf(options, create, { document, references, operations, schemas, sample, answers });
  const context: Context<World> = {
    ...{ ...options, schemas, loadForms, answers, collections, replyCheck: createReplyCheck(schemas) },
    keepFile: options.keepFile ?? countFile,
    ...{ schemes: securitySchemesOf(document, references), readOnlyMembers: readOnlyFinder(schemas) },
    bodyLimits: { ...defaultBodyLimits, ...options.limits },
  };
  return { operations, references, sample, context };
};

type DocumentParts = Omit<Parameters<typeof createCollections>[0], 'takenNames' | 'seed' | 'hasHandler'>;

/** Undefined where nothing is remembered. */
const collectionsOf = <World>(
  { collectionsOf: hostOf, takenCollections: takenNames, seed = '', handlers }: AnsweringOptions<World>,
  create: EngineParts['createCollections'],
  parts: DocumentParts,
): Collections | undefined =>
  hostOf && create?.({ ...parts, takenNames, seed, hasHandler: ({ id }) => handlers.get(id) !== undefined });

const servedOf = <World>(
  operation: Operation,
  {
    handlers,
    schemas,
    isTolerant = false,
  }: Pick<AnsweringOptions<World>, 'handlers' | 'isTolerant'> & { readonly schemas: Schemas },
): Served<World> => {
  let readParameters: ReadParameters | undefined;
  return {
    operation,
    // Most operations are never asked.
    readParameters: (raw) => (readParameters ??= readerOf(operation.parameters, schemas, { isTolerant }))(raw),
    handler: handlers.get(operation.id),
    mocks: new Map(),
  };
};

const withoutOperation = <World>({ method, path }: EngineRequest, methods: Methods<World>): EngineReply => {
  if (methods.size === 0) throw new Refusal('path', `The document has no path ${path}.`);
  const allow = allowedMethods(methods.keys(), ['OPTIONS']).join(', ');
  if (method === 'OPTIONS') {
    const accepted = [...methods.values()].map(({ operation }) => acceptedBodies(operation));
    return { status: 204, headers: Object.assign({ Allow: allow }, ...accepted) as HeaderValues, body: undefined };
  }
  throw new Refusal('method', `${path} has no ${method}, but ${allow}.`, { headers: { Allow: allow } });
};

type Failing<World> = {
  readonly options: Pick<AnsweringOptions<World>, 'replyToError'>;
  readonly context: Context<World>;
  readonly noticed: Noticed;
};

const refused = <World>(
  error: unknown,
  asked: { readonly request: EngineRequest; readonly world: World | undefined },
  { options: { replyToError }, context, noticed }: Failing<World>,
): EngineReply => {
  const { request } = asked;
  const { operation } = noticed;
  if (error instanceof Refusal) {
    noticed.refusal = error;
    noticed.requestViolations = faultsOf(error);
  } else noticed.error = error;
  const reply =
    replyToError?.(error, { ...asked, operation }) ??
    (error instanceof Refusal
      ? refusalReply(error, operation, request.headers['accept'], context)
      : failureReply(error));
  return withoutBodyOfHead(request, reply);
};

const failureReply = (error: unknown): EngineReply =>
  problemReply(
    500,
    error instanceof HandlerMistake ? `The handler ${error.message}.` : 'The handler failed. The log says why.',
  );
