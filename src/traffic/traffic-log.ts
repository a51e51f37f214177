/** The last requests of a world with their replies, bounded by number and bytes. What is shown of them is `traffic-entry.ts`. */
import type { TransmissionFault, HeaderValues } from '../engine/exchange.ts';
import type { RequestObservations } from '../engine/observations.ts';
import type { Operation } from '../document/operation.ts';

/** A body as far as it is remembered: JSON and text up to a limit, and of anything else its size. */
export type SeenBody = { readonly bytes: number; readonly text: string | undefined };

/** A request that has been answered. It refers to what there was anyway: nothing is formatted before somebody looks. */
export type Exchanged = {
  /** Counts from 1 in each world. */
  readonly id: number;
  readonly world: string;
  readonly baseUrl: string;
  /** By the world's clock, in milliseconds since 1970. */
  readonly at: number;
  /** Until the reply was ready to be sent, in real milliseconds. */
  readonly durationMs: number;
  readonly method: string;
  /** Within the world. */
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly sent: SeenBody;
  readonly findings: RequestObservations;
  /** The operation that the request is for, answered or not. */
  readonly operation: Operation | undefined;
  readonly status: number;
  readonly replyHeaders: HeaderValues;
  readonly reply: SeenBody;
  /** The reply was kept, and is the very same object again and again. */
  readonly isLasting: boolean;
  readonly disturbance: TransmissionFault | undefined;
};

/** What is told to those who listen. */
export type TrafficListener = { heard(exchanged: Exchanged): void; ended(): void };

export type TrafficLog = {
  /** The id of the next request to be added. */
  nextId(): number;
  /** Remembers a request under the next id. */
  add(exchanged: Exchanged): void;
  /** The oldest first. */
  entries(): readonly Exchanged[];
  /** How many there were that are not remembered any more. */
  dropped(): number;
  clear(): void;
  /** Each request from now on, until the result is called. */
  listen(listener: TrafficListener): () => void;
  /** How many listen. */
  listeners(): number;
  /** Tells those who listen that there is nothing more to come. */
  end(): void;
};

export type TrafficLimits = { readonly entries: number; readonly bytes: number };

/** What an entry costs beside its bodies: two heads and what has been found out. */
const overhead = 2048;

const sizeOf = ({ sent, reply }: Exchanged): number => overhead + (sent.text?.length ?? 0) + (reply.text?.length ?? 0);

/** An empty log. Every request passes here, so an addition writes one place of a ring and throws nothing else about. */
export const createTrafficLog = (limits: TrafficLimits): TrafficLog => {
  const listeners = new Set<TrafficListener>();
  const ring: (Exchanged | undefined)[] = [];
  let oldest = 1;
  let last = 0;
  let bytes = 0;
  let dropped = 0;

  const placeOf = (id: number): number => id % limits.entries;
  const dropOldest = (): void => {
    const entry = ring[placeOf(oldest)];
    if (entry !== undefined) bytes -= sizeOf(entry);
    ring[placeOf(oldest)] = undefined;
    oldest += 1;
    dropped += 1;
  };

  return {
    nextId: () => last + 1,
    add: (exchanged) => {
      if (last - oldest + 1 >= limits.entries) dropOldest();
      last += 1;
      ring[placeOf(last)] = exchanged;
      bytes += sizeOf(exchanged);
      while (bytes > limits.bytes) dropOldest();
      // With `--check-replies log` the reply is judged after it has been given away.
      if (listeners.size > 0) setImmediate(() => listeners.forEach((listener) => listener.heard(exchanged)));
    },
    entries: () =>
      Array.from({ length: last - oldest + 1 }, (_place, index) => ring[placeOf(oldest + index)]).filter(
        (entry) => entry !== undefined,
      ),
    dropped: () => dropped,
    clear: () => {
      ring.length = 0;
      oldest = last + 1;
      bytes = dropped = 0;
    },
    listen: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    listeners: () => listeners.size,
    end: () => {
      for (const listener of listeners) listener.ended();
      listeners.clear();
    },
  };
};
