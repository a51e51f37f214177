/** Collects the files of an archive in the export format, in any order, and puts its records together. */
import { storedTypes } from '../../core/model/entity.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import type { InitialRecords } from '../memory-entity-store.ts';
import {
  exportFileName,
  exportText,
  isKnownFormat,
  lostFileName,
  type ExportFile,
  type LostFile,
} from './export-format.ts';
import { jsonLine } from './json-line.ts';
import type { Entity } from '../../openapi/openapi-records.ts';

/** What a file of an archive is, by its name. The files may be in a folder of the archive. */
type ArchivePlace =
  | { readonly kind: 'head' }
  | { readonly kind: 'lost' }
  | { readonly kind: 'bytes'; readonly name: string }
  | { readonly kind: 'record'; readonly type: string; readonly name: string };

export type ArchiveFiles = {
  /**
   * Adds a file of records or counters. Throws `ConfigurationError` with its name where the record is there already, and with its
   * line when it is not JSON.
   */
  add(place: Exclude<ArchivePlace, { readonly kind: 'bytes' }>, text: string): void;
  /** By type and ascending id. Throws `ConfigurationError` when `export.json` is missing or is not that of a whole export. */
  records(): InitialRecords;
  /** The ids of the files that were left without bytes. */
  lost(): readonly number[];
  /** The text of a record's file as it was in the archive. */
  readonly textOf: (record: Entity) => string;
};

/** Undefined for a file that is not a part of an export. */
export const archivePlace = (path: string): ArchivePlace | undefined => {
  const base = path.split('/').at(-1);
  if (base === exportFileName) return { kind: 'head' };
  if (base === lostFileName) return { kind: 'lost' };
  const [, folder = '', name = ''] = placePattern.exec(path) ?? [];
  if (folder === 'blobs') return { kind: 'bytes', name };
  return isType(folder) ? { kind: 'record', type: folder, name } : undefined;
};

/** The folder and the name of a file of an export, which may itself be in folders. */
const placePattern = /^(?:.*\/)?([a-z_]+)\/([A-Za-z0-9._-]+)$/;

const isType = (name: string): name is string => storedTypes.some((type) => type === name);

export const createArchiveFiles = (): ArchiveFiles => {
  const records = new Map<string, Entity>();
  /** The texts that are written otherwise than an export writes them. */
  const texts = new Map<Entity, string>();
  let head: ExportFile | undefined;
  let lost: readonly number[] = [];
  return {
    add: (place, text) => {
      if (place.kind === 'head') {
        if (head !== undefined) throw twice(exportFileName);
        head = parse(text, exportFileName) as ExportFile; // looked at in `records`
        return;
      }
      if (place.kind === 'lost') {
        lost = lostIn(parse(text, lostFileName));
        return;
      }
      const path = `${place.type}/${place.name}`;
      if (records.has(path)) throw twice(path);
      const record = readRecord(parse(text, path), place.type, place.name);
      records.set(path, record);
      if (exportText(record) !== text) texts.set(record, text);
    },
    records: () => ({ entities: inOrder([...records.values()]), counters: countersOf(head) }),
    lost: () => lost,
    textOf: (record) => texts.get(record) ?? exportText(record),
  };
};

const twice = (path: string): ConfigurationError =>
  new ConfigurationError(`${path} is in the archive twice. Export it again.`);

const parse = (text: string, path: string): unknown => {
  const value = parsed(text, path);
  if (isDeeper(value, mostLevels)) throw new ConfigurationError(`${path} in the archive is nested too deeply.`);
  return value;
};

const parsed = (text: string, path: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ConfigurationError(`${path} in the archive cannot be read as JSON: line ${jsonLine(text, [])}.`, {
      cause,
    });
  }
};

/** What checks and writes a record goes down into each value. */
const mostLevels = 100;

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1)));

const lostIn = (value: unknown): LostFile['files'] => {
  const { files } = Object(value) as Partial<LostFile>; // looked at here
  if (Array.isArray(files)) return files as LostFile['files'];
  throw new ConfigurationError(`${lostFileName} in the archive has no list of files. Export it again.`);
};

/** The record must have the type and id of its place, so that no two files have the same id. */
const readRecord = (value: unknown, type: string, name: string): Entity => {
  const record = value as Partial<Entity> | null; // looked at here
  if (record?.type === type && `${record.id}.json` === name) return record as Entity; // `contentViolations` judges the rest
  throw new ConfigurationError(`${type}/${name} in the archive says another type or id than its place.`);
};

const inOrder = (records: readonly Entity[]): Entity[] =>
  storedTypes.flatMap((type) => records.filter((each) => each.type === type).sort((a, b) => a.id - b.id));

const countersOf = (head: ExportFile | undefined): InitialRecords['counters'] => {
  if (head?.format === undefined) {
    throw new ConfigurationError(
      `The archive has no ${exportFileName}: choose one that was exported from a repository.`,
    );
  }
  if (!isKnownFormat(head.format)) {
    throw new ConfigurationError(`The format ${head.format} of the archive is not known here. Use a newer Atoll.`);
  }
  if (head.unfinished === true)
    throw new ConfigurationError('The archive has an export that was cut short. Export again.');
  if (!areCounters(head.counters)) {
    throw new ConfigurationError(
      `${exportFileName} in the archive has no counters that are whole numbers of at least 0. Export again.`,
    );
  }
  return head.counters;
};

/** A counter that is not a number would be stored, and the repository could not be opened again. Below 0 it would give ids that no address has. */
const areCounters = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((each) => Number.isSafeInteger(each) && each >= 0);
