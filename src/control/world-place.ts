/** A named world with what lies around it and outlasts a reset, as the control interface knows it. */
import type { PlainReply, PlainRequest } from '../contract/exchange.ts';
import type { Operation } from '../contract/operation.ts';
import type { World } from '../world.ts';

/** Answers a request in a world. */
export type InWorld = (request: PlainRequest, world: World) => Promise<PlainReply>;

/** The operation of the document that a request is for; undefined when it has none. */
export type OperationOf = (request: PlainRequest) => Operation | undefined;

/**
 * Stands between the client and the repository of a world: watches, delays, spoils. Calls `next` for the rest, with the
 * world as it is or as it is to appear.
 */
export type Around = (
  request: PlainRequest,
  world: World,
  next: InWorld,
  operationOf: OperationOf,
) => Promise<PlainReply>;

export type WorldPlace = {
  /** `main`, or the name that the world was made with. */
  readonly name: string;
  /** The world as it stands now: a reset puts another in its place. */
  readonly world: World;
  /** Outermost first. Empty where nothing is to be watched or spoiled, so that it costs nothing. */
  readonly around: readonly Around[];
  /** The time of the world, in milliseconds since 1970, where it is not the real one: its answers are dated by it. */
  readonly ownTime?: () => number | undefined;
};

/** Where a request is: its world, and the request without the prefix that named it. */
export type Located = { readonly place: WorldPlace; readonly request: PlainRequest };

/** Undefined when the request names a world that does not exist. */
export type Locate = (request: PlainRequest) => Located | undefined;

/** Everything is in one world, whichever it is at the moment. */
export const inOneWorld =
  (world: () => World): Locate =>
  (request) => {
    const current = world();
    return { place: { name: current.name, world: current, around: [] }, request };
  };
