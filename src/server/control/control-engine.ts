/** Serves the control document by the engine for any document, and reports and checks its answers. */
import {
  type EngineEvent,
  type HostedOperation,
  isRead,
  logContextOf,
  messageReply,
  type PlainReply,
  type PlainRequest,
  type ReplyChecks,
} from '../../openapi/openapi-host.ts';
import {
  type AnsweringEngine,
  createEngineWith,
  loadGenerator,
  newNoticed,
  type Noticed,
  type OpeningHandler,
  type Operation,
  type Schemas,
  type Violation,
} from '../../openapi/openapi-parts.ts';
import { type DocumentObject, refuseInfinite, refuseUnstorable } from '../../openapi/openapi-terms.ts';
import { discardStream } from '../../basics/byte-streams.ts';
import type { Json } from '../../basics/json.ts';
import { hostedOperation } from '../documents/hosted-operation.ts';
import { refusalMessage, replyToError, thrownProblem } from './control-refusals.ts';
import type { GuardedWorld } from './tokens/guard.ts';

export type ControlEngineOptions = {
  /** Those of the control document: compiled when they are needed, or ahead of time. */
  readonly controlSchemas: (document: DocumentObject) => Schemas;
  readonly checkReplies: ReplyChecks;
  readonly onEvent: (event: EngineEvent) => void;
  /** Whether each answer is an event, too. Default: true. */
  readonly areAnswersHeard?: boolean | undefined;
};

type Handlers = ReadonlyMap<string, OpeningHandler<GuardedWorld>>;

type ControlEngine = {
  readonly operationOf: (request: PlainRequest) => HostedOperation | undefined;
  readonly answer: (request: PlainRequest, world: GuardedWorld) => Promise<PlainReply>;
};

/** The longest time for a body of JSON to arrive. */
const maxMs = 30_000;

export const createControlEngine = (
  document: DocumentObject,
  handlers: Handlers,
  options: ControlEngineOptions,
): ControlEngine => {
  // Only a client that prefers a made answer needs it.
  let makeAny: Awaited<ReturnType<typeof loadGenerator>> = () => undefined;
  const engine = createEngineWith<GuardedWorld>(
    {
      ...{ document, basePaths: [''], handlers: onlyStorable(handlers, anyJsonIn(document)), replyToError },
      // A slash at the end counts for nothing. Nobody is refused for an Accept: there is one answer.
      ...{ spelling: { isExact: true, ignoresLastSlash: true }, isTolerant: true, ignoresAccept: true },
      limitsOf: ({ world }) => ({ maxBytes: world.site.maxJsonBytes, maxMs }),
      // `checked` looks at refusals, too, and after a reply was sent.
      checkReplies: 'off',
      makeAny: (...asked) => makeAny(...asked),
    },
    { schemas: options.controlSchemas(document) },
  );
  requireOperations(engine.operations, handlers);
  const hosted = new Map(engine.operations.map((each) => [each, hostedOperation(each, each.id, '')]));
  const hostedOf = (operation: Operation | undefined): HostedOperation | undefined =>
    operation && hosted.get(operation);
  return {
    operationOf: (request) => hostedOf(engine.operationOf(request)),
    answer: async (request, world) => {
      if (request.headers['prefer'] !== undefined) makeAny = await loadGenerator();
      const noticed = newNoticed();
      // The host leaves the body of a HEAD out, and sends what else a GET has.
      const method = request.method === 'HEAD' ? 'GET' : request.method;
      const reply = await engine.handle({ ...request, method }, world, noticed);
      report(request, reply, { noticed, world, operation: hostedOf(noticed.operation), options });
      return noticed.operation === undefined ? reply : checked(request, reply, { noticed, engine, options });
    },
  };
};

/** The engine would answer an operation without a handler by a mock, and pass over a handler without an operation. */
const requireOperations = (operations: readonly Operation[], handlers: Handlers): void => {
  const ids = new Set(operations.map(({ id }) => id));
  const stray = [...ids, ...handlers.keys()].find((id) => !ids.has(id) || !handlers.has(id));
  if (stray !== undefined) throw new Error(`The control document and its handlers do not both have "${stray}".`);
};

/** The ids of the operations whose body may be any JSON (`x-any-json` in the document). */
const anyJsonIn = ({ paths }: DocumentObject): ReadonlySet<unknown> =>
  new Set(
    Object.values(paths)
      .flatMap((item) => Object.values(item))
      .map((operation) => Object(operation) as Readonly<Record<string, unknown>>)
      .flatMap(({ operationId, 'x-any-json': takesAny }) => (takesAny === true ? [operationId] : [])),
  );

/** Names of snapshots and the like may go into any store. */
const onlyStorable = (handlers: Handlers, anyJson: ReadonlySet<unknown>): Handlers =>
  new Map(
    [...handlers].map(([id, { open }]) => [
      id,
      {
        open: async (request, world) => {
          const work = await open(request, world);
          return (input) => {
            if (input.json !== undefined) (anyJson.has(id) ? refuseInfinite : refuseUnstorable)(input.json as Json);
            return work(input);
          };
        },
      },
    ]),
  );

type Reported = {
  readonly noticed: Noticed;
  readonly world: GuardedWorld;
  readonly operation: HostedOperation | undefined;
  readonly options: ControlEngineOptions;
};

const report = (request: PlainRequest, { status }: PlainReply, reported: Reported): void => {
  const { noticed, world, operation, options } = reported;
  const { observations, method } = request;
  const { onEvent, areAnswersHeard } = options;
  const { requestViolations, isPreferred, refusal, error } = noticed;
  const logContext = logContextOf(observations);
  const place = { operation: operation?.id, logContext };
  const isUnkept = refusal !== undefined && !isRead({ method }) && (status === 503 || status === 507);
  if (observations !== undefined) {
    observations.operation = operation;
    observations.requestViolations = requestViolations;
    observations.isOrdered = isPreferred;
    observations.isReported = error !== undefined || isUnkept;
  }
  if (error !== undefined) onEvent({ kind: 'failed', error, ...place });
  if (refusal !== undefined) {
    const message = refusalMessage(refusal, { request, world, operation: noticed.operation });
    if (status === 422) onEvent({ kind: 'refused-body', message, ...place });
    const cause = thrownProblem(refusal)?.cause;
    if (isUnkept) onEvent({ kind: 'write-refused', status, message, cause, ...place });
  }
  if (operation !== undefined && areAnswersHeard !== false)
    onEvent({ kind: 'answered', operation: operation.id, status, logContext });
};

type Checking = {
  readonly noticed: Noticed;
  readonly engine: Pick<AnsweringEngine<GuardedWorld>, 'checkReply'>;
  readonly options: ControlEngineOptions;
};

/** The reply, or with `fail` a 500 in place of one that the document does not have. */
const checked = (request: PlainRequest, reply: PlainReply, checking: Checking): PlainReply => {
  const { checkReplies, onEvent } = checking.options;
  if (checkReplies === 'off') return reply;
  const { id = '' } = checking.noticed.operation ?? {};
  if (checkReplies === 'log') {
    // After the reply is sent. The first check of an operation compiles its schemas, which is slow.
    setImmediate(() => {
      try {
        violationsOf(request, reply, checking);
      } catch (error) {
        onEvent({ kind: 'failed', operation: id, error, logContext: logContextOf(request.observations) });
      }
    });
    return reply;
  }
  const violations = violationsOf(request, reply, checking);
  if (violations.length === 0) return reply;
  if (typeof reply.body === 'object') discardStream(reply.body.stream);
  const where = violations.map(({ pointer, message }) => `${pointer} ${message}`).join('; ');
  return messageReply(500, `The ${reply.status} of ${id} breaks the contract: ${where}`);
};

const utf8 = new TextEncoder();

/** Finds the violations of a reply, and reports them if there are any. A stream is not looked into. */
const violationsOf = (
  { method, observations }: PlainRequest,
  { status, headers, body }: PlainReply,
  { noticed: { operation }, engine, options }: Checking,
): readonly Violation[] => {
  if (operation === undefined) return [];
  const bytes = typeof body === 'string' ? utf8.encode(body) : body && 'unknown';
  const violations = engine.checkReply(operation, { method, status, headers, body: bytes });
  if (violations.length === 0) return violations;
  if (observations !== undefined) {
    observations.replyViolations = violations;
    observations.isReported = true;
  }
  const logContext = logContextOf(observations);
  options.onEvent({ kind: 'reply-breaks-contract', operation: operation.id, status, faults: violations, logContext });
  return violations;
};
