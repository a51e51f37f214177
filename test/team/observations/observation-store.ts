/** An observation store in memory, which the observers of a test share as processes share a database. */
import { Problem } from '../../../src/openapi/openapi-terms.ts';
import type {
  NewObservations,
  ObservationStore,
  StoredTraffic,
  SumOfParts,
} from '../../../src/team/observations/observation-store.ts';

type Observed = {
  last: number;
  cleared: number;
  lost: number;
  clears: number;
  entries: { id: number; text: string }[];
};
type Part = { readonly world: number; readonly text: string };

export type SharedObservations = {
  /** The store as another process sees it. */
  store(): ObservationStore;
  makeWorld(): Promise<number>;
  /** Also removes what belongs to the world alone, as the worlds of a team do. */
  dropWorld(id: number): Promise<void>;
};

export type TestObservations = SharedObservations & {
  /** What every call does from now on: `refuse` rejects with 503, `forget` writes and does not know that. */
  mode: 'work' | 'refuse' | 'forget';
  /** All texts that were ever written. */
  readonly texts: string[];
};

export const createTestObservations = (): TestObservations => {
  const worlds = new Map<number, Observed>();
  let parts: Part[] = [];
  let lastWorld = 0;
  let processes = 0;
  let time = 0;
  const refuse = (): void => {
    if (shared.mode === 'refuse') throw new Problem(503, 'The database cannot be reached at the moment. Try again.');
  };
  const writeOne = ({ world, entries, skipped, lost, coverage }: NewObservations): void => {
    shared.texts.push(...entries, ...(coverage === undefined ? [] : [coverage]));
    if (coverage !== undefined) parts.push({ world, text: coverage });
    const observed = worlds.get(world);
    if (observed === undefined) return;
    observed.last += skipped;
    for (const text of entries) observed.entries.push({ id: (observed.last += 1), text });
    observed.lost += lost;
  };
  const sumParts = (isMeant: (part: Part) => boolean, world: number, sum: SumOfParts): void => {
    const meant = parts.filter(isMeant);
    if (meant.length === 0) return;
    const ofWorlds = [...new Set(meant.map((part) => part.world))].map((id) =>
      sum(meant.filter((part) => part.world === id).map(({ text }) => text)),
    );
    parts = [...parts.filter((part) => !meant.includes(part)), { world, text: sum(ofWorlds) }];
  };
  const store = (): ObservationStore => ({
    process: `p${(processes += 1)}`,
    // Each request is a second later than the one before, whichever process it is for.
    now: () => (time += 1000),
    write: async (observed) => {
      refuse();
      observed.forEach(writeOne);
      return shared.mode !== 'forget';
    },
    readClears: async (ids) => {
      refuse();
      return new Map(ids.flatMap((id) => (worlds.has(id) ? [[id, worlds.get(id)?.clears ?? 0] as const] : [])));
    },
    keepNewest: async (ids, most) => {
      for (const id of ids) {
        const observed = worlds.get(id);
        if (observed !== undefined) observed.entries = observed.entries.filter((one) => one.id > observed.last - most);
      }
    },
    readTraffic: async (id, since, most): Promise<StoredTraffic> => {
      refuse();
      const { last, cleared, lost, entries } = worlds.get(id) ?? { last: 0, cleared: 0, lost: 0, entries: [] };
      return { last, cleared, lost, entries: entries.filter((one) => one.id > since && one.id > cleared).slice(-most) };
    },
    clearTraffic: async (id) => {
      refuse();
      const observed = worlds.get(id);
      if (observed !== undefined) Object.assign(observed, { cleared: observed.last, lost: 0, entries: [] });
    },
    readCoverage: async (id) => {
      refuse();
      return parts
        .filter(({ world }) => id === undefined || id === world)
        .map(({ world, text }) => ({ world, isGone: world !== 0 && !worlds.has(world), text }));
    },
    clearCoverage: async (id) => {
      refuse();
      parts = parts.filter(({ world }) => id !== undefined && id !== world);
      for (const [world, observed] of worlds) if (id === undefined || id === world) observed.clears += 1;
    },
    sumCoverage: async (id, sum) =>
      sumParts(
        ({ world }) => world === id,
        id,
        (texts) => sum(texts),
      ),
    sumGoneWorlds: async (sum) => sumParts(({ world }) => world === 0 || !worlds.has(world), 0, sum),
  });
  const shared: TestObservations = {
    mode: 'work',
    texts: [],
    store,
    makeWorld: async () => {
      worlds.set((lastWorld += 1), { last: 0, cleared: 0, lost: 0, clears: 0, entries: [] });
      return lastWorld;
    },
    dropWorld: async (id) => void worlds.delete(id),
  };
  return shared;
};
