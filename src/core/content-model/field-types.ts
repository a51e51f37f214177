/** Knows of each field type which module a real site has it from, and which widget edits it in a form. */
import type { FieldDefinition, FieldTypeName } from '../model/bundle.ts';

type Facts = { readonly module: string; readonly widget: string };

const core = (widget: string): Facts => ({ module: 'core', widget });

const plain = core('string_textfield');

const facts: Readonly<Partial<Record<FieldTypeName, Facts>>> = {
  boolean: core('boolean_checkbox'),
  integer: core('number'),
  string_long: core('string_textarea'),
  text_long: { module: 'text', widget: 'text_textarea' },
  language: core('language_select'),
  timestamp: core('datetime_timestamp'),
  changed: core('datetime_timestamp'),
  entity_reference: core('entity_reference_autocomplete'),
  typed_relation: { module: 'controlled_access_terms', widget: 'typed_relation_default' },
  file: { module: 'file', widget: 'file_generic' },
  image: { module: 'image', widget: 'image_image' },
  file_uri: core('uri'),
  link: { module: 'link', widget: 'link_default' },
  edtf: { module: 'controlled_access_terms', widget: 'edtf_default' },
  text: { module: 'text', widget: 'text_textfield' },
  text_with_summary: { module: 'text', widget: 'text_textarea_with_summary' },
  list_string: { module: 'options', widget: 'options_select' },
  list_integer: { module: 'options', widget: 'options_select' },
  email: core('email_default'),
  authority_link: { module: 'controlled_access_terms', widget: 'authority_link_default' },
  geolocation: { module: 'geolocation', widget: 'geolocation_latlng' },
  media_track: { module: 'islandora', widget: 'media_track' },
  comment: { module: 'comment', widget: 'comment_default' },
  name: { module: 'name', widget: 'name_default' },
  datetime: { module: 'datetime', widget: 'datetime_default' },
  decimal: core('number'),
  float: core('number'),
  path: { module: 'path', widget: 'path' },
  metatag: { module: 'metatag', widget: 'metatag_firehose' },
  redirect_source: { module: 'redirect', widget: 'redirect_source' },
};

/** The module of a field's type. */
export const moduleOf = ({ type, shown }: FieldDefinition): string => shown?.module ?? (facts[type] ?? plain).module;

export const widgetOf = ({ type }: FieldDefinition): string => (facts[type] ?? plain).widget;

/** What a real site calls the type of a field. */
export const realTypeOf = ({ type, shown }: FieldDefinition): string => shown?.type ?? type;

/** The types whose bundles a site describes. */
export const fieldedTypes = ['node', 'media', 'taxonomy_term', 'user'] as const;
export type FieldedType = (typeof fieldedTypes)[number];

/** The module of the records of a type. Files and accounts are no more than targets here. */
export const recordModules: Readonly<Record<FieldedType, string>> & Readonly<Record<string, string>> = {
  node: 'node',
  media: 'media',
  file: 'file',
  taxonomy_term: 'taxonomy',
  user: 'user',
};

/** The start of the name of a bundle's configuration. */
const bundlePrefixes: Readonly<Record<string, string>> = {
  node: 'node.type',
  media: 'media.type',
  taxonomy_term: 'taxonomy.vocabulary',
};

/** The names of the configuration of bundles. Files and users have none. */
export const bundleConfigurations = (type: string, bundles: readonly string[]): readonly string[] => {
  const prefix = bundlePrefixes[type];
  return prefix === undefined ? [] : bundles.map((bundle) => `${prefix}.${bundle}`);
};
