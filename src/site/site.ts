/** What a site is, once its files have been read and checked. Reading them is `load-site.ts`. */
import type { ProviderName } from '../model/principal.ts';
import type { EntityType, Fields } from '../model/entity.ts';
import type { Model } from '../model/bundle.ts';

export type HttpMethod = 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT';
export type Format = 'json' | 'jsonld';

/** What one method of a resource accepts (contract: Authentication 1; reference 5.4). */
export type MethodConfiguration = { readonly formats: readonly Format[]; readonly providers: readonly ProviderName[] };

/** The REST resources whose methods, formats and providers a site decides. */
export const resourceNames = ['node', 'media', 'file', 'taxonomy_term', 'user'] as const;
export type ResourceName = (typeof resourceNames)[number];
export type Resource = { readonly name: ResourceName; readonly methods: ReadonlyMap<HttpMethod, MethodConfiguration> };

/** What the document offers beyond the contract and beside the resources; a site switches each on or off. */
export const beyondNames = [
  'file_upload',
  'term_lookup',
  'node_lists',
  'media_edit_alias',
  'session_token_alias',
] as const;
export type BeyondName = (typeof beyondNames)[number];

export type Role = {
  readonly id: string;
  readonly label: string;
  readonly isAdmin: boolean;
  readonly permissions: readonly string[];
};

/** An account the site brings along. `demoPassword` is what demo accounts show to everybody. */
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

export type TermSeed = {
  readonly tid: number;
  readonly uuid: string;
  readonly vocabulary: string;
  readonly fields: Fields;
};

/** Bytes of one scheme: the path prefix they are served under and who may read them. */
export type StorageMount = {
  readonly scheme: string;
  /** `/sites/default/files`, without a slash at its end. */
  readonly prefix: string;
  /** `open`: whoever knows the address (local public storage). `guarded`: whoever may view a media that uses the file. */
  readonly access: 'open' | 'guarded';
  /** The bucket that holds the bytes; without one they lie in the data directory. */
  readonly s3?: S3Place | undefined;
};

/** A bucket of an S3 service. Without keys the usual chain of the AWS SDK finds them: environment, profile, role. */
export type S3Place = {
  readonly bucket: string;
  readonly region: string;
  /** The service's address; Amazon's own when left out. */
  readonly endpoint: string | undefined;
  /** Whether the bucket stands in the path of the address and not in its host. */
  readonly pathStyle: boolean;
  /** What every name in the bucket begins with: empty, or a path that ends with `/`. */
  readonly keyPrefix: string;
  readonly keys: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
};

/** How bytes may arrive. Beyond `atOnce` uploads wait; the others are refused. */
export type UploadLimits = {
  /** Longest silence. */
  readonly idleSeconds: number;
  /** Slowest pace, measured over each stretch of `idleSeconds` in which the server waited for the client; 0 for any. */
  readonly minBytesPerSecond: number;
  readonly atOnce: number;
  /** What must stay free on the disk. */
  readonly freeBytes: number;
};

export type FloodLimits = {
  readonly userLimit: number;
  readonly userWindowSeconds: number;
  readonly addressLimit: number;
  readonly addressWindowSeconds: number;
};

export type Site = {
  readonly name: string;
  readonly langcode: string;
  readonly languages: readonly string[];
  readonly leniency: 'reference' | 'none';
  readonly flood: FloodLimits | undefined;
  readonly relationsBase: string;
  readonly platformLinks: boolean;
  /** Whether JSON-LD ids of local entities end with `?_format=jsonld` (reference 6). */
  readonly jsonldFormatSuffix: boolean;
  readonly tokenSeconds: number;
  readonly sessionSeconds: number;
  readonly maxUploadBytes: number;
  readonly maxJsonBytes: number;
  readonly uploads: UploadLimits;
  readonly beyond: { readonly [N in BeyondName]: boolean };
  readonly storages: readonly StorageMount[];
  /** The scheme of files that arrive by the standard upload. */
  readonly defaultScheme: string;
  readonly resources: ReadonlyMap<ResourceName, Resource>;
  readonly model: Model;
  readonly roles: ReadonlyMap<string, Role>;
  readonly accounts: readonly Account[];
  readonly terms: readonly TermSeed[];
  /** Where the generic media icons lie. */
  readonly iconDirectory: string;
  /** Seconds since 1970 at which the seeded terms and accounts were made. */
  readonly seedTime: number;
};

/** The resource whose configuration governs an entity type. */
export const resourceOf = (site: Site, type: EntityType): Resource | undefined => site.resources.get(type);

/** The mount of a scheme. */
export const mountOf = (site: Site, scheme: string): StorageMount | undefined =>
  site.storages.find((mount) => mount.scheme === scheme);
