/** Gives worlds the records with which the collections of documents begin. */
import type { CollectionRecord, CollectionStore } from '../../../openapi/openapi-terms.ts';
import type { InitialRecords } from '../../../storage/storage.ts';
import {
  allBegun,
  begun,
  collectionEntity,
  idInCollection,
  countersOfCollection,
  type EntityStore,
  type Entity,
  firstValue,
  keyOf,
  collectionRecordType,
} from '../../../openapi/openapi-records.ts';
import type { Json } from '../../../basics/json.ts';

/** A record that a fixture has and its document does not allow. */
export type LeftOut = {
  readonly collection: string;
  readonly id: string;
  readonly reason: string;
  readonly place: number;
};

export type CollectionSeeds = {
  /** By the name of the collection. */
  readonly records: ReadonlyMap<string, readonly CollectionRecord[]>;
  /** Gives the records of a fixture the ids that their document has for them. Undefined for a collection that no document has. */
  readonly arrange: (
    collection: string,
    records: readonly CollectionRecord[],
  ) =>
    | {
        readonly records: readonly { readonly given: CollectionRecord; readonly id: string }[];
        readonly left: readonly { readonly given: CollectionRecord; readonly reason: string }[];
      }
    | undefined;
  /** Called for each record that is left out, and for each collection of a fixture that no document has. */
  readonly onLeftOut: (left: LeftOut) => void;
};

export const noSeeds: CollectionSeeds = {
  records: new Map(),
  arrange: () => undefined,
  onLeftOut: () => undefined,
};

/** The content of a fixture, its collections arranged, with the seeds of those that it leaves open. */
export const withSeeds = <Content extends InitialRecords>(content: Content, seeds: CollectionSeeds): Content => {
  if (seeds === noSeeds) return content;
  const present: Readonly<Record<string, number | undefined>> = content.counters;
  const counters: Record<string, number> = { ...content.counters };
  const entities: Entity[] = [];
  let place = 0;
  const add = (collection: string, id: string, value: unknown): void => {
    place += 1;
    const entity = collectionEntity(collection, id, value as Json, place); // of a fixture or an example
    entities.push(entity);
    for (const [counter, highest] of Object.entries(countersOfCollection(entity)))
      counters[counter] = Math.max(counters[counter] ?? 0, highest);
  };
  for (const [name, given] of collectionsOf(content.entities)) addArranged(name, given, seeds, add);
  if ((present[allBegun] ?? 0) === 0)
    for (const [name, records] of seeds.records) {
      if ((present[begun(name)] ?? 0) > 0) continue;
      counters[begun(name)] = 1;
      for (const { id, value } of records) add(name, id, value);
    }
  const others = [...content.entities].filter(({ type }) => type !== collectionRecordType);
  return { ...content, entities: [...others, ...entities], counters: counters };
};

const addArranged = (
  name: string,
  given: readonly Entity[],
  { arrange, onLeftOut }: CollectionSeeds,
  add: (collection: string, id: string, value: unknown) => void,
): void => {
  const records = given.map((entity) => ({ id: idInCollection(entity), value: firstValue(entity, 'value') }));
  const placeOf = new Map(records.map((record, at) => [record as CollectionRecord, given[at]?.id ?? 0]));
  const result = arrange(name, records);
  const [first] = records;
  if (result === undefined && first !== undefined)
    onLeftOut({ collection: name, id: '', reason: 'no document has this collection', place: given[0]?.id ?? 0 });
  for (const { given: record, id } of result?.records ?? records.map((record) => ({ given: record, id: record.id })))
    add(name, id, record.value);
  for (const { given: record, reason } of result?.left ?? [])
    onLeftOut({ collection: name, id: record.id, reason, place: placeOf.get(record) ?? 0 });
};

/** In the order in which the records were added. */
const collectionsOf = (entities: Iterable<Entity>): ReadonlyMap<string, readonly Entity[]> => {
  const collections = new Map<string, Entity[]>();
  for (const entity of entities) {
    if (entity.type !== collectionRecordType) continue;
    const records = collections.get(entity.bundle) ?? [];
    records.push(entity);
    collections.set(entity.bundle, records);
  }
  return collections;
};

/** Puts the seeds into a world whose collections have not begun. Where there is no room for them, they begin empty. */
export const beginCollections = async (
  store: CollectionStore,
  { records: seeds }: Pick<CollectionSeeds, 'records'>,
): Promise<void> => {
  const open = [...seeds].filter(([name]) => !store.hasBegun(name));
  if (open.length === 0) return;
  const begin = (areEmpty: boolean): Promise<void> =>
    store.transact((view) => {
      for (const [name, records] of open) {
        if (!view.begin(name) || areEmpty) continue;
        for (const { id, value } of records) view.put(name, id, value);
      }
    });
  await begin(false).catch(async (error: unknown) => {
    if ((error as { readonly status?: unknown }).status !== 507) throw error;
    await begin(true);
  });
};

/** Gives a new world the collections of its fixture, now that the documents are known. */
export const replaceCollections = async (store: EntityStore, wanted: readonly Entity[]): Promise<void> => {
  const { entities: present } = await store.list(collectionRecordType, { offset: 0, limit: Infinity });
  if (JSON.stringify(present) === JSON.stringify(wanted)) return;
  const places = new Set(wanted.map(({ id }) => id));
  const removed = present.filter(({ id }) => !places.has(id)).map((entity) => ({ remove: keyOf(entity) }));
  await store.transact([], () => ({ changes: [...removed, ...wanted.map((put) => ({ put }))], result: undefined }));
};
