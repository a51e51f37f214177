/** Shows a field of a bundle, and the storage of a field, as the configuration of a real site. They have a uuid only as exported. */
import type { components } from '../../src/core/generated/contract.ts';
import type { Bundle, FieldDefinition } from '../../src/core/model/bundle.ts';
import type { FieldItem, Json } from '../../src/core/model/entity.ts';
import { asExported } from './exported.ts';
import type { Site } from '../../src/core/site/site.ts';
import { fieldSettings, storageSettings } from '../../src/core/content-model/field-settings.ts';
import {
  bundleConfigurations,
  type FieldedType,
  moduleOf,
  realTypeOf,
  recordModules,
} from '../../src/core/content-model/configuration-names.ts';

type FieldConfig = components['schemas']['FieldConfig'];
type FieldStorageConfig = components['schemas']['FieldStorageConfig'];

/** What a view needs of a site. */
export type ModelSite = Pick<Site, 'langcode' | 'model' | 'terms' | 'exported'>;

export const showFieldConfig = (site: ModelSite, bundle: Bundle, field: FieldDefinition): FieldConfig => {
  const { entityType, id: bundleId, source } = bundle;
  const id = `${entityType}.${bundleId}.${field.name}`;
  const defaults = defaultItems(site, field);
  const made: FieldConfig = {
    langcode: site.langcode,
    status: true,
    dependencies: dependenciesOf(bundle, field, defaults),
    id,
    field_name: field.name,
    entity_type: entityType,
    bundle: bundleId,
    label: field.label,
    description: field.description ?? '',
    required: field.required,
    translatable: field.translatable,
    default_value: defaults.map(({ item }) => item),
    default_value_callback: '',
    settings: fieldSettings(field, source?.field === field.name ? source.maxBytes : undefined),
    field_type: realTypeOf(field),
  };
  return asExported(site, `field.field.${id}`, made, ['label', 'description', 'required']);
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

export const showFieldStorageConfig = (
  site: ModelSite,
  entityType: FieldedType,
  field: FieldDefinition,
): FieldStorageConfig => {
  const id = `${entityType}.${field.name}`;
  const target = field.target?.type;
  const modules = [
    recordModules[entityType],
    moduleOf(field),
    recordModules[target ?? ''] ?? 'core',
    ...(field.access === undefined || field.access === 'public' ? [] : ['field_permissions']),
  ];
  const made: FieldStorageConfig = {
    langcode: site.langcode,
    status: true,
    dependencies: modulesPart(modules),
    id,
    field_name: field.name,
    entity_type: entityType,
    type: realTypeOf(field),
    settings: storageSettings(field),
    module: moduleOf(field),
    locked: false,
    cardinality: Number.isFinite(field.cardinality) ? field.cardinality : -1,
    translatable: true,
    indexes: [],
    persist_with_no_fields: false,
    custom_storage: false,
  };
  return asExported(site, `field.storage.${id}`, made, ['cardinality']);
};
