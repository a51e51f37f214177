/** Gives the parameters that name bundles and storages the values of a site, and examples that the site takes. */
import { areEqual } from '../../../basics/equal-values.ts';
import { bundleAt, fieldAt, formDisplayAt, storageAt } from '../../content-model/find.ts';
import type { Bundle, FieldDefinition } from '../../model/bundle.ts';
import type { Site } from '../../site/site.ts';
import { type Part, partOf } from '../../../openapi/openapi-terms.ts';

/** The shared parameters of the document, by name. One that needs no change stays the same object. */
export const siteParameters = (parameters: Part, site: Site): Part => {
  const ids = site.model.bundles('media').map(({ id }) => id);
  const upload = uploadBundle(site);
  const change = (name: string, changes: Part): Part => {
    const before = partOf(parameters[name]);
    const after = { ...before, ...changes };
    return { [name]: areEqual(before, after) ? before : after };
  };
  return {
    ...parameters,
    ...modelParameters(parameters, site),
    ...change('MediaType', {
      schema: bundleName(ids),
      example: upload?.id ?? ids[0] ?? 'file',
    }),
    ...change('ContentLocation', { example: `${uploadScheme(site)}://2019-05/field-notes.txt` }),
    ...(upload?.source === undefined
      ? {}
      : {
          ...change('UploadBundle', { example: upload.id }),
          ...change('UploadField', { example: upload.source.field }),
        }),
  };
};

/** The bundle of media that the examples upload to: one whose files may be texts; `file` if the site has it. */
const uploadBundle = (site: Site): Bundle | undefined => {
  const takesTexts = ({ source, fields }: Bundle): boolean =>
    source !== undefined && fields.get(source.field)?.extensions?.includes('txt') === true;
  const [first, ...others] = site.model.bundles('media').filter(takesTexts);
  return others.find(({ id }) => id === 'file') ?? first;
};

const uploadScheme = ({ storages, defaultScheme }: Site): string =>
  storages.find(({ scheme }) => scheme === 'public')?.scheme ?? defaultScheme;

type Fielded = { readonly bundle: Bundle; readonly field: FieldDefinition };

/** The parameters with other examples, by name. An example that the site has stays. */
const modelParameters = (parameters: Part, site: Site): Part => {
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

/** A pattern and no list: a type of each name would hold clients to the bundles of the site that they were made for. */
export const bundleName = (ids: readonly string[]): Part =>
  ids.length === 0 ? { type: 'string' } : { type: 'string', pattern: `^(${ids.join('|')})$` };
