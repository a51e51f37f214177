/** Counts failed logins by address, and by user at one address. */
import type { Clock } from '../model/clock.ts';
import type { FloodLimits } from '../site/site.ts';
import { createLruMap } from '../model/lru-map.ts';

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

/** Without limits every attempt passes. */
export const createFlood = (limits: FloodLimits | undefined, clock: Clock): Flood => {
  if (limits === undefined) return unlimited;
  const users = createWindow(limits.userLimit, limits.userWindowSeconds, clock);
  const addresses = createWindow(limits.addressLimit, limits.addressWindowSeconds, clock);
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

/** Counts the events of each key within the last `seconds`. */
const createWindow = (limit: number, seconds: number, clock: Clock) => {
  let events = createLruMap<string, readonly number[]>(keyLimit);
  let latest = 0;
  const recent = (key: string): readonly number[] => {
    const since = clock.now() - seconds * 1000;
    return (events.get(key) ?? []).filter((time) => time > since);
  };
  return {
    /** True when every event was taken back or is older than the window. */
    isEmpty: (): boolean => {
      if (events.size > 0 && clock.now() - latest >= seconds * 1000) events = createLruMap(keyLimit);
      return events.size === 0;
    },
    isFull: (key: string): boolean => recent(key).length >= limit,
    add: (key: string): void => {
      latest = clock.now();
      // Older events decide nothing. Without a bound, attempts that are refused would make each one slower.
      events.set(key, [...recent(key), latest].slice(-2 * limit));
    },
    removeLatest: (key: string): void => {
      const left = recent(key).slice(0, -1);
      if (left.length === 0) events.delete(key);
      else events.set(key, left);
    },
    clear: (key: string): void => events.delete(key),
  };
};
