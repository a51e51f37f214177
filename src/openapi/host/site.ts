/** Defines what a host needs to know of the site that an application serves: where bytes go, how much, and who has an account. */
import type { S3Location } from '../ports/blob-storage.ts';

/** An application adds what its own requests need. */
export type HostedSite = {
  readonly name: string;
  /** One for each scheme: the bytes of `public://a.png` are in the storage of `public`. */
  readonly storages: readonly HostedStorage[];
  readonly uploads: UploadLimits;
  readonly maxUploadBytes: number;
  /** The most bytes of a body of JSON. */
  readonly maxJsonBytes: number;
  /** Those that it has from the start. */
  readonly accounts: readonly HostedAccount[];
  /** By id. */
  readonly roles: ReadonlyMap<string, unknown>;
  /** The folder of its pictures. */
  readonly iconDirectory: string;
};

/** `roles` are ids of the site's roles. One that is not `active` is blocked. `demoPassword` is public. */
export type HostedAccount = {
  readonly name: string;
  readonly roles: readonly string[];
  readonly active: boolean;
  readonly demoPassword: string | undefined;
};

/** Where the bytes of a scheme are: in a bucket, or without one in the data directory. */
export type HostedStorage = { readonly scheme: string; readonly s3?: S3Location | undefined };

/** The limits of uploads. Uploads beyond `maxConcurrent` wait; the other limits refuse. */
export type UploadLimits = {
  /** The longest time without a byte. */
  readonly idleSeconds: number;
  /** The slowest rate, measured over each `idleSeconds` in which the server waits for the client; 0 for any. */
  readonly minBytesPerSecond: number;
  readonly maxConcurrent: number;
  /** The disk space that must stay free. */
  readonly freeBytes: number;
};

/** How reads are answered: always fresh, or from caches as those of a real site. */
export const cacheModes = ['fresh', 'reference'] as const;
export type CacheMode = (typeof cacheModes)[number];
