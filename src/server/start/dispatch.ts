/** Leads a request to what answers it: `Dispatch.answer` lists the stations. */
import type { Application } from '../application.ts';
import type { Flaw } from '../../basics/configuration-error.ts';
import { once } from '../../basics/once.ts';
import type { ServedContract } from '../../contract/contract.ts';
import {
  type HostedWorld,
  type HostedEngine,
  type PlainReply,
  type PlainRequest,
  logContextOf,
  type AnswerRequest,
  type Interceptor,
  type LocatedRequest,
  type LocateWorld,
  emptyObservations,
  errorReply,
  messageReply,
  readTraceContext,
} from '../../openapi/openapi-host.ts';
import { type ControlOptions, createControl } from '../control/control.ts';
import { countAnswers, type RequestTally } from '../metrics/tallies.ts';
import { createWorldAddresses } from '../worlds/world-address.ts';
import { loadContract, type LoadContractOptions } from '../engines/load-contract.ts';
import { isFrontPage, ownReply } from './own-addresses.ts';
import { Problem } from '../../openapi/openapi-terms.ts';
import type { ContractSources } from '../sources/contract-sources.ts';

export type DispatchOptions = LoadContractOptions &
  ContractSources &
  Omit<ControlOptions, 'contract' | 'operationIds' | 'dryRun'> & {
    readonly application: Pick<Application, 'addressed'>;
    readonly locate: LocateWorld;
    /** Counts the answers. Undefined where nobody reads metrics. */
    readonly requests?: RequestTally | undefined;
  };

/** Answers a request. `express-app.ts` adds the headers of every answer. */
export type Answer = (request: PlainRequest) => Promise<PlainReply>;

type Dispatch = {
  /**
   * A request passes these stations in this order. The first that has an answer gives it; none is crossed that a request is not for.
   *
   * 1. Observe: the request gets the record that all who observe it share (`observations.ts`). Answers are counted (`tallies.ts`).
   * 2. World: found by prefix, host, header or cookie. 404, 503. When the answer is there, what it changed is shared (`settle`).
   * 3. Address: what it means to the application, such as a language (`Application.addressed`).
   * 4. The server's own addresses (`own-addresses.ts`): `/openapi.*`, `/favicon.ico`, `/`, `/llms.txt`, the guides.
   * 5. Control interface, under `/_atoll`, and `/` for programs (`control.ts`).
   * 6. Interceptors of the world, outermost first: the observer of traffic and coverage (`world-observer.ts`), faults on
   *    demand where there are any (`faults.ts`), and what leaves challenges out, if asked for (`basic-challenge.ts`).
   * 7. The engine (`repository/engine/engine.ts`) makes the reply.
   * 8. `Date`, where the world does not have the real time.
   */
  readonly answer: Answer;
  /** Answers a request that the site itself makes. */
  readonly answerSite: Answer;
  /** The document as it is served now. */
  readonly contract: () => ServedContract;
  /** The operation of a request, as it is served now. */
  readonly operationOf: HostedEngine['operationOf'];
  readonly warnings: readonly Flaw[];
  /**
   * Loads other sources. Throws `ConfigurationError` and changes nothing when they cannot be served. After `use` the new
   * sources answer every new request; requests in progress finish with the old sources.
   */
  prepare(sources: ContractSources): Promise<{ readonly warnings: readonly Flaw[]; readonly use: () => void }>;
};

/** The paths of the stations 4 and 5. */
const ownPath = /^\/(?:$|openapi|favicon\.ico$|llms\.txt$|_atoll(?:\/|$))/;

/** Loads the contract. The control interface is made on first use. */
export const createDispatch = async (options: DispatchOptions): Promise<Dispatch> => {
  let served = await loadContract(options, options);
  let chainOf = createChains(served.engine);
  const operationIds = (): readonly string[] => served.engine.operations.map(({ id }) => id);
  const { addressed = asItIs } = options.application;
  const dryRun: AnswerRequest = (request, world) => served.dryRun(request, world);
  const control = once(() => createControl({ ...options, operationIds, contract: () => served.contract, dryRun }));

  const answerOwn = (request: PlainRequest, world: HostedWorld): Promise<PlainReply> | undefined => {
    const { engine, texts } = served;
    const { operationOf } = engine;
    const own = ownReply(request, world, { operationOf, texts, access: options, guides: options.guides });
    if (own !== undefined) return Promise.resolve(own);
    const isControl = request.path.startsWith('/_atoll') || isFrontPage(request, operationOf);
    return isControl ? control().then((answer) => answer(request, world)) : undefined;
  };
  const answerIn = ({ addressedWorld, request: asked }: LocatedRequest): Promise<PlainReply> => {
    const { request, world } = addressed(asked, addressedWorld.world);
    const own = ownPath.test(request.path) ? answerOwn(request, world) : undefined;
    if (own !== undefined) return own;
    const time = addressedWorld.ownTime?.();
    const reply = chainOf(addressedWorld.interceptors)(request, world);
    return time === undefined ? reply : reply.then((undated) => dated(undated, time));
  };
  const located = locating({ ...options, operationOf: (request) => served.engine.operationOf(request) }, answerIn);
  const { requests, onEvent } = options;

  return {
    warnings: served.warnings,
    contract: () => served.contract,
    operationOf: (request) => served.engine.operationOf(request),
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
    answer: observing(requests === undefined ? located : countAnswers(located, { tally: requests, onEvent })),
    answerSite: (request) => located({ ...request, observations: { ...emptyObservations(), bySite: true } }),
  };
};

const asItIs: NonNullable<Application['addressed']> = (request, world) => ({ request, world });

/** Gives each request its record. */
const observing =
  (answer: Answer): Answer =>
  ({ method, path, query, headers, body, address, connection }) => {
    const observations = emptyObservations();
    const { traceparent } = headers;
    if (traceparent !== undefined) observations.trace = readTraceContext(traceparent);
    // Named one by one: V8 copies an object by its spread in several times the time.
    return answer({ method, path, query, headers, body, address, connection, observations });
  };

type LocatingOptions = Pick<DispatchOptions, 'locate' | 'onEvent' | 'baseUrl'> & Pick<HostedEngine, 'operationOf'>;

type AnswerLocated = (located: LocatedRequest) => Promise<PlainReply>;

/** Finds the world of a request, has it answered there, and lets the world share what the request changed. */
const locating = (options: LocatingOptions, answer: AnswerLocated): Answer => {
  const { locate, onEvent, operationOf } = options;
  const addresses = createWorldAddresses(options.baseUrl);
  const answerIn = (located: LocatedRequest | undefined): Promise<PlainReply> => {
    if (located === undefined) return Promise.resolve(messageReply(404, 'There is no such world.'));
    const { settle, name } = located.addressedWorld;
    const { observations } = located.request;
    if (observations !== undefined) observations.world = name;
    return settle === undefined ? answer(located) : answer(located).then((reply) => settle().then(() => reply));
  };
  const refusal = (request: PlainRequest, error: unknown): PlainReply => {
    const { observations } = request;
    if (observations !== undefined && observations.world === undefined) {
      const { name, path } = addresses.read(request);
      observations.world = name;
      observations.operation = operationOf({ ...request, path });
    }
    if (!(error instanceof Problem)) {
      if (observations !== undefined) observations.isReported = true;
      const logContext = logContextOf(observations);
      onEvent({ kind: 'failed', operation: observations?.operation?.id, error, logContext });
    }
    return errorReply(error);
  };
  return (request) => {
    const located = locate(request);
    // A world in memory is found at once: its requests do not wait a turn.
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
const createChains = ({
  handle,
  operationOf,
}: HostedEngine): ((interceptors: readonly Interceptor[]) => AnswerRequest) => {
  const built = new WeakMap<readonly Interceptor[], AnswerRequest>();
  const around = (next: AnswerRequest, { intercept, only }: Interceptor): AnswerRequest => {
    const intercepted = intercept(next, operationOf);
    if (only === undefined) return intercepted;
    const { header, entries } = only;
    return (request, world) =>
      entries.size === 0 && request.headers[header] === undefined ? next(request, world) : intercepted(request, world);
  };
  return (interceptors) => {
    const known = built.get(interceptors);
    if (known !== undefined) return known;
    const chain = interceptors.reduceRight(around, handle);
    built.set(interceptors, chain);
    return chain;
  };
};
