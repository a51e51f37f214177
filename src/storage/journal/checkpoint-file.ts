/** Writes and reads a checkpoint: all records as JSON, one per line, so that two checkpoints can be compared. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { lastBytes, readPieces } from './checksummed-lines.ts';
import { writeWhole, type Files } from '../../basics/disk/files.ts';
import { storeDamaged } from '../store-errors.ts';
import { formatVersion, checkpointName, type StoreIdentity } from './store-files.ts';
import type { Counters } from '../../openapi/openapi-records.ts';

/** `slices` makes the lines of the records, as `recordSlices` does. */
type CheckpointContent = {
  readonly slices: Iterable<{ readonly bytes: Uint8Array }>;
  readonly counters: Counters;
};

/** The size in bytes, and the checksum in the last line. */
type WrittenCheckpoint = { readonly bytes: number; readonly sum: string };

/**
 * Writes a checkpoint durably, in slices of about a millisecond, so that other tasks can run in between. When it fails, no
 * file remains.
 */
export const writeCheckpoint = async (
  files: Files,
  directory: string,
  identity: StoreIdentity,
  { slices, counters }: CheckpointContent,
): Promise<WrittenCheckpoint> => {
  const checksum = createHash('sha256');
  let sum = '';
  const parts = function* (): Generator<Uint8Array> {
    const head = headLines(identity);
    const text = `${head[0]?.[0]}\n${countersStart}${JSON.stringify(counters)},\n${head[2]?.[0]}\n`;
    checksum.update(text);
    yield Buffer.from(text);
    for (const { bytes } of slices) {
      checksum.update(bytes);
      yield bytes;
    }
    sum = checksum.digest('hex');
    yield Buffer.from(endLine(sum));
  };
  const bytes = await writeWhole(files, join(directory, checkpointName(identity.generation)), parts());
  await files.syncDirectory(directory);
  return { bytes, sum };
};

/** What the reader of a checkpoint gets. The JSON of a record lies in `bytes` from `start` up to `end`. */
type CheckpointReader = {
  record(bytes: Buffer, start: number, end: number): void;
  counters(counters: Counters): void;
};

/**
 * Reads a checkpoint and passes its records and counters to the callbacks. Resolves with its size in bytes. Throws
 * `StoreDamaged` when a byte differs from the written one; then the caller must not use what the callbacks received.
 */
export const readCheckpoint = async (
  file: string,
  identity: StoreIdentity,
  on: CheckpointReader = ignored,
): Promise<number> => {
  const sum = createHash('sha256');
  const take = createLineReader(file, identity, on);
  let size = 0;
  /** Where the last line begins. */
  let lastLine: number | undefined;
  for await (const { offset, bytes } of readPieces(file)) {
    size = offset + bytes.byteLength;
    if (bytes.at(-1) !== lineBreak) throw storeDamaged(file, size, 'the snapshot is not whole');
    for (let start = 0; start < bytes.byteLength;) {
      if (lastLine !== undefined) throw storeDamaged(file, offset + start, 'the snapshot is not whole');
      const end = bytes.indexOf(lineBreak, start);
      if (bytes[start] === closingBracket) {
        sum.update(bytes.subarray(0, start));
        if (bytes.toString('utf8', start, end + 1) !== endLine(sum.digest('hex'))) {
          throw storeDamaged(file, offset + start, 'the checksum does not fit');
        }
        lastLine = offset + start;
      } else take(bytes, start, end, offset);
      start = end + 1;
    }
    if (lastLine === undefined) sum.update(bytes);
  }
  if (lastLine === undefined) throw storeDamaged(file, size, 'the snapshot is not whole');
  return size;
};

const ignored: CheckpointReader = { record: () => undefined, counters: () => undefined };

/** The checksum that a checkpoint claims in its last line; undefined without one. Only `readCheckpoint` says whether it fits. */
export const claimedSum = async (file: string): Promise<string | undefined> => {
  const line = (await lastBytes(file, endLine('0'.repeat(64)).length)).toString('latin1');
  const sum = line.slice(endStart.length, -3);
  return line === endLine(sum) && /^[0-9a-f]{64}$/.test(sum) ? sum : undefined;
};

/** Handles the lines before the end, in order. */
const createLineReader = (file: string, identity: StoreIdentity, on: CheckpointReader) => {
  const expected = headLines(identity);
  let number = 0;
  return (bytes: Buffer, start: number, end: number, offset: number): void => {
    const at = number++;
    try {
      if (at > countersLine + 1) {
        on.record(bytes, start, bytes[end - 1] === comma ? end - 1 : end);
        return;
      }
      const text = bytes.toString('utf8', start, end);
      if (at === countersLine)
        on.counters(JSON.parse(text.slice(countersStart.length, -1)) as Counters); // the checksum covers it
      else if (!(expected[at] ?? []).includes(text)) throw new Error('another line was expected');
    } catch (error) {
      throw storeDamaged(file, offset + start, `the line cannot be read (${String(error)})`);
    }
  };
};

const lineBreak = 0x0a;
const comma = 0x2c;
const closingBracket = 0x5d;

const countersStart = '"counters":';
const countersLine = 1;
const endStart = '],"sha256":"';
const endLine = (sum: string): string => `${endStart}${sum}"}\n`;

/** The lines before the records, the present format first. Checkpoints of older formats differ in nothing else. */
const headLines = ({ instance, generation }: StoreIdentity): Record<number, readonly string[]> => ({
  0: [formatVersion, 2, 1].map((format) => `{"format":${format},"instance":"${instance}","generation":${generation},`),
  2: ['"records":['],
});
