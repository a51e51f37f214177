/** Passes a request on to the documents, the control interface, or the interceptors and engine of its world. */
import type { Flaw } from '../../basics/configuration-error.ts';
import { once } from '../../basics/once.ts';
import type { ServedContract } from '../../contract/corrected-body.ts';
import type { Engine } from '../../core/engine/engine.ts';
import { isRead, type PlainReply, type PlainRequest } from '../../core/engine/exchange.ts';
import type { AnswerRequest, Interceptor, LocatedRequest, LocateWorld } from '../../core/engine/interceptor.ts';
import { messageReply, textReply } from '../../core/engine/text-reply.ts';
import { Problem, unexpectedErrorMessage } from '../../core/problem.ts';
import type { World } from '../../core/world.ts';
import { consoleAddress, leadTo } from '../control/console-page.ts';
import { type ControlAccess, pageRefusal } from '../control/control-access.ts';
import { type ControlOptions, createControl } from '../control/control.ts';
import type { Guides } from '../guides/guides.ts';
import { createWorldAddresses } from '../worlds/world-address.ts';
import { type ContractSources, loadContract, type LoadContractOptions } from './load-contract.ts';

const pages = '/_atoll/docs/';

/**
 * Everybody may read them, as the document: they say nothing of the repository but its address. Undefined for other paths,
 * where there are no guides, and at `/llms.txt` where the document has an operation there.
 */
export const guideReply = (
  request: PlainRequest,
  { baseUrl }: Pick<World, 'baseUrl'>,
  guides: Guides | undefined,
  { operationOf }: Pick<Engine, 'operationOf'>,
): Promise<PlainReply> | undefined => {
  const { path } = request;
  if (guides === undefined || !isGuidePath(path) || !isRead(request)) return undefined;
  if (path.startsWith(pages)) return pageReply(path.slice(pages.length, -ending.length), guides);
  return path === '/llms.txt' && operationOf(request) !== undefined ? undefined : llmsReply(baseUrl, guides);
};

const ending = '.md';

const isGuidePath = (path: string): boolean =>
  path === '/llms.txt' || path === '/_atoll/llms.txt' || (path.startsWith(pages) && path.endsWith(ending));

const pageReply = async (name: string, guides: Guides): Promise<PlainReply> => {
  const text = await guides.read(name);
  return text === undefined
    ? messageReply(404, 'There is no such page. /_atoll/llms.txt lists all.')
    : textReply('text/markdown; charset=utf-8', text);
};

/** Programs read it as Markdown. As plain text browsers show it. */
const llmsReply = async (baseUrl: string, guides: Guides): Promise<PlainReply> => {
  const text = await guides.llms(baseUrl);
  return text === undefined
    ? messageReply(404, 'This package has no llms.txt.')
    : textReply('text/plain; charset=utf-8', text);
};

type Addressed = { readonly request: PlainRequest; readonly world: World };

/** A view for each language, because replies are cached by view. */
const views = new WeakMap<World, Map<string, World>>();

const viewIn = (world: World, language: string): World => {
  const known = views.get(world) ?? new Map<string, World>();
  views.set(world, known);
  const view = known.get(language) ?? { ...world, language };
  known.set(language, view);
  return view;
};

/**
 * The request without the language, and the world in it. Only reads have one.
 * open: a real site also changes a translation at such a path, and writes the prefix into addresses.
 */
const languageView = (request: PlainRequest, world: World): Addressed => {
  const { prefixLanguages } = world.site;
  if (prefixLanguages.length === 0 || !isRead(request)) return { request, world };
  const [, first = '', ...rest] = request.path.split('/');
  if (rest.length === 0 || !prefixLanguages.includes(first)) return { request, world };
  return { request: { ...request, path: `/${rest.join('/')}` }, world: viewIn(world, first) };
};

/**
 * 302 to the console of the world, for a browser that the console would answer. Undefined for other requests, and where the
 * document has an operation at `/`. No redirect of a site leads away from there: the real site refuses to keep one.
 */
const frontPageReply = (
  request: PlainRequest,
  world: World,
  access: ControlAccess,
  { operationOf }: Pick<Engine, 'operationOf'>,
): PlainReply | undefined =>
  request.path === '/' &&
  isRead(request) &&
  /(^|[\s,])text\/html\b/i.test(request.headers['accept'] ?? '') &&
  pageRefusal(request, access) === undefined &&
  operationOf(request) === undefined
    ? leadTo(consoleAddress(world), { Vary: 'Accept' })
    : undefined;

/** Answers with the icon that browsers ask for by themselves, before anything is counted or remembered. */
const faviconPath = '/favicon.ico';

/** A ring with a gap, as an atoll has it. */
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="11" fill="none" ' +
  'stroke="#0a7e8c" stroke-width="6" stroke-linecap="round" stroke-dasharray="58 12"/></svg>';

const faviconReply = textReply('image/svg+xml', icon, { 'Cache-Control': 'public, max-age=86400' });

export type DispatchOptions = LoadContractOptions &
  ContractSources &
  Omit<ControlOptions, 'contract' | 'operationIds' | 'dryRun'> & { readonly locate: LocateWorld };

/** Answers a request. `express-app.ts` adds the headers of every answer. */
export type Answer = (request: PlainRequest) => Promise<PlainReply>;

type Dispatch = {
  readonly answer: Answer;
  /** The document as it is served now. */
  readonly contract: () => ServedContract;
  readonly warnings: readonly Flaw[];
  /**
   * Loads other sources. Throws `ConfigurationError` and changes nothing when they cannot be served. After `use` the new
   * sources answer every new request; requests in progress finish with the old sources.
   */
  prepare(sources: ContractSources): Promise<{ readonly warnings: readonly Flaw[]; readonly use: () => void }>;
};

/** Loads the contract. The control interface is made on first use. */
export const createDispatch = async (options: DispatchOptions): Promise<Dispatch> => {
  let served = await loadContract(options, options);
  let chainOf = createChains(served.engine);
  const operationIds = (): readonly string[] => served.engine.operations.map(({ id }) => id);
  const dryRun: AnswerRequest = (request, world) => served.dryRun(request, world);
  const control = once(() => createControl({ ...options, operationIds, contract: () => served.contract, dryRun }));
  return {
    warnings: served.warnings,
    contract: () => served.contract,
    prepare: async (sources) => {
      const next = await loadContract(sources, options);
      return {
        warnings: next.warnings,
        use: () => {
          served = next;
          chainOf = createChains(next.engine);
        },
      };
    },
    answer: locating({ ...options, operationOf: (request) => served.engine.operationOf(request) }, (located) => {
      const { addressedWorld } = located;
      const { interceptors } = addressedWorld;
      const { request, world } = languageView(located.request, addressedWorld.world);
      const text = isRead(request) ? served.texts(request.path, world.baseUrl) : undefined;
      if (text !== undefined) return text;
      if (request.path === faviconPath && isRead(request)) return Promise.resolve(faviconReply);
      const front = frontPageReply(request, world, options, served.engine);
      if (front !== undefined) return Promise.resolve(front);
      const guide = guideReply(request, world, options.guides, served.engine);
      if (guide !== undefined) return guide;
      if (request.path === '/_atoll' || request.path.startsWith('/_atoll/')) {
        return control().then((answer) => answer(request, world));
      }
      const time = addressedWorld.ownTime?.();
      const reply = chainOf(interceptors)(request, world);
      return time === undefined ? reply : reply.then((undated) => dated(undated, time));
    }),
  };
};

type LocatingOptions = Pick<DispatchOptions, 'locate' | 'onEvent' | 'baseUrl'> & Pick<Engine, 'operationOf'>;

type AnswerLocated = (located: LocatedRequest) => Promise<PlainReply>;

/** Finds the world of a request, has it answered there, and lets the world share what the request changed. */
const locating = (options: LocatingOptions, answer: AnswerLocated): Answer => {
  const { locate, onEvent, operationOf } = options;
  const addresses = createWorldAddresses(options.baseUrl);
  const answerIn = (located: LocatedRequest | undefined): Promise<PlainReply> => {
    if (located === undefined) return Promise.resolve(messageReply(404, 'There is no such world.'));
    const { settle, name } = located.addressedWorld;
    const { logContext } = located.request;
    if (logContext !== undefined) logContext.world = name;
    return settle === undefined ? answer(located) : answer(located).then((reply) => settle().then(() => reply));
  };
  const refusal = (request: PlainRequest, error: unknown): PlainReply => {
    const { logContext } = request;
    if (logContext !== undefined && logContext.world === undefined) {
      const { name, path } = addresses.read(request);
      logContext.world = name;
      logContext.operation = operationOf({ ...request, path })?.id;
    }
    if (!(error instanceof Problem)) {
      if (logContext !== undefined) logContext.isReported = true;
      onEvent({ kind: 'failed', operation: logContext?.operation, error, logContext });
    }
    const { status, message, headers } = error instanceof Problem ? error : new Problem(500, unexpectedErrorMessage);
    const reply = messageReply(status, message);
    return { ...reply, headers: { ...reply.headers, ...headers } };
  };
  return (request) => {
    const located = locate(request);
    // A world in this process is found at once: its requests do not wait a turn.
    return located instanceof Promise
      ? located.then(answerIn).catch((error: unknown) => refusal(request, error))
      : answerIn(located);
  };
};

/** Sets `Date` by the world's own clock (RFC 9110 §6.6.1). When the world has the real time, the listener sets it. */
const dated = (reply: PlainReply, time: number): PlainReply => ({
  ...reply,
  headers: { ...reply.headers, Date: new Date(time).toUTCString() },
  isReused: false,
});

/** Builds the chain of a world: its interceptors, outermost first, around the engine. Each chain is built once. */
const createChains = ({ handle, operationOf }: Engine): ((interceptors: readonly Interceptor[]) => AnswerRequest) => {
  const built = new WeakMap<readonly Interceptor[], AnswerRequest>();
  return (interceptors) => {
    const known = built.get(interceptors);
    if (known !== undefined) return known;
    const chain = interceptors.reduceRight((next, intercept) => intercept(next, operationOf), handle);
    built.set(interceptors, chain);
    return chain;
  };
};
