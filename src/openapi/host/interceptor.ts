/** Defines the types between a located request and the engine: the addressed world and its interceptors. */
import type { Awaitable } from '../../basics/awaitable.ts';
import type { WorldState } from './world-state.ts';
import type { HostedWorld } from './world.ts';
import type { HostedOperation } from './operation.ts';
import type { PlainReply, PlainRequest } from './exchange.ts';

/** Answers a request in a world. */
export type AnswerRequest = (request: PlainRequest, world: HostedWorld) => Promise<PlainReply>;

/** The operation that the document has for a request. Undefined when it has none. */
export type OperationOf = (request: PlainRequest) => HostedOperation | undefined;

/** Answers the requests to the operations of a document. */
export type HostedEngine = {
  /** Never rejects. */
  readonly handle: AnswerRequest;
  readonly operations: readonly HostedOperation[];
  /** Whether the document has this path, with any method. */
  readonly hasPath: (path: string) => boolean;
  /** The operation of a request, HEAD being GET. */
  readonly operationOf: OperationOf;
};

/** Sits between the clients of a world and its engine: observes, delays or breaks what passes. */
export type Interceptor = {
  /**
   * It is called once for each world and engine, and returns what answers in place of `next`. It may call `next` with the same
   * world or an altered one.
   */
  readonly intercept: (next: AnswerRequest, operationOf: OperationOf) => AnswerRequest;
  /** A request without this header passes it by as long as there are no entries. Undefined: no request does. */
  readonly only?: { readonly header: string; readonly entries: { readonly size: number } } | undefined;
};

/** A named world as requests of one kind of address see it. */
export type AddressedWorld = {
  /** `main`, or the name that the world was made with. */
  readonly name: string;
  /** The current view of the world. A reset replaces it. */
  readonly world: HostedWorld;
  /** Outermost first. The array stays the same for as long as the world has its name. */
  readonly interceptors: readonly Interceptor[];
  /** The world's time in milliseconds since 1970, when it is not the real time. Replies are dated by it. */
  readonly ownTime?: () => number | undefined;
  /**
   * Called when a reply is ready, before it is sent: writes what the request changed apart from records, where that is not in memory.
   * Rejects with a Problem when it cannot.
   */
  readonly settle?: (() => Promise<void>) | undefined;
};

/** A request without the prefix that named its world, and that world. */
export type LocatedRequest = { readonly addressedWorld: AddressedWorld; readonly request: PlainRequest };

/** Returns undefined when the request names a world that does not exist. May reject with a Problem. */
export type LocateWorld = (request: PlainRequest) => Awaitable<LocatedRequest | undefined>;

/** Interceptors of one named world, with what they keep for it: faults, or traffic and coverage. */
type WorldInterceptors = {
  /** Empty when there is nothing to observe or to break. */
  readonly interceptors: readonly Interceptor[];
  /** Called when the world ends, or is not served any more. */
  drop(): void;
};

/**
 * Called once for each world that is made. What the interceptors keep in the state ends with a reset of the world, unless
 * `lastingTopics` names its topic. `id`: its number in a database.
 */
export type CreateWorldInterceptors = (name: string, state: WorldState, id?: number) => WorldInterceptors;
