/** Tells a store with indexes what records are listed by. */
import { isPublished, targetIds, type Entity, type EntityType } from '../../model/entity.ts';
import type { IndexKey } from '../../model/entity-store.ts';
import type { RecordLists } from '../../model/record-query.ts';
import { indexKeys, mediaOf, membersOf } from '../index-keys.ts';
import { listed, modelField } from './record-filter.ts';

export const recordLists: RecordLists = {
  listing: (entity) => {
    const { title, changed } = listed(entity);
    return { title, changed, isPublished: isPublished(entity), references: [...referencesOf(entity)] };
  },
  references: (type, { model, memberOf, mediaOf: node }) => [
    ...(model === undefined ? [] : [reference(modelField(type), model)]),
    ...(memberOf === undefined ? [] : [reference('field_member_of', memberOf)]),
    ...(node === undefined ? [] : [reference('field_media_of', node)]),
  ],
  indexKeys: (type, { model, memberOf, mediaOf: node }) => [
    ...(model === undefined ? [] : [withModel(type, model)]),
    ...(memberOf === undefined || type !== 'node' ? [] : [membersOf(memberOf)]),
    ...(node === undefined || type !== 'media' ? [] : [mediaOf(node)]),
  ],
};

/** The index keys of a record in such a store: those of every store, and one for each model or use. */
export const listedIndexKeys = (entity: Entity): readonly IndexKey[] => [
  ...indexKeys(entity),
  ...new Set(targetIds(entity, modelField(entity.type)).map((model) => withModel(entity.type, model))),
];

const withModel = (type: EntityType, model: number): IndexKey => `model:${type}/${model}`;

const reference = (field: string, target: number): string => `${field}/${target}`;

/** Fields that a filter can ask for. */
const referencesOf = (entity: Entity): ReadonlySet<string> =>
  new Set(
    [modelField(entity.type), 'field_member_of', 'field_media_of'].flatMap((field) =>
      targetIds(entity, field).map((target) => reference(field, target)),
    ),
  );
