/** Reads the values of a record that a list holds its conditions against, sorts by and shows, as texts. */
import { identityOf } from '../../model/entity.ts';
import type { Principal } from '../../model/principal.ts';
import { addressField, comparedText, type ListField, type ListTest } from '../../site/record-list.ts';
import type { Site } from '../../site/site.ts';
import { visibleBundle } from '../fields/field-access.ts';
import { urisOfTerm } from '../../model/term-uris.ts';
import { items, type Entity, type FieldItem } from '../../../openapi/openapi-records.ts';
import type { Json } from '../../../basics/json.ts';

/** Who asks a site: a value that they may not see is none. */
export type ListReader = { readonly site: Site; readonly principal: Principal };

/** The name of the main property of an item. */
const mainOf = (item: FieldItem): string =>
  ['value', 'target_id', 'uri'].find((name) => item[name] !== undefined) ?? Object.keys(item)[0] ?? 'value';

const isSingle = (value: Json | undefined): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** Whether the field is one of the record that the viewer may see. */
export const isShown = ({ name }: ListField, entity: Entity, { site, principal }: ListReader): boolean => {
  const bundle = site.model.bundle(entity.type, entity.bundle);
  return bundle !== undefined && visibleBundle(bundle, entity, principal).fields.has(name);
};

/** The values of a field as texts, in their order. */
export const valuesOf = (field: ListField, entity: Entity, reader: ListReader): readonly string[] => {
  const { name, property } = field;
  const identity = identityOf(entity.type);
  if (name === identity.id) return [String(entity.id)];
  if (name === identity.bundle) return [entity.bundle];
  if (name === 'uuid') return [entity.uuid];
  if (name === addressField && entity.type === 'taxonomy_term') return urisOfTerm(entity);
  if (!isShown(field, entity, reader)) return [];
  const found = items(entity, name).flatMap((item): string[] => {
    const value = item[property ?? mainOf(item)];
    return isSingle(value) ? [comparedText(value)] : [];
  });
  // A term without a parent has the root of its vocabulary, a record without an owner the anonymous visitor.
  return found.length === 0 && (name === 'parent' || name === 'uid') ? ['0'] : found;
};

/**
 * Whether two texts are the same for a list.
 * open: letter case does not count, as in the platform's database, but in addresses it does.
 */
const isSameText = (a: string, b: string): boolean =>
  a === b || (!a.includes('://') && a.toLowerCase() === b.toLowerCase());

export const passes = (test: ListTest, entity: Entity, reader: ListReader): boolean => {
  const values = valuesOf(test.field, entity, reader);
  if ('isSet' in test) return values.some((value) => value !== '') === test.isSet;
  if ('equals' in test) return values.some((value) => test.equals.some((wanted) => isSameText(value, wanted)));
  return !values.some((value) => test.differs.some((unwanted) => isSameText(value, unwanted)));
};
