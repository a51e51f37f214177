/** Gives the images of a record, such as a node, the size of their files. A media computes its own (`computed-media.ts`). */
import { fieldTypeOf } from '../../fields/field-types.ts';
import { type Bundle, oncePerBundle } from '../../model/bundle.ts';
import { withDimensions } from './computed-media.ts';
import {
  type StoreView,
  type Entity,
  entityKey,
  type FieldItems,
  type FieldName,
} from '../../../openapi/openapi-records.ts';

const imageFieldsOf = oncePerBundle((bundle): readonly FieldName[] =>
  [...bundle.fields.values()].filter((field) => fieldTypeOf(field).refers === 'to-image').map(({ name }) => name),
);

/** Each image has the size of its file, unless the request says one. */
export const withImageSizes = (entity: Entity, bundle: Bundle, { view }: { readonly view: StoreView }): Entity => {
  const sized: Record<FieldName, FieldItems> = {};
  for (const name of imageFieldsOf(bundle)) {
    const images = entity.fields[name];
    if (images === undefined) continue;
    sized[name] = images.map((item) => withDimensions(item, view.get(entityKey('file', Number(item['target_id'])))));
  }
  return Object.keys(sized).length === 0 ? entity : { ...entity, fields: { ...entity.fields, ...sized } };
};
