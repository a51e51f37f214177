/** What is wrong with a data directory, for the control interface. */
import { statfs } from 'node:fs/promises';
import type { JournalEntityStore } from '../../storage/journal/journal-entity-store.ts';
import type { DamagedFiles } from './damage/damaged-files.ts';

/** The code names the kind of trouble for programs, the message says it to people. */
export type HealthReason = {
  readonly code: 'disk_full' | 'writing_off' | 'write_failed' | 'bytes_damaged' | 'directory_lost';
  readonly message: string;
};

/** Looks at the present state. Empty when all is well. */
export type ReadHealth = () => Promise<readonly HealthReason[]>;

type DiskHealthOptions = {
  readonly journal: JournalEntityStore;
  readonly damaged: DamagedFiles;
  readonly directory: string;
  /** What uploads must leave free. */
  readonly floorBytes: number;
};

export const diskHealth =
  ({ journal, damaged, directory, floorBytes }: DiskHealthOptions): ReadHealth =>
  async () => {
    if (!(await journal.holdsDirectory())) return [reasons.directoryLost];
    const damagedIds = await damaged.ids();
    return [
      ...(journal.isWritingOff() ? [reasons.writingOff] : []),
      ...(!journal.isWritingOff() && journal.hasLastWriteFailed() ? [reasons.writeFailed] : []),
      ...((await journal.stillOutOfSpace().catch(() => false))
        ? [reasons.diskFull]
        : await lowSpace(directory, floorBytes)),
      ...(damagedIds.length === 0 ? [] : [bytesDamaged(damagedIds)]),
    ];
  };

const reasons = {
  directoryLost: {
    code: 'directory_lost',
    message: 'The data directory is no longer the one that the server opened. Nothing is written any more.',
  },
  writingOff: { code: 'writing_off', message: 'Writing is off until a restart. The log says why.' },
  writeFailed: { code: 'write_failed', message: 'The last write failed. The log says why.' },
  diskFull: { code: 'disk_full', message: 'The disk is full. What needs more space is refused with 507.' },
} as const satisfies Record<string, HealthReason>;

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
