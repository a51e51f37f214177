/** A named world with what lies around it and outlasts a reset, as the control interface knows it. */
import type { PlainReply, PlainRequest } from '../engine/exchange.ts';
import type { Operation } from '../document/operation.ts';
import type { World } from '../world.ts';

/** Answers a request in a world. */
export type AnswerRequest = (request: PlainRequest, world: World) => Promise<PlainReply>;

/** The operation of the document that a request is for; undefined when it has none. */
export type OperationOf = (request: PlainRequest) => Operation | undefined;

/**
 * Stands between the clients of a world and its engine: observes, delays or breaks what passes. It is called once for each
 * world and engine, and returns what answers in place of `next`. `next` may be called with the world as it is or with an
 * altered one.
 */
export type Interceptor = (next: AnswerRequest, operationOf: OperationOf) => AnswerRequest;

export type AddressedWorld = {
  /** `main`, or the name that the world was made with. */
  readonly name: string;
  /** The world as it stands now: a reset puts another in its place. */
  readonly world: World;
  /** Outermost first. The array stays the same for as long as the world has its name. */
  readonly interceptors: readonly Interceptor[];
  /** The time of the world, in milliseconds since 1970, where it is not the real one: its answers are dated by it. */
  readonly ownTime?: () => number | undefined;
};

/** Where a request is: its world, and the request without the prefix that named it. */
export type LocatedRequest = { readonly place: AddressedWorld; readonly request: PlainRequest };

/** Undefined when the request names a world that does not exist. */
export type LocateWorld = (request: PlainRequest) => LocatedRequest | undefined;

/** Everything is in one world, whichever it is at the moment. */
export const inOneWorld =
  (world: () => World): LocateWorld =>
  (request) => {
    const current = world();
    return { place: { name: current.name, world: current, interceptors: [] }, request };
  };
