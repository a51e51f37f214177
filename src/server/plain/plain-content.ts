/** What documents alone say of the records in their worlds: all are of collections. */
import {
  collectionKeys,
  collectionRecord,
  collectionRecordType,
  counterFaults,
  countersOfCollection,
  type Entity,
  formFaultsOfCollection,
  idInCollection,
  identityFaults,
  type RecordModel,
} from '../../openapi/openapi-records.ts';
import { faultAt, type StoredRecordFault } from '../../basics/records/record-faults.ts';
import { createMemoryBlobStorage } from '../../storage/storage.ts';
import { exportedCounters, recordTypes } from '../../storage/storage-export.ts';
import type { ContentRules } from '../worlds/content-rules.ts';

const isOfCollection = ({ type }: Pick<Entity, 'type'>): boolean => type === collectionRecordType;

/** A data directory may hold a repository. Its records stay, and no request finds them. */
const model: RecordModel = {
  types: recordTypes,
  indexKeys: (record) => (isOfCollection(record) ? collectionKeys(record) : []),
  countersOf: (record) => (isOfCollection(record) ? countersOfCollection(record) : { [record.type]: record.id }),
};

const faultsOf: ContentRules['faultsOf'] = ({ entities, counters }) => {
  const records = [...entities];
  const formFaults = (record: Entity): StoredRecordFault[] =>
    isOfCollection(record)
      ? formFaultsOfCollection(record)
      : [faultAt(record, ['type'], 'the server has no repository for it.')];
  const wellFormed = records.filter((record) => formFaults(record).length === 0);
  return [
    ...records.flatMap(formFaults),
    ...identityFaults(wellFormed),
    ...wellFormed.flatMap((record) => counterFaults(record, counters, model.countersOf)),
  ];
};

export const plainContent: ContentRules = {
  model,
  initialRecords: () => [],
  faultsOf,
  expand: async (fixture) => {
    if (fixture.objects.length > 0)
      throw fixture.flaw(
        ['objects'],
        'the server has no repository for them.',
        'Name a site with --site, or take them out.',
      );
    const { collectionRecordsOf } = await import('../worlds/short-fixture/fixture-collections.ts');
    const { entities, places, counters } = collectionRecordsOf(fixture);
    return { entities, places, counters: exportedCounters(counters), blobs: createMemoryBlobStorage() };
  },
  labelOf: idInCollection,
  fieldLabelOf: () => undefined,
  restoration: {
    remove: async (_world, _record, absent) => {
      throw absent();
    },
    goneWith: () => [],
    uniqueKeys: (record) => (isOfCollection(record) ? [collectionRecord(record.bundle, idInCollection(record))] : []),
    release: () => Promise.resolve(),
  },
};
