/** Tells stores what they have to know of the records of a repository. */
import {
  collectionRecordType,
  countersOfCollection,
  type Counters,
  type Entity,
  highestCounters,
  type RecordModel,
} from '../../openapi/openapi-records.ts';
import { revisionOf, storedTypes } from './entity.ts';
import { indexKeys, keysVersion } from './index-keys.ts';

const countersOf = (entity: Entity): Counters =>
  entity.type === collectionRecordType
    ? countersOfCollection(entity)
    : { [entity.type]: entity.id, [`${entity.type}_revision`]: revisionOf(entity) };

export const recordModel: RecordModel = {
  types: storedTypes,
  indexKeys,
  keysVersion,
  countersOf,
  fileType: 'file',
};

/** The counters of a store that these records fill. */
export const countersOfAll = (entities: Iterable<Entity>): Counters => highestCounters(entities, countersOf);
