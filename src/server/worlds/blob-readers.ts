/** Opens the bytes of a data directory for reading only, on disk or in the buckets that the site names. */
import type { Entity } from '../../core/model/entity.ts';
import { schemeOf } from '../../core/content/repository.ts';
import type { S3Location, Site } from '../../core/site/site.ts';
import type { BlobStorage } from '../../core/model/blob-storage.ts';
import { readDiskBlobs } from '../../storage/blobs/disk-blob-storage.ts';
import { openS3BlobStorage } from '../../storage/blobs/s3-blob-storage.ts';
import { blobDirectory } from './sweep-blobs.ts';

export type BlobReader = Pick<BlobStorage, 'open' | 'keys'>;

/** Adds the repository's instance id to the key prefix. Repositories that share a bucket then never sweep each other's bytes. */
export const withInstancePrefix = (location: S3Location, instance: string): S3Location => ({
  ...location,
  keyPrefix: `${location.keyPrefix}${instance}/`,
});

/** One reader for each scheme of the site. `instance` is the instance id of the data directory. */
export const openBlobReaders = async (
  site: Site,
  directory: string,
  instance: string,
): Promise<ReadonlyMap<string, BlobReader>> => {
  const readers = new Map<string, BlobReader>();
  for (const { scheme, s3 } of site.storages) {
    readers.set(
      scheme,
      s3 === undefined
        ? readDiskBlobs(blobDirectory(directory, scheme))
        : await openS3BlobStorage({ location: withInstancePrefix(s3, instance), newName: () => '' }),
    );
  }
  return readers;
};

/** Readers of the schemes that are kept on disk. */
export const openDiskReaders = (site: Site, directory: string): ReadonlyMap<string, BlobReader> =>
  new Map(
    site.storages
      .filter(({ s3 }) => s3 === undefined)
      .map(({ scheme }) => [scheme, readDiskBlobs(blobDirectory(directory, scheme))]),
  );

/** Returns a function that finds the reader for a file by its scheme. */
export const readerOf =
  (readers: ReadonlyMap<string, BlobReader>) =>
  (file: Entity): BlobReader | undefined =>
    readers.get(schemeOf(file));
