/**
 * Writes the contents of a site's files as Drupal exports its configuration. Only tests need it: for folders that they
 * describe in the words of a site, and for the built-in site in the shape of an export.
 */
import type { Data } from '../../src/basics/exported/lenient-values.ts';
import type { ConfigurationFiles } from '../../src/sites/drupal/configuration.ts';
import { exportedView } from './exported-view.ts';
import type {
  ListInput,
  BundleInput,
  FieldInput,
  ResourceInput,
  RoleInput,
  VocabularyInput,
} from '../support/site-files.ts';
import type { SiteInput } from '../../src/repository/repository-sites.ts';

/** What configuration says of a site. Accounts, lifetimes of sessions and the like are none. */
export type DescribedSite = {
  readonly general: SiteInput;
  readonly bundles: readonly BundleInput[];
  readonly vocabularies: readonly VocabularyInput[];
  readonly roles: readonly RoleInput[];
  readonly resources: readonly ResourceInput[];
  readonly lists: readonly ListInput[];
};

/** The objects of a configuration by their names. */
export type Objects = Record<string, Data>;

/** Configuration as an importer gets it. JSON is YAML, and quicker to write. */
export const filesOf = (objects: Objects, others: Partial<ConfigurationFiles> = {}): ConfigurationFiles => ({
  objects: new Map(
    Object.entries(objects).map(([name, data]) => [name, { file: `${name}.yml`, text: JSON.stringify(data) }]),
  ),
  translations: new Map(),
  patches: new Map(),
  tables: new Map(),
  versions: new Map(),
  notRead: new Map(),
  ...others,
});

const together = (objects: readonly Objects[]): Objects => Object.fromEntries(objects.flatMap(Object.entries<Data>));

export const exportedSite = (site: DescribedSite): Objects => ({
  ...generalObjects(site),
  ...together(site.bundles.map((bundle) => bundleObjects(bundle, site.general))),
  ...together(site.vocabularies.map(vocabularyObjects)),
  'structure_sync.data': {
    taxonomies: Object.fromEntries(
      site.vocabularies.map(({ id, terms }) => [id, terms.map((term) => syncedTerm(id, term))]),
    ),
  },
  ...Object.fromEntries(site.roles.map(({ id, ...role }) => [`user.role.${id}`, { status: true, id, ...role }])),
  ...(site.general.beyond.file_upload
    ? { 'rest.resource.file.upload': { id: 'file.upload', plugin_id: 'file:upload', granularity: 'resource' } }
    : {}),
  ...Object.fromEntries(site.resources.map(resourceObject)),
  ...Object.fromEntries(
    site.lists.map((list, index) => [`views.view.list_${index}`, exportedView(withKnownSorts(list, site))]),
  ),
});

/** No view sorts by a field that its site does not have. */
const withKnownSorts = (list: ListInput, { bundles, vocabularies }: DescribedSite): ListInput => {
  const names = new Set([...bundles, ...vocabularies].flatMap(({ fields }) => Object.keys(fields)));
  const isKnown = (name: string): boolean => !name.startsWith('field_') || names.has(name);
  return { ...list, sort: list.sort.filter((name) => isKnown(name.replace(/^-/, ''))) };
};

const generalObjects = ({ general, bundles }: DescribedSite): Objects => {
  const { flood, modules } = general;
  const installed = Object.entries(modules).flatMap(([name, isOn]) => (isOn ? [[name, 0] as const] : []));
  return {
    'core.extension': {
      module: {
        ...{ node: 0, media: 0, taxonomy: 0 },
        ...(general.beyond.workbench_integration ? { islandora_workbench_integration: 0 } : {}),
        ...(bundles.some(({ source }) => source?.text_field !== undefined) ? { islandora_text_extraction: 0 } : {}),
        ...(general.beyond.token_keys ? { islandora_jwks: 0 } : {}),
        ...((general.tokens.at_login ?? general.tokens.of_today) ? { getjwtonlogin: 0 } : {}),
        ...Object.fromEntries(installed),
      },
    },
    'system.site': { name: general.name, default_langcode: general.langcode },
    'system.file': { default_scheme: general.default_scheme },
    'system.date': { timezone: { default: general.timezone } },
    'jsonld.settings': {
      remove_jsonld_format: !general.jsonld.format_suffix,
      rdf_namespaces: Object.entries(general.namespaces).map(([prefix, namespace]) => ({ prefix, namespace })),
    },
    'islandora.settings': {
      jwt_expiry: `+${general.tokens.lifetime} seconds`,
      allow_header_links: general.links.headers,
    },
    ...(flood === 'off'
      ? {}
      : {
          'user.flood': {
            ...{ user_limit: flood.user_limit, user_window: flood.user_window },
            ...{ ip_limit: flood.address_limit, ip_window: flood.address_window },
          },
        }),
    ...Object.fromEntries(general.languages.map((id) => [`language.entity.${id}`, { id, label: id }])),
    ...Object.fromEntries(
      Object.entries(formatsOf(general)).map(([format, { html }]) => [
        `filter.format.${format}`,
        { format, filters: { [html ? 'filter_align' : 'filter_html_escape']: { status: true } } },
      ]),
    ),
  };
};

const formatsOf = ({ text_formats: formats }: SiteInput): Readonly<Record<string, { readonly html: boolean }>> =>
  Array.isArray(formats) ? Object.fromEntries(formats.map((name: string) => [name, { html: false }])) : formats;

const bundleObjects = (bundle: BundleInput, general: SiteInput): Objects => {
  const { entity_type: type, id, label, uuid, source } = bundle;
  if (type === 'user') return fieldedObjects(type, bundle, {});
  const own: Objects =
    type === 'node'
      ? { [`node.type.${id}`]: { uuid, type: id, name: label, new_revision: bundle.new_revision, ...shownOf(bundle) } }
      : { [`media.type.${id}`]: mediaType(bundle) };
  return {
    ...own,
    ...fieldedObjects(type, bundle, source?.max_bytes === undefined ? {} : { [source.field]: `${source.max_bytes}` }),
    ...Object.fromEntries(
      Object.entries(bundle.base_fields).map(([name, { label: given, required, default: items }]) => [
        `core.base_field_override.${type}.${id}.${name}`,
        {
          ...{ field_name: name, entity_type: type, bundle: id, field_type: 'boolean' },
          ...{ label: given ?? '', required, default_value: itemsOf(items) },
        },
      ]),
    ),
    ...languageObject(type, bundle, general.content_translation.includes(type)),
    ...contextObjects(type, id, bundle.jsonld ?? usualGraphs[type]),
  };
};

/** The items of a default; a site may write one value alone. */
const itemsOf = (items: unknown): readonly unknown[] => {
  if (items === undefined) return [];
  return Array.isArray(items) ? items : [{ value: items }];
};

const plugins = { image: 'image', audio: 'audio_file', video: 'video_file', file: 'file', oembed: 'oembed:video' };

const usualMap = {
  ...{ name: 'name', mimetype: 'field_mime_type', filesize: 'field_file_size' },
  ...{ width: 'field_width', height: 'field_height' },
};

/** What only the reads of the content model show. */
const shownOf = ({ description = '', help }: Pick<VocabularyInput, 'description' | 'help'>): Data => ({
  ...{ description, help: help ?? null },
});

const mediaType = ({ id, label, uuid, source, fields, new_revision: isNew, ...shown }: BundleInput): Data => ({
  ...{ id, label, uuid, new_revision: isNew, ...shownOf(shown) },
  source: source === undefined ? '' : (source.plugin ?? plugins[source.kind]),
  source_configuration: { source_field: source?.field ?? '' },
  field_map:
    source?.field_map ??
    Object.fromEntries(
      Object.entries(usualMap).filter(
        ([attribute, name]) =>
          name === 'name' ||
          (Object.hasOwn(fields, name) && (source?.kind === 'image' || !['width', 'height'].includes(attribute))),
      ),
    ),
});

const vocabularyObjects = (vocabulary: VocabularyInput): Objects => ({
  [`taxonomy.vocabulary.${vocabulary.id}`]: {
    ...{ vid: vocabulary.id, name: vocabulary.label, uuid: vocabulary.uuid },
    ...{ weight: vocabulary.weight, new_revision: vocabulary.new_revision, ...shownOf(vocabulary) },
  },
  ...fieldedObjects('taxonomy_term', vocabulary, {}),
  ...languageObject('taxonomy_term', vocabulary, true),
  ...contextObjects('taxonomy_term', vocabulary.id, vocabulary.jsonld ?? { types_of: [], self: [] }),
});

type Fielded = Pick<VocabularyInput, 'id' | 'fields' | 'rdf' | 'language_alterable' | 'form_modes'>;

const usualGraphs = {
  node: { types_of: ['field_model'], self: ['schema:sameAs'] },
  media: { types_of: ['field_media_use'], self: ['iana:describedby'] },
};

/** A context for each statement, as each has one reaction of a kind. */
const contextObjects = (
  type: string,
  bundle: string,
  { types_of: types, self }: NonNullable<VocabularyInput['jsonld']>,
): Objects => {
  const reactions = [
    ...types.map((field) => ({ id: 'alter_jsonld_type', source_field: field })),
    ...self.map((predicate) => ({ id: 'islandora_map_uri_predicate', drupal_uri_predicate: predicate })),
  ];
  const condition = {
    ...{ id: 'islandora_entity_bundle', negate: false, bundles: { [bundle]: bundle } },
    context_mapping: { [type]: `@islandora.${type}_route_context_provider:${type}` },
  };
  return Object.fromEntries(
    reactions.map((reaction, index) => [
      `context.context.${type}_${bundle}_${index}`,
      {
        disabled: false,
        requireAllConditions: false,
        conditions: { condition },
        reactions: { [reaction.id]: reaction },
      },
    ]),
  );
};

const languageObject = (type: string, { id, language_alterable: alterable }: Fielded, isShown: boolean): Objects => ({
  [`language.content_settings.${type}.${id}`]: {
    ...{ target_entity_type_id: type, target_bundle: id, language_alterable: alterable },
    third_party_settings: { content_translation: { enabled: isShown } },
  },
});

/** What makes dates of EDTF texts in JSON-LD. */
const dates = { callable: 'Drupal\\controlled_access_terms\\EDTFConverter::dateIso8601Value' };

const fieldedObjects = (
  type: string,
  { id, fields, rdf, form_modes: modes }: Fielded,
  sizes: Readonly<Record<string, string>>,
): Objects => ({
  ...Object.fromEntries(
    modes.map((mode) => [`core.entity_form_display.${type}.${id}.${mode}`, { id: `${type}.${id}.${mode}` }]),
  ),
  ...together(
    Object.entries(fields).map(([name, field]) => ({
      [`field.storage.${type}.${name}`]: storageOf(type, name, field),
      [`field.field.${type}.${id}.${name}`]: instanceOf(type, id, name, field, sizes[name]),
    })),
  ),
  ...(rdf === undefined
    ? {}
    : {
        [`rdf.mapping.${type}.${id}`]: {
          types: rdf.types,
          fieldMappings: Object.fromEntries(
            Object.entries(rdf.fields).map(([name, properties]) => [
              name,
              {
                properties: [properties].flat(),
                ...(fields[name]?.type === 'edtf' && !rdf.as_written.includes(name)
                  ? { datatype_callback: dates }
                  : {}),
              },
            ]),
          ),
        },
      }),
});

const storageOf = (type: string, name: string, field: FieldInput): Data => ({
  ...{ id: `${type}.${name}`, field_name: name, entity_type: type, type: field.type, status: true, translatable: true },
  cardinality: field.cardinality === 'unlimited' ? -1 : field.cardinality,
  ...(field.access === 'public'
    ? {}
    : { third_party_settings: { field_permissions: { permission_type: field.access } } }),
  settings: defined({
    max_length: field.max_length,
    target_type: ['file', 'image', 'media_track'].includes(field.type) ? 'file' : field.target,
    uri_scheme: field.scheme,
    allowed_values:
      field.allowed_values && Object.entries(field.allowed_values).map(([value, label]) => ({ value, label })),
    ...{ unsigned: field.unsigned, precision: field.precision, scale: field.scale },
    datetime_type: field.date_only === true ? 'date' : undefined,
  }),
});

const linkTypes = { internal: 1, external: 16, both: 17 };
const linkTitles = { disabled: 0, optional: 1, required: 2 };

const instanceOf = (type: string, bundle: string, name: string, field: FieldInput, size: string | undefined): Data => ({
  ...{ id: `${type}.${bundle}.${name}`, field_name: name, entity_type: type, bundle, field_type: field.type },
  ...{ label: field.label, required: field.required, translatable: field.translatable },
  ...{ description: field.description ?? '', default_value: itemsOf(field.default), status: true },
  settings: defined({
    handler: field.target === undefined ? undefined : `default:${field.target}`,
    handler_settings: field.target === undefined ? undefined : { target_bundles: targetBundles(field.bundles) },
    file_extensions: field.extensions?.join(' '),
    max_filesize: size,
    rel_types: labelled(field.relations),
    ...{ min: field.min, max: field.max, allowed_formats: field.formats },
    link_type: ['link', 'authority_link'].includes(field.type) ? linkTypes[field.link ?? 'both'] : undefined,
    title: field.link_title && linkTitles[field.link_title],
    ...{ authority_sources: field.sources, alt_field_required: field.alt_required },
  }),
});

/** Relations with labels; a list has none, so each is its own. */
const labelled = (relations: FieldInput['relations']): Data | undefined =>
  Array.isArray(relations) ? Object.fromEntries(relations.map((name: string) => [name, name])) : relations;

const targetBundles = (bundles: readonly string[] | undefined): Data | null =>
  bundles === undefined ? null : Object.fromEntries(bundles.map((bundle) => [bundle, bundle]));

const defined = (data: Data): Data =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined));

type TermInput = VocabularyInput['terms'][number];

/** With ids and weights as text, as that module writes them. */
const syncedTerm = (
  vid: string,
  { tid, uuid, name, description, format, uri, parent, weight, langcode, fields }: TermInput,
): Data => ({
  ...{ vid, tid: String(tid), uuid, name, langcode: langcode ?? null },
  ...{ description__value: description ?? null, description__format: format ?? null },
  ...{ weight: String(weight ?? 0), parent: String(parent?.[0] ?? 0) },
  ...(uri === undefined ? {} : { field_external_uri: [{ uri, title: null, options: [] }] }),
  ...fields,
});

const resourceObject = ({ resource, granularity, configuration }: ResourceInput): [string, Data] => {
  const [id, plugin] =
    resource === 'file_upload' ? ['file.upload', 'file:upload'] : [`entity.${resource}`, `entity:${resource}`];
  return [`rest.resource.${id}`, { ...{ id, plugin_id: plugin, status: true }, ...{ granularity, configuration } }];
};
