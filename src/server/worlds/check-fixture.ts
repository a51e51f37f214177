/** Checks records by the rules of their application, and their bytes, before a repository is filled with them, as `atoll check` does. */
import { hash } from 'node:crypto';
import type { Awaitable } from '../../basics/awaitable.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { faultAt, faultLine, faultText, type StoredRecordFault } from '../../basics/records/record-faults.ts';
import { type BlobStorage, firstValue, type BlobReference, type Entity } from '../../openapi/openapi-records.ts';
import type { HostedSite } from '../../openapi/openapi-host.ts';
import { blobState, type BlobState, type InitialRecords } from '../../storage/storage.ts';
import type { ContentRules } from './content-rules.ts';

/** What records and counters are known by: all that their violations on one site depend on. */
export const recordsHash = ({ entities, counters }: InitialRecords): string =>
  hash('sha256', JSON.stringify([[...entities], counters]));

/** Whether the bytes of a reference are there, and are those of the record. */
export type StateOf = (blob: BlobReference) => Awaitable<BlobState>;

/** A storage that is read, or a function that knows the states already. */
type Bytes = Pick<BlobStorage, 'open'> | StateOf | undefined;

const stateIn = (bytes: Bytes, blob: BlobReference): Awaitable<BlobState> =>
  typeof bytes === 'function' ? bytes(blob) : blobState(blob, bytes);

/** Why the bytes of a file are not those of its record: another size, another hash, or none. Undefined when they are. */
export const bytesFault = async (file: Entity, bytes: Bytes): Promise<StoredRecordFault | undefined> => {
  const { blob } = file;
  if (blob === undefined) return undefined;
  if (firstValue(file, 'filesize') !== blob.size)
    return faultAt(file, ['fields', 'filesize'], 'filesize is not the size of its bytes.');
  const state = await stateIn(bytes, blob);
  if (state === 'whole') return undefined;
  const what = state === 'absent' ? 'missing or of another length' : 'not the ones that were stored';
  return faultAt(file, ['blob'], `its bytes (${blob.key}) are ${what}.`);
};

/** What records are judged by. */
export type JudgedBy = { readonly rules: Pick<ContentRules, 'faultsOf'>; readonly site: HostedSite };

/** The faults of records and bytes. Bytes are only looked at when the records are whole. */
export const contentFaults = async (
  content: InitialRecords,
  bytes: Bytes,
  { rules, site }: JudgedBy,
): Promise<readonly StoredRecordFault[]> => {
  const faults = rules.faultsOf(content, site);
  if (faults.length > 0) return faults;
  const ofBytes: StoredRecordFault[] = [];
  for (const file of content.entities) {
    const fault = file.type === 'file' ? await bytesFault(file, bytes) : undefined;
    if (fault !== undefined) ofBytes.push(fault);
  }
  return ofBytes;
};

/** How a refusal says where a fault is, and what to do. */
export type UnfitOptions = {
  /** Where the record of a fault is, and its line there. When left out or undefined: the record's type and id. */
  readonly placeOf?: ((fault: StoredRecordFault) => string | undefined) | undefined;
  /** What to do about it. */
  readonly remedy?: string;
};

/** The fault with its place, or with type and id where there is none. */
export const placedFault = (fault: StoredRecordFault, placeOf?: UnfitOptions['placeOf']): string => {
  const place = placeOf?.(fault);
  return place === undefined ? faultLine(fault) : `${place}: ${faultText(fault)}`;
};

/** Throws `ConfigurationError` with the first of the faults. `what` has them: `The archive`. */
export const requireFit = (
  what: string,
  faults: readonly StoredRecordFault[],
  { placeOf, remedy }: UnfitOptions = {},
): void => {
  const [first] = faults;
  if (first === undefined) return;
  const all = faults.length === 1 ? '' : ` (the first of ${faults.length} faults)`;
  throw new ConfigurationError(
    `${what} does not fit the site: ${placedFault(first, placeOf)}${all}${remedy === undefined ? '' : ` ${remedy}`}`,
  );
};
