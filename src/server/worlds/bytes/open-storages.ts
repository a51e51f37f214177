/** Opens the storages of a site's file systems, on disk or in buckets, for writing. */
import type { HostedSite } from '../../../openapi/openapi-host.ts';
import type { Durability } from '../../../basics/disk/files.ts';
import { createSemaphore, type Semaphore } from '../../../basics/semaphore.ts';
import { openDiskBlobStorage, withUploadQueue, openS3BlobStorage } from '../../../storage/storage.ts';
import { withInstancePrefix } from '../blob-readers.ts';
import { blobDirectory } from '../sweep-blobs.ts';
import type { BlobStorage, Identifiers, BlobReference, S3Location } from '../../../openapi/openapi-records.ts';

type OpenStoragesOptions = {
  readonly site: HostedSite;
  readonly durability: Durability;
  readonly ids: Identifiers;
  /** Called when the bytes of a scheme on disk turn out not to be the stored ones. */
  readonly onDamage?: (scheme: string, blob: BlobReference) => void;
  /** See `DiskBlobStorageOptions`. */
  readonly requireHeld?: () => Promise<void>;
  readonly makeRoom?: () => Promise<void>;
  readonly drawsNames?: boolean | undefined;
  /** How old unfinished uploads are that are removed, in milliseconds. When left out: all of them. */
  readonly abandonedMs?: number | undefined;
  /** The queue of uploads. When left out: one of their own. */
  readonly uploads?: Semaphore;
};

/** One storage for each scheme, on disk or in a bucket as its mount says. All of them share one upload queue. */
export const openStorages = async (
  { site, durability, ids, onDamage, abandonedMs, ...options }: OpenStoragesOptions,
  directory: string,
  instance: string,
): Promise<ReadonlyMap<string, BlobStorage>> => {
  const newName = (): string => ids.uuid();
  const { freeBytes } = site.uploads;
  const { uploads = createSemaphore(site.uploads.maxConcurrent), ...place } = options;
  const blobs = new Map<string, BlobStorage>();
  for (const { scheme, s3 } of site.storages) {
    const storage =
      s3 === undefined
        ? await openDiskBlobStorage({
            ...{ directory: blobDirectory(directory, scheme), durability, freeBytes, abandonedMs, ...place },
            onDamage: (blob) => onDamage?.(scheme, blob),
          })
        : await openBucket(withInstancePrefix(s3, instance), newName, abandonedMs);
    blobs.set(scheme, withUploadQueue(storage, uploads));
  }
  return blobs;
};

const openBucket = async (location: S3Location, newName: () => string, abandonedMs = 0): Promise<BlobStorage> => {
  const storage = await openS3BlobStorage({ location, newName });
  // The server starts even when the service is unreachable. `sweepBlobs` logs a warning then.
  await storage.abortUnfinished(abandonedMs).catch(() => undefined);
  return storage;
};
