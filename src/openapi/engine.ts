/** Answers requests as an OpenAPI document says: with handlers where there are some, else with mocks. */
import { type AnswerOptions, createAnswers, type MakeAnswer } from './answers/answer.ts';
import { type BodyLimits, defaultBodyLimits } from './request/body.ts';
import { acceptedBodies } from './request/body-media.ts';
import type { Callers } from './callers.ts';
import type { CollectionHost } from './collections/collection-request.ts';
import { type Collections, createCollections } from './collections/collections.ts';
import { type CollectionsOfDocument, ofDocument } from './collections/summary.ts';
import type { EngineReply, EngineRequest, HeaderValues } from './exchange.ts';
import type { KeepFile } from './request/form-file.ts';
import type { Handler } from './handler.ts';
import { type BasePathsOf, createLocator, type Locator } from './locator.ts';
import { allowedMethods } from './operation-router.ts';
import { type Operation, operationsOf, securitySchemesOf } from './document/operation.ts';
import { readerOf, type ReadParameters } from './request/parameters.ts';
import { readOnlyFinder } from './request/read-only.ts';
import { dialectOf } from './schemas/dialect.ts';
import { createPlaces, type Places } from './document/places.ts';
import { createReferences } from './schemas/references.ts';
import { faultsOf, Refusal } from './refusal.ts';
import { refusalReply } from './answers/refusal-reply.ts';
import { correctedRequest, type RequestCorrection } from './corrections/corrected-request.ts';
import {
  type MatchedOperation,
  type PastRequest,
  requestFaults,
  type SentRequest,
  sentRequestFaults,
} from './corrections/request-faults.ts';
import { type SentReply, sentReplyFaults } from './answers/sent-reply.ts';
import { problemReply } from './answers/problem-details.ts';
import { HandlerMistake, withoutBodyOfHead } from './answers/reply-body.ts';
import { createReplyCheck, type ReplyCheck } from './answers/reply-violations.ts';
import { createSampler, type MakeSample, type SamplerOptions } from './answers/sample.ts';
import { ajvCompiler } from './schemas/compiler.ts';
import { createSchemas, type MakeExpression, type Schemas } from './schemas/schemas.ts';
import type { Violation } from './schemas/violations.ts';
import { newNoticed, type Noticed } from './noticed.ts';
import { answerOperation, type Context, preferredMock, type ReplyChecks, type Served } from './answer-operation.ts';

export type EngineOptions<World> = {
  /** The document, whose `$ref`s all begin with `#`. */
  readonly document: Readonly<Record<string, unknown>>;
  /** Paths below which the document is served. The empty one is the root. */
  readonly basePaths: readonly string[];
  /** Those of an operation, where it is served below others. */
  readonly basePathsOf?: BasePathsOf | undefined;
  /** By the id of the operation. */
  readonly handlers: Pick<ReadonlyMap<string, Handler<World>>, 'get'>;
  /** Where an application knows schemes itself. All others are checked by their form. */
  readonly callers?: Callers<World> | undefined;
  readonly limits?: Partial<BodyLimits> | undefined;
  /** The address below which clients reach the paths of requests: `http://localhost:8000`. For callbacks alone. */
  readonly baseUrlOf?: ((world: World) => string) | undefined;
  readonly keepFile: KeepFile;
  readonly checkReplies: ReplyChecks;
  /** Another one makes other samples. */
  readonly seed?: string | undefined;
  readonly makeAny: SamplerOptions['makeAny'];
  readonly external?: AnswerOptions['external'] | undefined;
  /** Makes the expressions of patterns, which look at a text for a bounded time. When left out they take the time that they take. */
  readonly regExp?: MakeExpression | undefined;
  /** What its collections need of a world. When left out, or undefined for a world: every answer is that of a mock. */
  readonly collectionsOf?: ((world: World) => CollectionHost | undefined) | undefined;
  /** Names of collections that other documents have. */
  readonly takenCollections?: ReadonlySet<string> | undefined;
  /** Called for a schema that cannot be compiled. */
  readonly onUnusable?: ((schema: unknown, reason: string) => void) | undefined;
};

export type Engine<World> = {
  /** Never rejects. Fills in what is noticed. */
  readonly handle: (request: EngineRequest, world: World, noticed?: Noticed) => Promise<EngineReply>;
  readonly operations: readonly Operation[];
  /** The operation of a request, HEAD being GET. */
  readonly operationOf: (request: Pick<EngineRequest, 'method' | 'path'>) => Operation | undefined;
  /** Whether the document has this path, with any method. */
  readonly hasPath: (path: string) => boolean;
  /** What is wrong with a request that was answered before, and how it would be right. Undefined where no operation has its path. */
  readonly correct: (request: PastRequest) => Promise<RequestCorrection> | undefined;
  /** The faults alone, at once. None where no operation has the path. */
  readonly faultsIn: (request: PastRequest) => readonly Violation[];
  /** The faults of a request whose body is at hand, of any media type. None where no operation has the path. */
  readonly checkRequest: (request: SentRequest) => Promise<readonly Violation[]>;
  /** What the document does not allow in a reply that another server has sent. */
  readonly checkReply: (operation: Operation, reply: SentReply) => readonly Violation[];
  /** The mock of an operation as the client prefers it, whatever else is wrong with the request. */
  readonly mock: (operation: Operation, request: EngineRequest) => EngineReply;
  /** Where the document says what a request or a reply violates. */
  readonly places: Places;
  /** Those whose records are remembered, and what is none. */
  readonly collections: CollectionsOfDocument;
};

type Methods<World> = ReadonlyMap<string, Served<World>>;

export const createEngine = <World>(options: EngineOptions<World>): Engine<World> => {
  const { document } = options;
  const references = createReferences(document);
  const schemas = createSchemas({
    references,
    dialect: dialectOf(document),
    regExp: options.regExp,
    createCompiler: ajvCompiler({ onUnusable: options.onUnusable }),
  });
  const sample = createSampler({ schemas, seed: options.seed ?? '', makeAny: options.makeAny });
  const answers = createAnswers({ schemas, sample, external: options.external ?? (() => undefined) });
  const operations = operationsOf(document, references);
  const collections = collectionsOf(options, { document, references, operations, schemas, sample, answers });
  const context: Context<World> = {
    ...{ ...options, schemas, answers, collections, replyCheck: createReplyCheck(schemas) },
    ...{ schemes: securitySchemesOf(document, references), readOnlyMembers: readOnlyFinder(schemas) },
    bodyLimits: { ...defaultBodyLimits, ...options.limits },
  };
  const served = new Map(operations.map((operation) => [operation, servedOf(operation, { ...options, schemas })]));
  const { find, methodsAt } = createLocator([...served.values()], options.basePathsOf ?? (() => options.basePaths));
  return {
    ...{ operations, places: createPlaces({ document, references, schemas }), collections: ofDocument(collections) },
    operationOf: ({ method, path }) => find(method, path)?.value.operation,
    hasPath: (path) => methodsAt(path).size > 0,
    ...createChecks(find, { ...context, sample }),
    mock: (operation, request) => {
      const noticed = { ...newNoticed(), operation };
      try {
        const found = served.get(operation);
        if (found === undefined) throw new Refusal('path', `The document has no ${operation.id}.`);
        return withoutBodyOfHead(request, preferredMock(found, request.headers, context));
      } catch (error) {
        return refused(error, request, { context, noticed });
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
        return refused(error, request, { context, noticed });
      }
    },
  };
};

type DocumentParts = Omit<Parameters<typeof createCollections>[0], 'takenNames' | 'seed' | 'hasHandler'>;

/** Undefined where nothing is remembered. */
const collectionsOf = <World>(
  { collectionsOf: hostOf, takenCollections: takenNames, seed = '', handlers }: EngineOptions<World>,
  parts: DocumentParts,
): Collections | undefined =>
  hostOf && createCollections({ ...parts, takenNames, seed, hasHandler: ({ id }) => handlers.get(id) !== undefined });

type CheckingTools = {
  readonly schemas: Schemas;
  readonly sample: MakeSample;
  readonly answers: MakeAnswer;
  readonly replyCheck: ReplyCheck;
  readonly bodyLimits: BodyLimits;
};

/** What looks at requests and replies without answering them. */
const createChecks = <World>(
  find: Locator<Served<World>>['find'],
  { schemas, sample, answers, replyCheck, bodyLimits: limits }: CheckingTools,
): Pick<Engine<World>, 'correct' | 'faultsIn' | 'checkRequest' | 'checkReply'> => {
  const matchOf = ({ method, path }: Pick<EngineRequest, 'method' | 'path'>): MatchedOperation | undefined => {
    const found = find(method, path);
    return found && { operation: found.value.operation, base: found.base, pieces: found.pieces };
  };
  return {
    correct: (request) => {
      const matched = matchOf(request);
      return matched && correctedRequest(request, matched, { schemas, sample, answers });
    },
    faultsIn: (request) => {
      const matched = matchOf(request);
      return matched === undefined ? [] : requestFaults(request, matched, schemas);
    },
    checkRequest: async (request) => {
      const matched = matchOf(request);
      return matched === undefined ? [] : sentRequestFaults(request, matched, { schemas, limits });
    },
    checkReply: (operation, reply) => sentReplyFaults(reply, operation, { schemas, replyCheck }),
  };
};

const servedOf = <World>(
  operation: Operation,
  { handlers, schemas }: Pick<EngineOptions<World>, 'handlers'> & { readonly schemas: Schemas },
): Served<World> => {
  let readParameters: ReadParameters | undefined;
  return {
    operation,
    // Most operations are never asked.
    readParameters: (raw) => (readParameters ??= readerOf(operation.parameters, schemas))(raw),
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

const refused = <World>(
  error: unknown,
  request: EngineRequest,
  { context, noticed }: { readonly context: Context<World>; readonly noticed: Noticed },
): EngineReply => {
  if (error instanceof Refusal) {
    noticed.refusal = error;
    noticed.requestViolations = faultsOf(error);
    return withoutBodyOfHead(request, refusalReply(error, noticed.operation, request.headers['accept'], context));
  }
  noticed.error = error;
  const detail =
    error instanceof HandlerMistake ? `The handler ${error.message}.` : 'The handler failed. The log says why.';
  return withoutBodyOfHead(request, problemReply(500, detail));
};
