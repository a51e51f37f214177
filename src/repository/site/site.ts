/** Defines the types of a site after its files were read and checked. `load-site.ts` reads them. */
import type { ProviderName } from '../model/principal.ts';
import { canonicalPath } from '../model/entity.ts';
import type { FieldModules } from '../model/base-fields.ts';
import type { Model } from '../model/bundle.ts';
import type { LivingInput } from './living-file.ts';
import type { RecordList } from './record-list.ts';
import type { CacheMode, HostedSite } from '../../openapi/openapi-host.ts';
import type { Entity, Fields } from '../../openapi/openapi-records.ts';
import type { JsonObject } from '../../basics/json.ts';

export type HttpMethod = 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT';
export type Format = 'json' | 'jsonld';

/** The formats and authentication providers that one method of a resource accepts. */
export type MethodConfiguration = { readonly formats: readonly Format[]; readonly providers: readonly ProviderName[] };

/** The resources that show the configuration of bundles and fields, read only. */
export const modelResourceNames = [
  'entity_form_display',
  'field_config',
  'field_storage_config',
  'media_type',
  'node_type',
  'taxonomy_vocabulary',
] as const;

/** The resources that lead from other paths to those of the site. */
export const addressResourceNames = ['path_alias', 'redirect'] as const;

/** The REST resources whose methods, formats and providers a site decides. */
export const resourceNames = [
  ...(['node', 'media', 'file', 'taxonomy_term', 'user'] as const),
  ...modelResourceNames,
  ...addressResourceNames,
  // The upload of a file for a field. Without this resource its providers are those of the default site.
  'file_upload',
] as const;
export type ResourceName = (typeof resourceNames)[number];
export type Resource = { readonly name: ResourceName; readonly methods: ReadonlyMap<HttpMethod, MethodConfiguration> };

/** Operations that the document offers beyond the contract. A site switches each on or off. */
export const beyondNames = [
  'file_upload',
  'term_lookup',
  'node_lists',
  'media_edit_alias',
  'session_token_alias',
  'workbench_integration',
  'token_keys',
  'linkset',
] as const;
export type BeyondName = (typeof beyondNames)[number];

/** Which media a node has links to: every one, or, as on a real site, those whose use is one of PCDM. */
export const mediaLinkRules = ['every', 'pcdm_use'] as const;
type MediaLinkRule = (typeof mediaLinkRules)[number];

export type Role = {
  readonly id: string;
  readonly uuid: string;
  readonly label: string;
  readonly isAdmin: boolean;
  readonly permissions: readonly string[];
};

/** An account of the site's files. `demoPassword` is public. */
export type Account = {
  readonly uid: number;
  readonly uuid: string;
  readonly name: string;
  readonly mail: string;
  readonly active: boolean;
  readonly roles: readonly string[];
  readonly passwordHash: string;
  readonly demoPassword: string | undefined;
};

export type InitialTerm = {
  readonly tid: number;
  readonly uuid: string;
  readonly vocabulary: string;
  readonly fields: Fields;
};

/** The storage of one scheme: the path prefix of its URLs, and who may read the bytes. */
export type StorageMount = HostedSite['storages'][number] & {
  /** Without a slash at its end, as in `/sites/default/files`. */
  readonly prefix: string;
  /** `open`: readable by everybody who has the URL. `guarded`: readable by those who may view a media with the file. */
  readonly access: 'open' | 'guarded';
  /** False: the standard upload puts no file here, although a field names the scheme. */
  readonly standardUpload?: boolean | undefined;
};

export type FloodLimits = {
  readonly userLimit: number;
  readonly userWindowSeconds: number;
  readonly addressLimit: number;
  readonly addressWindowSeconds: number;
};

/** The modules that decide which routes and base fields a site has. `islandora`: the two upload endpoints. */
export type SiteModules = FieldModules & { readonly islandora: boolean; readonly tokenIssuer: boolean };

export type Site = Omit<HostedSite, 'storages' | 'roles' | 'accounts'> & {
  readonly langcode: string;
  readonly languages: readonly string[];
  /** The languages whose codes may begin the path of a read, which then shows translations. `language_prefixes` in `site.yml`. */
  readonly prefixLanguages: readonly string[];
  /** The formats of formatted texts. Everybody may use the first, the others need the permission `use text format …`. */
  readonly textFormats: readonly string[];
  /** Those of them whose texts are HTML. The others are plain text. */
  readonly htmlFormats: ReadonlySet<string>;
  readonly leniency: 'reference' | 'none';
  /** Whether a POST with `X-HTTP-Method-Override` is a request of the method that it names. */
  readonly methodOverride: boolean;
  /** A world can have another mode. */
  readonly caches: CacheMode;
  readonly flood: FloodLimits | undefined;
  readonly modules: SiteModules;
  /** Whether a media is at `/media/{id}`. Otherwise it is at `/media/{id}/edit` only. */
  readonly standaloneMedia: boolean;
  /** Where the icons of media without a picture of their own lie. */
  readonly iconScheme: string;
  /** Whether nodes and media have the links of the module Islandora besides those of the platform. */
  readonly linkHeaders: boolean;
  readonly mediaLinks: MediaLinkRule;
  readonly relationsBase: string;
  readonly platformLinks: boolean;
  /** Whether JSON-LD ids of local entities end with `?_format=jsonld`. */
  readonly jsonldFormatSuffix: boolean;
  readonly tokenSeconds: number;
  /** Whether tokens follow the modules of today instead of those in the contract's time. `tokens.of_today` in `site.yml`. */
  readonly tokensOfToday: boolean;
  /** Whether the login answers a token, too. `tokens.at_login` in `site.yml`; without it as `of_today`. */
  readonly tokenAtLogin: boolean;
  readonly sessionSeconds: number;
  readonly maxJsonBytes: number;
  readonly beyond: { readonly [N in BeyondName]: boolean };
  /** What the integration module of Workbench says of itself and of the platform. */
  readonly workbench: { readonly integrationModuleVersion: string; readonly coreVersion: string };
  readonly lists: readonly RecordList[];
  readonly storages: readonly StorageMount[];
  /** The scheme of files from the standard upload whose field names none, or one that the standard upload leaves alone. */
  readonly defaultScheme: string;
  readonly resources: ReadonlyMap<string, Resource>;
  readonly model: Model;
  readonly roles: ReadonlyMap<string, Role>;
  readonly accounts: readonly Account[];
  readonly terms: readonly InitialTerm[];
  /** Objects of the exported configuration that the site was imported from, by name, as its reads show them. */
  readonly exported: ReadonlyMap<string, JsonObject>;
  /** What the site does by itself after a write. */
  readonly living: LivingInput;
  /** When the initial terms and accounts were created, in seconds since 1970. `seed_time` in `site.yml`. */
  readonly seedTime: number;
  /** The account that made the initial terms. `seed_author` in `site.yml`. */
  readonly seedAuthor: number;
  /** That of the initial accounts. `timezone` in `site.yml`. */
  readonly timezone: string;
  /** The prefixes of RDF names. */
  readonly namespaces: ReadonlyMap<string, string>;
};

/** The site that a host gives back: this application has read it. */
export const repositorySite = (site: HostedSite): Site => site as Site;

/** The path of an entity's own address on this site, without the base URL. */
export const addressPath = (site: Pick<Site, 'standaloneMedia'>, type: string, id: number): string =>
  type === 'media' && !site.standaloneMedia ? `${canonicalPath(type, id)}/edit` : canonicalPath(type, id);

/** The path of an entity on this site: its URL alias, or else its own address. */
export const entityPath = (site: Pick<Site, 'standaloneMedia'>, entity: Entity): string => {
  const alias = entity.fields['path']?.[0]?.['alias'];
  return typeof alias === 'string'
    ? alias
        .replace(/^\/{2,}/, '/')
        .split('/')
        .map(encodeURIComponent)
        .join('/') // `//` would begin the name of a host
    : addressPath(site, entity.type, entity.id);
};

export const mountOf = (site: Pick<Site, 'storages'>, scheme: string): StorageMount | undefined =>
  site.storages.find((mount) => mount.scheme === scheme);

/** The path in the links of the module Islandora and in JSON-LD. They know only aliases of no language. */
export const neutralPath = (site: Pick<Site, 'standaloneMedia'>, entity: Entity): string => {
  const { langcode = 'und' } = entity.fields['path']?.[0] ?? {};
  return langcode === 'und' ? entityPath(site, entity) : addressPath(site, entity.type, entity.id);
};
