/** Tells stores with indexes what records are listed by. */
import type { Entity, IndexKey, Listing, RecordFilter, RecordModel } from '../../../openapi/openapi-records.ts';
import { isPublished, targetIds } from '../../model/entity.ts';
import { indexKeys, mediaOf, membersOf } from '../../model/index-keys.ts';
import { recordModel } from '../../model/record-model.ts';
import { type ContentFilter, listed, modelField } from './record-filter.ts';

/** The model of records for a store with indexes: it has one index key more for each model or use. */
export const listedRecordModel: RecordModel = {
  ...recordModel,
  keysVersion: undefined,
  indexKeys: (entity) => [
    ...indexKeys(entity),
    ...new Set(targetIds(entity, modelField(entity.type)).map((model) => withModel(entity.type, model))),
  ],
  listing: (entity): Listing => {
    const { title, changed } = listed(entity);
    return { title, changed, isPublished: isPublished(entity), references: [...referencesOf(entity)] };
  },
};

/** The filter as such a store has it. */
export const storeFilter = (type: string, filter: ContentFilter): RecordFilter => {
  const { bundles, model, memberOf, mediaOf: node, text, isPublished: published } = filter;
  const references = [
    ...(model === undefined ? [] : [reference(modelField(type), model)]),
    ...(memberOf === undefined ? [] : [reference('field_member_of', memberOf)]),
    ...(node === undefined ? [] : [reference('field_media_of', node)]),
  ];
  const keys = [
    ...(model === undefined ? [] : [withModel(type, model)]),
    ...(memberOf === undefined || type !== 'node' ? [] : [membersOf(memberOf)]),
    ...(node === undefined || type !== 'media' ? [] : [mediaOf(node)]),
  ];
  return {
    ...{ bundles, text, isPublished: published },
    ...(references.length === 0 ? {} : { references, indexKeys: keys }),
  };
};

const withModel = (type: string, model: number): IndexKey => `model:${type}/${model}`;

const reference = (field: string, target: number): string => `${field}/${target}`;

/** Fields that a filter can ask for. */
const referencesOf = (entity: Entity): ReadonlySet<string> =>
  new Set(
    [modelField(entity.type), 'field_member_of', 'field_media_of'].flatMap((field) =>
      targetIds(entity, field).map((target) => reference(field, target)),
    ),
  );
