/** How many failed attempts a user and an address have left. What an attempt is, and how a refusal sounds, is not known here. */
import type { Clock } from '../model/clock.ts';
import type { FloodLimits } from '../site/site.ts';
import { createBoundedMap } from './bounded-map.ts';

export type FloodRefusal = 'flooded-user' | 'flooded-address';

/**
 * One set of counters. Names count whether or not they belong to somebody: the counter must not tell which do. An attempt is
 * registered before its outcome is known, so that guesses sent in parallel cannot slip through together.
 */
export type Flood = {
  /** Whether nobody has failed lately: then nobody is refused, and there is nothing to clear. */
  isIdle(): boolean;
  /** Why no further attempt is let through, the address first (reference 5.2). */
  refusal(name: string, address: string): FloodRefusal | undefined;
  register(name: string, address: string): void;
  /** Takes the latest registration back: the attempt did not fail. */
  withdraw(name: string, address: string): void;
  /** Forgets the user's failures from this address; those of the address stay (reference 5.1). */
  clear(name: string, address: string): void;
};

const keyLimit = 10_000;

/** Counters under the site's limits; without limits everything is let through. */
export const createFlood = (limits: FloodLimits | undefined, clock: Clock): Flood => {
  if (limits === undefined) return unlimited;
  const users = createWindow(limits.userLimit, limits.userWindowSeconds, clock);
  const addresses = createWindow(limits.addressLimit, limits.addressWindowSeconds, clock);
  const userKey = (name: string, address: string): string => JSON.stringify([name.toLowerCase(), address]);
  const isIdle = (): boolean => addresses.isEmpty() && users.isEmpty();
  return {
    isIdle,
    refusal: (name, address) => {
      // Asked with every request, while failures are rare.
      if (isIdle()) return undefined;
      if (addresses.isFull(address)) return 'flooded-address';
      return users.isFull(userKey(name, address)) ? 'flooded-user' : undefined;
    },
    register: (name, address) => {
      users.add(userKey(name, address));
      addresses.add(address);
    },
    withdraw: (name, address) => {
      users.removeLatest(userKey(name, address));
      addresses.removeLatest(address);
    },
    clear: (name, address) => {
      if (!users.isEmpty()) users.clear(userKey(name, address));
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

type Window = {
  /** Whether nothing counts any more: all was taken back, or is older than the window. */
  isEmpty(): boolean;
  isFull(key: string): boolean;
  add(key: string): void;
  removeLatest(key: string): void;
  clear(key: string): void;
};

/** Times of events by key, none older than the window. */
const createWindow = (limit: number, seconds: number, clock: Clock): Window => {
  let events = createBoundedMap<string, readonly number[]>(keyLimit);
  let latest = 0;
  const recent = (key: string): readonly number[] => {
    const since = clock.now() - seconds * 1000;
    return (events.get(key) ?? []).filter((time) => time > since);
  };
  return {
    isEmpty: () => {
      if (events.size > 0 && clock.now() - latest >= seconds * 1000) events = createBoundedMap(keyLimit);
      return events.size === 0;
    },
    isFull: (key) => recent(key).length >= limit,
    add: (key) => {
      latest = clock.now();
      events.set(key, [...recent(key), latest]);
    },
    removeLatest: (key) => {
      const left = recent(key).slice(0, -1);
      if (left.length === 0) events.delete(key);
      else events.set(key, left);
    },
    clear: (key) => events.delete(key),
  };
};
