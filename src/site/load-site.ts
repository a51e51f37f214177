/** Reads a site's folder into a `Site`. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { baseFields } from '../model/base-fields.ts';
import type { EntityType } from '../model/entity.ts';
import { createModel, type Bundle, type FieldDefinition, type RdfMapping } from '../model/bundle.ts';
import { checkSite } from './check-site.ts';
import { openRegularFile } from './regular-file.ts';
import { ConfigurationError, readYaml, yamlFiles, type YamlReader } from './read-yaml.ts';
import {
  accountsFile,
  bundleFile,
  resourceFile,
  roleFile,
  siteFile,
  vocabularyFile,
  type BundleInput,
  type FieldInput,
  type RdfInput,
  type ResourceInput,
  type RoleInput,
  type SiteInput,
  type VocabularyInput,
} from './site-files.ts';
import type { HttpMethod, MethodConfiguration, Resource, Role, Site, StorageMount, InitialTerm } from './site.ts';

/**
 * Loads a site from its folder (`site.yml`, `accounts.yml`, `bundles/`, `vocabularies/`, `roles/`, `resources/`).
 * `read` may return contents that were prepared by the build. Throws `ConfigurationError` with file, key and remedy.
 */
export const loadSite = async (directory: string, read: YamlReader = readYaml): Promise<Site> => {
  const siteYml = join(directory, 'site.yml');
  const accountsYml = join(directory, 'accounts.yml');
  const general = await read(siteYml, siteFile);
  const expand = expander(siteYml, general.namespaces);
  const [bundles, vocabularies, roles, resources, accounts] = await Promise.all([
    readAll(read, join(directory, 'bundles'), bundleFile),
    readAll(read, join(directory, 'vocabularies'), vocabularyFile),
    readAll(read, join(directory, 'roles'), roleFile),
    readAll(read, join(directory, 'resources'), resourceFile),
    read(accountsYml, accountsFile),
  ]);
  checkSite({
    ...{ bundles, vocabularies, roles, resources },
    general: { file: siteYml, content: general },
    accounts: { file: accountsYml, content: accounts },
  });
  const iconDirectory = join(directory, 'icons');
  await checkIcons(bundles, iconDirectory);
  const model = createModel([
    ...bundles.map(({ file, content }) =>
      bundleOf(content.entity_type, content, mappingOf(content.rdf, expand, file), sourceOf(content.source)),
    ),
    ...vocabularies.map(({ file, content }) =>
      bundleOf('taxonomy_term', content, mappingOf(content.rdf, expand, file)),
    ),
    bundleOf('file', { id: 'file', label: 'File', uuid: '', language_alterable: true, fields: {} }, undefined),
    bundleOf('user', { id: 'user', label: 'User', uuid: '', language_alterable: true, fields: {} }, userMapping),
  ]);
  return {
    ...settingsOf(general),
    resources: new Map(resources.map(({ content }) => [content.resource, resourceFrom(content)])),
    model,
    roles: new Map(roles.map(({ content }) => [content.id, roleFrom(content)])),
    accounts: accounts.accounts.map((account) => ({
      ...account,
      passwordHash: account.password_hash,
      demoPassword: account.demo_password,
    })),
    terms: vocabularies.flatMap(({ content }) => termsOf(content)),
    iconDirectory,
  };
};

/** Throws when an icon is missing that a later upload would need. */
const checkIcons = async (
  bundles: readonly { file: string; content: BundleInput }[],
  folder: string,
): Promise<void> => {
  for (const { file, content } of bundles) {
    const icon = content.source?.icon;
    if (icon === undefined || (await isReadableFile(join(folder, icon)))) continue;
    throw new ConfigurationError(
      `${file}: source.icon: there is no readable file ${icon} in ${folder}. Put it there, or name another.`,
    );
  }
};

const isReadableFile = async (path: string): Promise<boolean> => {
  const handle = await openRegularFile(path).catch(() => undefined);
  await handle?.close();
  return handle !== undefined;
};

/** The settings of `site.yml`. */
const settingsOf = (general: SiteInput) =>
  ({
    name: general.name,
    langcode: general.langcode,
    languages: general.languages,
    textFormats: general.text_formats,
    leniency: general.leniency,
    methodOverride: general.method_override,
    caches: general.caches,
    flood: floodOf(general.flood),
    relationsBase: general.links.relations_base,
    platformLinks: general.links.platform,
    jsonldFormatSuffix: general.jsonld.format_suffix,
    tokenSeconds: general.tokens.lifetime,
    tokensOfToday: general.tokens.of_today,
    sessionSeconds: general.sessions.lifetime,
    maxUploadBytes: general.limits.upload_bytes,
    maxJsonBytes: general.limits.json_bytes,
    uploads: uploadsOf(general.limits.uploads),
    beyond: general.beyond,
    storages: Object.entries(general.storages).map(([scheme, storage]) => mountOf(scheme, storage)),
    defaultScheme: general.default_scheme,
    seedTime: Math.floor(Date.parse(general.seed_time) / 1000),
  }) satisfies Partial<Site>;

const uploadsOf = (limits: SiteInput['limits']['uploads']): Site['uploads'] => ({
  idleSeconds: limits.idle,
  minBytesPerSecond: limits.min_bytes_per_second,
  atOnce: limits.at_once,
  freeBytes: limits.free_bytes,
});

const mountOf = (scheme: string, storage: SiteInput['storages'][string]): StorageMount => {
  const mount = { scheme, prefix: storage.prefix, access: storage.access };
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

const readAll = async <S extends Parameters<typeof readYaml>[1]>(read: YamlReader, folder: string, schema: S) =>
  Promise.all((await yamlFiles(folder)).map(async (file) => ({ file, content: await read(file, schema) })));

type Expand = (name: string, file: string, key: string) => string;

/** Expands prefixed names to IRIs. */
const expander =
  (siteYml: string, namespaces: Readonly<Record<string, string>>): Expand =>
  (name, file, key) => {
    const [prefix = '', local = ''] = name.split(/:(.*)/s);
    const namespace = namespaces[prefix];
    if (namespace !== undefined) return namespace + local;
    throw new ConfigurationError(
      `${file}: ${key}: the prefix "${prefix}" is unknown. Add it to namespaces in ${siteYml}.`,
    );
  };

const bundleOf = (
  entityType: EntityType,
  input: Pick<VocabularyInput, 'id' | 'label' | 'uuid' | 'fields' | 'language_alterable'>,
  rdf: Bundle['rdf'],
  source?: Bundle['source'],
): Bundle => {
  const { id, label, uuid, fields, language_alterable: languageAlterable } = input;
  const definitions = [
    ...baseFields[entityType].map((field) => baseFieldOf(field, id)),
    ...Object.entries(fields).sort(byName).map(configuredField),
  ];
  const byFieldName = new Map(definitions.map((definition) => [definition.name, definition]));
  return { entityType, id, label, uuid, source, languageAlterable, rdf, fields: byFieldName };
};

/** The parents of a term are terms of its own vocabulary. */
const baseFieldOf = (field: FieldDefinition, bundle: string): FieldDefinition =>
  field.name === 'parent' ? { ...field, target: { type: 'taxonomy_term', bundles: [bundle] } } : field;

const userMapping: RdfMapping = { types: ['http://schema.org/Person'], fields: new Map() };

const sourceOf = (source: BundleInput['source']): Bundle['source'] =>
  source === undefined
    ? undefined
    : { field: source.field, kind: source.kind, icon: source.icon, maxBytes: source.max_bytes };

const byName = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1);

const configuredField = ([name, input]: [string, FieldInput]): FieldDefinition => ({
  name,
  label: input.label,
  type: input.type,
  cardinality: input.cardinality === 'unlimited' ? Infinity : input.cardinality,
  required: input.required,
  configured: true,
  translatable: input.translatable,
  maxLength: input.max_length ?? defaultLengths[input.type],
  target: targetOf(input),
  extensions: input.extensions,
  scheme: input.scheme,
  relations: input.relations,
  default: input.default,
});

/** The real site has the field types string(255) and edtf(128). */
const defaultLengths: Partial<Record<FieldInput['type'], number>> = { string: 255, edtf: 128 };

const targetOf = (input: FieldInput): FieldDefinition['target'] => {
  if (input.type === 'file' || input.type === 'image') return { type: 'file' };
  return input.target === undefined ? undefined : { type: input.target, bundles: input.bundles };
};

const mappingOf = (rdf: RdfInput | undefined, expand: Expand, file: string): RdfMapping | undefined =>
  rdf && {
    types: rdf.types.map((type) => expand(type, file, 'rdf.types')),
    fields: new Map(
      Object.entries(rdf.fields).map(([field, names]) => [
        field,
        [names].flat().map((name) => expand(name, file, `rdf.fields.${field}`)),
      ]),
    ),
  };

/** A role without a UUID in its file gets one that depends on its id alone. */
const roleFrom = ({ id, uuid, label, is_admin: isAdmin, permissions }: RoleInput): Role => {
  const hex = createHash('sha256').update(`user_role ${id}`).digest('hex');
  const derived = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  return { id, uuid: uuid ?? derived, label, isAdmin, permissions };
};

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

const termsOf = (vocabulary: VocabularyInput): InitialTerm[] =>
  vocabulary.terms.map((term) => ({
    tid: term.tid,
    uuid: term.uuid,
    vocabulary: vocabulary.id,
    fields: {
      name: [{ value: term.name }],
      ...(term.description === undefined ? {} : { description: [{ value: term.description, format: null }] }),
      ...(term.uri === undefined ? {} : { field_external_uri: [{ uri: term.uri, title: null, options: [] }] }),
    },
  }));
