/** Caches each reply until a record that it was made from changes. */
import type { Principal } from '../model/principal.ts';
import { everyOf } from '../model/index-keys.ts';
import { unwatched } from '../model/reading.ts';
import { createTaggedMap, type TaggedMap } from '../../basics/tagged-map.ts';
import type { World } from '../world.ts';
import { createReplyCacheTally, type ReplyCacheTally, replyCacheUsage } from '../../basics/work-tally.ts';
import type { PlainReply } from '../../openapi/openapi-host.ts';
import type { ChangedRecord, EntityStore } from '../../openapi/openapi-records.ts';

export type ReplyCache = {
  /** The cached reply for a principal and a key; undefined when there is none. */
  find(principal: Principal, key: string): PlainReply | undefined;
  /** Called before a reply is made. */
  begin(principal: Principal, key: string): MadeReply;
};

/** A reply that is being made. */
export type MadeReply = {
  /** Gets the keys of all that the reply is made from. Undefined at the first request for a key: that reply is not cached. */
  readonly reads: Set<string> | undefined;
  /**
   * Caches a 200 with a text, if nothing that it was made from has changed meanwhile. Without a
   * reply, or at a second call, it does not.
   */
  end(reply: PlainReply | undefined): void;
};

/** A reply that is being made. A change of something that it has read so far makes it stale. */
type PendingReply = { readonly reads: Set<string>; isStale: boolean };

/**
 * At least this many recent keys are remembered, and at most twice as many. A client that reads more records than that one
 * after another caches nothing. About this many replies fit in the cache. A reply for an older key would nearly always be
 * evicted before its next request, and caching a reply costs half as much as making it.
 */
const recentKeys = 2048;

/** The bytes of a cached reply apart from its text: its headers, its entries in the maps, and each key that it was made from. */
const overhead = 4 * 1024;
const bytesOfKey = 128;

/** The tags of a cached reply are the record keys and index keys that it was made from. */
type CacheState = { readonly cached: TaggedMap<PlainReply>; readonly pending: Set<PendingReply> };

const invalidate = (
  { cached, pending }: CacheState,
  touched: ReadonlySet<string>,
  changed: readonly ChangedRecord[],
): void => {
  for (const key of new Set([...touched, ...changed.map(({ key }) => everyOf(key))])) {
    cached.dropTagged(key);
    for (const reply of pending) reply.isStale ||= reply.reads.has(key);
  }
};

/**
 * The reply cache of one world view. A reply is cached for one principal. An account whose record or roles change gets a new
 * principal, so no reply is reused under former permissions.
 */
const createReplyCache = (store: EntityStore, maxBytes: number, tally: ReplyCacheTally): ReplyCache => {
  const state: CacheState = { cached: createTaggedMap<PlainReply>(maxBytes), pending: new Set<PendingReply>() };
  const numberOf = createNumbering();
  const recent = createRecentKeys(recentKeys);
  // A reload replaces the engine. The store outlives it and must not keep the old cache in memory.
  const weakState = new WeakRef(state);
  tally.caches.add(weakState);
  // Worlds come and go. The count of the usage forgets caches that nobody uses.
  if (tally.caches.size % 256 === 0) replyCacheUsage(tally);
  const stop = store.watch((touched, changed) => {
    const current = weakState.deref();
    if (current !== undefined) invalidate(current, touched, changed);
    else {
      stop();
      tally.caches.delete(weakState);
    }
  });
  return {
    find: (principal, key) => {
      const reply = state.cached.get(`${numberOf(principal)} ${key}`);
      if (reply === undefined) tally.misses += 1;
      else tally.hits += 1;
      return reply;
    },
    begin: (principal, key) => {
      const id = `${numberOf(principal)} ${key}`;
      if (!recent.has(id)) {
        // A refusal is never cached.
        return { reads: undefined, end: (reply) => (reply === undefined ? undefined : recent.add(id)) };
      }
      recent.add(id);
      const pending: PendingReply = { reads: new Set(), isStale: false };
      state.pending.add(pending);
      return {
        reads: pending.reads,
        end: (reply) => {
          if (
            !state.pending.delete(pending) ||
            reply?.status !== 200 ||
            typeof reply.body !== 'string' ||
            pending.isStale ||
            pending.reads.has(unwatched)
          )
            return;
          const bytes = overhead + bytesOfKey * pending.reads.size + reply.body.length;
          const made = { tags: pending.reads, bytes };
          state.cached.set(id, { ...reply, isReused: true }, made);
        },
      };
    },
  };
};

/** The share of `maxBytes` for a view of a forked world. There can be hundreds of forked worlds. */
const forkedShare = 1 / 32;

/** The reply cache of each world view, created at its first request. `maxBytes` is the limit for a view of the main world. */
export const replyCacheByWorld = (
  maxBytes: number,
  tally: ReplyCacheTally = createReplyCacheTally(),
): ((world: World) => ReplyCache) => {
  const byWorld = new WeakMap<World, ReplyCache>();
  return (world) => {
    const known = byWorld.get(world);
    if (known !== undefined) return known;
    const created = createReplyCache(world.store, world.name === 'main' ? maxBytes : maxBytes * forkedShare, tally);
    byWorld.set(world, created);
    return created;
  };
};

/** Numbers principals, so that the text of a key can name one. */
const createNumbering = (): ((principal: Principal) => number) => {
  const numbers = new WeakMap<Principal, number>();
  let last = 0;
  return (principal) => {
    const known = numbers.get(principal);
    if (known !== undefined) return known;
    numbers.set(principal, (last += 1));
    return last;
  };
};

/** Remembers at least the last `size` different keys, in two sets. When the younger set is full, the older one is dropped. */
const createRecentKeys = (size: number): { has(id: string): boolean; add(id: string): void } => {
  let young = new Set<string>();
  let old = new Set<string>();
  return {
    has: (id) => young.has(id) || old.has(id),
    add: (id) => {
      if (young.size >= size) {
        old = young;
        young = new Set();
      }
      young.add(id);
    },
  };
};
