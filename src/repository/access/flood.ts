/** Counts failed logins by address, and by user at one address. */
import { createMemoryState, type StateTally, type WorldState } from '../../openapi/openapi-host.ts';
import type { FloodLimits } from '../site/site.ts';
import type { Clock } from '../../openapi/openapi-records.ts';

export type FloodRefusal = 'flooded-user' | 'flooded-address';

/**
 * One set of counters. `uid` is the active account of the name; for a name without one only the address counts, as on the
 * real site. Register an attempt before its outcome is known: otherwise many guesses sent in parallel would pass together.
 */
export type Flood = {
  /** True when no failed or pending attempt counts. */
  isIdle(): boolean;
  /** Why the next attempt is refused, or undefined. The limit of the address is checked before that of the user. */
  refusal(uid: number | undefined, address: string): FloodRefusal | undefined;
  register(uid: number | undefined, address: string): void;
  /** Takes the latest registration back, because the attempt did not fail. */
  withdraw(uid: number | undefined, address: string): void;
  /** Forgets the user's failures from this address, after a successful login. The count of the address itself stays. */
  clear(uid: number | undefined, address: string): void;
};

const keyLimit = 10_000;

/**
 * Without limits every attempt passes. The counters are in the topics of the state that begin with `name`. Where these have several
 * parts, an attempt counts in the others when it is answered. So guesses sent in parallel can be as many as the limit for each part.
 */
export const createFlood = (
  limits: FloodLimits | undefined,
  clock: Clock,
  state: WorldState = createMemoryState(),
  name = 'flood',
): Flood => {
  if (limits === undefined) return unlimited;
  const events = (of: string): Events => state.tally(`${name}-${of}`, keyLimit);
  const users = createWindow(limits.userLimit, limits.userWindowSeconds, clock, events('users'));
  const addresses = createWindow(limits.addressLimit, limits.addressWindowSeconds, clock, events('addresses'));
  const userKey = (uid: number, address: string): string => `${uid} ${address}`;
  const isIdle = (): boolean => addresses.isEmpty() && users.isEmpty();
  return {
    isIdle,
    refusal: (uid, address) => {
      // Every request calls this, and failures are rare.
      if (isIdle()) return undefined;
      if (addresses.isFull(address)) return 'flooded-address';
      return uid !== undefined && users.isFull(userKey(uid, address)) ? 'flooded-user' : undefined;
    },
    register: (uid, address) => {
      if (uid !== undefined) users.add(userKey(uid, address));
      addresses.add(address);
    },
    withdraw: (uid, address) => {
      if (uid !== undefined) users.removeLatest(userKey(uid, address));
      addresses.removeLatest(address);
    },
    clear: (uid, address) => {
      if (uid !== undefined && !users.isEmpty()) users.clear(userKey(uid, address));
    },
  };
};

const unlimited: Flood = {
  isIdle: () => true,
  refusal: () => undefined,
  register: () => undefined,
  withdraw: () => undefined,
  clear: () => undefined,
};

/** The times of the events of each key. */
type Events = StateTally<readonly number[]>;

/** Counts the events of each key within the last `seconds`. */
const createWindow = (limit: number, seconds: number, clock: Clock, events: Events) => {
  /** Until then at least one event may count. */
  let busyUntil = 0;
  const isRecent = (time: number): boolean => time > clock.now() - seconds * 1000;
  return {
    /** True when every event was taken back or is older than the window. */
    isEmpty: (): boolean => {
      if (events.size === 0) return true;
      if (clock.now() < busyUntil) return false;
      // All events are read once in a window, because every request asks.
      busyUntil = latestOf(events) + seconds * 1000;
      if (clock.now() < busyUntil) return false;
      events.clear();
      return true;
    },
    isFull: (key: string): boolean => events.all(key).flat().filter(isRecent).length >= limit,
    add: (key: string): void => {
      // Older events decide nothing. Without a bound, attempts that are refused would make each one slower.
      events.change(key, (times = []) => [...times.filter(isRecent), clock.now()].slice(-2 * limit));
    },
    removeLatest: (key: string): void => {
      events.change(key, (times = []) => {
        const left = times.filter(isRecent).slice(0, -1);
        return left.length === 0 ? undefined : left;
      });
    },
    clear: (key: string): void => events.delete(key),
  };
};

const latestOf = (events: Events): number => {
  let latest = 0;
  for (const times of events.values()) for (const time of times) latest = Math.max(latest, time);
  return latest;
};
