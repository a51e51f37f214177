/** Judges what is true of the stored records of every application: ids, uuids, counters, and the form of records of collections. */
import * as v from 'valibot';
import { faultAt, shapeFault, type StoredRecordFault } from '../../basics/records/record-faults.ts';
import { wholeFrom } from '../../basics/records/record-form.ts';
import { collectionBounds } from '../collections/collection-store.ts';
import { collectionRecord, collectionRecordType, idInCollection } from './collection-records.ts';
import { type Entity, type EntityKey, firstValue, keyOf } from './entity.ts';
import type { Counters, RecordModel } from './entity-store.ts';

/** A record of a collection. Its value may be any JSON. */
const collectionShape = v.strictObject({
  type: v.literal(collectionRecordType),
  id: wholeFrom(1),
  uuid: v.literal(''),
  bundle: v.string(),
  fields: v.strictObject({
    id: v.tuple([v.strictObject({ value: v.string() })]),
    value: v.tuple([v.strictObject({ value: v.unknown() })]),
  }),
});

/** What is wrong with a record of a collection: its form, or its length. */
export const formFaultsOfCollection = (record: Entity): StoredRecordFault[] => {
  const misshapen = shapeFault(record, collectionShape);
  if (misshapen !== undefined) return [misshapen];
  const { recordBytes } = collectionBounds;
  const bytes = new TextEncoder().encode(JSON.stringify(firstValue(record, 'value'))).byteLength;
  return bytes > recordBytes
    ? [faultAt(record, ['fields', 'value'], `as JSON it has more than ${recordBytes} bytes.`)]
    : [];
};

/** Two records with one id, or with one uuid; of a collection with one id there. */
export const identityFaults = (entities: readonly Entity[]): StoredRecordFault[] => {
  const first = new Map<string, EntityKey>();
  return entities.flatMap((entity) => {
    const key = keyOf(entity);
    const named = entity.type === collectionRecordType ? idInCollection(entity) : entity.uuid;
    const unique =
      entity.type === collectionRecordType ? collectionRecord(entity.bundle, named) : `${entity.type} ${named}`;
    return [key, unique].flatMap((name) => {
      const other = first.get(name);
      first.set(name, other ?? key);
      if (other === undefined) return [];
      if (name === key) return faultAt(entity, ['id'], `the id is that of ${other} too.`);
      return entity.type === collectionRecordType
        ? faultAt(entity, ['fields', 'id'], `the id in ${entity.bundle} is that of ${other} too.`)
        : faultAt(entity, ['uuid'], `the uuid is that of ${other} too.`);
    });
  });
};

/** An id above the counter that it was drawn from. */
export const counterFaults = (
  entity: Entity,
  counters: Counters,
  countersOf: RecordModel['countersOf'],
): StoredRecordFault[] => {
  const known: Readonly<Record<string, number>> = counters;
  return Object.entries(countersOf(entity))
    .filter(([counter, value]) => value > (known[counter] ?? 0))
    .map(([counter, value]) =>
      faultAt(entity, ['id'], `${value} is above the counter ${counter}, ${known[counter] ?? 0}.`),
    );
};
