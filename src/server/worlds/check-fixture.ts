/** Checks records (`core/content/check-records.ts`) and their bytes before a repository is filled with them, as `atoll check` does. */
import { hash } from 'node:crypto';
import { checkRecords } from '../../core/content/check-records.ts';
import type { Site } from '../../core/site/site.ts';
import { blobState, type BlobState } from '../../storage/blobs/check-blobs.ts';
import type { InitialRecords } from '../../storage/memory-entity-store.ts';
import { type BlobStorage, firstValue, type Entity } from '../../openapi/openapi-records.ts';

/** The records of a fixture, without the site's terms and accounts, and their bytes. */
export type FixtureContent = InitialRecords & {
  readonly blobs: BlobStorage;
  /** Where a fixture has its records of collections, by their ids in the store. */
  readonly places?: ReadonlyMap<number, { readonly file: string; readonly line?: number | undefined }> | undefined;
};

/** What records and counters are known by: all that their violations on one site depend on. */
export const recordsHash = ({ entities, counters }: InitialRecords): string =>
  hash('sha256', JSON.stringify([[...entities], counters]));

type Bytes = Pick<BlobStorage, 'open'>;

/** Why the bytes of a file are not those of its record: another size, another hash, or none. Undefined when they are. */
export const bytesViolation = async (file: Entity, bytes: Bytes | undefined): Promise<string | undefined> => {
  if (file.blob === undefined) return undefined;
  if (firstValue(file, 'filesize') !== file.blob.size) return bytesStateViolation(file, 'whole');
  return bytesStateViolation(file, await blobState(file.blob, bytes));
};

/** The same for bytes of which it is known whether they are those of the record. */
export const bytesStateViolation = (file: Entity, state: BlobState): string | undefined => {
  if (file.blob === undefined) return undefined;
  if (firstValue(file, 'filesize') !== file.blob.size) return `file:${file.id}: filesize is not the size of its bytes.`;
  if (state === 'absent') return `file:${file.id}: its bytes (${file.blob.key}) are missing or of another length.`;
  if (state === 'changed') return `file:${file.id}: its bytes (${file.blob.key}) are not the ones that were stored.`;
  return undefined;
};

/** The violations of records and bytes. Bytes are only read when the records are whole. */
export const contentViolations = async (content: InitialRecords, bytes: Bytes, site: Site): Promise<string[]> => {
  const violations = [...checkRecords(content, site).violations];
  if (violations.length > 0) return violations;
  for (const file of content.entities) {
    const violation = file.type === 'file' ? await bytesViolation(file, bytes) : undefined;
    if (violation !== undefined) violations.push(violation);
  }
  return violations;
};
