/** Reads a site's folder into a `Site`. */
import type { RepositoryType } from '../model/entity.ts';
import { createModel, type Bundle, type Model } from '../model/bundle.ts';
import { prefixLanguages } from '../model/translations.ts';
import { checkSite } from './check-site.ts';
import { derivedUuid } from '../../basics/secrets/derived-uuid.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import type { YamlReader } from '../../basics/yaml/read-yaml.ts';
import type { SiteFolder } from '../site/site-folder.ts';
import { exportedFile, exportedName } from '../site/exported-configuration.ts';
import {
  accountsFile,
  bundleFile,
  resourceFile,
  roleFile,
  siteFile,
  vocabularyFile,
  type BundleInput,
  type ResourceInput,
  type RoleInput,
  type SiteInput,
  type VocabularyInput,
} from './site-files.ts';
import type { HttpMethod, MethodConfiguration, Resource, Role, Site, StorageMount } from '../site/site.ts';
import { configuredFields } from './field-definition.ts';
import { livingFile, type LivingInput } from '../site/living-file.ts';
import { listFile, listsOfSite } from './list-files.ts';
import { expander, type Expand, graphOf, mappingOf, userMapping } from './graph-definition.ts';
import { shownOfBundle } from './field-settings.ts';
import { termsOf } from './term-input.ts';
import { htmlFormatsOf, permissionsWithFormats, textFormatsOf } from './text-formats.ts';
import { withWorkflow, workflowsInEffect } from '../site/workflows.ts';
import { baseDefinitions, baseFieldsFor, modulesOf, type BaseFields } from './base-definitions.ts';

/**
 * Loads a site from its files (`site.yml`, `accounts.yml`, `bundles/`, `vocabularies/`, `roles/`, `resources/`, `lists/`, and `living.yml` and
 * `exported.yml` where they are there), wherever they are. Throws `ConfigurationError` with file, key and remedy.
 */
export const loadSiteFolder = async (folder: SiteFolder): Promise<Site> => {
  const { iconDirectory } = folder;
  const [siteYml, accountsYml] = [folder.pathOf('site.yml'), folder.pathOf('accounts.yml')];
  const settings = await folder.read('site.yml', siteFile);
  const expand = expander(siteYml, settings.namespaces);
  const [bundles, vocabularies, roles, resources, lists, accounts, living, exported] = await Promise.all([
    readAll(folder, 'bundles', bundleFile),
    readAll(folder, 'vocabularies', vocabularyFile),
    readAll(folder, 'roles', roleFile),
    readAll(folder, 'resources', resourceFile),
    readAll(folder, 'lists', listFile),
    folder.read('accounts.yml', accountsFile),
    folder.has('living.yml').then((isThere) => (isThere ? folder.read('living.yml', livingFile) : {})),
    folder
      .has(exportedName)
      .then(async (isThere) => (isThere ? (await folder.read(exportedName, exportedFile)).objects : [])),
  ]);
  checkSite({
    ...{ bundles, vocabularies, roles, resources, lists, living },
    settings: { file: siteYml, content: settings },
    accounts: { file: accountsYml, content: accounts },
  });
  await checkIcons(bundles, folder);
  const model = modelOf(settings, { bundles, vocabularies, living }, expand);
  return {
    ...settingsOf(settings),
    modules: modulesOf(settings, living),
    resources: new Map(resources.map(({ content }) => [content.resource, resourceFrom(content)])),
    model,
    roles: new Map(
      roles.map(({ content }) => [
        content.id,
        roleFrom({ ...content, permissions: [...permissionsWithFormats(content, settings)] }),
      ]),
    ),
    accounts: accounts.accounts.map((account) => ({
      ...account,
      passwordHash: account.password_hash,
      demoPassword: account.demo_password,
    })),
    terms: vocabularies.flatMap(({ content }) => termsOf(content)),
    lists: listsOfSite(
      lists.map(({ content }) => content),
      settings.beyond,
    ),
    exported: new Map(exported.map(({ object, content }) => [object, content])),
    living,
    iconDirectory,
  };
};

type Described = {
  readonly bundles: readonly { readonly file: string; readonly content: BundleInput }[];
  readonly vocabularies: readonly { readonly file: string; readonly content: VocabularyInput }[];
  readonly living: LivingInput;
};

const modelOf = (settings: SiteInput, { bundles, vocabularies, living }: Described, expand: Expand): Model => {
  const base = baseFieldsFor(settings, living);
  const workflows = workflowsInEffect(living.workflows);
  const all: readonly Bundle[] = [
    ...bundles.map(({ file, content }) => ({
      ...bundleOf(
        base,
        content.entity_type,
        content,
        mappingOf(content.rdf, expand, file) ?? (content.entity_type === 'user' ? userMapping : undefined),
      ),
      ...graphOf(content.jsonld, expand, file),
      source: sourceOf(content.source),
      // A save over REST makes a revision only with the module of Workbench, as on a real site.
      newRevision: content.new_revision && settings.beyond.workbench_integration,
    })),
    ...vocabularies.map(({ file, content }) => ({
      ...bundleOf(base, 'taxonomy_term', content, mappingOf(content.rdf, expand, file)),
      ...graphOf(content.jsonld, expand, file),
    })),
    bundleOf(base, 'file', { ...withoutFields, id: 'file', label: 'File' }, undefined),
    ...(bundles.some(({ content }) => content.entity_type === 'user')
      ? []
      : [bundleOf(base, 'user', { ...withoutFields, id: 'user', label: 'User' }, userMapping)]),
    bundleOf(base, 'path_alias', { ...withoutFields, id: 'path_alias', label: 'URL alias' }, undefined),
    bundleOf(base, 'redirect', { ...withoutFields, id: 'redirect', label: 'Redirect' }, undefined),
  ];
  return createModel(workflows.length === 0 ? all : all.map((bundle) => withWorkflow(bundle, workflows)));
};

/** Throws when an icon is missing that a later upload would need. */
const checkIcons = async (
  bundles: readonly { file: string; content: BundleInput }[],
  folder: SiteFolder,
): Promise<void> => {
  for (const { file, content } of bundles) {
    const icon = content.source?.icon;
    if (icon === undefined || (await folder.hasIcon(icon))) continue;
    throw new ConfigurationError(
      `${file}: source.icon: there is no readable file ${icon} in ${folder.iconDirectory}. Put it there, or name another.`,
    );
  }
};

/** The settings of `site.yml`. */
const settingsOf = (settings: SiteInput) =>
  ({
    name: settings.name,
    langcode: settings.langcode,
    languages: settings.languages,
    prefixLanguages: settings.language_prefixes ? prefixLanguages(settings.languages, settings.langcode) : [],
    textFormats: textFormatsOf(settings),
    htmlFormats: htmlFormatsOf(settings),
    leniency: settings.leniency,
    methodOverride: settings.method_override,
    caches: settings.caches,
    flood: floodOf(settings.flood),
    standaloneMedia: settings.media.standalone_url,
    iconScheme: iconSchemeOf(settings),
    linkHeaders: settings.links.headers,
    mediaLinks: settings.links.media,
    relationsBase: settings.links.relations_base,
    platformLinks: settings.links.platform,
    jsonldFormatSuffix: settings.jsonld.format_suffix,
    tokenSeconds: settings.tokens.lifetime,
    tokensOfToday: settings.tokens.of_today,
    tokenAtLogin: settings.tokens.at_login ?? settings.tokens.of_today,
    sessionSeconds: settings.sessions.lifetime,
    maxUploadBytes: settings.limits.upload_bytes,
    maxJsonBytes: settings.limits.json_bytes,
    uploads: uploadsOf(settings.limits.uploads),
    beyond: {
      ...settings.beyond,
      node_lists: settings.beyond.node_lists ?? true,
      term_lookup: settings.beyond.term_lookup ?? true,
    },
    workbench: {
      integrationModuleVersion: settings.workbench.integration_module_version,
      coreVersion: settings.workbench.core_version,
    },
    storages: Object.entries(settings.storages).map(([scheme, storage]) => mountOf(scheme, storage)),
    defaultScheme: settings.default_scheme,
    seedTime: Math.floor(Date.parse(settings.seed_time) / 1000),
    seedAuthor: settings.seed_author,
    timezone: settings.timezone,
    namespaces: new Map(Object.entries(settings.namespaces)),
  }) satisfies Partial<Site>;

/** A scheme that the site does not have cannot take the icons. */
const iconSchemeOf = ({ media, storages, default_scheme }: SiteInput): string =>
  media.icon_scheme !== undefined && media.icon_scheme in storages ? media.icon_scheme : default_scheme;

const uploadsOf = (limits: SiteInput['limits']['uploads']): Site['uploads'] => ({
  idleSeconds: limits.idle,
  minBytesPerSecond: limits.min_bytes_per_second,
  maxConcurrent: limits.at_once,
  freeBytes: limits.free_bytes,
});

const mountOf = (scheme: string, storage: SiteInput['storages'][string]): StorageMount => {
  const mount = { scheme, prefix: storage.prefix, access: storage.access, standardUpload: storage.standard_upload };
  if (storage.kind === 'disk') return mount;
  const { bucket, region, endpoint, access_key_id: accessKeyId, secret_access_key: secretAccessKey } = storage;
  const keys =
    accessKeyId === undefined || secretAccessKey === undefined ? undefined : { accessKeyId, secretAccessKey };
  return {
    ...mount,
    s3: { bucket, region, endpoint, keys, pathStyle: storage.path_style, keyPrefix: storage.key_prefix },
  };
};

const floodOf = (flood: SiteInput['flood']): Site['flood'] =>
  flood === 'off'
    ? undefined
    : {
        userLimit: flood.user_limit,
        userWindowSeconds: flood.user_window,
        addressLimit: flood.address_limit,
        addressWindowSeconds: flood.address_window,
      };

const readAll = async <S extends Parameters<YamlReader>[1]>(folder: SiteFolder, part: string, schema: S) =>
  Promise.all(
    (await folder.list(part)).map(async (name) => ({
      file: folder.pathOf(name),
      content: await folder.read(name, schema),
    })),
  );

type BundleSettings = Pick<VocabularyInput, 'id' | 'label' | 'uuid' | 'fields' | 'base_fields' | 'language_alterable'> &
  Parameters<typeof shownOfBundle>[0];

/** Files and users are not bundles of a site. */
const withoutFields = { uuid: '', language_alterable: true, fields: {}, base_fields: {} };

const bundleOf = (base: BaseFields, entityType: RepositoryType, input: BundleSettings, rdf: Bundle['rdf']): Bundle => {
  const { id, label, uuid, fields, base_fields: overrides, language_alterable: languageAlterable } = input;
  const definitions = [...baseDefinitions(base(entityType), id, overrides), ...configuredFields(fields)];
  const byFieldName = new Map(definitions.map((definition) => [definition.name, definition]));
  return {
    ...{ entityType, id, label, uuid, languageAlterable, rdf },
    source: undefined,
    fields: byFieldName,
    shown: shownOfBundle(input),
  };
};

const sourceOf = (source: BundleInput['source']): Bundle['source'] =>
  source === undefined
    ? undefined
    : {
        field: source.field,
        kind: source.kind,
        icon: source.icon,
        maxBytes: source.max_bytes,
        fieldMap: source.field_map,
        textField: source.text_field,
        plugin: source.plugin,
      };

/** A role without a UUID in its file gets one that depends on its id alone. */
const roleFrom = ({ id, uuid, label, is_admin: isAdmin, permissions }: RoleInput): Role => ({
  id,
  uuid: uuid ?? derivedUuid(`user_role ${id}`),
  label,
  isAdmin,
  permissions,
});

const resourceFrom = (input: ResourceInput): Resource => ({
  name: input.resource,
  methods: new Map<HttpMethod, MethodConfiguration>(
    input.granularity === 'resource'
      ? input.configuration.methods.map((method) => [
          method,
          { formats: input.configuration.formats, providers: input.configuration.authentication },
        ])
      : methodEntries(input.configuration),
  ),
});

type ByMethod = Extract<ResourceInput, { granularity: 'method' }>['configuration'];
const methodEntries = (configuration: ByMethod): [HttpMethod, MethodConfiguration][] =>
  (['GET', 'POST', 'PATCH', 'DELETE'] as const).flatMap((method) => {
    const accepted = configuration[method];
    return accepted === undefined
      ? []
      : [[method, { formats: accepted.supported_formats, providers: accepted.supported_auth }]];
  });
