/** Replies that are kept as long as nothing they were made from has changed (house 1.13). Switched off by not giving one. */
import type { Principal } from '../model/principal.ts';
import { Repository } from '../content/repository.ts';
import type { EntityStore } from '../model/entity-store.ts';
import type { World } from '../world.ts';
import type { PlainReply } from './exchange.ts';

export type ReplyCache = {
  /** The reply that was kept for this principal under this name; undefined when there is none, or not any more. */
  find(principal: Principal, name: string): PlainReply | undefined;
  /**
   * Makes a reply. One that was asked for before, not long ago, is made in a world that notes what is read of it, and is
   * kept if it is a 200 with a text and nothing it was made from changed meanwhile.
   */
  make(
    principal: Principal,
    name: string,
    world: World,
    work: (observed: World) => Promise<PlainReply>,
  ): Promise<PlainReply>;
};

/** A kept reply, and what it was made from: record keys and index keys. */
type Kept = {
  readonly id: string;
  readonly reply: PlainReply;
  readonly reads: ReadonlySet<string>;
  readonly size: number;
};

/** A reply that is being made. A change of what it has read so far spoils it; what it reads later is new. */
type Making = { readonly reads: Set<string>; isSpoiled: boolean };

/**
 * How many names are remembered at least; with less than twice as many, a walk over a big repository keeps nothing. About
 * as many as there is room for replies: of those longer ago nearly all would be thrown out again before they are asked for,
 * and keeping a reply costs half as much as making it.
 */
const recentNames = 2048;

/** What a kept reply costs beside its text: its headers, its reads and their places in the maps. */
const overhead = 6 * 1024;

/** Replies by id, up to `maxBytes` of them; the oldest go first, and those whose reads change. */
const createShelf = (maxBytes: number) => {
  const kept = new Map<string, Kept>();
  const readers = new Map<string, Set<Kept>>();
  let used = 0;

  const drop = (entry: Kept): void => {
    if (kept.get(entry.id) !== entry) return;
    kept.delete(entry.id);
    used -= entry.size;
    for (const read of entry.reads) {
      const others = readers.get(read);
      others?.delete(entry);
      if (others?.size === 0) readers.delete(read);
    }
  };

  return {
    find: (id: string): PlainReply | undefined => kept.get(id)?.reply,
    keep: (id: string, reply: PlainReply, reads: ReadonlySet<string>): void => {
      const present = kept.get(id);
      if (present !== undefined) drop(present);
      const size = overhead + (typeof reply.body === 'string' ? reply.body.length : 0);
      const entry: Kept = { id, reply: { ...reply, isReused: true }, reads, size };
      kept.set(id, entry);
      used += size;
      for (const read of reads) readers.set(read, (readers.get(read) ?? new Set()).add(entry));
      for (const oldest of kept.values()) {
        if (used <= maxBytes) break;
        drop(oldest);
      }
    },
    dropReadersOf: (key: string): void => {
      for (const entry of readers.get(key) ?? []) drop(entry);
    },
  };
};

type Keeping = { readonly shelf: ReturnType<typeof createShelf>; readonly making: Set<Making> };

const forget = ({ shelf, making }: Keeping, touched: ReadonlySet<string>): void => {
  for (const key of touched) {
    shelf.dropReadersOf(key);
    for (const work of making) work.isSpoiled ||= work.reads.has(key);
  }
};

/**
 * The kept replies of one world. A reply is kept for one principal: an account whose record or roles change becomes
 * another principal, so nothing is answered with rights of before.
 */
const createKeptReplies = (store: EntityStore, maxBytes: number): ReplyCache => {
  const keeping: Keeping = { shelf: createShelf(maxBytes), making: new Set<Making>() };
  const nameOf = numbered();
  const asked = createRecently(recentNames);
  // Another engine may take the place of the one that these are for: the store must not be what holds on to them.
  const held = new WeakRef(keeping);
  const stop = store.watch((touched) => {
    const current = held.deref();
    if (current === undefined) stop();
    else forget(current, touched);
  });
  return {
    find: (principal, name) => keeping.shelf.find(`${nameOf(principal)} ${name}`),
    make: async (principal, name, world, work) => {
      const id = `${nameOf(principal)} ${name}`;
      if (!asked.before(id)) return work(world);
      const current: Making = { reads: new Set(), isSpoiled: false };
      keeping.making.add(current);
      try {
        const reply = await work(observed(world, current.reads));
        const isKeepable = reply.status === 200 && typeof reply.body === 'string' && !current.isSpoiled;
        if (isKeepable) keeping.shelf.keep(id, reply, current.reads);
        return reply;
      } finally {
        keeping.making.delete(current);
      }
    },
  };
};

/** What a world that was forked may keep, as a share of what the main world may: there can be hundreds of them. */
const forkedShare = 1 / 32;

/** The kept replies of each world, made when first asked for, gone with the world. `maxBytes` are those of the main world. */
export const replyCacheByWorld = (maxBytes: number): ((world: World) => ReplyCache) => {
  const byWorld = new WeakMap<World, ReplyCache>();
  return (world) => {
    const known = byWorld.get(world);
    if (known !== undefined) return known;
    const made = createKeptReplies(world.store, world.name === 'main' ? maxBytes : maxBytes * forkedShare);
    byWorld.set(world, made);
    return made;
  };
};

/** Gives each principal a number of its own for as long as it lives. */
const numbered = (): ((principal: Principal) => number) => {
  const numbers = new WeakMap<Principal, number>();
  let last = 0;
  return (principal) => {
    const known = numbers.get(principal);
    if (known !== undefined) return known;
    numbers.set(principal, (last += 1));
    return last;
  };
};

/** The world, with a store that notes every key it is asked for. */
const observed = (world: World, reads: Set<string>): World => {
  const store: EntityStore = {
    ...world.store,
    getMany: (keys) => {
      for (const key of keys) reads.add(key);
      return world.store.getMany(keys);
    },
    lookupMany: (indexes) => {
      for (const index of indexes) reads.add(index);
      return world.store.lookupMany(indexes);
    },
    // A list depends on records that are not in it yet; nothing that is kept may be made from one.
    list: () => Promise.reject(new Error('A reply that is kept must not be made from a list.')),
  };
  return { ...world, store, repository: new Repository({ ...world.repository.parts, store }) };
};

/**
 * Whether something came by not long ago: among the last `size` different things, or up to twice as many. Without it a
 * walk over 100,000 nodes would keep, and throw out again, 100,000 replies that nobody asks for twice.
 */
const createRecently = (size: number): { before(id: string): boolean } => {
  let young = new Set<string>();
  let old = new Set<string>();
  return {
    before: (id) => {
      if (young.has(id)) return true;
      if (young.size >= size) {
        old = young;
        young = new Set();
      }
      young.add(id);
      return old.has(id);
    },
  };
};
