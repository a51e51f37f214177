/** Reads an archive of a repository while it arrives, and checks it before anything is done with it. */
import { checkRecords } from '../../../core/content/check-records.ts';
import { ConfigurationError } from '../../../basics/configuration-error.ts';
import type { Site } from '../../../core/site/site.ts';
import type { BlobState } from '../../../storage/blobs/check-blobs.ts';
import { readOnlyBlobs } from '../../../storage/blobs/read-only-blobs.ts';
import { archivePlace, createArchiveFiles, type ArchiveFiles } from '../../../storage/export/archive-files.ts';
import type { InitialRecords } from '../../../storage/memory-entity-store.ts';
import { jsonLine } from '../../../storage/export/json-line.ts';
import { readTarStream, type TarEntry } from '../../../storage/export/tar-stream.ts';
import { bytesStateViolation } from '../check-fixture.ts';
import type { BlobReference, Entity, BlobStorage } from '../../../openapi/openapi-records.ts';
import { Problem, tooLarge } from '../../../openapi/openapi-terms.ts';

/** An archive that has arrived. */
export type ReceivedArchive = InitialRecords & {
  readonly entities: readonly Entity[];
  /** The bytes under the names that they have in the archive. */
  readonly blobs: BlobStorage;
  /** The ids of the files that were written without bytes, because those are lost. */
  readonly lost: readonly number[];
  /** Whether bytes have arrived, and whether they are those of the record. */
  readonly bytesState: (file: Entity) => BlobState;
  /** The text of a record's file. */
  readonly textOf: (record: Entity) => string;
};

/** The content of an archive that fits the site, and how many files of bytes its records name. */
type ArchiveContent = ReceivedArchive & { readonly blobCount: number };

/** The most bytes of a record's file. They are in memory at once. */
const mostRecordBytes = 16 * 1024 * 1024;

/**
 * Reads an archive. `held` keeps its bytes until the caller removes them. Throws `ConfigurationError` with file and line when
 * it is not an archive of a repository, a Problem 413 when a file in it is too large and 507 when its bytes find no room, and what
 * the source throws.
 */
export const receiveArchive = async (
  source: AsyncIterable<Uint8Array>,
  held: BlobStorage,
  mostBytes = Number.MAX_SAFE_INTEGER,
): Promise<ReceivedArchive> => {
  const files = createArchiveFiles();
  const arrived = new Map<string, BlobReference>();
  for await (const entry of readTarStream(source)) await take(entry, { mostBytes, held, files, arrived });
  const { counters, entities } = files.records();
  return {
    ...{ entities: [...entities], counters, blobs: readingFrom(held, arrived), lost: files.lost() },
    ...{ bytesState: (file) => stateIn(arrived, file), textOf: files.textOf },
  };
};

/** Reads and checks an archive for a site. Throws as `receiveArchive`, but with 422 in place of `ConfigurationError`. */
export const readArchive = async (
  source: AsyncIterable<Uint8Array>,
  { site, held }: { readonly site: Site; readonly held: BlobStorage },
): Promise<ArchiveContent> => {
  try {
    const received = await receiveArchive(source, held, site.maxUploadBytes);
    requireFit(received, site);
    return { ...received, blobCount: new Set(received.entities.flatMap(({ blob }) => blob?.key ?? [])).size };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new Problem(422, error.message, { cause: error });
  }
};

/** Throws `ConfigurationError` with the file and line of the first violation. */
export const requireFit = (archive: ReceivedArchive, site: Site): void => {
  refuse(archive, checkRecords(archive, site).violations);
  refuse(
    archive,
    archive.entities.flatMap((file) => bytesStateViolation(file, archive.bytesState(file)) ?? []),
  );
};

type Taking = {
  readonly mostBytes: number;
  readonly held: BlobStorage;
  readonly files: ArchiveFiles;
  readonly arrived: Map<string, BlobReference>;
};

const take = async (entry: TarEntry, { mostBytes, held, files, arrived }: Taking): Promise<void> => {
  const place = archivePlace(entry.name);
  if (place === undefined) return;
  const most = place.kind === 'bytes' ? mostBytes : mostRecordBytes;
  if (entry.size > most) {
    throw tooLarge(`${entry.name.slice(-200)} in the archive has ${entry.size} bytes. A file there may have ${most}.`);
  }
  if (place.kind === 'bytes') {
    const received = await held.receive(entry.bytes, { maxBytes: entry.size, expectedBytes: entry.size });
    arrived.set(place.name, await received.keep());
    return;
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of entry.bytes) chunks.push(chunk);
  files.add(place, new TextDecoder().decode(Buffer.concat(chunks)));
};

const stateIn = (arrived: ReadonlyMap<string, BlobReference>, { blob }: Entity): BlobState => {
  const found = arrived.get(blob?.key ?? '');
  if (found === undefined || found.size !== blob?.size) return 'absent';
  return found.sha256 === blob.sha256 ? 'whole' : 'changed';
};

/** A violation begins with the key of its record and the place in it. */
const refuse = ({ entities, textOf }: ReceivedArchive, violations: readonly string[]): void => {
  const [first] = violations;
  if (first === undefined) return;
  const [, type = '', id = '', text = first] = /^(\w+):(\d+): (.*)$/s.exec(first) ?? [];
  const record = entities.find((each) => each.type === type && String(each.id) === id);
  const all = violations.length === 1 ? '' : ` (the first of ${violations.length} faults)`;
  const place = record === undefined ? '' : `${type}/${id}.json line ${lineOf(record, text, textOf(record))}: `;
  throw new ConfigurationError(`The archive does not fit the site: ${place}${text}${all}`);
};

/** The line of the member that a violation names: a field, an item of it, or a member of the record. */
const lineOf = (record: Entity, violation: string, text: string): number => {
  const [path = ''] = violation.split(': ');
  const steps = path.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  const isOfRecord = Object.hasOwn(record, String(steps[0]));
  return jsonLine(text, isOfRecord ? steps : ['fields', ...steps]);
};

/** The bytes under the names that they have in the archive. */
const readingFrom = (held: BlobStorage, arrived: ReadonlyMap<string, BlobReference>): BlobStorage =>
  readOnlyBlobs('The archive', {
    open: async ({ key, size }, range) => {
      const found = arrived.get(key);
      return found?.size === size ? held.open(found, range) : undefined;
    },
    keys: async () => [...arrived.keys()].sort(),
  });
