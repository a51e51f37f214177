/** Tells stores what they have to know of the records of a repository. */
import {
  collectionRecordType,
  countersOfCollection,
  type Counters,
  type Entity,
  firstValue,
  type RecordModel,
  textOf,
} from '../../openapi/openapi-records.ts';
import { revisionOf, storedTypes } from './entity.ts';
import { indexKeys, keysVersion } from './index-keys.ts';

/** The name of the storage that has the bytes of a file. */
export const schemeOf = (file: Entity): string => textOf(firstValue(file, 'uri')).split('://')[0] ?? '';

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
  schemeOf,
};

/** The counters of a store that these records fill. */
export const countersOfAll = (entities: Iterable<Entity>): Counters => {
  const highest: Record<string, number> = {};
  for (const entity of entities) {
    for (const [name, value] of Object.entries(countersOf(entity)))
      if (value > (highest[name] ?? 0)) highest[name] = value;
  }
  return highest;
};
