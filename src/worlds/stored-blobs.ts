/** Opens the bytes of a data directory for reading only, wherever the site's mounts say that they lie. */
import type { Entity } from '../model/entity.ts';
import { schemeOf } from '../content/repository.ts';
import type { S3Place, Site } from '../site/site.ts';
import type { BlobStorage } from '../model/blob-storage.ts';
import { readDiskBlobs } from '../storage/blobs/disk-blob-storage.ts';
import { openS3BlobStorage } from '../storage/blobs/s3-blob-storage.ts';
import { blobDirectory } from './sweep-blobs.ts';

/** What is only read of a storage. */
export type BlobReader = Pick<BlobStorage, 'open' | 'keys'>;

/** Each repository has names of its own in a bucket, so that none ever sweeps what belongs to another. */
export const ownPlace = (place: S3Place, instance: string): S3Place => ({
  ...place,
  keyPrefix: `${place.keyPrefix}${instance}/`,
});

/** One reader for each scheme of the site. `instance` is that of the data directory. */
export const storedBlobs = async (
  site: Site,
  directory: string,
  instance: string,
): Promise<ReadonlyMap<string, BlobReader>> => {
  const readers = new Map<string, BlobReader>();
  for (const { scheme, s3 } of site.storages) {
    const noName = (): string => '';
    readers.set(
      scheme,
      s3 === undefined
        ? readDiskBlobs(blobDirectory(directory, scheme))
        : await openS3BlobStorage({ place: ownPlace(s3, instance), newName: noName }),
    );
  }
  return readers;
};

/** The reader for a file's scheme. */
export const readerOf =
  (readers: ReadonlyMap<string, BlobReader>) =>
  (file: Entity): BlobReader | undefined =>
    readers.get(schemeOf(file));
