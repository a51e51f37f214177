/**
 * Writes and reads the index of a checkpoint: type, id and index keys of each record, in the order of its lines. With it a
 * start needs not read the records. The checkpoint alone always suffices, so an index that is missing or damaged does no harm.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readRegularFile } from './checksummed-lines.ts';
import { namesIn, writeWhole, type Files } from '../../basics/disk/files.ts';
import type { RecordSlice, SliceKeys } from './record-slices.ts';
import { indexName, type StoreIdentity } from './store-files.ts';
import type { IndexKey } from '../../openapi/openapi-records.ts';

/** Whose index it is: the store and generation, the checksum of the checkpoint, and the version of the index keys. */
type IndexIdentity = StoreIdentity & { readonly checkpoint: string; readonly keys: number };

/** Neighbours of one type and bundle, a line of the file. */
type Group = readonly [
  type: string,
  bundle: string,
  ids: readonly number[],
  indexKeys: readonly (readonly IndexKey[])[],
];

/** Raise it when the format of the file changes. Another format counts as a missing index. */
const indexFormat = 1;

const headLine = ({ instance, generation, checkpoint, keys }: IndexIdentity): string =>
  `{"index":${indexFormat},"instance":"${instance}","generation":${generation},"checkpoint":"${checkpoint}","keys":${keys}}\n`;

const endLine = (sum: string): string => `{"sha256":"${sum}"}\n`;

/** Collects the lines of an index while the records are written. */
export const createIndexLines = () => {
  const lines: Buffer[] = [];
  return {
    add: ({ records }: RecordSlice, keys: SliceKeys): void => {
      let text = '';
      for (let at = 0; at < records.length;) {
        const first = records[at];
        let end = at + 1;
        while (records[end]?.type === first?.type && records[end]?.bundle === first?.bundle) end += 1;
        const ids = records.slice(at, end).map(({ id }) => id);
        text += `${JSON.stringify([first?.type, first?.bundle, ids, keys.slice(at, end)])}\n`;
        at = end;
      }
      lines.push(Buffer.from(text));
    },
    /** Writes the file durably. When it fails, no file remains. */
    write: async (files: Files, directory: string, identity: IndexIdentity): Promise<void> => {
      const sum = createHash('sha256');
      const parts = function* (): Generator<Buffer> {
        for (const part of [Buffer.from(headLine(identity)), ...lines]) {
          sum.update(part);
          yield part;
        }
        yield Buffer.from(endLine(sum.digest('hex')));
      };
      await writeWhole(files, join(directory, indexName(identity.generation)), parts());
    },
  };
};

/** What the index says of one record. */
export type IndexedRecord = {
  readonly type: string;
  readonly bundle: string;
  readonly id: number;
  readonly indexKeys: readonly IndexKey[];
};

/** The records in the order of the checkpoint's lines. Undefined when there is no such index, or it is not as it was written. */
export const readIndex = async (
  directory: string,
  identity: IndexIdentity,
): Promise<Iterator<IndexedRecord> | undefined> => {
  const name = indexName(identity.generation);
  if (!(await namesIn(directory)).includes(name)) return undefined;
  const bytes = await readRegularFile(join(directory, name));
  const head = headLine(identity);
  const body = bytes.subarray(0, Math.max(0, bytes.byteLength - endLine('0'.repeat(64)).length));
  if (body.subarray(0, head.length).toString('latin1') !== head) return undefined;
  const end = endLine(createHash('sha256').update(body).digest('hex'));
  if (bytes.subarray(body.byteLength).toString('latin1') !== end) return undefined;
  return indexedRecords(body.subarray(head.length));
};

function* indexedRecords(bytes: Buffer): Generator<IndexedRecord> {
  for (let start = 0; start < bytes.byteLength;) {
    const end = bytes.indexOf('\n', start);
    const [type, bundle, ids, keys] = JSON.parse(bytes.toString('utf8', start, end)) as Group; // the checksum covers it
    for (const [at, id] of ids.entries()) yield { type, bundle, id, indexKeys: keys[at] ?? [] };
    start = end + 1;
  }
}
