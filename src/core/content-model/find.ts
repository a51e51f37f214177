/** Finds bundles and fields of the model by the names of their configuration, whose parts are joined by dots. */
import type { Bundle, FieldDefinition, Model } from '../model/bundle.ts';
import { fieldedTypes, type FieldedType } from './configuration-names.ts';

const fieldedType = (name: string | undefined): FieldedType | undefined => fieldedTypes.find((type) => type === name);

/** The parts of a name. Undefined when there are more or fewer. */
const partsOf = (name: string, count: number): readonly string[] | undefined => {
  const parts = name.split('.');
  return parts.length === count ? parts : undefined;
};

/** A bundle that has fields and forms. */
export const bundleAt = (model: Model, type: string | undefined, id: string | undefined): Bundle | undefined => {
  const known = fieldedType(type);
  return known === undefined || id === undefined ? undefined : model.bundle(known, id);
};

/** Base fields are not configuration. */
const configured = (field: FieldDefinition | undefined): FieldDefinition | undefined =>
  field?.configured === true ? field : undefined;

export const formDisplayAt = (
  model: Model,
  name: string,
): { readonly bundle: Bundle; readonly mode: string } | undefined => {
  const [type, id, mode] = partsOf(name, 3) ?? [];
  const bundle = bundleAt(model, type, id);
  return bundle === undefined || mode === undefined ? undefined : { bundle, mode };
};

export const fieldAt = (
  model: Model,
  name: string,
): { readonly bundle: Bundle; readonly field: FieldDefinition } | undefined => {
  const [type, id, fieldName] = partsOf(name, 3) ?? [];
  const bundle = bundleAt(model, type, id);
  const field = configured(bundle?.fields.get(fieldName ?? ''));
  return bundle === undefined || field === undefined ? undefined : { bundle, field };
};

/** The storage that all bundles of a type share: of the first bundle that has the field. */
export const storageAt = (
  model: Model,
  name: string,
): { readonly entityType: FieldedType; readonly field: FieldDefinition } | undefined => {
  const [type, fieldName = ''] = partsOf(name, 2) ?? [];
  const entityType = fieldedType(type);
  if (entityType === undefined) return undefined;
  for (const bundle of model.bundles(entityType)) {
    const field = configured(bundle.fields.get(fieldName));
    if (field !== undefined) return { entityType, field };
  }
  return undefined;
};
