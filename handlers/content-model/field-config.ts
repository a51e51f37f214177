/** Shows a field of a bundle, and the storage of a field, as the configuration of a real site. They have a uuid only as exported. */
import { isRecord, type Json, type JsonObject } from '../../src/basics/json.ts';
import { emptyAsList } from '../../src/basics/exported/lenient-values.ts';
import { writeRows } from '../../src/basics/exported/rows.ts';
import { fieldRows, settingRowsOf, type FieldedType } from '../../src/repository/repository-sites.ts';
import { fieldTypeOf, type Bundle, type FieldDefinition, type Site } from '../../src/repository/repository.ts';
import type { components } from '../../src/client/generated/contract.ts';
import { asExported } from './exported.ts';
import type { FieldItem } from '../../src/openapi/openapi-records.ts';

type FieldConfig = components['schemas']['FieldConfig'];
type FieldStorageConfig = components['schemas']['FieldStorageConfig'];

/** What a view needs of a site. */
export type ModelSite = Pick<Site, 'langcode' | 'model' | 'terms' | 'exported'>;

/** The module of a field's type. */
export const moduleOf = (field: FieldDefinition): string => field.shown?.module ?? fieldTypeOf(field).module ?? 'core';

/** What a real site calls the type of a field. */
const realTypeOf = ({ type, shown }: FieldDefinition): string => shown?.type ?? type;

/** The start of the name of a bundle's configuration. Files and users have none. */
const bundlePrefixes: Readonly<Record<string, string>> = {
  node: 'node.type',
  media: 'media.type',
  taxonomy_term: 'taxonomy.vocabulary',
};

export const bundleConfigurations = (type: string, bundles: readonly string[]): readonly string[] => {
  const prefix = bundlePrefixes[type];
  return prefix === undefined ? [] : bundles.map((bundle) => `${prefix}.${bundle}`);
};

type Written = Pick<FieldConfig, 'label' | 'description' | 'required'> & Pick<FieldStorageConfig, 'cardinality'>;

/** What the rows say of a field or of its storage. Settings of its type come before, those that its site's file names replace them. */
const writtenOf = (field: FieldDefinition, part: 'field' | 'storage', usual: JsonObject = {}, own: JsonObject = {}) => {
  const rows = { ...fieldRows, ...settingRowsOf(fieldTypeOf(field)) };
  const { settings, ...members } = writeRows(rows, field)[part] as JsonObject; // each field has members of both
  const written = isRecord(settings) ? settings : {};
  const made: JsonObject = { ...written, ...usual, ...written };
  const choice = made['handler_settings'];
  const { handler, handler_settings: given } = own;
  // Another way to choose targets has settings of its own.
  const isUsual = typeof handler !== 'string' || handler.startsWith('default');
  const chosen = { ...(isUsual && isRecord(choice) ? choice : {}), ...(isRecord(given) ? given : {}) };
  const whole = { ...made, ...own, ...(choice === undefined ? {} : { handler_settings: chosen }) };
  return { members: members as Written, settings: emptyAsList<Json>(whole) }; // the members of its part
};

export const showFieldConfig = (site: ModelSite, bundle: Bundle, field: FieldDefinition): FieldConfig => {
  const { entityType, id: bundleId, source } = bundle;
  const id = `${entityType}.${bundleId}.${field.name}`;
  const defaults = defaultItems(site, field);
  const maxBytes = source?.field === field.name ? source.maxBytes : undefined;
  const usual = fieldTypeOf(field).settings?.(field, maxBytes);
  const { members, settings } = writtenOf(field, 'field', usual, field.shown?.settings);
  const made: FieldConfig = {
    langcode: site.langcode,
    status: true,
    dependencies: dependenciesOf(bundle, field, defaults),
    id,
    field_name: field.name,
    entity_type: entityType,
    bundle: bundleId,
    ...members,
    translatable: field.translatable,
    default_value: defaults.map(({ item }) => item),
    default_value_callback: '',
    settings,
    field_type: realTypeOf(field),
  };
  return asExported(site, `field.field.${id}`, made, Object.keys(members));
};

type ShownDefault = { readonly item: Record<string, Json>; readonly content: string | undefined };

/** Configuration names terms by their uuid, as their ids differ between installations. */
const defaultItems = ({ terms }: ModelSite, { default: items = [], target }: FieldDefinition): ShownDefault[] =>
  items.map((item) => {
    // Configuration has booleans as numbers.
    const { value } = item;
    if (typeof value === 'boolean') return { item: { value: value ? 1 : 0 }, content: undefined };
    const { target_id: tid, ...others }: FieldItem = item;
    const term = target?.type === 'taxonomy_term' ? terms.find((each) => each.tid === tid) : undefined;
    if (term === undefined) return { item: { ...item }, content: undefined };
    return { item: { ...others, target_uuid: term.uuid }, content: `taxonomy_term:${term.vocabulary}:${term.uuid}` };
  });

const dependenciesOf = (
  { entityType, id }: Bundle,
  field: FieldDefinition,
  defaults: readonly ShownDefault[],
): FieldConfig['dependencies'] => {
  const { target, forms } = field;
  const config = [
    `field.storage.${entityType}.${field.name}`,
    ...bundleConfigurations(entityType, [id]),
    ...bundleConfigurations(target?.type ?? '', target?.bundles ?? []),
    ...(forms?.formats ?? []).map((format) => `filter.format.${format}`),
  ];
  const content = defaults.flatMap((each) => each.content ?? []);
  return {
    config: sorted(config),
    ...modulesPart([moduleOf(field)]),
    ...(content.length === 0 ? {} : { content: sorted(content) }),
  };
};

const sorted = (names: readonly string[]): string[] => [...new Set(names)].sort();

/** Nothing depends on the core. */
const modulesPart = (modules: readonly string[]): { module?: string[] } => {
  const named = sorted(modules.filter((name) => name !== 'core'));
  return named.length === 0 ? {} : { module: named };
};

/** The module of the records of a type. Files and accounts are no more than targets here. */
const recordModule = (type: string): string => (type === 'taxonomy_term' ? 'taxonomy' : type);

export const showFieldStorageConfig = (
  site: ModelSite,
  entityType: FieldedType,
  field: FieldDefinition,
): FieldStorageConfig => {
  const id = `${entityType}.${field.name}`;
  const target = field.target?.type;
  const modules = [
    ...[recordModule(entityType), moduleOf(field), ...(target === undefined ? [] : [recordModule(target)])],
    ...(field.access === undefined || field.access === 'public' ? [] : ['field_permissions']),
  ];
  const usual = fieldTypeOf(field).storageSettings?.(field);
  const { members, settings } = writtenOf(field, 'storage', usual, field.shown?.storageSettings);
  const made: FieldStorageConfig = {
    langcode: site.langcode,
    status: true,
    dependencies: modulesPart(modules),
    id,
    field_name: field.name,
    entity_type: entityType,
    type: realTypeOf(field),
    settings,
    module: moduleOf(field),
    locked: false,
    ...members,
    translatable: true,
    indexes: [],
    persist_with_no_fields: false,
    custom_storage: false,
  };
  return asExported(site, `field.storage.${id}`, made, Object.keys(members));
};
