/** Opens the bytes of a team: in buckets, or in a directory that all processes share. Nothing is removed at once. */
import { join } from 'node:path';
import { setTimeout as waitFor } from 'node:timers/promises';
import { type CheckReadiness, mainName } from '../openapi/openapi-host.ts';
import { readRegularFile } from '../basics/disk/regular-file.ts';
import { ConfigurationError } from '../basics/configuration-error.ts';
import type { Database } from './postgres/database.ts';
import { installationWorld } from './postgres/schema.ts';
import { ifThere } from '../basics/error-code.ts';
import { diskFiles, writeWhole } from '../basics/disk/files.ts';
import { markerName } from '../storage/storage-export.ts';
import { openStorages, type OpenWorldsOptions } from '../server/server-worlds.ts';
import { findWorld } from './world-rows.ts';
import type { BlobStorage } from '../openapi/openapi-records.ts';
import { retryLater } from '../openapi/openapi-terms.ts';

type TeamBytesOptions = Pick<OpenWorldsOptions, 'site' | 'ids' | 'data'> & {
  readonly database: Database;
  /** The name of the repository. */
  readonly instance: string;
};

type TeamBytes = {
  /** By scheme, for worlds: what they have kept stays until the collector finds that no record names it. */
  readonly blobs: ReadonlyMap<string, BlobStorage>;
  /** The same, for the collector. */
  readonly storages: ReadonlyMap<string, BlobStorage>;
  /** Whether the directory that all processes share is there. Empty where all bytes are in buckets. */
  readonly readiness: readonly CheckReadiness[];
};

/** No upload of another process takes so long, whatever the clocks of the machines say. */
const abandonedMs = 24 * 60 * 60 * 1000;

/** Rejects with `ConfigurationError` when there is no directory, or another one than that of the other processes. */
export const openTeamBytes = async ({ site, ids, data, database, instance }: TeamBytesOptions): Promise<TeamBytes> => {
  const onDisk = site.storages.filter(({ s3 }) => s3 === undefined).map(({ scheme }) => `${scheme}://`);
  if (onDisk.length > 0) {
    if (data === undefined) throw new ConfigurationError(noDirectory(onDisk));
    await requireShared(database, data, instance);
  }
  const isOnDisk = data !== undefined && onDisk.length > 0;
  const requireHeld = isOnDisk ? () => requireMark(data, instance) : () => Promise.resolve();
  // A process could just be sweeping what another one finds under its hash.
  const shared = { durability: 'full', drawsNames: true, abandonedMs, requireHeld } as const;
  const storages = await openStorages({ site, ids, ...shared }, data ?? '', instance);
  const late = new Map<BlobStorage, BlobStorage>();
  const requireStorage = (storage: BlobStorage) =>
    storage.reach === undefined ? requireHeld : () => storage.reach?.();
  for (const storage of storages.values()) late.set(storage, withLateRemoval(storage, requireStorage(storage)));
  return {
    storages,
    blobs: new Map([...storages].map(([scheme, storage]) => [scheme, late.get(storage) ?? storage])),
    readiness: isOnDisk ? [directoryReadiness(requireHeld)] : [],
  };
};

/** A directory that is not mounted looks like one without bytes. Rejects with 503 when its mark is not there. */
const requireMark = async (directory: string, instance: string): Promise<void> => {
  const mark = await readRegularFile(join(directory, markFile)).catch(() => undefined);
  if (mark?.toString().trim() !== instance) {
    throw retryLater('The directory of the bytes cannot be reached at the moment. Try again.');
  }
};

const directoryReadiness = (requireHeld: () => Promise<void>): CheckReadiness => ({
  name: 'bytes',
  check: async () => {
    await requireHeld();
    return { name: 'bytes', isReady: true, message: 'The shared directory is there.' };
  },
});

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

/**
 * Bytes that were kept stay until the collector finds that no record names them: nobody knows here whether a record was written when
 * the database does not answer.
 */
const withLateRemoval = (storage: BlobStorage, requireHeld: () => Promise<void> | undefined): BlobStorage => ({
  ...storage,
  open: async (blob, range) => {
    const opened = await storage.open(blob, range);
    if (opened === undefined) await requireHeld();
    return opened;
  },
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
        if (isKept) received.settle();
        else await received.discard();
      },
    };
  },
});
