/** Answers one request against one document and one world. `Engine.handle` lists the stations of a request. */
import type { CredentialSource } from '../access/access.ts';
import { checkCsrf } from '../access/csrf.ts';
import { readSessionCookie } from '../access/session-cookie.ts';
import type { Method, Operation } from '../document/operation.ts';
import type { Identity } from '../model/principal.ts';
import { forbidden, methodNotAllowed, notFound, Problem, unexpectedErrorMessage } from '../problem.ts';
import { mediaTypes } from '../representations/represent.ts';
import type { Format } from '../site/site.ts';
import type { World } from '../world.ts';
import type { MockPreference } from './backend.ts';
import {
  hasBody,
  problemReply,
  type Exchange,
  type OutgoingReply,
  type PlainReply,
  type PlainRequest,
} from './exchange.ts';
import { finish, reportAnswered, type FinishOptions } from './finish.ts';
import { mocked, type AnyHandler, type AnyRequest } from './handler.ts';
import { readInput } from './input.ts';
import { chooseFormat, problemMediaType, requireContentType } from './negotiation.ts';
import { absentProblem, pathValues, refuseInvalidIds } from './path-parameters.ts';
import { mockPreference, preferenceProblem } from './prefer.ts';
import type { ReplyCache } from './reply-cache.ts';
import { allowedMethods, createRouter, type Match } from './router.ts';

/** Changes a reply on its way out: adds links, opens the bytes of a file. */
export type ResponseMiddleware = (reply: OutgoingReply, exchange: Exchange, world: World) => Promise<OutgoingReply>;

const defaultJsonMs = 30_000;

type EngineOptions = FinishOptions & {
  /** The longest time for a JSON body to arrive whole, in milliseconds; 30 s by default. */
  readonly jsonMs?: number | undefined;
  /** Whether the operation refuses a JSON body that violates its schema with 422, whatever the site's leniency. */
  readonly isStrict?: ((operation: Operation) => boolean) | undefined;
  readonly handlers: Readonly<Record<string, AnyHandler | typeof mocked>>;
  readonly middleware: readonly ResponseMiddleware[];
  /** The reply cache of each world. Without it no reply is cached. */
  readonly replyCache?: ((world: World) => ReplyCache) | undefined;
};

export type Engine = {
  /**
   * Answers a request; never rejects. A request passes these stations in this order. Each station may refuse the request.
   * The refusal then goes to station 17.
   *
   * 1. Match the path: `router.match`. 404.
   * 2. OPTIONS: answers 200 with `Allow`.
   * 3. Match the method, HEAD as GET. 405.
   * 4. Content-Encoding and Content-Type: `requireContentType`. 415. Skipped when an optional body is absent.
   * 5. `_format`: `chooseFormat`. 406.
   * 6. `Prefer`: `mockPreference`. A request that asks for a mock is answered with one at station 17. 400 when the
   *    operation does not document the status. An operation without a handler skips stations 7 and 8: its work is a mock
   *    for an anonymous client.
   * 7. Authenticate: `authenticate`. Invalid credentials are noted and not refused yet. 503 when too many logins wait.
   * 8. Reply cache: `reply-cache.ts`. A cached reply is answered at once. It was checked when it was made.
   * 9. Ids in the path: `refuseInvalidIds`. 404.
   * 10. Open, the handler's first function: finds the entity and checks access. 404, 403; `withChallenge` makes a 403
   *     without credentials a 401.
   * 11. CSRF token of a session: `checkCsrf`. 403.
   * 12. Provider: `requireProvider`. 403 when the operation does not accept the provider of the credentials.
   * 13. Size and parameters: `readInput`. 413, 400.
   * 14. JSON body, read and checked against its schema: `readInput` and `readJson`. 400, 408, 413, 422. Bytes stay a stream.
   * 15. Work, the handler's second function. 400, 401, 403, 404, 408, 409, 413, 422, 503, 507.
   * 16. Response middleware: `Link` headers; ranges and conditions of files, answered 206 and 304. 404, 416.
   * 17. Check the reply against the document and write its body as text: `finish`. 500 with `--check-replies fail`.
   *
   * Any other error becomes a 500 with a fixed message. At the end, a session cookie without a session is deleted.
   */
  readonly handle: (request: PlainRequest, world: World) => Promise<PlainReply>;
  readonly operations: readonly Operation[];
  /** The operation of a request, HEAD being GET; undefined when the document has none. */
  readonly operationOf: (request: PlainRequest) => Operation | undefined;
};

/** Builds the engine for a document and its handlers. */
export const createEngine = (options: EngineOptions): Engine => {
  const router = createRouter(options.backend.operations);
  const reply = async (request: PlainRequest, world: World): Promise<PlainReply> => {
    const query = readQuery(request.query);
    const formatName = query.get('_format') ?? undefined;
    const match = router.match(request.path);
    const operation = match?.operations.get(methodOf(request));
    try {
      const url = world.baseUrl + request.path;
      if (match === undefined) throw notFound(`No route found for "${request.method} ${url}"`);
      if (request.method === 'OPTIONS') return optionsReply(match);
      if (operation === undefined) throw methodNotAllowed(request.method, url, allowedMethods(match.operations));
      return await answer(options, { request, query, formatName, url, match, operation }, world);
    } catch (error) {
      const problem = toProblem(error, operation, options);
      const mediaType = problem.status === 404 ? 'application/json' : problemMediaType(operation, formatName);
      return finish(options, operation, request, problemReply(problem, mediaType));
    }
  };
  return {
    handle: async (request, world) => withoutStaleCookie(await reply(request, world), request, world),
    operations: options.backend.operations,
    operationOf: (request) => router.match(request.path)?.operations.get(methodOf(request)),
  };
};

/** Deletes a session cookie that names no session, such as an expired one, as the real site does with any answer. */
const withoutStaleCookie = (reply: PlainReply, { headers }: PlainRequest, { access }: World): PlainReply => {
  const id = readSessionCookie(headers, access.cookieName);
  const isGood = id === undefined || access.session(id) !== undefined;
  if (isGood || reply.headers['Set-Cookie'] !== undefined) return reply;
  return { ...reply, headers: { ...reply.headers, 'Set-Cookie': access.setCookie(undefined) } };
};

const methodOf = ({ method }: PlainRequest): Method => (method === 'HEAD' ? 'GET' : method) as Method; // only a key: no operation has another method

const optionsReply = (match: Match): PlainReply => ({
  status: 200,
  headers: { Allow: allowedMethods(match.operations).join(', ') },
  body: undefined,
});

type Query = Pick<URLSearchParams, 'get'>;

/** Nearly every query is only `_format=…`. Parsing it as a form would take as long as the rest of the answer. */
const readQuery = (text: string): Query => {
  const format = /^_format=([a-z]+)$/.exec(text)?.[1];
  return format === undefined ? new URLSearchParams(text) : { get: (name) => (name === '_format' ? format : null) };
};

type MatchedRequest = {
  readonly request: PlainRequest;
  readonly query: Query;
  /** The value of `_format`, as sent. */
  readonly formatName: string | undefined;
  /** Absolute, without the query. */
  readonly url: string;
  readonly match: Match;
  readonly operation: Operation;
};

/** Stations 4 to 8. */
const answer = async (options: EngineOptions, matched: MatchedRequest, world: World): Promise<PlainReply> => {
  const { request, operation } = matched;
  const { headers } = request;
  if (!operation.isBodyOptional || hasBody(headers)) {
    requireContentType(operation, headers['content-type'], headers['content-encoding']);
  }
  const format = chooseFormat(operation, matched.formatName, matched.url);
  const preference = mockPreference(headers['prefer']);
  const handler = options.handlers[operation.id];
  const mock = (): Promise<OutgoingReply> =>
    mockReply(options, operation, { mediaType: mediaTypes[format], ...preference });
  if (preference !== undefined) {
    const problem = preferenceProblem(operation, preference);
    // `Prefer` belongs to no operation: no document has this 400.
    if (problem !== undefined) return finish(options, undefined, request, problemReply(problem));
    return finish(options, operation, request, await mock());
  }
  if (handler === undefined || handler === mocked) {
    // A mock checks the request but not the caller, so that a client learns what the contract allows.
    const caller = { identity: anonymous(world), format, handler: async () => mock, isStrict: true };
    return answerCaller(options, matched, caller, world);
  }
  const source = { headers, address: request.address, connection: request.connection };
  // An operation without providers checks no passwords.
  const isOpen = operation.providers.length === 0;
  const identity = (isOpen ? undefined : await authenticate(source, world)) ?? anonymous(world);
  if (request.observations !== undefined) request.observations.identity = identity;
  const isStrict = options.isStrict?.(operation) === true;
  const compute = (within: World): Promise<PlainReply> =>
    answerCaller(options, matched, { identity, format, handler, isStrict }, within);
  const key = cacheKey(matched, identity, format);
  const cache = key === undefined ? undefined : options.replyCache?.(world);
  if (key === undefined || cache === undefined) return compute(world);
  const cached = cache.find(identity.principal, key);
  if (cached === undefined) return cache.compute(identity.principal, key, world, compute);
  reportAnswered(options, operation, request, cached.status);
  return cached;
};

/** The identity of the first provider that recognises the credentials. */
const authenticate = async (source: CredentialSource, { access }: World): Promise<Identity | undefined> => {
  for (const provider of access.providers) {
    const recognised = provider.recognise(source);
    // A provider without its credentials answers synchronously. Awaiting its answer would cost more than the call.
    const identity = recognised instanceof Promise ? await recognised : recognised;
    if (identity !== undefined) return identity;
  }
  return undefined;
};

/** The key of a reply in the cache. Undefined when the reply depends on more than the key and the principal. */
const cacheKey = ({ operation, request }: MatchedRequest, identity: Identity, format: Format): string | undefined => {
  const isAccepted = identity.provider === undefined || operation.providers.includes(identity.provider);
  return operation.isCacheable && isAccepted ? `${operation.id} ${request.path} ${format}` : undefined;
};

/** `handler` is the operation's own, or its mock. */
type Caller = {
  readonly identity: Identity;
  readonly format: Format;
  readonly handler: (
    ...parameters: Parameters<AnyHandler>
  ) => Promise<(...input: Parameters<Awaited<ReturnType<AnyHandler>>>) => Promise<OutgoingReply>>;
  readonly isStrict: boolean;
};

/** Stations 9 to 17. */
const answerCaller = async (
  options: EngineOptions,
  matched: MatchedRequest,
  { identity, format, handler, isStrict }: Caller,
  world: World,
): Promise<PlainReply> => {
  const { request, operation } = matched;
  const { headers } = request;
  const contractRequest: AnyRequest = {
    path: pathValues(operation, matched.match),
    query: Object.fromEntries(operation.queryNames.map((name) => [name, matched.query.get(name) ?? undefined])),
    headers,
    identity,
    format,
    address: request.address,
    session: readSessionCookie(headers, world.access.cookieName),
    absent: (parameter) => absentProblem(operation, request.method, matched.url, parameter),
  };
  refuseInvalidIds(operation, contractRequest);
  const work = await withChallenge(() => handler(contractRequest, world), operation, identity, world);
  if (operation.needsCsrfToken) checkCsrf(world.access, contractRequest);
  requireProvider(operation, identity);
  const input = await readInput(
    { operation, plain: request, request: contractRequest, site: world.site },
    {
      backend: options.backend,
      jsonMs: options.jsonMs ?? defaultJsonMs,
      isStrict,
      onLenientBody: (faults) => options.onEvent({ kind: 'lenient-body', operation: operation.id, faults }),
    },
  );
  let reply = await withChallenge(() => work(input), operation, identity, world);
  const exchange: Exchange = { operation, request: contractRequest, method: request.method };
  for (const middleware of options.middleware) reply = await middleware(reply, exchange, world);
  return finish(options, operation, request, reply);
};

const anonymous = (world: World): Identity => ({
  principal: world.access.anonymous,
  credentials: 'none',
  provider: undefined,
});

/** Turns a denial into a 401 with a challenge, when no credentials were sent and the operation accepts HTTP Basic. */
const withChallenge = async <T>(
  work: () => Promise<T>,
  operation: Operation,
  identity: Identity,
  world: World,
): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    const mayChallenge = identity.credentials === 'none' && operation.providers.includes('basic_auth');
    if (!(error instanceof Problem) || error.kind !== 'denied' || !mayChallenge) throw error;
    throw new Problem(401, 'No authentication credentials provided.', {
      headers: { 'WWW-Authenticate': `Basic realm="${world.site.name}"` },
      cause: error,
    });
  }
};

/** Throws 403 when valid credentials belong to a provider that the operation does not accept. */
const requireProvider = (operation: Operation, identity: Identity): void => {
  if (identity.provider === undefined) return;
  if (identity.credentials === 'accepted' && !operation.providers.includes(identity.provider)) {
    throw forbidden('The used authentication method is not allowed on this route.');
  }
};

const mockReply = async (
  options: EngineOptions,
  operation: Operation,
  preference: MockPreference,
): Promise<OutgoingReply> => {
  const mock = await options.backend.mock(operation, preference);
  const body = mock.mediaType === 'text/plain' ? String(mock.body) : mock.body;
  return {
    status: mock.status,
    headers: { ...mock.headers, 'Atoll-Mocked': 'true' },
    ...(mock.mediaType === undefined ? {} : { mediaType: mock.mediaType, body: body as OutgoingReply['body'] }), // made from the document
  };
};

const toProblem = (error: unknown, operation: Operation | undefined, options: EngineOptions): Problem => {
  if (error instanceof Problem) {
    reportRefusedWrite(error, operation, options);
    return error;
  }
  options.onEvent({ kind: 'failed', operation: operation?.id, error });
  return new Problem(500, unexpectedErrorMessage, { cause: error });
};

/** Once for each write that the server should have been able to keep. Refusals that the client causes are not reported. */
const reportRefusedWrite = (
  { status, message, cause }: Problem,
  operation: Operation | undefined,
  options: EngineOptions,
): void => {
  if (operation?.method === 'GET' || !(status === 503 || status === 507)) return;
  options.onEvent({ kind: 'write-refused', operation: operation?.id, status, message, cause });
};
