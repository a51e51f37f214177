/** A repository as a readable directory: one JSON file a record, one file a blob. Fixtures have this form too. */
import { open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { entityTypes, type Entity } from '../content/entity.ts';
import type { BlobStorage } from './blob-storage.ts';
import { errorCode } from './files.ts';
import type { Seed } from './memory-entity-store.ts';
import type { Counters } from './record-set.ts';

/** What `export.json` says. */
type ExportFile = { readonly format: number; readonly name: string; readonly counters: Counters };

/** A directory that is no export: the message names file and remedy. */
export const exportUnreadableCode = 'ATOLL_EXPORT_UNREADABLE';

const unreadable = (file: string, reason: string, cause?: unknown): Error =>
  Object.assign(new Error(`${file}: ${reason}`, { cause }), { code: exportUnreadableCode });

/** Reads every record of an export, in ascending id. Rejects with `ATOLL_EXPORT_UNREADABLE`. */
export const readExport = async (directory: string): Promise<Seed> => {
  const { format, counters } = await readJsonFile<ExportFile>(join(directory, 'export.json'));
  if (format !== 1) {
    throw unreadable(
      join(directory, 'export.json'),
      `format ${format} is not known to this version. Use a newer Atoll.`,
    );
  }
  const byType = await Promise.all(entityTypes.map((type) => readRecords(join(directory, type))));
  return { entities: byType.flat(), counters };
};

const readRecords = async (folder: string): Promise<Entity[]> => {
  const names = await readdir(folder).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  });
  const files = names.filter((name) => /^\d+\.json$/.test(name)).sort((a, b) => parseInt(a, 10) - parseInt(b, 10));
  return Promise.all(files.map((name) => readJsonFile<Entity>(join(folder, name))));
};

const readJsonFile = async <T>(file: string): Promise<T> => {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as T; // `atoll check` judges the records of an export
  } catch (cause) {
    throw unreadable(file, 'cannot be read as JSON. Name a directory that `atoll export` made.', cause);
  }
};

const blobName = /^[A-Za-z0-9._-]+$/;

/** The blobs of an export, for reading only: below a storage that takes writes. */
export const exportBlobs = (directory: string): BlobStorage => {
  const folder = join(directory, 'blobs');
  const readOnly = (): Promise<never> => Promise.reject(new Error(`${folder} is only read.`));
  return {
    receive: readOnly,
    remove: readOnly,
    open: async (blob, range) => {
      if (!blobName.test(blob.key)) return undefined;
      const handle = await open(join(folder, blob.key)).catch(() => undefined);
      if (handle === undefined) return undefined;
      const { size } = await handle.stat();
      if (size === blob.size) return handle.createReadStream(range ?? {});
      await handle.close();
      return undefined;
    },
    keys: async () => (await readdir(folder).catch(() => [])).sort(),
  };
};
