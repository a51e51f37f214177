/** The types of the site's model that forms are made from, and what is looked up in it. */
import type { components } from '../../../src/client/generated/control.ts';

export type ContentModel = components['schemas']['ContentModel'];
export type ModelBundle = components['schemas']['ModelBundle'];
export type ModelField = components['schemas']['ModelField'];
export type FormPart = components['schemas']['FormPart'];
export type Choice = components['schemas']['Choice'];
export type EntityType = components['schemas']['EntityType'];

/** An object of JSON. */
export type JsonObject = Readonly<Record<string, unknown>>;

export const bundleOf = (model: ContentModel, type: string, bundle: string): ModelBundle | undefined =>
  model.bundles.find((each) => each.type === type && each.bundle === bundle);

/** The bundles that the site lets clients create records of. */
export const creatable = (model: ContentModel): readonly ModelBundle[] =>
  model.bundles.filter(({ createPath }) => createPath !== undefined);

/** The media types whose source is a file. */
export const typesWithFiles = (model: ContentModel): readonly ModelBundle[] =>
  model.bundles.filter(({ type, source }) => type === 'media' && source !== undefined && source.kind !== 'oembed');

/** The entity types whose records a reference can lead to. */
const referredTypes: readonly string[] = ['node', 'media', 'file', 'taxonomy_term', 'user'];

/** Whether the target of a field is a record, and not a bundle or a role. */
export const leadsToRecords = ({ target }: ModelField): boolean =>
  target !== undefined && referredTypes.includes(target.type);

/** The fields that a form shows: without those that nobody can set, and without the bundle. */
export const fieldsOfForm = (bundle: ModelBundle, isNew: boolean): readonly ModelField[] =>
  bundle.fields.filter(
    ({ name, readOnly, createOnly }) => !readOnly && name !== bundle.bundleField && (isNew || !createOnly),
  );

/** The type of a record and its bundle, as the record says. Undefined when the model has no such bundle. */
export const bundleOfRecord = (model: ContentModel, type: string, record: JsonObject): ModelBundle | undefined => {
  const ofType = model.bundles.filter((bundle) => bundle.type === type);
  const [first] = ofType;
  if (first?.bundleField === undefined) return first;
  const [named] = itemsIn(record[first.bundleField]);
  const name = named?.['target_id'] ?? named?.['value'];
  return ofType.find(({ bundle }) => bundle === name);
};

/** The items of a field in a record. */
export const itemsIn = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter((item): item is JsonObject => typeof item === 'object' && item !== null) : [];

/** The title or name of a record. */
export const labelIn = (record: JsonObject, { labelField }: ModelBundle): string | undefined => {
  const value = itemsIn(record[labelField])[0]?.['value'];
  return typeof value === 'string' ? value : undefined;
};

/** The id of a record. */
export const idIn = (record: JsonObject, { idField }: ModelBundle): string | undefined => {
  const value = itemsIn(record[idField])[0]?.['value'];
  return typeof value === 'number' || typeof value === 'string' ? String(value) : undefined;
};
