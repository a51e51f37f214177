/** How a snapshot is written and read: plain JSON, one record per line, so that two of them can be compared. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Entity } from '../../model/entity.ts';
import { temporarySuffix } from '../files.ts';
import type { Files } from '../files.ts';
import { readLines } from './lines.ts';
import type { Counters } from '../record-set.ts';
import { storeDamaged } from './store-damaged.ts';
import { formatVersion, checkpointName } from './store-files.ts';
import type { StoreIdentity } from './store-files.ts';

/** The state that a snapshot holds. */
export type CheckpointContent = { readonly entities: readonly Entity[]; readonly counters: Counters };

/**
 * Writes a snapshot under a temporary name, in slices of about a millisecond, syncs it and gives it its name. Resolves
 * with its size in bytes. When it fails, nothing of it is left.
 */
export const writeCheckpoint = async (
  files: Files,
  directory: string,
  identity: StoreIdentity,
  content: CheckpointContent,
): Promise<number> => {
  const path = join(directory, checkpointName(identity.generation));
  const temporary = `${path}${temporarySuffix}`;
  try {
    const size = await writeSlices(files, temporary, slices(identity, content));
    await files.rename(temporary, path);
    await files.syncDirectory(directory);
    return size;
  } catch (error) {
    await files.remove(temporary);
    throw error;
  }
};

/**
 * Reads a snapshot and gives its records and counters to the callbacks. Throws `StoreDamaged` for anything that is not
 * exactly what was written; what the callbacks were given until then is not to be used.
 */
export const readCheckpoint = async (
  file: string,
  identity: StoreIdentity,
  found: { entity(entity: Entity): void; counters(counters: Counters): void },
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
          found.counters(JSON.parse(text.slice(countersStart.length, -1)) as Counters); // summed
        else if (at > countersLine + 1)
          found.entity(JSON.parse(text.endsWith(',') ? text.slice(0, -1) : text) as Entity); // summed
        else if (text !== expected[at]) throw new Error('another line was expected');
      } catch (error) {
        throw storeDamaged(file, line.offset, `the line cannot be read (${String(error)})`);
      }
    }
  }
  if (end === undefined) throw storeDamaged(file, size, 'the snapshot is not whole');
  return size;
};

const countersStart = '"counters":';
const countersLine = 1;
const endStart = '],"sha256":"';

const headLines = ({ instance, generation }: StoreIdentity): Record<number, string> => ({
  0: `{"format":${formatVersion},"instance":"${instance}","generation":${generation},`,
  2: '"records":[',
});

/** How many characters are turned into JSON before others get their turn. */
const sliceLength = 128 * 1024;

function* slices(identity: StoreIdentity, { entities, counters }: CheckpointContent): Generator<Buffer> {
  const sum = createHash('sha256');
  const summed = (text: string): Buffer => {
    const bytes = Buffer.from(text);
    sum.update(bytes);
    return bytes;
  };
  const head = headLines(identity);
  let text = `${head[0]}\n${countersStart}${JSON.stringify(counters)},\n${head[2]}\n`;
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

const writeSlices = async (files: Files, path: string, parts: Iterable<Buffer>): Promise<number> => {
  const file = await files.create(path);
  let size = 0;
  try {
    for (const bytes of parts) {
      await file.write(bytes, size);
      size += bytes.byteLength;
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return size;
};
