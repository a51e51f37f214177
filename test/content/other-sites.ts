/** A site whose objects have a field of each type that the default site does not use. */
import { createModel, type Bundle, type FieldDefinition, type Site } from '../../src/repository/repository.ts';

const field = (name: string, type: string, traits: Partial<FieldDefinition> = {}): FieldDefinition => ({
  name,
  label: name.replace('field_other_', ''),
  type,
  cardinality: 3,
  required: false,
  configured: true,
  translatable: false,
  ...traits,
});

/** By name, as a loaded site has them. */
export const otherFields: readonly FieldDefinition[] = [
  field('field_other_authority', 'authority_link', { forms: { sources: { viaf: 'VIAF' } } }),
  field('field_other_comment', 'comment'),
  field('field_other_count', 'integer', { min: 1, max: 9, unsigned: true }),
  field('field_other_date', 'datetime'),
  field('field_other_day', 'datetime', { dateOnly: true }),
  field('field_other_decimal', 'decimal', { min: -5, max: 12.5, precision: 10, scale: 2 }),
  field('field_other_email', 'email'),
  field('field_other_float', 'float', { min: 0, max: 1.5 }),
  field('field_other_level', 'list_integer', { allowedValues: { 1: 'Low', 2: 'High' } }),
  field('field_other_media', 'entity_reference', { target: { type: 'media' } }),
  field('field_other_name', 'name'),
  field('field_other_or_rights', 'list_string', { allowedValues: { open: 'Open', closed: 'Closed' } }),
  field('field_other_paragraph', 'entity_reference_revisions', {
    shown: { storageSettings: { target_type: 'paragraph' } },
  }),
  field('field_other_place', 'geolocation'),
  field('field_other_revision', 'entity_reference_revisions', { target: { type: 'node' } }),
  field('field_other_span', 'daterange'),
  field('field_other_span_of_days', 'daterange', { dateOnly: true }),
  field('field_other_summary', 'text_with_summary'),
  field('field_other_telephone', 'telephone'),
  field('field_other_text', 'text', { maxLength: 40 }),
  field('field_other_track', 'media_track', { target: { type: 'file' }, extensions: ['vtt'] }),
  field('field_other_unknown', 'other'),
  field('field_other_weight', 'weight'),
];

export const otherField = (name: string): FieldDefinition => {
  const found = otherFields.find((each) => each.name === `field_other_${name}`);
  if (found === undefined) throw new Error(`no field ${name}`);
  return found;
};

const types: readonly string[] = ['node', 'media', 'file', 'taxonomy_term', 'user', 'path_alias', 'redirect'];

/** The site with these fields in one of its bundles. */
export const withFields = (site: Site, type: string, id: string, added: readonly FieldDefinition[]): Site => {
  const extended = (bundle: Bundle): Bundle =>
    bundle.entityType !== type || bundle.id !== id
      ? bundle
      : { ...bundle, fields: new Map([...bundle.fields, ...added.map((each) => [each.name, each] as const)]) };
  return { ...site, model: createModel(types.flatMap((each) => site.model.bundles(each).map(extended))) };
};

/** The default site, whose objects have these fields, and whose subjects and models have an authority link. */
export const otherSite = (site: Site): Site =>
  ['subject', 'islandora_models'].reduce(
    (whole, id) => withFields(whole, 'taxonomy_term', id, [otherField('authority')]),
    withFields(site, 'node', 'islandora_object', otherFields),
  );
