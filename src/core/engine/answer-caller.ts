/** Answers a caller who is known: stations 9 to 17 of the engine. */
import { checkCsrf, readSessionCookie } from '../access/cookie-auth.ts';
import type { SiteCaches } from '../caches/site-caches.ts';
import { acceptsProvider, type Operation } from '../document/operation.ts';
import type { Advice, Advise } from '../model/advice.ts';
import type { Identity } from '../model/principal.ts';
import { forbidden, Problem } from '../problem.ts';
import type { Format } from '../site/site.ts';
import type { World } from '../world.ts';
import { withAdviceHeader, collectInto } from './reported-advice.ts';
import { createCachedRead, type CachedRead } from './cached-read.ts';
import type { EngineOptions, MatchedRequest } from './engine-options.ts';
import type { Exchange, OutgoingReply, PlainReply } from './exchange.ts';
import { finish, logContextOf, reportAnswered } from './finish.ts';
import type { AnyHandler, AnyRequest } from './handler.ts';
import { readInput } from './input.ts';
import { absentProblem, pathValues, queryValues, refuseInvalidIds } from './path-parameters.ts';
import { refusalReply } from './refusal.ts';

const defaultJsonMs = 30_000;

/** `handler` is the operation's own, or its mock. */
export type Caller = {
  readonly identity: Identity;
  readonly format: Format;
  readonly handler: (
    ...parameters: Parameters<AnyHandler>
  ) => Promise<(...input: Parameters<Awaited<ReturnType<AnyHandler>>>) => Promise<OutgoingReply>>;
  readonly isStrict: boolean;
  /** Undefined where every answer is fresh. */
  readonly cachedRead?: CachedRead | undefined;
};

/** Stations 9 to 17 in a world with the caches of a real site. */
export const answerCached = (
  options: EngineOptions,
  matched: MatchedRequest,
  caller: Caller,
  world: World & { readonly caches: SiteCaches },
): Promise<PlainReply> => {
  const { request, operation } = matched;
  const { identity, format } = caller;
  const cachedRead = createCachedRead(world.caches, {
    ...{ operation, request, identity, format, world, path: pathValues(operation, matched.match) },
    report: (status) => void reportAnswered(options, operation, request, status),
  });
  return cachedRead.throughPages(() =>
    answerCaller(options, matched, { ...caller, cachedRead }, world).catch((error: unknown) =>
      refusalReply(options, matched, error),
    ),
  );
};

/** Stations 9 to 17. */
export const answerCaller = async (
  options: EngineOptions,
  matched: MatchedRequest,
  caller: Caller,
  world: World,
): Promise<PlainReply> => {
  const { request, operation } = matched;
  const { identity, format, cachedRead } = caller;
  const { headers } = request;
  const advice: Advice[] = [];
  const contractRequest: AnyRequest = {
    path: pathValues(operation, matched.match),
    query: queryValues(operation, matched.query),
    headers,
    identity,
    format,
    address: request.address,
    session: readSessionCookie(headers, world.access.cookieName),
    absent: (parameter) => absentProblem(operation, request.method, matched.url, parameter),
    advise: collectAdvice(advice, matched, options),
  };
  refuseInvalidIds(operation, contractRequest);
  const work = await opened(() => caller.handler(contractRequest, world), operation, contractRequest, world);
  const granted = { options, matched, world, work, advice, request: contractRequest, isStrict: caller.isStrict };
  return cachedRead === undefined ? answerGranted(granted) : cachedRead.throughRoutes(() => answerGranted(granted));
};

type GrantedRequest = Pick<Caller, 'isStrict'> & {
  readonly options: EngineOptions;
  readonly matched: MatchedRequest;
  readonly world: World;
  readonly request: AnyRequest;
  readonly work: Awaited<ReturnType<Caller['handler']>>;
  readonly advice: readonly Advice[];
};

/** Stations 13 to 17. */
const answerGranted = async ({
  options,
  matched: { request: plain, operation },
  world,
  request,
  work,
  advice,
  isStrict,
}: GrantedRequest): Promise<PlainReply> => {
  const input = await readInput(
    { operation, plain, request, site: world.site },
    {
      backend: options.backend,
      jsonMs: options.jsonMs ?? defaultJsonMs,
      isStrict,
      onLenientBody: (faults) =>
        options.onEvent({
          kind: 'lenient-body',
          operation: operation.id,
          faults,
          logContext: logContextOf(plain.observations),
        }),
    },
  );
  let reply = await withChallenge(() => work(input), operation, request.identity, world);
  const exchange: Exchange = { operation, request, method: plain.method };
  for (const middleware of options.middleware) reply = await middleware(reply, exchange, world);
  if (advice.length > 0) {
    if (plain.observations !== undefined) plain.observations.advice = advice;
    if (options.adviceHeader === true) reply = withAdviceHeader(reply, advice);
  }
  return finish(options, operation, plain, reply);
};

/** Only what has a body can be changed on its way, and only where somebody listens. */
const collectAdvice = (
  advice: Advice[],
  { request, operation }: MatchedRequest,
  { adviceHeader }: EngineOptions,
): Advise =>
  operation.body === 'none' || (request.observations === undefined && adviceHeader !== true)
    ? undefined
    : collectInto(advice);

/** Stations 10 to 12. The real site names a wrong provider before a missing CSRF token, and that before a missing permission. */
const opened = async <T>(
  open: () => Promise<T>,
  operation: Operation,
  request: AnyRequest,
  world: World,
): Promise<T> => {
  const checkManner = (): void => {
    requireProvider(operation, request.identity);
    if (operation.needsCsrfToken) checkCsrf(world.access, request);
  };
  let work: T;
  try {
    work = await withChallenge(open, operation, request.identity, world);
  } catch (error) {
    if (error instanceof Problem && error.status === 403) checkManner();
    throw error;
  }
  checkManner();
  return work;
};

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

/** Throws 403 when the credentials, right or wrong, belong to a provider that the operation does not accept. */
const requireProvider = (operation: Operation, { provider }: Identity): void => {
  if (!acceptsProvider(operation, provider)) {
    throw forbidden('The used authentication method is not allowed on this route.');
  }
};
