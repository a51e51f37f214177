/** Makes the settings of a field and of its storage, as a real site's configuration has them. */
import { isRecord } from '../../basics/json.ts';
import type { FieldDefinition } from '../model/bundle.ts';
import type { Json, JsonObject } from '../model/entity.ts';

/** What the platform has where nobody says otherwise. */
const usual = {
  directory: '[date:custom:Y]-[date:custom:m]',
  scheme: 'public',
  size: 'normal',
  linkTypes: { internal: 1, external: 16, both: 17 },
  linkTitles: { disabled: 0, optional: 1, required: 2 },
} as const;

/** The settings of a field. Those that its site's file names replace the ones of its type. `maxBytes`: the limit of a media's source. */
export const fieldSettings = (field: FieldDefinition, maxBytes?: number): Json => {
  const own = field.shown?.settings ?? {};
  const made = derivedSettings(field, maxBytes);
  const choice = made['handler_settings'];
  if (choice === undefined) return emptyAsList({ ...made, ...own });
  const { handler, handler_settings: given } = own;
  // Another way to choose targets has settings of its own.
  const isUsual = typeof handler !== 'string' || handler.startsWith('default');
  const kept = isUsual ? objectOf(choice) : {};
  return emptyAsList({ ...made, ...own, handler_settings: { ...kept, ...objectOf(given) } });
};

export const storageSettings = (field: FieldDefinition): Json =>
  emptyAsList({ ...derivedStorageSettings(field), ...field.shown?.storageSettings });

const objectOf = (value: Json | undefined): JsonObject => (isRecord(value) ? value : {});

/** The settings that follow from the field's own keys and from its type. */
export const derivedSettings = (field: FieldDefinition, maxBytes?: number): JsonObject => {
  switch (field.type) {
    case 'boolean':
      return { on_label: 'On', off_label: 'Off' };
    case 'integer':
    case 'decimal':
    case 'float':
      return { min: field.min ?? null, max: field.max ?? null, prefix: '', suffix: '' };
    case 'text':
    case 'text_long':
      return formats(field);
    case 'text_with_summary':
      return { display_summary: true, required_summary: false, ...formats(field) };
    case 'link':
      return links(field);
    case 'authority_link':
      return { authority_sources: field.forms?.sources ?? {}, ...links(field) };
    case 'entity_reference':
      return references(field);
    case 'typed_relation':
      return { ...references(field), rel_types: relations(field) };
    case 'file':
      return { ...files(field, maxBytes), description_field: false };
    case 'image':
      return { ...files(field, maxBytes), ...images(field) };
    case 'media_track':
      return { ...files(field, maxBytes), languages: 'installed' };
    case 'comment':
      return { default_mode: 1, per_page: 50, anonymous: 0, form_location: true, preview: 1 };
    default:
      return {};
  }
};

const formats = ({ forms }: FieldDefinition): JsonObject => ({ allowed_formats: forms?.formats ?? [] });

const links = ({ link, forms }: FieldDefinition): JsonObject => ({
  title: usual.linkTitles[forms?.linkTitle ?? 'optional'],
  link_type: usual.linkTypes[link ?? 'both'],
});

const relations = ({ relations: names, shown }: FieldDefinition): JsonObject =>
  Object.fromEntries((names ?? []).map((name) => [name, shown?.relationLabels?.[name] ?? name]));

/** Null allows any bundle. */
const references = ({ target }: FieldDefinition): JsonObject => {
  const bundles = target?.bundles;
  return {
    handler: `default:${target?.type ?? 'node'}`,
    handler_settings: {
      target_bundles: bundles === undefined ? null : Object.fromEntries(bundles.map((bundle) => [bundle, bundle])),
      sort:
        target?.type === 'taxonomy_term' ? { field: 'name', direction: 'asc' } : { field: '_none', direction: 'ASC' },
      auto_create: false,
      auto_create_bundle: '',
    },
  };
};

const files = ({ extensions }: FieldDefinition, maxBytes: number | undefined): JsonObject => ({
  handler: 'default:file',
  handler_settings: {},
  file_directory: usual.directory,
  file_extensions: (extensions ?? []).join(' '),
  max_filesize: maxBytes === undefined ? '' : String(maxBytes),
});

const noImage: JsonObject = { uuid: null, alt: '', title: '', width: null, height: null };

const images = ({ forms }: FieldDefinition): JsonObject => ({
  max_resolution: '',
  min_resolution: '',
  alt_field: true,
  alt_field_required: forms?.altRequired === true,
  title_field: false,
  title_field_required: false,
  default_image: noImage,
});

const texts: JsonObject = { case_sensitive: false, is_ascii: false };

/** Those of the storage. */
export const derivedStorageSettings = (field: FieldDefinition): JsonObject => {
  switch (field.type) {
    case 'string':
    case 'edtf':
      return { max_length: field.maxLength ?? null, ...texts };
    case 'string_long':
      return { case_sensitive: false };
    case 'text':
      return { max_length: field.maxLength ?? null };
    case 'integer':
      return { unsigned: field.unsigned === true, size: usual.size };
    case 'decimal':
      return { precision: field.precision ?? null, scale: field.scale ?? null };
    case 'list_string':
    case 'list_integer':
      return { allowed_values: field.allowedValues ?? {}, allowed_values_function: '' };
    case 'datetime':
      return { datetime_type: field.dateOnly === true ? 'date' : 'datetime' };
    case 'entity_reference':
    case 'typed_relation':
      return { target_type: field.target?.type ?? 'node' };
    case 'file':
    case 'media_track':
      return fileStorage(field);
    case 'image':
      return { ...fileStorage(field), default_image: noImage };
    case 'comment':
      return { comment_type: 'comment' };
    default:
      return {};
  }
};

const fileStorage = ({ scheme }: FieldDefinition): JsonObject => ({
  target_type: 'file',
  display_field: false,
  display_default: false,
  uri_scheme: scheme ?? usual.scheme,
});

/** Maps whose readers ask for keys, so that a list in their place would break them. */
const alwaysMaps: ReadonlySet<string> = new Set(['allowed_values']);

export const emptyAsList = (value: Json): Json => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(emptyAsList);
  const members = Object.entries(value);
  if (members.length === 0) return [];
  return Object.fromEntries(
    members.map(([name, member]) => [name, alwaysMaps.has(name) ? member : emptyAsList(member)]),
  );
};
