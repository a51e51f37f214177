/** Writes the checkpoints of an open store, and removes the generations that are no longer needed. */
import { join } from 'node:path';
import type { HeldRecord } from '../record-layer.ts';
import type { RecordSet } from '../record-set.ts';
import { isSpaceError } from '../write-problem.ts';
import { writeCheckpoint } from './checkpoint-file.ts';
import { createIndexLines } from './checkpoint-index.ts';
import { watchStore, type DirectoryGuard } from './directory-guard.ts';
import type { RecoveryOptions } from './recovery.ts';
import { lineBytes, packSlice, recordSlices, type RecordSlice } from './record-slices.ts';
import { generationFiles, generationsOf } from './store-files.ts';
import type { Counters } from '../../openapi/openapi-records.ts';

type CheckpointsOptions = RecoveryOptions & {
  readonly guard: DirectoryGuard;
  /** Called when older generations were given up for space. */
  readonly onGivenUp: () => void;
};

/** The records and counters of a set at one moment. */
type SetContent = {
  readonly set: RecordSet;
  readonly records: readonly HeldRecord[];
  readonly counters: Counters;
};

/** With fewer bytes a checkpoint is read quickly, and needs no index. */
const indexFromBytes = 1024 * 1024;

/** Writes a checkpoint, then its index. Moves the records to the written bytes. Resolves with the size of the checkpoint. */
const writeBoth = async (
  { directory, instance, files, model, blocks, warn }: CheckpointsOptions,
  generation: number,
  { set, records, counters }: SetContent,
): Promise<number> => {
  const index = createIndexLines();
  const slices = function* (): Generator<RecordSlice> {
    for (const slice of recordSlices(records)) {
      index.add(slice, packSlice(slice, set, blocks, model));
      yield slice;
    }
  };
  const identity = { instance, generation };
  const { bytes, sum } = await writeCheckpoint(files, directory, identity, { slices: slices(), counters });
  if (bytes < indexFromBytes || model.keysVersion === undefined) return bytes;
  await index
    .write(files, directory, { ...identity, checkpoint: sum, keys: model.keysVersion })
    .catch((error: unknown) => warn(`${directory}: a snapshot has no index (${String(error)}); a start takes longer.`));
  return bytes;
};

export const createCheckpoints = (options: CheckpointsOptions) => {
  const { directory, files, guard, warn, onGivenUp } = options;
  /** The newest checkpoint that is durable. */
  let newest = { generation: 0, bytes: 0 };
  let oldestKept = 0;
  let written = 0;

  const giveUpOlder = async (): Promise<boolean> => {
    const older = generationFiles(await files.names(directory), (each) => each < newest.generation);
    if (older.length === 0) return false;
    // After a power cut the newest checkpoint must be there before the older one is gone.
    await files.syncDirectory(directory);
    for (const name of older) await files.remove(join(directory, name));
    oldestKept = newest.generation;
    onGivenUp();
    warn(`${directory}: the disk is full; the generations before ${newest.generation} were given up.`);
    return true;
  };

  return {
    /** Continues with what recovery has read. */
    found: async (bytes: number): Promise<void> => {
      const names = await files.names(directory);
      newest = { generation: generationsOf('checkpoint', names).at(-1) ?? 0, bytes };
      oldestKept = Math.min(...generationsOf('checkpoint', names), ...generationsOf('journal', names));
      await watchStore(guard, names, newest.generation);
    },
    /** Gives up the generations before the newest checkpoint, for space. Resolves with false when there are none. */
    giveUpOlder,
    /** Writes a checkpoint, and removes what is older than the one before it, or than itself. */
    write: async (generation: number, content: SetContent, keepsPrevious: boolean): Promise<void> => {
      const writing = () => writeBoth(options, generation, content);
      const bytes = await writing().catch(async (error: unknown) => {
        if (!isSpaceError(error) || !(await giveUpOlder())) throw error;
        return writing();
      });
      newest = { generation, bytes };
      written += 1;
      const names = await files.names(directory);
      for (const name of generationFiles(names, (each) => each < generation)) guard.forget(name);
      const previous = generationsOf('checkpoint', names).findLast((each) => each < generation);
      oldestKept = keepsPrevious ? (previous ?? generation) : generation;
      for (const name of generationFiles(names, (each) => each < oldestKept)) await files.remove(join(directory, name));
    },
    /** The size of the newest checkpoint. */
    bytes: () => newest.bytes,
    written: () => written,
    oldestKept: () => oldestKept,
  };
};

/** Returns a function that says whether the records fit so many bytes. A no holds until there are a tenth fewer records. */
export const createFit = () => {
  let tryBelow = Infinity;
  return (records: RecordSet | undefined, room: number): boolean => {
    if (records === undefined || records.size() >= tryBelow) return false;
    let bytes = frameBytes;
    for (const held of records.held()) {
      bytes += lineBytes(held) + 2;
      if (bytes > room) {
        tryBelow = records.size() * 0.9;
        return false;
      }
    }
    tryBelow = Infinity;
    return true;
  };
};

/** More than the lines of a checkpoint that hold no record, and than the first and last line of a journal. */
const frameBytes = 4096;
