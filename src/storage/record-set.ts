/** The records of a repository in memory, with their indexes and counters. What is not yet durable is not here. */
import { entityTypes, keyOf, revisionOf } from '../content/entity.ts';
import type { Entity, EntityKey, EntityType } from '../content/entity.ts';
import type { Change, Counter, IndexKey, IndexKeys, ListOptions } from './entity-store.ts';
import { dropMember, handOut, noMembers, putMember } from './members.ts';
import type { Members } from './members.ts';

/** The highest id drawn so far, by counter. A counter that is missing stands at 0. */
export type Counters = Readonly<Partial<Record<Counter, number>>>;

/** The published records. Changing is for the store that owns it; everybody else reads. */
export type RecordSet = {
  size(): number;
  get(key: EntityKey): Entity | undefined;
  /** The records with this index key, ascending id. The array never changes. */
  lookup(index: IndexKey): readonly Entity[];
  list(type: EntityType, options: ListOptions): { readonly total: number; readonly entities: readonly Entity[] };
  /** Every record, by type, then ascending id: an array of one's own. */
  all(): Entity[];
  counters(): Counters;
  /** Draws an id. What was drawn is never given back. */
  nextId(counter: Counter): number;
  /** Lifts counters; never lowers one. */
  raise(counters: Counters): void;
  /** Carries one change out; a put lifts the counters to the record's id and revision. Cost: the record's indexes. */
  apply(change: Change): void;
};

/** The ids that a record uses up. */
export const countersOf = (entity: Entity): Counters => ({
  [entity.type]: entity.id,
  [`${entity.type}_revision`]: revisionOf(entity),
});

/** An empty set whose indexes are kept by `indexes`, a pure function of the record. */
export const createRecordSet = (indexes: IndexKeys): RecordSet => {
  const records = new Map<EntityKey, Entity>();
  const sets = createMemberSets((entity) => [...indexes(entity), ...listNames(entity)]);
  const counters = new Map<string, number>();
  const raise = (raised: Counters): void => {
    for (const [name, value] of Object.entries(raised)) {
      if (value > (counters.get(name) ?? 0)) counters.set(name, value);
    }
  };

  return {
    size: () => records.size,
    get: (key) => records.get(key),
    lookup: (index) => sets.read(index),
    list: (type, { bundle, offset, limit }) => {
      const members = sets.look(listName(type, bundle));
      return { total: members.length, entities: members.slice(offset, offset + limit) };
    },
    all: () => entityTypes.flatMap((type) => sets.look(listName(type))),
    counters: () => Object.fromEntries(counters),
    nextId: (counter) => {
      const id = (counters.get(counter) ?? 0) + 1;
      counters.set(counter, id);
      return id;
    },
    raise,
    apply: (change) => {
      const entity = 'put' in change ? change.put : undefined;
      const key = changedKey(change);
      sets.replace(records.get(key), entity);
      if (entity === undefined) {
        records.delete(key);
      } else {
        records.set(key, entity);
        raise(countersOf(entity));
      }
    },
  };
};

/** Lists are indexes too; the line break keeps their names apart from any index key. */
const listName = (type: EntityType, bundle?: string): string =>
  bundle === undefined ? `list\n${type}` : `list\n${type}\n${bundle}`;

const listNames = (entity: Entity): string[] => [listName(entity.type), listName(entity.type, entity.bundle)];

const createMemberSets = (namesOf: IndexKeys) => {
  const sets = new Map<string, Members>();
  const look = (name: string): readonly Entity[] => sets.get(name)?.entities ?? [];

  const drop = (name: string, entity: Entity): void => {
    const members = sets.get(name);
    if (members === undefined) return;
    dropMember(members, entity);
    if (members.entities.length === 0) sets.delete(name);
  };
  const put = (name: string, entity: Entity): void => {
    const members = sets.get(name) ?? noMembers();
    putMember(members, entity);
    sets.set(name, members);
  };

  return {
    /** Only for a look: the array changes later. */
    look,
    read: (name: string): readonly Entity[] => {
      const members = sets.get(name);
      return members === undefined ? [] : handOut(members);
    },
    /** Both are versions of the same record. */
    replace: (before: Entity | undefined, after: Entity | undefined): void => {
      const names = new Set(after === undefined ? [] : namesOf(after));
      if (before !== undefined) for (const name of namesOf(before)) if (!names.has(name)) drop(name, before);
      if (after !== undefined) for (const name of names) put(name, after);
    },
  };
};

/** The key of what a change touches. */
export const changedKey = (change: Change): EntityKey => ('put' in change ? keyOf(change.put) : change.remove);
