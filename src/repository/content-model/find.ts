/** Finds bundles and fields of the model by the names of their configuration, whose parts are joined by dots. */
import type { Bundle, FieldDefinition, Model } from '../model/bundle.ts';

/** The types whose bundles a site describes. */
export const fieldedTypes = ['node', 'media', 'taxonomy_term', 'user'] as const;
export type FieldedType = (typeof fieldedTypes)[number];

const fieldedType = (name: string | undefined): FieldedType | undefined => fieldedTypes.find((type) => type === name);

/** A bundle that has fields and forms. */
export const bundleAt = (model: Model, type: string | undefined, id: string | undefined): Bundle | undefined => {
  const known = fieldedType(type);
  return known === undefined || id === undefined ? undefined : model.bundle(known, id);
};

/** Base fields are not configuration. */
const configured = (field: FieldDefinition | undefined): FieldDefinition | undefined =>
  field?.configured === true ? field : undefined;

type Form = { readonly bundle: Bundle; readonly mode: string };

export const formDisplayAt = (model: Model, name: string): Form | undefined => {
  const [type, id, mode, ...others] = name.split('.');
  const bundle = bundleAt(model, type, id);
  return bundle === undefined || mode === undefined || others.length > 0 ? undefined : { bundle, mode };
};

type FieldOfBundle = { readonly bundle: Bundle; readonly field: FieldDefinition };

export const fieldAt = (model: Model, name: string): FieldOfBundle | undefined => {
  const { bundle, mode: fieldName = '' } = formDisplayAt(model, name) ?? {};
  const field = configured(bundle?.fields.get(fieldName));
  return bundle === undefined || field === undefined ? undefined : { bundle, field };
};

type Storage = { readonly entityType: FieldedType; readonly field: FieldDefinition };

/** The storage that all bundles of a type share: of the first bundle that has the field. */
export const storageAt = (model: Model, name: string): Storage | undefined => {
  const [type, fieldName = '', ...others] = name.split('.');
  const entityType = others.length > 0 ? undefined : fieldedType(type);
  const bundles = entityType === undefined ? [] : model.bundles(entityType);
  const [field] = bundles.flatMap(({ fields }) => configured(fields.get(fieldName)) ?? []);
  return entityType === undefined || field === undefined ? undefined : { entityType, field };
};
