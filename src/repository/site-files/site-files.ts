/** Defines the schemas of a site's files. `load-site.ts` turns the files into a `Site`. */
import * as v from 'valibot';
import { providerNames } from '../model/principal.ts';
import { referredTypes } from '../model/entity.ts';
import { fieldTypes } from '../fields/field-types.ts';
import { mediaSourceKinds } from '../model/bundle.ts';
import { translatedTypes } from '../model/base-fields.ts';
import { isAffordable, readPasswordHash } from '../site/password-hash.ts';
import { fieldSettings, shownBundleKeys } from './field-settings.ts';
import { fieldItems, machineName, positive, schemeName, uuid } from '../site/schema-words.ts';
import { cacheModes } from '../../openapi/openapi-host.ts';
import { beyondNames, mediaLinkRules, resourceNames } from '../site/site.ts';
import { termInput } from './term-input.ts';

const isTime = (text: string): boolean => !Number.isNaN(Date.parse(text));
const time = v.pipe(v.string(), v.check(isTime, 'must be an ISO 8601 time'));
const prefix = v.pipe(
  v.string(),
  v.regex(/^(\/[A-Za-z0-9._~-]+)+$/, 'must be a path that begins with / and does not end with it'),
  v.check((path) => !path.split('/').some((part) => part === '.' || part === '..'), 'must have no part "." or ".."'),
  v.check((path) => path.split('/')[1] !== '_atoll', 'must not begin with /_atoll, the control interface'),
);
const siteName = v.pipe(
  v.string(),
  v.nonEmpty(),
  // The realm of `WWW-Authenticate` shows it, in UTF-8.
  v.regex(/^\P{Cc}*$/u, 'must be one line, without control characters'),
  v.regex(/^[^"\\]*$/, 'must have no quotation mark and no backslash'),
);
const iconName = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9_-][A-Za-z0-9._-]*$/, 'must be the name of a file in the folder icons, without a path'),
);
const passwordHash = v.pipe(
  v.string(),
  v.check((text) => readPasswordHash(text) !== undefined, 'must be scrypt$N$r$p$salt$hash'),
  v.check(
    (text) => isAffordable(text),
    'must have an N that is a power of two, and need at most 32 MiB (128 × N × r bytes) and a p of at most 16',
  ),
);
const formats = v.pipe(v.array(v.picklist(['json', 'jsonld'])), v.nonEmpty('must name at least one format'));
const providers = v.pipe(v.array(v.picklist(providerNames)), v.nonEmpty('must name at least one provider'));
const method = v.picklist(['GET', 'POST', 'PATCH', 'DELETE']);

const storageMount = {
  prefix,
  access: v.picklist(['open', 'guarded']),
  standard_upload: v.optional(v.boolean(), true),
};
const filled = v.pipe(v.string(), v.nonEmpty('must not be empty'));
/** Bytes on the disk of the data directory, or in a bucket of an S3 service. */
const storage = v.variant('kind', [
  v.strictObject({ ...storageMount, kind: v.optional(v.literal('disk'), 'disk') }),
  v.strictObject({
    ...storageMount,
    kind: v.literal('s3'),
    bucket: v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')),
    region: v.optional(filled, 'us-east-1'),
    endpoint: v.optional(v.pipe(v.string(), v.regex(/^https?:\/\//, 'must begin with http:// or https://'), v.url())),
    path_style: v.optional(v.boolean(), false),
    key_prefix: v.optional(
      v.pipe(v.string(), v.regex(/^([A-Za-z0-9._-]+\/)*$/, 'must be empty, or a path that ends with /')),
      '',
    ),
    access_key_id: v.optional(filled),
    secret_access_key: v.optional(filled),
  }),
]);

/** The limits of uploads, with their defaults. */
const uploadLimits = v.strictObject({
  idle: v.optional(positive, 60),
  min_bytes_per_second: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0, 'must be at least 0')), 256),
  at_once: v.optional(positive, 64),
  free_bytes: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0, 'must be at least 0')), 67_108_864),
});

/** The names of the formats, or each with a label, the roles that may use it, and whether its texts are HTML. */
const textFormats = v.union([
  v.pipe(v.array(machineName), v.nonEmpty('must name at least one format')),
  v.pipe(
    v.record(
      machineName,
      v.strictObject({
        label: v.optional(v.string()),
        roles: v.optional(v.array(machineName), []),
        html: v.optional(v.boolean(), false),
      }),
    ),
    v.check((formats) => Object.keys(formats).length > 0, 'must name at least one format'),
  ),
]);

const on = v.optional(v.boolean(), true);
const off = v.optional(v.boolean(), false);

/** The modules that decide which routes and base fields a site has. Without the key: those of the default site. */
const modules = v.strictObject({
  ...{ islandora: on, jwt_auth_issuer: on },
  ...{ path: off, metatag: off, content_moderation: off, dgi_image_discovery: off },
});

const media = v.strictObject({ standalone_url: on, icon_scheme: v.optional(schemeName) });

const version = v.pipe(v.string(), v.regex(/^\d+\.\d+(\.\d+)?(-[A-Za-z0-9.]+)?$/, 'must be a version, such as 1.2.1'));
/** What the integration module of Workbench answers: its own version, and that of the platform. */
const workbench = v.strictObject({
  integration_module_version: v.optional(version, '1.2.1'),
  core_version: v.optional(version, '10.6.0'),
});

export const siteFile = v.strictObject({
  name: siteName,
  langcode: v.string(),
  languages: v.pipe(v.array(v.string()), v.nonEmpty()),
  language_prefixes: v.optional(v.boolean(), false),
  text_formats: v.optional(textFormats, ['plain_text']),
  modules: v.optional(modules, {}),
  content_translation: v.optional(v.array(v.picklist(translatedTypes)), [...translatedTypes]),
  media: v.optional(media, {}),
  leniency: v.picklist(['reference', 'none']),
  method_override: v.optional(v.boolean(), false),
  caches: v.optional(v.picklist(cacheModes), 'fresh'),
  flood: v.union([
    v.literal('off'),
    v.strictObject({ user_limit: positive, user_window: positive, address_limit: positive, address_window: positive }),
  ]),
  links: v.strictObject({
    platform: v.boolean(),
    headers: v.optional(v.boolean(), true),
    // Which media a node links: every one, or those whose use has an address that begins with http://pcdm.org/use#.
    media: v.optional(v.picklist(mediaLinkRules), 'every'),
    relations_base: v.pipe(v.string(), v.url()),
  }),
  jsonld: v.strictObject({ format_suffix: v.boolean() }),
  tokens: v.strictObject({
    lifetime: positive,
    of_today: v.optional(v.boolean(), false),
    at_login: v.optional(v.boolean()),
  }),
  sessions: v.strictObject({ lifetime: positive }),
  limits: v.strictObject({ json_bytes: positive, upload_bytes: positive, uploads: v.optional(uploadLimits, {}) }),
  // A module that is left out is off: a site of an older version names fewer.
  beyond: v.strictObject({
    ...v.entriesFromList(beyondNames, v.optional(v.boolean(), false)),
    // Atoll had it before sites could switch it off.
    linkset: v.optional(v.boolean(), true),
    // Left out, `lists/` alone says which lists there are.
    node_lists: v.optional(v.boolean()),
    term_lookup: v.optional(v.boolean()),
  }),
  workbench: v.optional(workbench, {}),
  storages: v.record(schemeName, storage),
  default_scheme: schemeName,
  seed_time: time,
  seed_author: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0, 'must be at least 0')), 0),
  timezone: v.optional(v.pipe(v.string(), v.nonEmpty(), v.maxLength(32)), 'UTC'),
  namespaces: v.record(v.string(), v.pipe(v.string(), v.url())),
});

const byMethod = v.strictObject({
  resource: v.picklist(resourceNames),
  granularity: v.literal('method'),
  configuration: v.record(method, v.strictObject({ supported_formats: formats, supported_auth: providers })),
});
const byResource = v.strictObject({
  resource: v.picklist(resourceNames),
  granularity: v.literal('resource'),
  configuration: v.strictObject({ methods: v.array(method), formats, authentication: providers }),
});
/** A REST resource in either granularity of the configuration. */
export const resourceFile = v.variant('granularity', [byMethod, byResource]);

export const fieldFile = v.strictObject({
  label: v.string(),
  type: v.picklist(fieldTypes.map(({ name }) => name)),
  cardinality: v.optional(v.union([positive, v.literal('unlimited')]), 1),
  required: v.optional(v.boolean(), false),
  translatable: v.optional(v.boolean(), false),
  max_length: v.optional(positive),
  target: v.optional(v.picklist(referredTypes)),
  bundles: v.optional(v.array(machineName)),
  extensions: v.optional(v.array(v.pipe(v.string(), v.regex(/^[a-z0-9]+$/, 'must be an extension in lower case')))),
  scheme: v.optional(schemeName),
  // A list, or a map of labels.
  relations: v.optional(v.union([v.array(v.string()), v.record(v.string(), v.string())])),
  access: v.optional(v.picklist(['public', 'private', 'custom']), 'public'),
  default: v.optional(fieldItems),
  ...fieldSettings,
});
const fields = v.record(machineName, fieldFile);
const rdf = v.strictObject({
  types: v.array(v.string()),
  fields: v.optional(v.record(machineName, v.union([v.string(), v.array(v.string())])), {}),
  // EDTF fields whose texts are written as they are, in place of the date that they begin with.
  as_written: v.optional(v.array(machineName), []),
});

/** What the JSON-LD of a record has besides its mapping. */
const graph = v.strictObject({
  types_of: v.optional(v.array(machineName), []),
  self: v.optional(v.array(v.string()), []),
});

const scalar = v.union([v.string(), v.number(), v.boolean()]);
/** What a bundle says otherwise of a field that every entity of its type has. */
const baseFieldOverrides = v.record(
  machineName,
  v.strictObject({
    label: v.optional(v.string()),
    required: v.optional(v.boolean()),
    // `false` is short for `[{ value: false }]`.
    default: v.optional(v.union([scalar, fieldItems])),
  }),
);

export const bundleFile = v.pipe(
  v.strictObject({
    // Accounts have one bundle, `user`. Only its fields are the site's.
    entity_type: v.picklist(['node', 'media', 'user']),
    id: machineName,
    label: v.string(),
    uuid,
    language_alterable: v.optional(v.boolean(), true),
    new_revision: v.optional(v.boolean(), false),
    base_fields: v.optional(baseFieldOverrides, {}),
    fields,
    ...shownBundleKeys,
    rdf: v.optional(rdf),
    jsonld: v.optional(graph),
    source: v.optional(
      v.strictObject({
        field: machineName,
        kind: v.picklist(mediaSourceKinds),
        icon: iconName,
        max_bytes: v.optional(positive),
        field_map: v.optional(v.record(v.string(), machineName)),
        text_field: v.optional(machineName),
        plugin: v.optional(v.string()),
      }),
    ),
  }),
  v.forward(
    v.check(({ entity_type: type, id }) => type !== 'user' || id === 'user', 'must be user: accounts have one bundle'),
    ['id'],
  ),
);

export const vocabularyFile = v.strictObject({
  id: machineName,
  label: v.string(),
  uuid,
  language_alterable: v.optional(v.boolean(), false),
  fields: v.optional(fields, {}),
  rdf: v.optional(rdf),
  jsonld: v.optional(graph),
  base_fields: v.optional(baseFieldOverrides, {}),
  ...shownBundleKeys,
  new_revision: v.optional(v.boolean(), false),
  weight: v.optional(v.pipe(v.number(), v.integer()), 0),
  terms: v.optional(v.array(termInput), []),
});

export const roleFile = v.strictObject({
  id: machineName,
  uuid: v.optional(uuid),
  label: v.string(),
  is_admin: v.optional(v.boolean(), false),
  permissions: v.array(v.string()),
});

export const accountsFile = v.strictObject({
  accounts: v.array(
    v.strictObject({
      uid: positive,
      uuid,
      name: v.pipe(v.string(), v.nonEmpty(), v.maxLength(60)),
      mail: v.string(),
      active: v.boolean(),
      roles: v.array(machineName),
      password_hash: passwordHash,
      demo_password: v.optional(v.string()),
    }),
  ),
});

export type AccountsInput = v.InferOutput<typeof accountsFile>;
export type RoleInput = v.InferOutput<typeof roleFile>;
export type SiteInput = v.InferOutput<typeof siteFile>;
export type FieldInput = v.InferOutput<typeof fieldFile>;
export type BundleInput = v.InferOutput<typeof bundleFile>;
export type VocabularyInput = v.InferOutput<typeof vocabularyFile>;
export type RdfInput = v.InferOutput<typeof rdf>;
export type ResourceInput = v.InferOutput<typeof resourceFile>;
