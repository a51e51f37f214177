/** Defines what a world is filled with. */
import type { BlobStorage } from '../../openapi/openapi-records.ts';
import type { InitialRecords } from '../../storage/storage.ts';

/** The records of a fixture, without the site's terms and accounts, and their bytes. */
export type FixtureContent = InitialRecords & {
  readonly blobs: BlobStorage;
  /** Where a fixture has its records of collections, by their ids in the store. */
  readonly places?: ReadonlyMap<number, { readonly file: string; readonly line?: number | undefined }> | undefined;
};
