/** Answers one request against one document and one world. A request passes the stations 1 to 17 below, in their order. */
import { allowedMethods, methodNotAllowed, notFound, Problem } from '../../openapi/openapi-terms.ts';
import { anonymousIdentity, authenticate, requireProvider, wrongProvider } from '../access/access.ts';
import { checkCsrf } from '../access/cookie-auth.ts';
import { Reading } from '../model/reading.ts';
import { acceptsProvider, type Operation } from '../document/operation.ts';
import {
  type Advice,
  hasBody,
  type HostedEngine,
  type PlainReply,
  type PlainRequest,
} from '../../openapi/openapi-host.ts';
import type { Identity } from '../model/principal.ts';
import { mediaTypes } from '../representations/represent.ts';
import type { Format } from '../site/site.ts';
import { repositoryWorld, type World } from '../world.ts';
import { createCachedRead, type CachedRead } from './cached-read.ts';
import type { EngineOptions, MatchedRequest } from './engine-options.ts';
import {
  createPathRouter,
  operationFor,
  type PathMatch,
  type PathRouter,
  type Violation,
} from '../../openapi/openapi-parts.ts';
import { problemReply, type OutgoingReply } from './exchange.ts';
import { finish, reportAnswered, reportLenient, write } from './finish.ts';
import { type AnyHandler, type AnyInput, type AnyReply, type AnyRequest, mocked } from './handler.ts';
import { parameterFaults, readInput } from './input.ts';
import { chooseFormat, intended, hitsPage, prefersPage, requireContentType, withoutBodyOfHead } from './negotiation.ts';
import { contractRequest, pathOf, readQuery, refuseInvalidIds, sessionIn } from './contract-request.ts';
import { mockPreference, mockReply, preferenceProblem } from './prefer.ts';
import { mayBeAlias, mayRedirect, redirectReply, withoutAlias } from './redirect.ts';
import { challenged, refusalReply } from './refusal.ts';
import type { MadeReply } from './reply-cache.ts';
import { withAdvice } from './reported-advice.ts';

/** Builds the engine for a document and its handlers. */
export const createEngine = (options: EngineOptions): HostedEngine => {
  const { operations } = options.backend;
  const router = createPathRouter(operations);
  const answer = async (sent: PlainRequest, world: World): Promise<PlainReply> => {
    const request = intended(sent, options);
    const query = readQuery(request.query);
    // The real site takes an empty one for an absent one.
    const underway: Underway = { request, query, formatName: query.get('_format') || undefined, operation: undefined };
    try {
      return await followPath(options, router, underway, world);
    } catch (error) {
      return refusalReply(options, underway, error);
    }
  };
  return {
    // The last station answers refusals, and any other error with a 500 of a fixed message.
    handle: async (request, hosted) => {
      const world = repositoryWorld(hosted);
      return withoutStaleCookie(withoutBodyOfHead(await answer(request, world), request, options), request, world);
    },
    operations,
    hasPath: (path) => router.match(path) !== undefined,
    operationOf: (sent) => operationFor(router.match(sent.path), intended(sent, options).method),
  };
};

/** Deletes a session cookie that names no session, such as an expired one, as the real site does with any answer. */
const withoutStaleCookie = (reply: PlainReply, { headers }: PlainRequest, { access }: World): PlainReply => {
  if (headers['cookie'] === undefined) return reply;
  const id = sessionIn(headers, access);
  const isGood = id === undefined || access.session(id) !== undefined;
  if (isGood || reply.headers['Set-Cookie'] !== undefined) return reply;
  return { ...reply, headers: { ...reply.headers, 'Set-Cookie': access.setCookie(undefined) } };
};

const optionsReply = (match: PathMatch<Operation>, { headers }: EngineOptions): PlainReply => ({
  status: 200,
  headers: { ...headers, Allow: allowedMethods(match.value.keys()).join(', ') },
  body: undefined,
});

/** A request on its way. An alias gives it another path. */
type Underway = Pick<MatchedRequest, 'query' | 'formatName'> & {
  request: PlainRequest;
  operation: Operation | undefined;
};

/** What the path stands for. */
const followPath = async (
  options: EngineOptions,
  router: PathRouter<Operation>,
  underway: Underway,
  world: World,
): Promise<PlainReply> => {
  const { request: named, query, formatName } = underway;
  let match = router.match(named.path);
  underway.operation = operationFor(match, named.method);

  // 1. Redirect, which goes before a path of the document. Answers 3xx; 503 for a loop.
  const redirect =
    options.followsRecords !== false && mayRedirect(named, world) ? await redirectReply(named, world) : undefined;
  if (redirect !== undefined) return finish(options, undefined, named, redirect);

  // 2. Alias. The request goes on with the path of the record.
  if (options.followsRecords !== false && mayBeAlias(match, world)) {
    underway.request = await withoutAlias(named, world);
    match = router.match(underway.request.path);
    underway.operation = operationFor(match, underway.request.method);
  }
  const { request, operation } = underway;

  // 3. Page for people: a browser at the address of a record, without `_format`. No document has it. Answers 200, 401, 403, 404, 503.
  if (formatName === undefined && options.pages !== undefined && prefersPage(request)) {
    const page = await options.pages(request, world);
    if (page !== undefined) return finish(options, undefined, request, page);
  }

  // 4. Path and method, HEAD as GET. 404, 405. Answers OPTIONS.
  const url = world.baseUrl + request.path;
  if (match === undefined) throw notFound(`No route found for "${request.method} ${url}"`);
  if (request.method === 'OPTIONS') return optionsReply(match, options);
  if (operation === undefined) throw methodNotAllowed(request.method, url, allowedMethods(match.value.keys()));
  const sent = { path: match.pieces, query: request.query, headers: request.headers };
  let made: ReturnType<MatchedRequest['read']> | undefined;
  const read = (): ReturnType<MatchedRequest['read']> => (made ??= options.backend.readParameters(operation, sent));
  return readHead(options, { request, query, formatName, url, match, operation, read }, world);
};

/** The wanted answer, and whether it can be given without the caller. */
const readHead = async (options: EngineOptions, matched: MatchedRequest, world: World): Promise<PlainReply> => {
  const { request, operation } = matched;
  const { headers } = request;

  // 5. Content-Encoding and Content-Type. 415. An optional body may be absent.
  if (!operation.isBodyOptional || hasBody(headers)) requireContentType(operation, headers, matched.formatName);

  // 6. `_format`. 406.
  const format = chooseFormat(operation, matched.formatName, matched.url);

  // 7. Mock, where `Prefer` asks for one. 400 for a status that the document does not have. An operation without a handler has a
  //    mock in place of its work, for any caller: so a client learns what the contract allows.
  const preference = mockPreference(headers['prefer']);
  const mock = () => mockReply(options.backend, operation, { mediaType: mediaTypes[format], ...preference });
  if (preference !== undefined) {
    if (request.observations !== undefined) request.observations.isOrdered = true;
    const problem = preferenceProblem(operation, preference);
    // `Prefer` belongs to no operation: no document has this 400.
    if (problem !== undefined) return finish(options, undefined, request, problemReply(problem));
    return finish(options, operation, request, await mock());
  }
  const handler = options.handlers[operation.id];
  if (handler === undefined || handler === mocked) {
    const identity = anonymousIdentity(world.access);
    return open(
      options,
      matched,
      { identity, format, handler: () => mock as () => Promise<AnyReply>, isStrict: true },
      world,
    );
  }

  // 8. Authenticate. Invalid credentials are noted and not refused yet. 503 when too many logins wait. An operation without
  //    providers checks no passwords.
  const source = { headers, address: request.address, connection: request.connection };
  const isOpen = operation.providers.length === 0;
  const identity = isOpen ? anonymousIdentity(world.access) : await authenticate(source, world.access);
  if (request.observations !== undefined) request.observations.identity = identity;
  return keepReply(
    options,
    matched,
    { identity, format, handler, isStrict: options.strict?.has(operation.id) === true },
    world,
  );
};

/** Who asks for what. `handler` is the operation's own, or its mock. */
type Caller = {
  readonly identity: Identity;
  readonly format: Format;
  readonly handler: AnyHandler;
  readonly isStrict: boolean;
  /** Where the reply may be kept. */
  readonly made?: MadeReply;
  /** In a world with the caches of a real site. */
  readonly cachedRead?: CachedRead;
};

const keepReply = async (
  options: EngineOptions,
  matched: MatchedRequest,
  caller: Caller,
  world: World,
): Promise<PlainReply> => {
  const { request, operation } = matched;
  const { identity, format } = caller;

  // 9. Kept reply: of the page cache of a real site in a world that has one, else of the reply cache. It was checked when it was
  //    made.
  if (world.caches !== undefined && operation.method === 'GET') {
    const cachedRead = createCachedRead(world.caches, {
      ...{ operation, request, identity, format, world, path: pathOf(matched) },
      report: (status) => void reportAnswered(options, operation, request, status),
    });
    return cachedRead.throughPages(() => open(options, matched, { ...caller, cachedRead }, world));
  }
  const key = cacheKey(matched, identity, format);
  const cache = key === undefined ? undefined : options.replyCache?.(world);
  if (key === undefined || cache === undefined) return open(options, matched, caller, world);
  const kept = cache.find(identity.principal, key);
  if (kept !== undefined) {
    reportAnswered(options, operation, request, kept.status);
    return kept;
  }
  const made = cache.begin(identity.principal, key);
  const reply = await open(options, matched, { ...caller, made }, world);
  made.end(reply.status < 400 ? reply : undefined);
  return reply;
};

/** The key of a reply in the cache. Undefined when the reply depends on more than the key and the principal. */
const cacheKey = ({ operation, request }: MatchedRequest, identity: Identity, format: Format): string | undefined => {
  if (!operation.isCacheable || !acceptsProvider(operation, identity.provider)) return undefined;
  const key = `${operation.id} ${request.path} ${format}`;
  return operation.readsQuery ? `${key} ${request.query}` : key;
};

/** A request whose caller may carry it out. */
type Granted = {
  readonly request: AnyRequest;
  readonly reading: Reading;
  readonly advice: readonly Advice[];
  readonly work: Awaited<ReturnType<AnyHandler>>;
};

/** The access, and a refusal of it as a reply. From here on, a read of records that are there waits for nothing. */
const open = async (
  options: EngineOptions,
  matched: MatchedRequest,
  caller: Caller,
  world: World,
): Promise<PlainReply> => {
  const { operation } = matched;
  const { identity, made, cachedRead } = caller;
  try {
    const advice: Advice[] = [];
    const request = contractRequest(options, matched, caller, { advice, world });
    const reading = new Reading(world.store, made?.reads);

    // 10. Ids in the path. 404.
    refuseInvalidIds(operation, matched.match, request);

    // 11. Open, the handler's first function: finds the entity and checks access. 404, 403; 401 without credentials. A 403 waits for
    //     the next station, whose messages go before its own.
    let refusal: unknown;
    let work: Granted['work'] | undefined;
    try {
      const opened = reading.settle((records) => noted(caller.handler(request, world, records), made));
      work = opened instanceof Promise ? await opened : opened;
    } catch (error) {
      refusal = challenged(error, operation, identity, world);
      if (!(refusal instanceof Problem) || refusal.status !== 403) throw refusal;
    }

    // 12. Provider: 403 when the operation does not accept that of the credentials, right or wrong. CSRF token of a session: 403.
    if (hitsPage(operation, matched.formatName)) throw wrongProvider();
    requireProvider(operation, identity);
    if (operation.needsCsrfToken) checkCsrf(world.access, request);
    if (work === undefined) throw refusal;
    const granted = { request, reading, advice, work };

    // 13. Kept work: the dynamic page cache of a real site.
    const answer = () => carryOut(options, matched, caller, { ...granted, world });
    return await (cachedRead === undefined ? answer() : cachedRead.throughRoutes(answer));
  } catch (error) {
    // Not further up: each function that waits for a rejection costs a refusal a twentieth of its time.
    return refusalReply(options, matched, error);
  }
};

/** A function that waits may read more than is known, so its reply is not kept. */
const noted = <T>(result: T, made: MadeReply | undefined): T => {
  if (result instanceof Promise) made?.end(undefined);
  return result;
};

/** The work. */
const carryOut = async (
  options: EngineOptions,
  matched: MatchedRequest,
  { identity, isStrict, made }: Caller,
  { request, reading, advice, work, world }: Granted & { readonly world: World },
): Promise<PlainReply> => {
  // 14. Size, parameters, and a JSON body with its schema. 400, 408, 413, 422. Bytes stay a stream.
  const { request: plain, operation } = matched;
  const leniencies: Violation[] = [];
  const faults = parameterFaults(matched);
  const read = readInput({ operation, plain, request, faults, site: world.site, isStrict, leniencies }, options);
  const input: AnyInput = read instanceof Promise ? await read : read;

  // 15. Work, the handler's second function. 400, 401, 403, 404, 408, 409, 413, 422, 503, 507.
  let reply: OutgoingReply;
  try {
    const worked = reading.settle(() => noted(work(input), made));
    reply = worked instanceof Promise ? await worked : worked;
  } catch (error) {
    throw challenged(error, operation, identity, world);
  }
  reportLenient(options, operation, plain, leniencies);

  // 16. Response middleware: `Link` headers; ranges and conditions of files, answered 206 and 304. 404, 416.
  for (const middleware of options.middleware) {
    const sent = reply;
    const changed = reading.settle((records) =>
      middleware(sent, { operation, request, method: plain.method }, world, records),
    );
    reply = changed instanceof Promise ? await changed : changed;
  }
  if (advice.length > 0) reply = withAdvice(reply, advice, plain, options);

  // 17. Write the reply as text and check it against the document. 500 with `--check-replies fail`.
  const sent = reply;
  const written = reading.settle(() => write(options, operation, plain, sent));
  return finish(options, operation, plain, written instanceof Promise ? await written : written);
};
