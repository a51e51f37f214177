/** Reads an archive in the export format while it arrives. Its files come in any order, and may be in a folder of the archive. */
import { ConfigurationError } from '../../basics/configuration-error.ts';
import type { StoredRecordFault } from '../../basics/records/record-faults.ts';
import { writtenText } from '../../basics/records/record-form.ts';
import type { BlobStorage, ByteRange, Entity, Counters } from '../../openapi/openapi-records.ts';
import { tooLarge } from '../../openapi/openapi-terms.ts';
import { readOnlyBlobs } from '../blobs/read-only-blobs.ts';
import {
  exportFileName,
  inOrder,
  lostFileName,
  readHead,
  readLost,
  readRecord,
  recordFileName,
  recordTypes,
} from './export-format.ts';
import { jsonLine } from './json-line.ts';
import { readTarStream, type TarEntry } from './tar-stream.ts';

type ArchivedRecords = {
  /** By type and ascending id. */
  readonly entities: readonly Entity[];
  readonly counters: Counters;
  /** The ids of the files that were written without bytes, because those are lost. */
  readonly lost: readonly number[];
  /** The file of a record, and the line of what a fault names. Undefined for a record that is not in the archive. */
  readonly placeOf: (fault: StoredRecordFault) => string | undefined;
};

type ArchivedBytes<Kept> = {
  /** The bytes under the names that they have in the archive. */
  readonly blobs: BlobStorage;
  /** The result of `keep` for a file below `blobs/`, by its name. */
  readonly kept: (name: string) => Kept | undefined;
};

/** How the bytes of an archive are kept until it has been taken. */
type KeepingOptions<Kept> = {
  readonly keep: (entry: TarEntry) => Promise<Kept>;
  readonly open: (kept: Kept, range?: ByteRange) => ReturnType<BlobStorage['open']> | ReadableStream<Uint8Array>;
  /** The most bytes of a file. */
  readonly mostBytes?: number | undefined;
};

/** The most bytes of a record's file. They are in memory at once. */
const mostRecordBytes = 16 * 1024 * 1024;

/**
 * Throws `ConfigurationError` with file and line when it is not an archive of a repository, a Problem 413 when a file in it is too
 * large, and what the source and `keep` throw.
 */
export const readArchiveFiles = async <Kept extends { readonly size: number }>(
  source: AsyncIterable<Uint8Array>,
  { keep, open, mostBytes = Number.MAX_SAFE_INTEGER }: KeepingOptions<Kept>,
): Promise<ArchivedRecords & ArchivedBytes<Kept>> => {
  const files = createRecordFiles();
  const arrived = new Map<string, Kept>();
  for await (const entry of readTarStream(source)) {
    const path = partOfExport(entry.name);
    if (path === undefined) continue;
    const [, blob] = /^blobs\/(.*)$/.exec(path) ?? [];
    const most = blob === undefined ? mostRecordBytes : mostBytes;
    if (entry.size > most) {
      throw tooLarge(
        `${entry.name.slice(-200)} in the archive has ${entry.size} bytes. A file there may have ${most}.`,
      );
    }
    if (blob === undefined) files.add(path, await textOf(entry));
    else arrived.set(blob, await keep(entry));
  }
  const blobs = readOnlyBlobs('The archive', {
    open: async ({ key, size }, range) => {
      const kept = arrived.get(key);
      return kept?.size === size ? open(kept, range) : undefined;
    },
    keys: async () => [...arrived.keys()].sort(),
  });
  return { ...files.records(), blobs, kept: (name) => arrived.get(name) };
};

/** The path of a file in its export. Undefined for a file that is not a part of one. */
const partOfExport = (path: string): string | undefined => {
  const base = path.split('/').at(-1) ?? '';
  if (base === exportFileName || base === lostFileName) return base;
  const [, folder = '', name = ''] = /^(?:.*\/)?([a-z_]+)\/([A-Za-z0-9._-]+)$/.exec(path) ?? [];
  return ['blobs', ...recordTypes].includes(folder) ? `${folder}/${name}` : undefined;
};

const textOf = async ({ bytes }: TarEntry): Promise<string> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return new TextDecoder().decode(Buffer.concat(chunks));
};

const createRecordFiles = () => {
  const records = new Map<string, Entity>();
  /** The texts that are written otherwise than an export writes them. */
  const otherTexts = new Map<string, string>();
  let counters: Counters | undefined;
  let lost: readonly number[] = [];
  const unreadable = (message: string, cause?: unknown) => new ConfigurationError(message, { cause });
  const placeOf = ({ record, place }: StoredRecordFault): string | undefined => {
    const path = recordFileName(record);
    const found = records.get(path);
    if (found === undefined) return undefined;
    return `${path} line ${jsonLine(otherTexts.get(path) ?? writtenText(found), place)}`;
  };
  return {
    add: (path: string, text: string): void => {
      if (records.has(path) || (path === exportFileName && counters !== undefined))
        throw unreadable(`${path} is in the archive twice. Export it again.`);
      const file = { name: `${path} in the archive`, text, unreadable };
      if (path === exportFileName) counters = readHead(file);
      else if (path === lostFileName) lost = readLost(file);
      else {
        const record = readRecord(file, path);
        records.set(path, record);
        if (writtenText(record) !== text) otherTexts.set(path, text);
      }
    },
    records: (): ArchivedRecords => {
      if (counters === undefined)
        throw unreadable(`The archive has no ${exportFileName}: choose one that was exported from a repository.`);
      return { entities: inOrder([...records.values()]), counters, lost, placeOf };
    },
  };
};
