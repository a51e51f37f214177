/** Answers one request against one document and one world. `Engine.handle` lists the stations of a request. */
import { anonymousIdentity, authenticate } from '../access/access.ts';
import { readSessionCookie } from '../access/cookie-auth.ts';
import { acceptsProvider, type Method, type Operation } from '../document/operation.ts';
import type { Awaitable } from '../../basics/awaitable.ts';
import type { Identity } from '../model/principal.ts';
import { methodNotAllowed, notFound } from '../problem.ts';
import { mediaTypes } from '../representations/represent.ts';
import type { Format } from '../site/site.ts';
import type { World } from '../world.ts';
import { answerAtOnce } from './at-once/answer-at-once.ts';
import { answerListAtOnce } from './at-once/list-at-once.ts';
import { mayBeAlias, withoutAlias, mayRedirect, redirectReply } from './redirect.ts';
import { answerCached, answerCaller, type Caller } from './answer-caller.ts';
import type { MockPreference } from './make-mock.ts';
import type { EngineOptions, MatchedRequest } from './engine-options.ts';
import { hasBody, problemReply, type OutgoingReply, type PlainReply, type PlainRequest } from './exchange.ts';
import { finish, reportAnswered } from './finish.ts';
import { mocked } from './handler.ts';
import { chooseFormat, prefersPage, requireContentType } from './negotiation.ts';
import { mockPreference, preferenceProblem } from './prefer.ts';
import { refusalReply } from './refusal.ts';
import { allowedMethods, createRouter, type Match } from './router.ts';

export type Engine = {
  /**
   * Answers a request; never rejects. A request passes these stations in this order. Each station may refuse the request.
   * The refusal then goes to station 17.
   *
   * 1. Match the path: `router.match`, where it is not a path of the document after `withoutAlias`. 404. Redirects go before:
   *    `redirectReply`. 3xx, 503 for a loop. The address of a record, asked for by a browser without `_format`, is answered
   *    with a page: `pages`. 200, 401, 403, 404, 503. No other station sees such a request.
   * 2. OPTIONS: answers 200 with `Allow`.
   * 3. Match the method, HEAD as GET. 405.
   * 4. Content-Encoding and Content-Type: `requireContentType`. 415. Skipped when an optional body is absent.
   * 5. `_format`: `chooseFormat`. 406.
   * 6. `Prefer`: `mockPreference`. A request that asks for a mock is answered with one at station 17. 400 when the
   *    operation does not document the status. An operation without a handler skips stations 7 and 8: its work is a mock
   *    for an anonymous client.
   * 7. Authenticate: `authenticate`. Invalid credentials are noted and not refused yet. 503 when too many logins wait.
   * 8. Reply cache: `reply-cache.ts`. A cached reply is answered at once. It was checked when it was made. A world with the
   *    caches of a real site has those instead: its page cache here, its dynamic page cache after station 12 (`cached-read.ts`).
   * 9. Ids in the path: `refuseInvalidIds`. 404.
   * 10. Open, the handler's first function: finds the entity and checks access. 404, 403; `withChallenge` makes a 403
   *     without credentials a 401. A 403 waits for the stations 11 and 12, whose messages go before its own.
   * 11. Provider: `requireProvider`. 403 when the operation does not accept the provider of the credentials, right or wrong.
   * 12. CSRF token of a session: `checkCsrf`. 403.
   * 13. Size and parameters: `readInput`. 413, 400.
   * 14. JSON body, read and checked against its schema: `readInput` and `readJson`. 400, 408, 413, 422. Bytes stay a stream.
   * 15. Work, the handler's second function. 400, 401, 403, 404, 408, 409, 413, 422, 503, 507.
   * 16. Response middleware: `Link` headers; ranges and conditions of files, answered 206 and 304. 404, 416.
   * 17. Check the reply against the document and write its body as text: `finish`. 500 with `--check-replies fail`.
   *
   * A read of records that are in memory passes the stations 9 to 17 in one step where it can: `at-once/`.
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
  const reply = async (sent: PlainRequest, world: World): Promise<PlainReply> => {
    const named = intended(sent, options);
    let request = named;
    let match = router.match(named.path);
    const query = readQuery(named.query);
    // The real site takes an empty one for an absent one.
    const formatName = query.get('_format') || undefined;
    let operation = match?.operations.get(methodOf(named));
    try {
      const redirect = mayRedirect(named, world) ? await redirectReply(named, world) : undefined;
      if (redirect !== undefined) return finish(options, undefined, named, redirect);
      if (mayBeAlias(match, world)) {
        request = await withoutAlias(named, world);
        match = router.match(request.path);
        operation = match?.operations.get(methodOf(request));
      }
      if (formatName === undefined && options.pages !== undefined && prefersPage(request)) {
        const page = await options.pages(request, world);
        // No document has it.
        if (page !== undefined) return finish(options, undefined, request, page);
      }
      const url = world.baseUrl + request.path;
      if (match === undefined) throw notFound(`No route found for "${request.method} ${url}"`);
      if (request.method === 'OPTIONS') return optionsReply(match, options);
      if (operation === undefined) throw methodNotAllowed(request.method, url, allowedMethods(match.operations));
      return await answer(options, { request, query, formatName, url, match, operation }, world);
    } catch (error) {
      return refusalReply(options, { request, operation, formatName }, error);
    }
  };
  return {
    handle: async (request, world) =>
      withoutStaleCookie(withoutBodyOfHead(await reply(request, world), request, options), request, world),
    operations: options.backend.operations,
    operationOf: (sent) => router.match(sent.path)?.operations.get(methodOf(intended(sent, options))),
  };
};

/** Deletes a session cookie that names no session, such as an expired one, as the real site does with any answer. */
const withoutStaleCookie = (reply: PlainReply, { headers }: PlainRequest, { access }: World): PlainReply => {
  if (headers['cookie'] === undefined) return reply;
  const id = readSessionCookie(headers, access.cookieName);
  const isGood = id === undefined || access.session(id) !== undefined;
  if (isGood || reply.headers['Set-Cookie'] !== undefined) return reply;
  return { ...reply, headers: { ...reply.headers, 'Set-Cookie': access.setCookie(undefined) } };
};

const methodOf = ({ method }: PlainRequest): Method => (method === 'HEAD' ? 'GET' : method) as Method; // only a key: no operation has another method

/**
 * The request with the method that its `X-HTTP-Method-Override` names, where the site reads that header: any word, also
 * one that no path has. open: a value that is not a word is passed over.
 */
const intended = (request: PlainRequest, { methodOverride }: EngineOptions): PlainRequest => {
  if (methodOverride !== true || request.method !== 'POST') return request;
  const method = request.headers['x-http-method-override']?.toUpperCase();
  return method !== undefined && /^[A-Z]+$/.test(method) ? { ...request, method } : request;
};

/** A POST that is answered as HEAD has no body, though HTTP would allow one. */
const withoutBodyOfHead = (reply: PlainReply, sent: PlainRequest, options: EngineOptions): PlainReply => {
  if (sent.method !== 'POST' || intended(sent, options).method !== 'HEAD') return reply;
  if (typeof reply.body === 'object') reply.body.stream.destroy();
  const headers = Object.entries(reply.headers).filter(([name]) => name.toLowerCase() !== 'content-length');
  return { ...reply, headers: Object.fromEntries(headers), body: undefined };
};

const optionsReply = (match: Match, { headers }: EngineOptions): PlainReply => ({
  status: 200,
  headers: { ...headers, Allow: allowedMethods(match.operations).join(', ') },
  body: undefined,
});

/** Nearly every query is only `_format=…`. Parsing it as a form would take as long as the rest of the answer. */
const readQuery = (text: string): MatchedRequest['query'] => {
  const format = /^_format=([a-z]+)$/.exec(text)?.[1];
  if (format !== undefined) return { get: (name) => (name === '_format' ? format : null) };
  const parameters = new URLSearchParams(text);
  // The real site takes the last value of a parameter that was sent twice.
  return { get: (name) => parameters.getAll(name).at(-1) ?? null };
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
    const caller = { identity: anonymousIdentity(world.access), format, handler: async () => mock, isStrict: true };
    return answerCaller(options, matched, caller, world);
  }
  const source = { headers, address: request.address, connection: request.connection };
  // An operation without providers checks no passwords.
  const isOpen = operation.providers.length === 0;
  const identity = isOpen ? anonymousIdentity(world.access) : await authenticate(source, world.access);
  if (request.observations !== undefined) request.observations.identity = identity;
  const caller: Caller = { identity, format, handler, isStrict: options.strict?.has(operation.id) === true };
  if (world.caches !== undefined && operation.method === 'GET') {
    return answerCached(options, matched, caller, { ...world, caches: world.caches });
  }
  const compute = (within: World): Awaitable<PlainReply> =>
    (operation.isCacheable ? answerAtOnce : answerListAtOnce)(options, matched, caller, within) ??
    answerCaller(options, matched, caller, within);
  const key = cacheKey(matched, identity, format);
  const cache = key === undefined ? undefined : options.replyCache?.(world);
  if (key === undefined || cache === undefined) return compute(world);
  const cached = cache.find(identity.principal, key);
  if (cached === undefined) return cache.compute(identity.principal, key, world, compute);
  reportAnswered(options, operation, request, cached.status);
  return cached;
};

/** The key of a reply in the cache. Undefined when the reply depends on more than the key and the principal. */
const cacheKey = ({ operation, request }: MatchedRequest, identity: Identity, format: Format): string | undefined =>
  operation.isCacheable && acceptsProvider(operation, identity.provider)
    ? `${operation.id} ${request.path} ${format}`
    : undefined;

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
