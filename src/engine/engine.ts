/** The way of a request through the contract: match, media types, caller, open, body, answer, middleware, check. Knows no server. */
import type { CredentialSource } from '../access/access.ts';
import { checkCsrf } from '../access/csrf.ts';
import type { Identity } from '../model/principal.ts';
import { readSessionCookie } from '../access/session-cookie.ts';
import { forbidden, methodNotAllowed, notConverted, notFound, Problem, unexpectedErrorMessage } from '../problem.ts';
import type { Format } from '../site/site.ts';
import type { World } from '../world.ts';
import type { MockWish } from './backend.ts';
import { problemReply } from './exchange.ts';
import type { Exchange, OutgoingReply, PlainReply, PlainRequest } from './exchange.ts';
import { finish, tellAnswered, type FinishOptions } from './finish.ts';
import { mocked, type AnyHandler, type AnyRequest } from './handler.ts';
import { mediaTypes } from '../representations/represent.ts';
import { isWithoutBody, readInput } from './input.ts';
import type { ReplyCache } from './reply-cache.ts';
import { chooseFormat, problemMediaType, requireContentType } from './negotiation.ts';
import type { Method, Operation } from '../document/operation.ts';
import { wishOf } from './prefer.ts';
import { allowedMethods, createRouter, type Match } from './router.ts';

/** Changes a reply on its way out: links, conditions. */
export type ResponseMiddleware = (reply: OutgoingReply, exchange: Exchange, world: World) => Promise<OutgoingReply>;

/** Decisions: Defaults, "JSON request 30 s". */
const defaultJsonMs = 30_000;

export type EngineOptions = FinishOptions & {
  /** How long a JSON body may take to arrive whole, in milliseconds; 30 s. */
  readonly jsonMs?: number | undefined;
  /** Whether a JSON body that its schema does not allow is refused with 422, whatever the site's leniency. */
  readonly isStrict?: ((operation: Operation) => boolean) | undefined;
  readonly handlers: Readonly<Record<string, AnyHandler | typeof mocked>>;
  readonly middleware: readonly ResponseMiddleware[];
  /** Where a world's replies are kept; none are when it is left out. */
  readonly replyCache?: ((world: World) => ReplyCache) | undefined;
};

export type Engine = {
  /** Answers a request; never rejects. */
  readonly handle: (request: PlainRequest, world: World) => Promise<PlainReply>;
  readonly operations: readonly Operation[];
  /** The operation that a request is for, HEAD being GET; undefined when the document has none for it. */
  readonly operationOf: (request: PlainRequest) => Operation | undefined;
};

/** Builds the engine on a document and its handlers. */
export const createEngine = (options: EngineOptions): Engine => {
  const router = createRouter(options.backend.operations);
  const reply = async (request: PlainRequest, world: World): Promise<PlainReply> => {
    const query = readQuery(request.query);
    const asked = query.get('_format') ?? undefined;
    const match = router.match(request.path);
    const operation = match?.operations.get(methodOf(request));
    try {
      const url = world.baseUrl + request.path;
      if (match === undefined) throw notFound(`No route found for "${request.method} ${url}"`);
      if (request.method === 'OPTIONS') return optionsReply(match);
      if (operation === undefined) throw methodNotAllowed(request.method, url, allowedMethods(match.operations));
      return await answer(options, { request, query, asked, url, match, operation }, world);
    } catch (error) {
      const problem = toProblem(error, operation, options);
      const mediaType = problem.status === 404 ? 'application/json' : problemMediaType(operation, asked);
      return finish(options, operation, request, problemReply(problem, mediaType));
    }
  };
  return {
    handle: async (request, world) => takingStaleCookie(await reply(request, world), request, world),
    operations: options.backend.operations,
    operationOf: (request) => router.match(request.path)?.operations.get(methodOf(request)),
  };
};

/** A session cookie that opens nothing, stale or foreign, is taken back with whatever the answer is (R 1.3). */
const takingStaleCookie = (reply: PlainReply, { headers }: PlainRequest, { access }: World): PlainReply => {
  const id = readSessionCookie(headers, access.cookieName);
  const isGood = id === undefined || access.session(id) !== undefined;
  if (isGood || reply.headers['Set-Cookie'] !== undefined) return reply;
  return { ...reply, headers: { ...reply.headers, 'Set-Cookie': access.setCookie(undefined) } };
};

const methodOf = ({ method }: PlainRequest): Method => (method === 'HEAD' ? 'GET' : method) as Method; // a look-up: others are absent

const optionsReply = (match: Match): PlainReply => ({
  status: 200,
  headers: { Allow: allowedMethods(match.operations).join(', ') },
  body: undefined,
});

type Query = Pick<URLSearchParams, 'get'>;

/** Nearly every query is a format and nothing else; taking it apart by the whole rules of forms would cost as much as the answer. */
const readQuery = (text: string): Query => {
  const format = /^_format=([a-z]+)$/.exec(text)?.[1];
  return format === undefined ? new URLSearchParams(text) : { get: (name) => (name === '_format' ? format : null) };
};

type Incoming = {
  readonly request: PlainRequest;
  readonly query: Query;
  readonly asked: string | undefined;
  /** Absolute, without the query. */
  readonly url: string;
  readonly match: Match;
  readonly operation: Operation;
};

const answer = async (options: EngineOptions, incoming: Incoming, world: World): Promise<PlainReply> => {
  const { request, operation } = incoming;
  const { headers } = request;
  if (!operation.isBodyOptional || !isWithoutBody(headers)) {
    requireContentType(operation, headers['content-type'], headers['content-encoding']);
  }
  const format = chooseFormat(operation, incoming.asked, incoming.url);
  const wish = wishOf(headers['prefer']);
  const handler = options.handlers[operation.id];
  const mock = (): Promise<OutgoingReply> => mockReply(options, operation, { mediaType: mediaTypes[format], ...wish });
  if (wish !== undefined) return finish(options, operation, request, await mock());
  if (handler === undefined || handler === mocked) {
    // Whoever asks is answered, but not whatever is sent: a client learns from a mock what the contract allows.
    const caller = { identity: anonymous(world), format, handler: async () => mock, isStrict: true };
    return answerAs(options, incoming, caller, world);
  }
  const source = { headers, address: request.address, connection: request.connection };
  // Where no provider is asked for, nobody's password is checked (house 3.3).
  const isOpen = operation.providers.length === 0;
  const recognised = isOpen ? undefined : await authenticate(source, world);
  const identity = recognised ?? anonymous(world);
  if (request.observations !== undefined) request.observations.identity = identity;
  const isStrict = options.isStrict?.(operation) === true;
  const carryOut = (within: World): Promise<PlainReply> =>
    answerAs(options, incoming, { identity, format, handler, isStrict }, within);
  const name = keptName(incoming, identity, format);
  const replies = name === undefined ? undefined : options.replyCache?.(world);
  if (name === undefined || replies === undefined) return carryOut(world);
  const kept = replies.find(identity.principal, name);
  if (kept === undefined) return replies.make(identity.principal, name, world, carryOut);
  tellAnswered(options, operation, request, kept.status);
  return kept;
};

/** The first provider that recognises the credentials, in the order of the world's providers. */
const authenticate = async (source: CredentialSource, { access }: World): Promise<Identity | undefined> => {
  for (const provider of access.providers) {
    const answer = provider.recognise(source);
    // A provider whose credentials are absent answers at once: waiting for it would cost more than asking it.
    const identity = answer instanceof Promise ? await answer : answer;
    if (identity !== undefined) return identity;
  }
  return undefined;
};

/** The name under which a reply may be kept; undefined for requests whose reply depends on more than its name says. */
const keptName = ({ operation, request }: Incoming, identity: Identity, format: Format): string | undefined => {
  const mayAnswer = identity.provider === undefined || operation.providers.includes(identity.provider);
  return operation.isKeepable && mayAnswer ? `${operation.id} ${request.path} ${format}` : undefined;
};

/** `handler` is that of the operation, or what mocks it. */
type Caller = {
  readonly identity: Identity;
  readonly format: Format;
  readonly handler: (
    ...given: Parameters<AnyHandler>
  ) => Promise<(...input: Parameters<Awaited<ReturnType<AnyHandler>>>) => Promise<OutgoingReply>>;
  readonly isStrict: boolean;
};

const answerAs = async (
  options: EngineOptions,
  incoming: Incoming,
  { identity, format, handler, isStrict }: Caller,
  world: World,
): Promise<PlainReply> => {
  const { request, operation } = incoming;
  const { headers } = request;
  const contractRequest: AnyRequest = {
    path: pathValues(incoming),
    query: Object.fromEntries(operation.queryNames.map((name) => [name, incoming.query.get(name) ?? undefined])),
    headers,
    identity,
    format,
    address: request.address,
    session: readSessionCookie(headers, world.access.cookieName),
    absent: (parameter) => absentProblem(incoming, parameter),
  };
  refuseImpossibleIds(operation, contractRequest);
  const work = await opened(() => handler(contractRequest, world), operation, identity, world);
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
  const reply = await opened(() => work(input), operation, identity, world);
  const exchange: Exchange = { operation, request: contractRequest, method: request.method };
  let outgoing: OutgoingReply = reply;
  for (const middleware of options.middleware) outgoing = await middleware(outgoing, exchange, world);
  return finish(options, operation, request, outgoing);
};

const anonymous = (world: World): Identity => ({
  principal: world.access.anonymous,
  credentials: 'none',
  provider: undefined,
});

/** A denial becomes a challenge when there were no credentials at all and Basic ones would be taken (decisions: "401 or 403"). */
const opened = async <T>(
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

/** Contract: Authentication 1. Credentials of a provider that the operation does not take, right or wrong, are refused. */
const requireProvider = (operation: Operation, identity: Identity): void => {
  if (identity.provider === undefined) return;
  if (identity.credentials === 'accepted' && !operation.providers.includes(identity.provider)) {
    throw forbidden('The used authentication method is not allowed on this route.');
  }
};

/** One entity, one address (decisions: Ids in paths). */
const idPattern = /^[1-9][0-9]{0,15}$/;

const pathValues = ({ operation, match }: Incoming): AnyRequest['path'] =>
  Object.fromEntries(
    operation.pathParameters.map(({ name, isId }) => {
      const text = match.values[name] ?? '';
      return [name, isId ? (idPattern.test(text) ? Number(text) : Number.NaN) : text];
    }),
  );

const refuseImpossibleIds = (operation: Operation, request: AnyRequest): void => {
  const impossible = operation.pathParameters.find(({ name }) => Number.isNaN(request.path[name]));
  if (impossible !== undefined) throw request.absent(impossible.name);
};

/** The reference's parameter stands at the same place of its own pattern: `{node_id}` is its `{node}`. */
const absentProblem = ({ operation, request, url }: Incoming, parameter: string): Problem => {
  if (operation.isMultiSegment) return notFound(`No route found for "${request.method} ${url}"`);
  const position = operation.pathParameters.findIndex(({ name }) => name === parameter);
  const names = [...operation.pathPattern.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  return notConverted(names[position] ?? parameter, operation.pathPattern, operation.routeName);
};

const mockReply = async (options: EngineOptions, operation: Operation, wish: MockWish): Promise<OutgoingReply> => {
  const mock = await options.backend.mock(operation, wish);
  const body = mock.mediaType === 'text/plain' ? String(mock.body) : mock.body;
  return {
    status: mock.status,
    headers: { ...mock.headers, 'Atoll-Mocked': 'true' },
    ...(mock.mediaType === undefined ? {} : { mediaType: mock.mediaType, body: body as OutgoingReply['body'] }), // made from the document
  };
};

const toProblem = (error: unknown, operation: Operation | undefined, options: EngineOptions): Problem => {
  if (error instanceof Problem) return error;
  options.onEvent({ kind: 'failed', operation: operation?.id, error });
  return new Problem(500, unexpectedErrorMessage, { cause: error });
};
