/** Undoes one difference between a world and another state of it: a record, or one of its fields, is put back. */
import { placeName, recordDifferences, type RecordPlace, withPlaceOf } from '../../../basics/records/record-form.ts';
import {
  type StoreView,
  type Entity,
  keyOf,
  collectionRecordType,
  schemeOf,
} from '../../../openapi/openapi-records.ts';
import { conflict, notFound } from '../../../openapi/openapi-terms.ts';
import type { HostedWorld } from '../../../openapi/openapi-host.ts';
import { writeProblem } from '../../../storage/storage.ts';
import { copyBlobs } from '../copy-blobs.ts';
import type { RestorationRules } from '../content-rules.ts';
import type { ComparedRecords } from '../worlds.ts';
import { type RecordChange, recordOf } from './compare-records.ts';

type Compared = Pick<ComparedRecords, 'bytesBefore'> & {
  readonly changes: readonly RecordChange[];
  /** Those of the application. */
  readonly rules: RestorationRules;
};

type Wanted = { readonly type: string; readonly id: number; readonly field?: string };

/** A record of the other state, and how much of it comes back. */
type Restored = {
  readonly before: Entity;
  /** `before` with its bytes in this world. `present` is undefined for a record that is gone. */
  readonly restore: (before: Entity, present: Entity | undefined) => Entity;
};

const all: Restored['restore'] = (before) => before;

/** Throws 404 where nothing differs, 409 where another record has what must be unique, 503 and 507 when it cannot be stored. */
export const putBack = async (
  world: HostedWorld,
  { changes, bytesBefore, rules }: Compared,
  wanted: Wanted,
): Promise<void> => {
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
    await rules.remove(world, change.after, none);
    return;
  }
  const { before } = change;
  const restoredWith = (gone: Entity): readonly Restored[] =>
    rules
      .goneWith(gone, changes, world.site)
      .map((each) => ({ before: each.before, restore: each.field === undefined ? all : oneField(each.field) }));
  const restored: readonly Restored[] =
    field !== undefined
      ? [{ before, restore: oneField(field) }]
      : [{ before, restore: all }, ...(change.change === 'removed' ? restoredWith(before) : [])];
  await store(world, { bytesBefore, rules }, restored);
};

/** No repository knows of it. */
const removeCollectionRecord = (store: HostedWorld['store'], added: Entity, none: () => Error): Promise<void> => {
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

const store = async (
  world: HostedWorld,
  { bytesBefore, rules }: Pick<Compared, 'bytesBefore' | 'rules'>,
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
  const unique = befores.flatMap(rules.uniqueKeys).map((index) => ({ index }));
  try {
    const stored = await store.transact([...befores.map(keyOf), ...unique], (view) => {
      const result = befores.map((before, at) => {
        const former = view.get(keyOf(before));
        return { former, put: restores[at]?.(before, former) ?? before };
      });
      for (const { put } of result) refuseTaken(put, rules.uniqueKeys(put), view);
      return { changes: result.map(({ put }) => ({ put })), result };
    });
    copied.settle();
    for (const { former, put } of stored) {
      if (former !== undefined && former.blob?.key !== put.blob?.key) await rules.release(world, former);
    }
  } catch (error) {
    await copied.discard();
    throw error;
  }
};

const refuseTaken = (put: Entity, uniqueKeys: readonly string[], view: StoreView): void => {
  for (const key of uniqueKeys) {
    const other = view.lookup(key).find(({ type, id }) => type === put.type && id !== put.id);
    if (other !== undefined) {
      throw conflict(`${other.type} ${other.id} has by now what only one record may have: ${key}.`);
    }
  }
};
