/** Undoes one difference between a world and another state of it: a record, or one of its fields, is put back. */
import { placeName, recordDifferences, type RecordPlace, withPlaceOf } from '../../../basics/records/record-form.ts';
import { indexKeys } from '../../../core/model/index-keys.ts';
import { schemeOf } from '../../../core/model/record-model.ts';
import {
  type StoreView,
  type Entity,
  firstValue,
  keyOf,
  collectionRecordType,
} from '../../../openapi/openapi-records.ts';
import { canonicalPath, targetIds } from '../../../core/model/entity.ts';
import { conflict, notFound } from '../../../openapi/openapi-terms.ts';
import { addressPath, type Site } from '../../../core/site/site.ts';
import type { World } from '../../../core/world.ts';
import { writeProblem } from '../../../storage/write-problem.ts';
import { copyBlobs } from '../copy-blobs.ts';
import type { ComparedRecords } from '../worlds.ts';
import { type RecordChange, recordOf } from './compare-records.ts';

type Compared = Pick<ComparedRecords, 'bytesBefore'> & { readonly changes: readonly RecordChange[] };

type Wanted = { readonly type: string; readonly id: number; readonly field?: string };

/** A record of the other state, and how much of it comes back. */
type Restored = {
  readonly before: Entity;
  /** `before` with its bytes in this world. `present` is undefined for a record that is gone. */
  readonly restore: (before: Entity, present: Entity | undefined) => Entity;
};

const all: Restored['restore'] = (before) => before;

/** Throws 404 where nothing differs, 409 where another record has what must be unique, 503 and 507 when it cannot be stored. */
export const putBack = async (world: World, { changes, bytesBefore }: Compared, wanted: Wanted): Promise<void> => {
  const { type, id, field } = wanted;
  const change = changes.find((each) => recordOf(each).type === type && recordOf(each).id === id);
  const none = (): Error =>
    notFound(`There is no difference of ${type} ${id}${field === undefined ? '' : ` in the field "${field}"`}.`);
  if (change === undefined || (field !== undefined && !hasField(change, field))) throw none();
  if (change.change === 'added' && type === collectionRecordType) {
    await removeCollectionRecord(world.store, change.after, none);
    return;
  }
  if (change.change === 'added') {
    await (
      await world.repository.remove(everybody, { type, id, absent: () => notFound(none().message) })
    )();
    return;
  }
  const { before } = change;
  const restored: readonly Restored[] =
    field !== undefined
      ? [{ before, restore: oneField(field) }]
      : [{ before, restore: all }, ...(change.change === 'removed' ? goneWith(before, changes, world.site) : [])];
  await store(world, bytesBefore, restored);
};

/** The person who runs the server puts things back. */
const everybody = { uid: 0, name: '', roles: [], permissions: new Set<string>(), mayEverything: true };

/** No repository knows of it. */
const removeCollectionRecord = (store: World['store'], added: Entity, none: () => Error): Promise<void> => {
  const remove = keyOf(added);
  return store.transact([remove], (view) => {
    if (view.get(remove) === undefined) throw notFound(none().message);
    return { changes: [{ remove }], result: undefined };
  });
};

const hasField = (change: RecordChange, field: string): boolean =>
  change.change === 'changed' && placeOfField(field, change.before, change.after) !== undefined;

const placeOfField = (field: string, before: Entity, present: Entity): RecordPlace | undefined =>
  recordDifferences(before, present).find(({ place }) => placeName(place) === field)?.place;

const oneField =
  (field: string): Restored['restore'] =>
  (before, present) => {
    if (present === undefined) return before;
    const place = placeOfField(field, before, present);
    return place === undefined ? present : withPlaceOf(present, before, place);
  };

/** What a deletion takes with it: aliases, and of a term the terms below. A term that has other parents loses this one. */
const goneWith = (gone: Entity, changes: readonly RecordChange[], site: Site): readonly Restored[] => {
  const paths = [canonicalPath(gone.type, gone.id), addressPath(site, gone.type, gone.id)];
  return changes.flatMap((change): readonly Restored[] => {
    if (change.change === 'added') return [];
    const { before } = change;
    if (before.type === 'path_alias') {
      const isOfIt = change.change === 'removed' && paths.some((path) => path === firstValue(before, 'path'));
      return isOfIt ? [{ before, restore: all }] : [];
    }
    const isBelow =
      gone.type === 'taxonomy_term' && before.type === gone.type && targetIds(before, 'parent').includes(gone.id);
    if (!isBelow || before.id === gone.id) return [];
    return change.change === 'changed'
      ? [{ before, restore: oneField('parent') }]
      : [
          { before, restore: all },
          ...goneWith(
            before,
            changes.filter((each) => recordOf(each) !== gone),
            site,
          ),
        ];
  });
};

const store = async (
  world: World,
  bytesBefore: Compared['bytesBefore'],
  restored: readonly Restored[],
): Promise<void> => {
  const { store, blobs } = world;
  const originals = restored.map(({ before }) => before);
  const copied = await copyBlobs(
    { entities: originals, counters: {} },
    (file) => bytesBefore.get(schemeOf(file)),
    blobs,
  ).catch((error: unknown) => {
    throw writeProblem(error);
  });
  const befores = [...copied.entities];
  const restores = restored.map(({ restore }) => restore);
  const unique = befores.flatMap(uniqueKeys).map((index) => ({ index }));
  try {
    const stored = await store.transact([...befores.map(keyOf), ...unique], (view) => {
      const result = befores.map((before, at) => {
        const former = view.get(keyOf(before));
        return { former, put: restores[at]?.(before, former) ?? before };
      });
      for (const { put } of result) refuseTaken(put, view);
      return { changes: result.map(({ put }) => ({ put })), result };
    });
    copied.settle();
    for (const { former, put } of stored) {
      // A server of documents alone has no repository, and no bytes.
      if (former !== undefined && former.blob?.key !== put.blob?.key) await world.repository.release(former);
    }
  } catch (error) {
    await copied.discard();
    throw error;
  }
};

/** The index keys that only one record of a type may have. */
const uniqueKeys = (entity: Entity): readonly string[] =>
  indexKeys(entity).filter((key) => /^(?:uuid|user-name|file-at|alias|collection-record):/.test(key));

const refuseTaken = (put: Entity, view: StoreView): void => {
  for (const key of uniqueKeys(put)) {
    const other = view.lookup(key).find(({ type, id }) => type === put.type && id !== put.id);
    if (other !== undefined) {
      throw conflict(`${other.type} ${other.id} has by now what only one record may have: ${key}.`);
    }
  }
};
