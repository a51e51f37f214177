/** The shared state of a world in the database: a local copy, and the changes of this process that the others do not know yet. */
import { createHash } from 'node:crypto';
import { createLruMap, type LruMap } from '../../basics/lru-map.ts';
import type { StateMap, WorldState } from '../../openapi/openapi-host.ts';
import { createTallyByProcess } from '../state/tally-by-process.ts';
import type { StateChange } from './world-row.ts';

export type StoredState = {
  readonly shared: WorldState;
  /** Takes the changes that were not written yet. */
  take(): readonly StateChange[];
  /** The changes that were taken stand in the database. */
  written(): void;
  /** Gives back taken changes whose write failed, where there are no newer ones. */
  restore(changes: readonly StateChange[]): void;
  /** Whether `take` would give something, or what it gave is being written and may come back. */
  hasChanges(): boolean;
  /** Applies changes of other processes. What this process has changed since and not written stays. */
  apply(changes: readonly StateChange[]): void;
  /** Replaces everything by what the database has. */
  load(values: readonly StateChange[]): void;
};

/** Values stand as JSON until somebody reads them: most processes never do. */
type Slot = { text: string; value?: { readonly of: unknown } };

/**
 * The clocks of two processes differ a little, even when both follow that of the database. A token that one has just issued is
 * valid at the other.
 */
const leewaySeconds = 5;

export const createStoredState = (process: string): StoredState => {
  const topics = new Map<string, { readonly slots: LruMap<string, Slot>; readonly map: StateMap<unknown> }>();
  /** Values of topics that nobody has asked for yet. */
  const early = new Map<string, Map<string, string>>();
  const pending = createPending();

  const topicOf = (topic: string, limit: number) => {
    const known = topics.get(topic);
    if (known !== undefined) return known;
    const slots = createLruMap<string, Slot>(limit);
    for (const [key, text] of early.get(topic) ?? []) slots.set(key, { text });
    early.delete(topic);
    const made = { slots, map: createMap(topic, slots, limit, pending.note) };
    topics.set(topic, made);
    return made;
  };
  const put = ([topic, key, text]: StateChange): void => {
    const slots = topics.get(topic)?.slots;
    if (slots !== undefined) {
      if (text === null) slots.delete(key);
      else slots.set(key, { text });
      return;
    }
    const values = early.get(topic) ?? new Map<string, string>();
    early.set(topic, values);
    if (text === null) values.delete(key);
    else values.set(key, text);
  };
  const apply = (changes: readonly StateChange[]): void => {
    for (const change of changes) if (!pending.outdates(change)) put(change);
  };
  // One topic has one type of values, which its only user knows.
  const map = <Value>(topic: string, limit: number) => topicOf(topic, limit).map as StateMap<Value>;

  return {
    shared: sharedState(process, map),
    take: pending.take,
    written: pending.written,
    restore: pending.restore,
    hasChanges: pending.hasChanges,
    apply,
    load: (values) => {
      early.clear();
      for (const [topic, { slots }] of topics) {
        for (const [key] of [...slots.entries()]) if (!pending.has([topic, key])) slots.delete(key);
      }
      apply(values);
    },
  };
};

const sharedState = (process: string, map: WorldState['map']): WorldState => ({
  map,
  tally: (topic, limit) => createTallyByProcess({ process, map }, topic, limit),
  uniqueName: (name) => (name === '' ? process : `${name}-${process}`),
  leewaySeconds,
});

type Named = readonly [topic: string, key: string, ...rest: unknown[]];

const nameOf = ([topic, key]: Named): string => JSON.stringify([topic, key]);

/** `isNew`: the key had no value. */
type Note = (change: StateChange, isNew?: boolean) => void;

/** The changes of this process that were not written yet: the last one of each key. */
const createPending = () => {
  const changes = new Map<string, StateChange>();
  /** Keys without a value in the database, as far as this process knows. */
  const fresh = new Set<string>();
  let isWriting = false;
  const note: Note = (change, isNew = false) => {
    const name = nameOf(change);
    if (isNew && !changes.has(name)) fresh.add(name);
    changes.delete(name);
    // Each right password counts an attempt and takes it back, which the database need not know.
    if (change[2] !== null || !fresh.delete(name)) changes.set(name, change);
  };
  return {
    note,
    has: (named: Named): boolean => changes.has(nameOf(named)),
    hasChanges: (): boolean => isWriting || changes.size > 0,
    /** Whether a change of another process is older than one of this process. */
    outdates: (change: StateChange): boolean => {
      const name = nameOf(change);
      fresh.delete(name);
      return changes.has(name);
    },
    take: (): readonly StateChange[] => {
      const taken = [...changes.values()];
      changes.clear();
      fresh.clear();
      isWriting = taken.length > 0;
      return taken;
    },
    written: (): void => {
      isWriting = false;
    },
    restore: (taken: readonly StateChange[]): void => {
      isWriting = false;
      for (const change of taken) if (!changes.has(nameOf(change))) note(change);
    },
  };
};

const createMap = (topic: string, slots: LruMap<string, Slot>, limit: number, note: Note): StateMap<unknown> => {
  const valueOf = (slot: Slot): unknown => (slot.value ??= { of: JSON.parse(slot.text) as unknown }).of;
  return {
    get size() {
      return slots.size;
    },
    get: (key) => {
      const slot = slots.get(storedStateKey(key));
      return slot === undefined ? undefined : valueOf(slot);
    },
    set: (key, value) => {
      const stored = storedStateKey(key);
      const text = JSON.stringify(value);
      const [oldest] = slots.entries();
      const isNew = slots.get(stored) === undefined;
      if (slots.size >= limit && oldest !== undefined && isNew) {
        slots.delete(oldest[0]);
        note([topic, oldest[0], null]);
      }
      slots.set(stored, { text, value: { of: value } });
      note([topic, stored, text], isNew);
    },
    delete: (key) => {
      const stored = storedStateKey(key);
      slots.delete(stored);
      note([topic, stored, null]);
    },
    *entries() {
      for (const [key, slot] of slots.entries()) yield [key, valueOf(slot)] as const;
    },
  };
};

const maxKey = 500;

/** PostgreSQL stores no NUL in a text, and indexes no text of more than 2,700 bytes. A key may contain what a client sent. */
const storedStateKey = (key: string): string =>
  key.length <= maxKey && !key.includes('\0') ? key : `#${createHash('sha256').update(key).digest('base64')}`;
