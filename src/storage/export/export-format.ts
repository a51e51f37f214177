/** Defines the export format: what the files of an export are called, what they contain, and how each is read. */
import { blobNameOf } from '../../basics/records/record-form.ts';
import {
  isCollectionCounter,
  firstValue,
  textOf,
  type BlobReference,
  type Entity,
  type Counters,
  collectionRecordType,
} from '../../openapi/openapi-records.ts';
import { jsonLine } from './json-line.ts';

/** The content of `export.json`. `unfinished` is true while the other files are being written. */
type ExportHead = {
  readonly format: number;
  readonly name: string;
  readonly counters: Counters;
  readonly unfinished?: boolean;
};

export const exportFileName = 'export.json';
const formatOfContent = 1;
/** Has records of collections too, or has had them. A program that knows format 1 alone refuses it, and would lose them otherwise. */
const formatWithCollections = 2;

/** A file at the end of an archive whose bytes are not all there. No reader needs it. */
export const lostFileName = 'lost.json';

/** Its content: the ids of the files that were left without bytes. */
type LostFile = { readonly files: readonly number[] };

/** The counters as `export.json` has them: those above 0, in an order that never changes. */
export const exportedCounters = (counters: Counters): Counters => {
  const names = contentFolders.flatMap((type) => [type, `${type}_revision`]);
  // A missing counter is 0, and each store writes such a one in its own way.
  const known = names.flatMap((name) => ((counters[name] ?? 0) === 0 ? [] : [[name, counters[name]]]));
  const ofCollections = Object.entries(counters)
    .filter(([name, value]) => value > 0 && (name === collectionRecordType || isCollectionCounter(name)))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries([...known, ...ofCollections]) as Counters; // the names come from the type
};

/** The content of `export.json`. */
export const exportHead = (counters: Counters): ExportHead => ({
  format: (counters[collectionRecordType] ?? 0) === 0 ? formatOfContent : formatWithCollections,
  name: 'export',
  counters: exportedCounters(counters),
});

/** The types of records that are content, in the order of the format. */
const contentFolders: readonly string[] = ['node', 'media', 'file', 'taxonomy_term', 'user', 'path_alias', 'redirect'];

/** The types of records, in the order in which they are written, read and compared. Each has a folder. */
export const recordTypes: readonly string[] = [...contentFolders, collectionRecordType];

/** The name of a file's bytes below `blobs/`. */
export const exportedBlobName = (file: Entity, { sha256 }: BlobReference): string =>
  blobNameOf(textOf(firstValue(file, 'uri')), sha256);

/** The file of a record. */
export const recordFileName = ({ type, id }: { readonly type: string; readonly id: number }): string =>
  `${type}/${id}.json`;

/** Whether a name below `blobs/` may be one that an export has. */
export const isExportedBlobName = (name: string): boolean => /^[A-Za-z0-9._-]+$/.test(name);

/** A file of an export that is being read. */
export type ReadFile = {
  /** As messages call it. */
  readonly name: string;
  readonly text: string;
  /** The error for a file that cannot be read. */
  readonly unreadable: (message: string, cause?: unknown) => Error;
};

/** The counters of an export. Throws the error of the file when it is not the head of a whole export. */
export const readHead = (file: ReadFile): Counters => {
  const { format, counters, unfinished } = Object(readJson(file)) as Partial<ExportHead>; // looked at here
  const { name, unreadable } = file;
  if (format === undefined) throw unreadable(`${name} is not that of an export. Choose one from a repository.`);
  if (format !== formatOfContent && format !== formatWithCollections)
    throw unreadable(`${name} cannot be read: format ${format} is not known to this version. Use a newer Atoll.`);
  if (unfinished === true) throw unreadable(`${name} is of an export that was cut short. Export again.`);
  if (!areCounters(counters))
    throw unreadable(`${name} has no counters that are whole numbers of at least 0. Export again.`);
  return counters;
};

/** A counter that is not a number would be stored, and the repository could not be opened again. Below 0 it would give ids that no address has. */
const areCounters = (value: unknown): value is Counters =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((each) => Number.isSafeInteger(each) && each >= 0);

/**
 * The record of a file. It must have the type and id of its place, so that no two files have the same id; the check of records
 * judges the rest. Throws the error of the file.
 */
export const readRecord = (file: ReadFile, place: string): Entity => {
  const record = readJson(file) as Partial<Entity> | null; // looked at here
  const { type, id } = Object(record) as Partial<Entity>;
  if (type !== undefined && id !== undefined && recordFileName({ type, id }) === place) return record as Entity;
  throw file.unreadable(`${file.name} says another type or id than its place.`);
};

/** The ids of the files without bytes. Throws the error of the file. */
export const readLost = (file: ReadFile): LostFile['files'] => {
  const { files } = Object(readJson(file)) as Partial<LostFile>; // looked at here
  if (Array.isArray(files)) return files as LostFile['files'];
  throw file.unreadable(`${file.name} has no list of files. Export it again.`);
};

const readJson = (file: ReadFile): unknown => {
  const value = parsed(file);
  if (isDeeper(value, mostLevels)) throw file.unreadable(`${file.name} is nested too deeply.`);
  return value;
};

const parsed = ({ name, text, unreadable }: ReadFile): unknown => {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unreadable(`${name} cannot be read as JSON: line ${jsonLine(text, [])}.`, cause);
  }
};

/** What checks and writes a record goes down into each value. */
const mostLevels = 100;

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1)));

/** By type and ascending id. */
export const inOrder = (records: readonly Entity[]): Entity[] => {
  const byType = new Map<string, Entity[]>(recordTypes.map((type) => [type, []]));
  for (const record of records) byType.get(record.type)?.push(record);
  return [...byType.values()].flatMap((ofType) => ofType.sort((a, b) => a.id - b.id));
};
