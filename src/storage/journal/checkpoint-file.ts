/** Writes and reads a checkpoint: all records as JSON, one per line, so that two checkpoints can be compared. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Entity } from '../../model/entity.ts';
import { writeWhole, type Files } from '../files.ts';
import { readLines } from './lines.ts';
import type { Counters } from '../record-set.ts';
import { storeDamaged } from './store-damaged.ts';
import { formatVersion, checkpointName, type StoreIdentity } from './store-files.ts';

export type CheckpointContent = { readonly entities: readonly Entity[]; readonly counters: Counters };

/**
 * Writes a checkpoint durably, in slices of about a millisecond, so that other tasks can run in between. Resolves with
 * its size in bytes. When it fails, no file remains.
 */
export const writeCheckpoint = async (
  files: Files,
  directory: string,
  identity: StoreIdentity,
  content: CheckpointContent,
): Promise<number> => {
  const size = await writeWhole(files, join(directory, checkpointName(identity.generation)), slices(identity, content));
  await files.syncDirectory(directory);
  return size;
};

/**
 * Reads a checkpoint and passes its records and counters to the callbacks. Resolves with its size in bytes. Throws
 * `StoreDamaged` when a byte differs from what was written; then the caller must not use what the callbacks received.
 */
export const readCheckpoint = async (
  file: string,
  identity: StoreIdentity,
  on: { entity(entity: Entity): void; counters(counters: Counters): void } = ignored,
): Promise<number> => {
  const expected = headLines(identity);
  const sum = createHash('sha256');
  let number = 0;
  let end: string | undefined;
  let size = 0;
  for await (const lines of readLines(file)) {
    for (const line of lines) {
      if (end !== undefined || !line.complete) throw storeDamaged(file, line.offset, 'the snapshot is not whole');
      size = line.offset + line.bytes.byteLength + 1;
      const text = line.bytes.toString();
      if (text.startsWith(endStart)) {
        end = `${endStart}${sum.digest('hex')}"}`;
        if (text !== end) throw storeDamaged(file, line.offset, 'the checksum does not fit');
        continue;
      }
      sum.update(line.bytes).update('\n');
      try {
        const at = number++;
        if (at === countersLine)
          on.counters(JSON.parse(text.slice(countersStart.length, -1)) as Counters); // the checksum covers it
        else if (at > countersLine + 1)
          on.entity(JSON.parse(text.endsWith(',') ? text.slice(0, -1) : text) as Entity); // the checksum covers it
        else if (!(expected[at] ?? []).includes(text)) throw new Error('another line was expected');
      } catch (error) {
        throw storeDamaged(file, line.offset, `the line cannot be read (${String(error)})`);
      }
    }
  }
  if (end === undefined) throw storeDamaged(file, size, 'the snapshot is not whole');
  return size;
};

const ignored = { entity: () => undefined, counters: () => undefined };

const countersStart = '"counters":';
const countersLine = 1;
const endStart = '],"sha256":"';

/** The lines before the records, the present format first. A checkpoint of format 1 differs in nothing else. */
const headLines = ({ instance, generation }: StoreIdentity): Record<number, readonly string[]> => ({
  0: [formatVersion, 1].map((format) => `{"format":${format},"instance":"${instance}","generation":${generation},`),
  2: ['"records":['],
});

/** How many characters of JSON one slice has. */
const sliceLength = 128 * 1024;

function* slices(identity: StoreIdentity, { entities, counters }: CheckpointContent): Generator<Buffer> {
  const sum = createHash('sha256');
  const summed = (text: string): Buffer => {
    const bytes = Buffer.from(text);
    sum.update(bytes);
    return bytes;
  };
  const head = headLines(identity);
  let text = `${head[0]?.[0]}\n${countersStart}${JSON.stringify(counters)},\n${head[2]?.[0]}\n`;
  for (const [position, entity] of entities.entries()) {
    text += `${JSON.stringify(entity)}${position + 1 < entities.length ? ',' : ''}\n`;
    if (text.length > sliceLength) {
      yield summed(text);
      text = '';
    }
  }
  yield summed(text);
  yield Buffer.from(`${endStart}${sum.digest('hex')}"}\n`);
}
