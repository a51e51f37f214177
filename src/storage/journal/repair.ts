/** Makes a damaged store start again: keeps what can be read, says what cannot, and moves the old files aside. */
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { diskFiles, namesIn, type Files } from '../../basics/disk/files.ts';
import type { RecordSet } from '../record-set.ts';
import { createEndNote, readAcknowledgedEnd, type AcknowledgedEnd } from './acknowledged-end.ts';
import { writeCheckpoint } from './checkpoint-file.ts';
import { holdDirectory } from './directory-guard.ts';
import { lockDirectory } from '../../basics/disk/directory-lock.ts';
import { changeSetsOf, journalHeader, parseLine } from './journal-file.ts';
import { createJournal } from './journal-writer.ts';
import { readLines } from './checksummed-lines.ts';
import { loadCheckpoint, type LoadOptions } from './load-checkpoint.ts';
import { createRecordBlocks } from './record-blocks.ts';
import { recordSlices } from './record-slices.ts';
import { applyTo } from './recovery.ts';
import { isStoreDamaged, storeDamaged } from '../store-errors.ts';
import {
  checkpointName,
  generationFiles,
  generationsOf,
  journalName,
  keptFolderPrefix,
  markerName,
  readMarker,
  writeMarker,
} from './store-files.ts';
import type { RecordModel } from '../../openapi/openapi-records.ts';

type Repair = {
  /** One sentence for each piece that could not be read. */
  readonly lost: readonly string[];
  /** The folder with the files as they were. */
  readonly keptIn: string;
  readonly records: number;
};

/**
 * Rewrites a store whose `damage` keeps it from starting. The new generation has all batches that can be read, also those
 * after a damaged one. Ids that a lost batch may have given are not given again. As long as the folder with the old files is
 * there, no start removes bytes that no record names. A crash leaves the old store, or the new one. Rejects with
 * `ATOLL_STORE_DAMAGED` when there is no snapshot to begin with.
 */
export const repairStore = async (directory: string, model: RecordModel): Promise<Repair> => {
  const guard = await holdDirectory(directory, () => undefined);
  try {
    const lock = await lockDirectory(guard.path, { leaveNote: false, shown: directory });
    try {
      return await repairLocked(directory, model);
    } finally {
      await lock.release();
    }
  } finally {
    await guard.close();
  }
};

const repairLocked = async (directory: string, model: RecordModel): Promise<Repair> => {
  const files = diskFiles('full');
  const lost: string[] = [];
  const instance = await findInstance(directory, lost);
  const names = await namesIn(directory);
  const options = { directory, model, blocks: createRecordBlocks() };
  const { from, records } = await loadNewestGood({ options, instance, lost }, generationsOf('checkpoint', names));
  const end = await readAcknowledgedEnd(directory, instance).catch((error: unknown) => {
    lost.push(reasonOf(error));
    return undefined;
  });
  const bytes = await salvageJournals({ directory, instance, records, lost, end }, from, names);
  raiseCounters(records, end, bytes);
  const next =
    Math.max(from, end?.generation ?? 0, ...generationsOf('journal', names), ...generationsOf('checkpoint', names)) + 1;
  const keptIn = await keepOld(files, directory, names);
  await writeGeneration(files, directory, { instance, generation: next }, records);
  for (const name of generationFiles(names)) await rename(join(directory, name), join(keptIn, name));
  await files.syncDirectory(keptIn);
  await files.syncDirectory(directory);
  return { lost, keptIn, records: records.size() };
};

/** Makes the folder for the old files, before anything changes: from then on no unnamed bytes are removed. */
const keepOld = async (files: Files, directory: string, names: readonly string[]): Promise<string> => {
  let number = 1;
  while (names.includes(`${keptFolderPrefix}${number}`)) number += 1;
  const folder = join(directory, `${keptFolderPrefix}${number}`);
  await files.makeDirectory(folder);
  await files.syncDirectory(directory);
  return folder;
};

const writeGeneration = async (
  files: Files,
  directory: string,
  identity: { readonly instance: string; readonly generation: number },
  records: RecordSet,
): Promise<void> => {
  const { instance, generation } = identity;
  const counters = records.counters();
  const bytes = Buffer.byteLength(journalHeader(identity));
  await createJournal(files, directory, instance, generation);
  await writeMarker(files, directory, instance);
  await writeCheckpoint(files, directory, identity, { slices: recordSlices(records.held()), counters });
  const end = { generation, lines: 1, bytes, counters, state: 'closed', durability: 'full' } as const;
  await createEndNote(files, directory, instance, end);
};

/** From the marker, or from a file that names its store. */
const findInstance = async (directory: string, lost: string[]): Promise<string> => {
  const marker = await readMarker(directory).catch((error: unknown) => {
    if (!isStoreDamaged(error) || /is not known/.test(error.message)) throw error;
    return undefined;
  });
  if (marker !== undefined) return marker.instance;
  for (const name of generationFiles(await namesIn(directory))) {
    for await (const [first] of readLines(join(directory, name))) {
      const found = /"instance":"(?<instance>[\w-]{36})"/.exec(first?.bytes.toString() ?? '')?.groups?.['instance'];
      if (found === undefined) break;
      lost.push(`${join(directory, markerName)} is missing or damaged; ${name} names the store.`);
      return found;
    }
  }
  throw storeDamaged(join(directory, markerName), 0, 'no file says which store this is');
};

/** As much as may have been lost when nothing says how much. */
const unknownBytes = 16 * 1024 * 1024;

type Salvage = {
  readonly directory: string;
  readonly instance: string;
  readonly records: RecordSet;
  readonly lost: string[];
};

type Search = Pick<Salvage, 'instance' | 'lost'> & { readonly options: LoadOptions };

/** Loads the newest checkpoint that is whole: its generation and its records. */
const loadNewestGood = async (
  { options, instance, lost }: Search,
  checkpoints: readonly number[],
): Promise<{ readonly from: number; readonly records: RecordSet }> => {
  for (const generation of checkpoints.toReversed()) {
    try {
      const { records } = await loadCheckpoint(options, { instance, generation });
      return { from: generation, records };
    } catch (error) {
      lost.push(reasonOf(error));
    }
  }
  const { directory } = options;
  const file = join(directory, checkpointName(checkpoints.at(-1) ?? 1));
  throw storeDamaged(file, 0, 'no snapshot can be read, so nothing can be repaired. Import the last export');
};

/** Applies all batches that can be read. Resolves with how many lost bytes may have given unknown ids. */
const salvageJournals = async (
  salvage: Salvage & { readonly end: AcknowledgedEnd | undefined },
  from: number,
  names: readonly string[],
): Promise<number> => {
  const { directory, end, lost } = salvage;
  const present = generationsOf('journal', names).filter((generation) => generation >= from);
  const last = Math.max(from, end?.generation ?? 0, ...present);
  let bytes = 0;
  for (let generation = from; generation <= last; generation++) {
    if (present.includes(generation)) {
      bytes += await salvageJournal(salvage, generation, generation === last);
      continue;
    }
    lost.push(`${join(directory, journalName(generation))} is missing, with every batch in it.`);
    if (end === undefined || generation >= end.generation) bytes += unknownBytes;
  }
  return bytes;
};

const salvageJournal = async (
  { directory, instance, records, lost, end }: Salvage & { readonly end: AcknowledgedEnd | undefined },
  generation: number,
  isLast: boolean,
): Promise<number> => {
  const file = join(directory, journalName(generation));
  const apply = applyTo(records);
  const known = end?.generation === generation ? end : undefined;
  const gaps: Gap[] = [];
  let position: Place = { lines: 0, bytes: 0 };
  let isSealed = false;
  let size = 0;
  try {
    for await (const lines of readLines(file)) {
      for (const line of lines) {
        const at = line.offset;
        size = at + line.bytes.byteLength + (line.complete ? 1 : 0);
        if (known?.state === 'refused' && at >= known.bytes) continue;
        const parsed = line.complete ? parseLine({ instance, generation }, line.bytes) : undefined;
        if (parsed === undefined || parsed.number < position.lines) continue;
        if (at > position.bytes || parsed.number > position.lines) {
          gaps.push({ from: position, to: { lines: parsed.number, bytes: at } });
        }
        for (const changeSet of changeSetsOf(parsed.entry)) apply(changeSet);
        isSealed = 'sealed' in parsed.entry;
        position = { lines: parsed.number + 1, bytes: size };
      }
    }
  } catch (error) {
    if (!isStoreDamaged(error)) throw error;
    lost.push(reasonOf(error));
    return unknownBytes;
  }
  const wanted = known?.bytes ?? (isLast ? position.bytes : size);
  if (wanted > position.bytes) gaps.push({ from: position, to: { lines: known?.lines, bytes: wanted } });
  else if (!isLast && !isSealed) lost.push(`${file}, from byte ${position.bytes}: the end of the journal is missing.`);
  for (const gap of gaps)
    lost.push(`${file}, bytes ${gap.from.bytes} to ${gap.to.bytes}: ${batchesIn(gap)} cannot be read.`);
  return bytesWithoutCounters({ generation, isLast: isLast || isSealed, gaps, size, end });
};

/** How many lost bytes may have given ids of which the note of the end knows nothing. */
const bytesWithoutCounters = ({ generation, isLast, gaps, size, end }: LostBytes): number => {
  if (end !== undefined && generation < end.generation) return 0;
  const known = end?.generation === generation ? end.bytes : 0;
  const inGaps = gaps.map(({ from, to }) => Math.max(0, to.bytes - Math.max(from.bytes, known)));
  const last = gaps.at(-1)?.to.bytes ?? size;
  return inGaps.reduce(
    (sum, bytes) => sum + bytes,
    Math.max(0, size - Math.max(last, known)) + (isLast ? 0 : unknownBytes),
  );
};

type LostBytes = {
  readonly generation: number;
  readonly isLast: boolean;
  readonly gaps: readonly Gap[];
  readonly size: number;
  readonly end: AcknowledgedEnd | undefined;
};

type Place = { readonly lines: number; readonly bytes: number };
type Gap = { readonly from: Place; readonly to: { readonly lines: number | undefined; readonly bytes: number } };

const batchesIn = ({ from, to }: Gap): string => {
  if (to.lines === undefined) return 'what stood there';
  if (to.lines - from.lines <= 1) return `batch ${from.lines}`;
  return `batches ${from.lines} to ${to.lines - 1}`;
};

/** No id takes fewer bytes than this in a journal. */
const bytesPerId = 64;

/** The note of the end has the counters. Without it, or beyond it, all ids count as given for which the lost bytes have room. */
const raiseCounters = (records: RecordSet, end: AcknowledgedEnd | undefined, lostBytes: number): void => {
  if (end !== undefined) records.raise(end.counters);
  if (lostBytes === 0) return;
  const margin = Math.ceil((end === undefined ? Math.max(lostBytes, unknownBytes) : lostBytes) / bytesPerId);
  const raised = Object.entries(records.counters()).map(([name, value]) => [name, value + margin] as const);
  records.raise(Object.fromEntries(raised));
};

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
