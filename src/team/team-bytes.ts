/** Opens the bytes of a team: in buckets, or in a directory that all processes share. Nothing is removed at once. */
import { join } from 'node:path';
import { setTimeout as waitFor } from 'node:timers/promises';
import type { BlobStorage } from '../model/blob-storage.ts';
import { readRegularFile } from '../site/regular-file.ts';
import { ConfigurationError } from '../site/read-yaml.ts';
import type { Database } from '../storage/postgres/database.ts';
import { installationWorld } from '../storage/postgres/schema.ts';
import { diskFiles, ifThere, writeWhole } from '../storage/files.ts';
import { markerName } from '../storage/journal/store-files.ts';
import { openStorages, type OpenWorldsOptions } from '../worlds/open-worlds.ts';
import { mainName } from '../worlds/world-address.ts';
import { findWorld } from './world-rows.ts';

export type TeamBytesOptions = Pick<OpenWorldsOptions, 'site' | 'ids' | 'data'> & {
  readonly database: Database;
  /** The name of the repository. */
  readonly instance: string;
};

export type TeamBytes = {
  /** By scheme, for worlds: what they remove stays until the collector finds that no record names it. */
  readonly blobs: ReadonlyMap<string, BlobStorage>;
  /** The same, for the collector. */
  readonly storages: ReadonlyMap<string, BlobStorage>;
};

/** Rejects with `ConfigurationError` when there is no directory, or another one than that of the other processes. */
export const openTeamBytes = async ({ site, ids, data, database, instance }: TeamBytesOptions): Promise<TeamBytes> => {
  const onDisk = site.storages.filter(({ s3 }) => s3 === undefined).map(({ scheme }) => `${scheme}://`);
  if (onDisk.length > 0) {
    if (data === undefined) throw new ConfigurationError(noDirectory(onDisk));
    await requireShared(database, data, instance);
  }
  const storages = await openStorages({ site, ids, durability: 'full', isShared: true }, data ?? '', instance);
  const late = new Map<BlobStorage, BlobStorage>();
  for (const storage of storages.values()) late.set(storage, withLateRemoval(storage));
  return { storages, blobs: new Map([...storages].map(([scheme, storage]) => [scheme, late.get(storage) ?? storage])) };
};

const noDirectory = (schemes: readonly string[]): string =>
  `The bytes of ${schemes.join(' and ')} need a place that all processes share. Name a directory with --data, or a bucket with --bytes or in the site.`;

const markFile = 'atoll-team';

const looksForMark = 20;
const betweenLooksMs = 100;

/**
 * The first process leaves the name of the repository in the directory. A directory without it is not the one that the others use:
 * each of them would miss what the others store. One with another name has bytes that this repository's collector would remove.
 */
const requireShared = async (database: Database, directory: string, instance: string): Promise<void> => {
  const files = diskFiles('full');
  await files.makeDirectory(directory);
  const file = join(directory, markFile);
  const readMark = async (): Promise<string | undefined> => (await ifThere(readRegularFile(file)))?.toString().trim();
  const mark = async (): Promise<void> => {
    await writeWhole(files, file, `${instance}\n`);
  };
  const refusal = (reason: string): ConfigurationError =>
    new ConfigurationError(`--data ${directory} ${reason}. Name the one that all processes of this database use.`);

  const names = await files.names(directory);
  if (names.includes(markerName)) throw refusal('holds a repository of its own');
  if (!names.includes(markFile) && (await isFirst(database))) return mark();
  // Another process may be about to write it.
  for (let look = 0; look < looksForMark; look += 1) {
    const found = await readMark();
    if (found === instance) return undefined;
    if (found !== undefined) throw refusal('has the bytes of another database');
    await waitFor(betweenLooksMs);
  }
  // The first process may have ended before it had filled the repository.
  if ((await findWorld(database, { name: mainName, now: 0 })) === undefined) return mark();
  throw refusal(`has no file ${markFile}`);
};

/** True once, for one process. */
const isFirst = async (database: Database): Promise<boolean> => {
  const rows = await database.query(
    `insert into atoll_state (world, topic, key, value) values ($1, 'bytes', 'directory', 'true')
      on conflict (world, topic, key) do nothing returning key`,
    [installationWorld],
  );
  return rows.length > 0;
};

/** What one world removes, another one, a snapshot or another process may still need. The collector removes it later. */
const withLateRemoval = (storage: BlobStorage): BlobStorage => ({
  ...storage,
  receive: async (source, options) => {
    const received = await storage.receive(source, options);
    let isKept = false;
    return {
      ...received,
      keep: () => {
        isKept = true;
        return received.keep();
      },
      discard: async () => {
        if (!isKept) await received.discard();
      },
    };
  },
  remove: () => Promise.resolve(),
});
