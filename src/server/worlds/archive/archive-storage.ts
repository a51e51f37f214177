/** Keeps the bytes of an arriving archive until the import ends. `disk-archive-storage.ts` and `../bytes/memory-world-bytes.ts` do it. */
import type { BlobStorage } from '../../../openapi/openapi-records.ts';

/** A storage for one import. */
type ArchiveStorage = {
  readonly blobs: BlobStorage;
  /** Removes everything in it. */
  close(): Promise<void>;
};

/** Opens one. Rejects with the system's error. */
export type OpenArchiveStorage = () => Promise<ArchiveStorage>;
