/**
 * Keeps answers as the page cache and the dynamic page cache of a real site do: until a record that they are tagged with is
 * saved or deleted. What else they show may change meanwhile. `repository/engine/cached-read.ts` decides which answers are kept.
 */
import { createTaggedMap } from '../../basics/tagged-map.ts';
import type { Clock, ChangedRecord, EntityStore } from '../../openapi/openapi-records.ts';

export type KeptAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | undefined;
};

/** How long an answer is kept: until something of a tag changes, and no longer than these milliseconds. */
export type KeptFor = { readonly tags: readonly string[]; readonly ms?: number | undefined };

/** Keeps an answer, unless something was saved since it was begun: the answer may be from before or from after. */
type KeepAnswer = (key: string, answer: KeptAnswer, keptFor: KeptFor) => void;

export type AnswerCache = {
  find(key: string): KeptAnswer | undefined;
  /** Called before an answer is made. */
  begin(): KeepAnswer;
};

export type SiteCaches = {
  /** The page cache: by address, for visitors without credentials. */
  readonly pages: AnswerCache;
  /** The dynamic page cache: by route, format and permissions, for all visitors. */
  readonly routes: AnswerCache;
};

/** The tag of kept refusals. Saving a record that has a page ends them; deleting one does not. */
export const refusalTag = '4xx-response';

const maxBytes = 8 * 1024 * 1024;

/** The bytes of an entry apart from its text. */
const overhead = 6 * 1024;

type Kept = { readonly answer: KeptAnswer; readonly until: number };
type State = { readonly maps: readonly ReturnType<typeof createTaggedMap<Kept>>[]; saves: number };

/** The caches of each owner, made at the first call. They end with their owner. */
export const createCachesByOwner = (store: EntityStore, clock: Clock): ((owner: object) => SiteCaches) => {
  const byOwner = new WeakMap<object, SiteCaches>();
  return (owner) => {
    const caches = byOwner.get(owner) ?? createSiteCaches(store, clock);
    byOwner.set(owner, caches);
    return caches;
  };
};

const createSiteCaches = (store: EntityStore, clock: Clock): SiteCaches => {
  const pages = createTaggedMap<Kept>(maxBytes);
  const routes = createTaggedMap<Kept>(maxBytes);
  const state: State = { maps: [pages, routes], saves: 0 };
  // The store outlives the caches and must not keep them in memory.
  const weakState = new WeakRef(state);
  const stop = store.watch((_touched, changed) => {
    const current = weakState.deref();
    if (current === undefined) stop();
    else invalidate(current, changed);
  });
  const cacheOf = (map: typeof pages): AnswerCache => ({
    find: (key) => {
      const kept = map.get(key);
      return kept === undefined || kept.until <= clock.now() ? undefined : kept.answer;
    },
    begin: () => {
      const { saves } = state;
      return (key, answer, { tags, ms = Infinity }) => {
        if (state.saves !== saves) return;
        const bytes = overhead + (answer.body?.length ?? 0);
        map.set(key, { answer, until: clock.now() + ms }, { tags: new Set(tags), bytes });
      };
    },
  });
  return { pages: cacheOf(pages), routes: cacheOf(routes) };
};

const invalidate = (state: State, changed: readonly ChangedRecord[]): void => {
  state.saves += 1;
  for (const map of state.maps) {
    for (const { key, isRemoved } of changed) {
      map.dropTagged(key);
      // A file has no page.
      if (!isRemoved && !key.startsWith('file:')) map.dropTagged(refusalTag);
    }
  }
};
