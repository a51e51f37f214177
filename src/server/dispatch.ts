/** What answers a request, without any server: the repository, the control interface, the documents. */
import type { DocumentObject } from '../document/document.ts';
import type { Engine } from '../engine/engine.ts';
import { isRead, type PlainReply, type PlainRequest } from '../engine/exchange.ts';
import { messageReply } from '../engine/text-reply.ts';
import type { ReadPagePart } from '../control/api-page.ts';
import { createControl } from '../control/control.ts';
import type { FaultsByWorld } from '../faults/faults-by-world.ts';
import { once } from '../worlds/once.ts';
import type { Reloads } from '../control/reload-handlers.ts';
import type { WorldObserver } from '../coverage/world-observer.ts';
import type { AnswerRequest, Interceptor, LocateWorld } from '../worlds/interceptor.ts';
import type { Worlds } from '../worlds/worlds.ts';
import { loadContract, type LoadContractOptions, type ContractSources } from './load-contract.ts';
import type { Flaw } from '../site/read-yaml.ts';

export type DispatchOptions = LoadContractOptions &
  ContractSources & {
    /** The world that a request is for. */
    readonly locate: LocateWorld;
    /** What the control interface makes and drops. */
    readonly worlds: Worlds;
    /** Opens the control interface to callers from elsewhere, and is asked of all. */
    readonly controlToken?: string | undefined;
    readonly faults: FaultsByWorld;
    /** What is seen of the requests of each world. */
    readonly watching: WorldObserver;
    /** How the document and what belongs to it are read anew. */
    readonly reloads: Reloads;
    /** The text of `openapi.yaml`, for the lines of its rules. */
    readonly documentText?: (() => Promise<string>) | undefined;
    /** The files of Swagger UI, for the page of the interface. */
    readonly readPagePart?: ReadPagePart | undefined;
    readonly controlDocument: DocumentObject;
    readonly version: string;
  };

/** Answers a request whole, but for the headers that every answer has. */
export type Answer = (request: PlainRequest) => Promise<PlainReply>;

/** What answers, and how other sources take the place of its own. */
export type Dispatch = {
  readonly answer: Answer;
  readonly warnings: readonly Flaw[];
  /**
   * Puts together a repository of other sources. Throws `ConfigurationError` and changes nothing when they cannot be served.
   * From `use` on it answers every new request; those under way end on the old one.
   */
  prepare(sources: ContractSources): Promise<{ readonly warnings: readonly Flaw[]; readonly use: () => void }>;
};

/** Puts together what answers. */
export const createDispatch = async (options: DispatchOptions): Promise<Dispatch> => {
  let served = await loadContract(options, options);
  let chain = createChains(served.engine);
  const operationIds = (): readonly string[] => served.engine.operations.map(({ id }) => id);
  const control = once(() => createControl({ ...options, operationIds, contract: () => served.contract }));
  return {
    warnings: served.warnings,
    prepare: async (sources) => {
      const next = await loadContract(sources, options);
      return {
        warnings: next.warnings,
        use: () => {
          served = next;
          chain = createChains(next.engine);
        },
      };
    },
    answer: (sent) => {
      const located = options.locate(sent);
      if (located === undefined) return Promise.resolve(messageReply(404, 'There is no such world.'));
      const { request, place } = located;
      const text = isRead(request) ? served.texts(request.path, place.world.baseUrl) : undefined;
      if (text !== undefined) return text;
      if (request.path === '/_atoll' || request.path.startsWith('/_atoll/')) {
        return control().then((made) => made.handle(request, place.world));
      }
      const time = place.ownTime?.();
      const reply = chain(place.interceptors)(request, place.world);
      return time === undefined ? reply : reply.then((made) => dated(made, time));
    },
  };
};

/** Dated by a clock that the world has of its own (RFC 9110 §6.6.1); otherwise the listener dates its answers. */
const dated = (reply: PlainReply, time: number): PlainReply => ({
  ...reply,
  headers: { ...reply.headers, Date: new Date(time).toUTCString() },
  isReused: false,
});

/**
 * What answers in a world: its interceptors, outermost first, and the engine inside them. Each chain is built once, for the
 * first request, and not for every one.
 */
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
