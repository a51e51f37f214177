/** What is wrong with the records and bytes of a server, for the control interface. */
import { statfs } from 'node:fs/promises';
import type { components } from '../../client/generated/control.ts';
import type { JournalEntityStore } from '../../storage/storage.ts';
import type { DamagedFiles } from './damage/damaged-files.ts';
import type { BlobStorage } from '../../openapi/openapi-records.ts';
import { Problem } from '../../openapi/openapi-terms.ts';

/** The code names the kind of trouble for programs, the message says it to people. */
export type HealthReason = Readonly<components['schemas']['HealthReason']>;

/** Looks at the present state. Empty when all is well. */
export type ReadHealth = () => Promise<readonly HealthReason[]>;

type DiskHealthOptions = {
  readonly journal: JournalEntityStore;
  readonly damaged: DamagedFiles;
  readonly blobs: ReadonlyMap<string, BlobStorage>;
  readonly directory: string;
  /** What uploads must leave free. */
  readonly floorBytes: number;
};

export const diskHealth =
  ({ journal, blobs, damaged, directory, floorBytes }: DiskHealthOptions): ReadHealth =>
  async () => {
    if (!(await journal.holdsDirectory())) return [reasons.directoryLost];
    const damagedIds = await damaged.ids();
    return [
      ...(await writingReasons(journal)),
      ...((await journal.stillOutOfSpace().catch(() => false))
        ? [reasons.diskFull]
        : await lowSpace(directory, floorBytes)),
      ...(journal.hasCompactionFailed() ? [reasons.compactionFailed] : []),
      ...(journal.isLong() ? [reasons.journalLong] : []),
      ...(await unwritableBytes(blobs)),
      ...(damagedIds.length === 0 ? [] : [bytesDamaged(damagedIds)]),
    ];
  };

const writingReasons = async (journal: JournalEntityStore): Promise<readonly HealthReason[]> => {
  if (journal.isWritingOff()) return [reasons.writingOff];
  return (await journal.stillFailing()) ? [reasons.writeFailed] : [];
};

/** In memory the bytes alone have a limit. */
export const memoryHealth =
  (blobs: () => ReadonlyMap<string, BlobStorage>): ReadHealth =>
  async () =>
    (await failedProbes(blobs())).length === 0 ? [] : [reasons.memoryFull];

/** One reason for each scheme whose bytes cannot be stored. That there is no space is a reason of its own. */
export const unwritableBytes = async (blobs: ReadonlyMap<string, BlobStorage>): Promise<readonly HealthReason[]> =>
  (await failedProbes(blobs)).filter(({ isFull }) => !isFull).map(({ scheme }) => bytesUnwritable(scheme));

const failedProbes = async (blobs: ReadonlyMap<string, BlobStorage>) => {
  const attempts = [...blobs].map(async ([scheme, storage]) => {
    try {
      await storage.probe?.();
      return [];
    } catch (error) {
      return [{ scheme, isFull: error instanceof Problem && error.status === 507 }];
    }
  });
  return (await Promise.all(attempts)).flat();
};

export const reasons = {
  directoryLost: {
    code: 'directory_lost',
    message: 'The data directory is no longer the one that the server opened. Nothing is written any more.',
  },
  writingOff: { code: 'writing_off', message: 'Writing is off until a restart. The log says why.' },
  writeFailed: { code: 'write_failed', message: 'The last write failed. The log says why.' },
  compactionFailed: {
    code: 'compaction_failed',
    message:
      'The last snapshot of the records could not be written. It is tried again; writes go on. The log says why.',
  },
  journalLong: {
    code: 'journal_long',
    message: 'The journal is several times as long as the records. A start takes longer until a snapshot is written.',
  },
  memoryFull: {
    code: 'memory_full',
    message: 'The bytes in memory have nearly reached their limit. Larger uploads are refused with 507.',
  },
  diskFull: { code: 'disk_full', message: 'The disk is full. What needs more space is refused with 507.' },
} as const satisfies Record<string, HealthReason>;

const bytesUnwritable = (scheme: string): HealthReason => ({
  code: 'bytes_unwritable',
  message: `The bytes of ${scheme}:// cannot be written. Uploads to it are refused with 503.`,
});

const lowSpace = async (directory: string, floorBytes: number): Promise<HealthReason[]> => {
  const found = await statfs(directory).catch(() => undefined);
  if (found === undefined || found.bavail * found.bsize >= floorBytes) return [];
  return [{ code: 'disk_full', message: `Less than ${floorBytes} bytes are free. Uploads are refused with 507.` }];
};

/** How many ids the message names. */
const namedIds = 10;

const bytesDamaged = (ids: readonly number[]): HealthReason => ({
  code: 'bytes_damaged',
  message:
    `The stored bytes of ${ids.length} files are missing or changed: file ${ids.slice(0, namedIds).join(', ')}` +
    `${ids.length > namedIds ? ', …' : ''}. \`atoll check --bytes\` names them all.`,
});
