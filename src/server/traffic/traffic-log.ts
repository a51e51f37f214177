/** Keeps the last requests of a world with their replies, limited by number and bytes. */
import type { RecordedExchange } from '../../exchange/exchange.ts';
import type { Awaitable } from '../../basics/awaitable.ts';
import { createListeners, type Listen } from '../../basics/listeners.ts';

export type TrafficLog = {
  /** The id of the next request to be added. 0 where a database gives the ids. */
  nextId(): number;
  /** Adds a request, whose id is `nextId()`. */
  add(exchange: RecordedExchange): void;
  /** Call it before `entries`, `dropped` and `lost`: brings them up to date. Rejects with a Problem 503 when it cannot. */
  refresh(): Awaitable<void>;
  /** Oldest first. */
  entries(): readonly RecordedExchange[];
  /** The number of requests that were removed to keep the limits. */
  dropped(): number;
  /** The number of requests that could not be kept, because the database could not be reached for too long. */
  lost(): number;
  clear(): Awaitable<void>;
  /** Reports each request from now on, until the returned function is called. */
  readonly listen: Listen<RecordedExchange>;
  listeners(): number;
  /** Reports the end to all listeners and removes them. */
  end(): void;
};

/** An estimate for the headers and observations of an entry, in bytes. */
const overhead = 2048;

/** An estimate for one advice, whose values are short. */
const adviceBytes = 512;

/** An estimate of the memory that a request takes, in bytes. */
export const sizeOf = ({ requestBody, replyBody, observations }: RecordedExchange): number =>
  overhead + (requestBody.text?.length ?? 0) + (replyBody.text?.length ?? 0) + observations.advice.length * adviceBytes;

export type TrafficLimits = { readonly entries: number; readonly bytes: number };

/** The traffic in memory. */
export type LocalTrafficLog = Omit<TrafficLog, 'clear' | 'refresh'> & { refresh(): void; clear(): void };

/** A ring buffer: every request is added here, so an addition must be cheap. */
export const createTrafficLog = (limits: TrafficLimits): LocalTrafficLog => {
  const listeners = createListeners<RecordedExchange>();
  const ring: (RecordedExchange | undefined)[] = [];
  let oldest = 1;
  let last = 0;
  let bytes = 0;
  let dropped = 0;

  const slotOf = (id: number): number => id % limits.entries;
  const dropOldest = (): void => {
    const entry = ring[slotOf(oldest)];
    if (entry !== undefined) bytes -= sizeOf(entry);
    ring[slotOf(oldest)] = undefined;
    oldest += 1;
    dropped += 1;
  };

  return {
    nextId: () => last + 1,
    add: (exchange) => {
      if (last - oldest + 1 >= limits.entries) dropOldest();
      last += 1;
      ring[slotOf(last)] = exchange;
      bytes += sizeOf(exchange);
      while (bytes > limits.bytes) dropOldest();
      // With `--check-replies log` the reply is checked only after it was sent.
      if (listeners.present.size > 0) setImmediate(() => listeners.tell(exchange));
    },
    entries: () =>
      Array.from({ length: last - oldest + 1 }, (_, index) => ring[slotOf(oldest + index)]).filter(
        (entry) => entry !== undefined,
      ),
    refresh: () => undefined,
    dropped: () => dropped,
    lost: () => 0,
    clear: () => {
      ring.length = 0;
      oldest = last + 1;
      bytes = dropped = 0;
    },
    listen: listeners.listen,
    listeners: () => listeners.present.size,
    end: listeners.end,
  };
};
