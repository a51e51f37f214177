/** Reads the archive of a repository: its records, and its bytes as a storage. */
import type { BlobStorage } from '../../model/blob-storage.ts';
import { entityTypes, type Entity, type EntityType } from '../../model/entity.ts';
import { ConfigurationError } from '../../site/read-yaml.ts';
import { exportFileName, exportFormat, type ExportFile } from '../../storage/export/export-format.ts';
import type { FixtureContent } from '../../worlds/check-fixture.ts';
import { openHeld } from '../held-blobs.ts';
import { readTar } from './tar.ts';

/** By type and ascending id. The files may be in a folder of the archive. Rejects with `ConfigurationError`. */
export const readArchive = async (archive: Blob): Promise<FixtureContent> => {
  const blobs = new Map<string, Blob>();
  const records = new Map<string, Entity>();
  let head: ExportFile | undefined;
  for await (const file of readTar(archive)) {
    const [, kind = '', name = ''] = placePattern.exec(file.name) ?? [];
    if (kind === 'blobs') blobs.set(name, file.content);
    else if (isType(kind)) records.set(file.name, readRecord(await json(file), kind, name));
    else if (file.name.split('/').at(-1) === exportFileName) head = (await json(file)) as ExportFile; // looked at here
  }
  if (head?.format === undefined) {
    throw new ConfigurationError(
      `The archive has no ${exportFileName}: choose one that was exported from a repository.`,
    );
  }
  if (head.format !== exportFormat) {
    throw new ConfigurationError(`The format ${head.format} of the archive is not known here. Use a newer Atoll.`);
  }
  if (head.unfinished === true)
    throw new ConfigurationError('The archive has an export that was cut short. Export again.');
  if (!areCounters(head.counters)) {
    throw new ConfigurationError(
      `${exportFileName} in the archive has no counters that are whole numbers. Export again.`,
    );
  }
  return { entities: inOrder([...records.values()]), counters: head.counters, blobs: readOnlyBlobs(blobs) };
};

/** A counter that is no number would be stored, and the repository could not be opened again. */
const areCounters = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.values(value).every((each) => Number.isSafeInteger(each));

/** The folder and the name of a file of an export, which may itself be in folders. */
const placePattern = /^(?:.*\/)?([a-z_]+)\/([A-Za-z0-9._-]+)$/;

const isType = (name: string): name is EntityType => entityTypes.some((type) => type === name);

const json = async (file: { readonly name: string; bytes(): Promise<Uint8Array> }): Promise<unknown> => {
  const text = new TextDecoder().decode(await file.bytes());
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ConfigurationError(`${file.name} in the archive cannot be read as JSON.`, { cause });
  }
};

/** The record must have the type and id of its place, so that no two files have the same id. */
const readRecord = (value: unknown, type: EntityType, name: string): Entity => {
  const record = value as Partial<Entity> | null; // looked at here
  if (record?.type === type && `${record.id}.json` === name) return record as Entity; // `contentViolations` judges the rest
  throw new ConfigurationError(`${type}/${name} in the archive says another type or id than its place.`);
};

const inOrder = (records: readonly Entity[]): Entity[] =>
  entityTypes.flatMap((type) => records.filter((each) => each.type === type).sort((a, b) => a.id - b.id));

const readOnlyBlobs = (blobs: ReadonlyMap<string, Blob>): BlobStorage => {
  const readOnly = (): Promise<never> => Promise.reject(new Error('The archive is only read.'));
  return {
    receive: readOnly,
    remove: readOnly,
    open: async ({ key, size }, range) => {
      const bytes = blobs.get(key);
      return bytes?.size === size ? openHeld(bytes, range) : undefined;
    },
    keys: async () => [...blobs.keys()].sort(),
  };
};
