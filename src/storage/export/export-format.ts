/** Defines the export format: what the files of an export are called and what they contain. */
import { posix } from 'node:path';
import { entityTypes } from '../../core/model/entity.ts';
import {
  isCollectionCounter,
  firstValue,
  textOf,
  type BlobReference,
  type Entity,
  type Counters,
} from '../../openapi/openapi-records.ts';

/** The content of `export.json`. `unfinished` is true while the other files are being written. */
export type ExportFile = {
  readonly format: number;
  readonly name: string;
  readonly counters: Counters;
  readonly unfinished?: boolean;
};

export const exportFileName = 'export.json';
const formatOfContent = 1;
/** Has records of collections too, or has had them. A program that knows format 1 alone refuses it, and would lose them otherwise. */
const formatWithCollections = 2;

export const isKnownFormat = (format: unknown): boolean =>
  format === formatOfContent || format === formatWithCollections;

/** A file at the end of an archive whose bytes are not all there. No reader needs it. */
export const lostFileName = 'lost.json';

/** The content of `lost.json`: the ids of the files that were left without bytes. */
export type LostFile = { readonly files: readonly number[] };

/** The content of `export.json` for these counters, in an order that never changes. */
export const exportFile = (counters: Counters): ExportFile => {
  const names = entityTypes.flatMap((type) => [type, `${type}_revision`] as const);
  // A missing counter is 0, and each store writes such a one in its own way.
  const known = names.flatMap((name) => ((counters[name] ?? 0) === 0 ? [] : [[name, counters[name]]]));
  const ofCollections = Object.entries(counters)
    .filter(([name, value]) => value > 0 && (name === 'collection_record' || isCollectionCounter(name)))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    format: (counters.collection_record ?? 0) === 0 ? formatOfContent : formatWithCollections,
    name: 'export',
    counters: Object.fromEntries([...known, ...ofCollections]) as Counters, // the names come from the type
  };
};

/** The text of a JSON file of an export. It leaves out what is undefined. */
export const exportText = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

/** The content of the file of a record. `blob` names its bytes in the export; undefined when they are lost. */
export const exportedRecord = (entity: Entity, blob: BlobReference | undefined): object => {
  const { type, id, uuid, bundle, fields, translations, password } = entity;
  return { type, id, uuid, bundle, fields, translations, blob, password };
};

/** The name of a file's bytes below `blobs/`. It comes from the bytes, so that equal bytes are stored once. */
export const exportedBlobName = (file: Entity, sha256: string): string =>
  blobNameOf(textOf(firstValue(file, 'uri')), sha256);

/** The same for the bytes of a file with this path. */
export const blobNameOf = (path: string, sha256: string): string => {
  const extension = posix.extname(path);
  return `${sha256.slice(0, 32)}${/^\.[A-Za-z0-9]{1,16}$/.test(extension) ? extension : ''}`;
};

/** Whether a name below `blobs/` may be one that an export has. */
export const isExportedBlobName = (name: string): boolean => /^[A-Za-z0-9._-]+$/.test(name);
