/**
 * Writes the contents of a site's files as Drupal exports its configuration. Only tests need it: for folders that they
 * describe in the words of a site, and for the built-in site in the shape of an export.
 */
import type { Data } from '../../src/drupal/forgiving-values.ts';
import type { ConfigurationFiles } from '../../src/drupal/configuration.ts';
import type {
  BundleInput,
  FieldInput,
  ResourceInput,
  RoleInput,
  SiteInput,
  VocabularyInput,
} from '../../src/site/site-files.ts';

/** What configuration says of a site. Accounts, lifetimes of sessions and the like are none. */
export type DescribedSite = {
  readonly general: SiteInput;
  readonly bundles: readonly BundleInput[];
  readonly vocabularies: readonly VocabularyInput[];
  readonly roles: readonly RoleInput[];
  readonly resources: readonly ResourceInput[];
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
  notRead: new Map(),
  ...others,
});

const together = (objects: readonly Objects[]): Objects => Object.fromEntries(objects.flatMap(Object.entries<Data>));

export const exportedSite = (site: DescribedSite): Objects => ({
  ...generalObjects(site.general),
  ...together(site.bundles.map((bundle) => bundleObjects(bundle, site.general))),
  ...together(site.vocabularies.map(vocabularyObjects)),
  'structure_sync.data': {
    taxonomies: Object.fromEntries(
      site.vocabularies.map(({ id, terms }) => [id, terms.map((term) => syncedTerm(id, term))]),
    ),
  },
  ...Object.fromEntries(site.roles.map(({ id, ...role }) => [`user.role.${id}`, { status: true, id, ...role }])),
  ...Object.fromEntries(site.resources.map(resourceObject)),
  ...(site.general.beyond.file_upload
    ? { 'rest.resource.file.upload': { id: 'file.upload', plugin_id: 'file:upload', granularity: 'resource' } }
    : {}),
  ...(site.general.beyond.term_lookup ? { 'views.view.terms': restView('/term_from_uri', 'term_from_term_name') } : {}),
  ...(site.general.beyond.node_lists
    ? { 'views.view.members': restView('node/%node/media', 'node/%node/members') }
    : {}),
});

const generalObjects = (general: SiteInput): Objects => {
  const { flood, modules } = general;
  const installed = Object.entries(modules).flatMap(([name, isOn]) => (isOn ? [[name, 0] as const] : []));
  return {
    'core.extension': { module: { node: 0, media: 0, taxonomy: 0, ...Object.fromEntries(installed) } },
    'system.site': { name: general.name, default_langcode: general.langcode },
    'system.file': { default_scheme: general.default_scheme },
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
    ...(Array.isArray(general.text_formats)
      ? Object.fromEntries(general.text_formats.map((format) => [`filter.format.${format}`, { format }]))
      : {}),
  };
};

/** A view with a display for each path, and one that is a page. */
const restView = (...paths: string[]): Data => ({
  display: {
    default: { display_plugin: 'default', display_options: {} },
    ...Object.fromEntries(
      paths.map((path, index) => [`rest_${index}`, { display_plugin: 'rest_export', display_options: { path } }]),
    ),
    page: { display_plugin: 'page', display_options: { path: 'admin/x' } },
  },
});

const bundleObjects = (bundle: BundleInput, general: SiteInput): Objects => {
  const { entity_type: type, id, label, uuid, source } = bundle;
  const own: Objects =
    type === 'node'
      ? { [`node.type.${id}`]: { uuid, type: id, name: label, new_revision: bundle.new_revision } }
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

const mediaType = ({ id, label, uuid, source, fields, new_revision: isNew }: BundleInput): Data => ({
  ...{ id, label, uuid, new_revision: isNew },
  source: source === undefined ? '' : plugins[source.kind],
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
  [`taxonomy.vocabulary.${vocabulary.id}`]: { vid: vocabulary.id, name: vocabulary.label, uuid: vocabulary.uuid },
  ...fieldedObjects('taxonomy_term', vocabulary, {}),
  ...languageObject('taxonomy_term', vocabulary, true),
});

type Fielded = Pick<VocabularyInput, 'id' | 'fields' | 'rdf' | 'language_alterable'>;

const languageObject = (type: string, { id, language_alterable: alterable }: Fielded, isShown: boolean): Objects => ({
  [`language.content_settings.${type}.${id}`]: {
    ...{ target_entity_type_id: type, target_bundle: id, language_alterable: alterable },
    third_party_settings: { content_translation: { enabled: isShown } },
  },
});

const fieldedObjects = (
  type: string,
  { id, fields, rdf }: Fielded,
  sizes: Readonly<Record<string, string>>,
): Objects => ({
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
            Object.entries(rdf.fields).map(([name, properties]) => [name, { properties: [properties].flat() }]),
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
    rel_types: field.relations && Object.fromEntries(field.relations.map((relation) => [relation, `as ${relation}`])),
    ...{ min: field.min, max: field.max, allowed_formats: field.formats },
    link_type: field.link && linkTypes[field.link],
    title: field.link_title && linkTitles[field.link_title],
    ...{ authority_sources: field.sources, alt_field_required: field.alt_required },
  }),
});

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

const resourceObject = (resource: ResourceInput): [string, Data] => [
  `rest.resource.entity.${resource.resource}`,
  {
    ...{ id: `entity.${resource.resource}`, plugin_id: `entity:${resource.resource}`, status: true },
    ...{ granularity: resource.granularity, configuration: resource.configuration },
  },
];
