/** Gives the parameters that name bundles and fields, as configuration does, examples that a site has. */
import { bundleAt, fieldAt, formDisplayAt, storageAt } from '../../content-model/find.ts';
import type { Bundle, FieldDefinition } from '../../model/bundle.ts';
import type { Site } from '../../site/site.ts';
import { partOf, type Part } from '../document-tree.ts';

type Fielded = { readonly bundle: Bundle; readonly field: FieldDefinition };

/** The parameters with other examples, by name. An example that the site has stays. */
export const modelParameters = (parameters: Part, site: Site): Part => {
  const { model } = site;
  const bundles = (['node', 'media', 'taxonomy_term'] as const).flatMap((type) => model.bundles(type));
  const first = firstField(bundles);
  const formed = bundles.find(({ shown }) => shown?.formModes.includes('default') === true);
  const exampleOf = (name: string): string => String(partOf(parameters[name])['example']);
  const changed = (name: string, isKnown: boolean, example: string | undefined): Part =>
    isKnown || example === undefined ? {} : { [name]: { ...partOf(parameters[name]), example } };
  const shared = [exampleOf('ModelEntityType'), exampleOf('ModelBundle'), exampleOf('ModelFieldName')];
  const isShared = fieldAt(model, shared.join('.')) !== undefined;
  const display = formDisplayAt(model, exampleOf('FormDisplayId'));
  const isForm = display?.bundle.shown?.formModes.includes(display.mode) === true;
  const bundleExample = (name: string, type: 'node' | 'media' | 'taxonomy_term'): Part =>
    changed(name, bundleAt(model, type, exampleOf(name)) !== undefined, model.bundles(type)[0]?.id);
  return {
    ...changed('FormDisplayId', isForm, formed && `${formed.entityType}.${formed.id}.default`),
    ...changed('FieldConfigId', fieldAt(model, exampleOf('FieldConfigId')) !== undefined, first && nameOf(first)),
    ...changed(
      'FieldStorageConfigId',
      storageAt(model, exampleOf('FieldStorageConfigId')) !== undefined,
      first && `${first.bundle.entityType}.${first.field.name}`,
    ),
    ...bundleExample('MediaTypeId', 'media'),
    ...bundleExample('NodeTypeId', 'node'),
    ...bundleExample('VocabularyId', 'taxonomy_term'),
    ...changed('ModelEntityType', isShared, first?.bundle.entityType),
    ...changed('ModelBundle', isShared, first?.bundle.id),
    ...changed('ModelFieldName', isShared, first?.field.name),
  };
};

const nameOf = ({ bundle, field }: Fielded): string => `${bundle.entityType}.${bundle.id}.${field.name}`;

/** A field of a bundle that has a form, or else any. */
const firstField = (bundles: readonly Bundle[]): Fielded | undefined => {
  const all = bundles.flatMap((bundle) =>
    [...bundle.fields.values()].flatMap((field) => (field.configured ? [{ bundle, field }] : [])),
  );
  return all.find(({ bundle }) => bundle.shown?.formModes.includes('default') === true) ?? all[0];
};
