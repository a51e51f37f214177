/** Loads a checkpoint into a record set. The records stay packed, and an index saves reading them. */
import { join } from 'node:path';
import { areEqual } from '../../basics/equal-values.ts';
import type { RecordBlock } from '../record-layer.ts';
import { createRecordSet, type RecordSet } from '../record-set.ts';
import { claimedSum, readCheckpoint } from './checkpoint-file.ts';
import { readIndex, type IndexedRecord } from './checkpoint-index.ts';
import type { RecordBlocks } from './record-blocks.ts';
import { checkpointName, type StoreIdentity } from './store-files.ts';
import type { Entity, RecordModel } from '../../openapi/openapi-records.ts';

export type LoadOptions = { readonly directory: string; readonly model: RecordModel; readonly blocks: RecordBlocks };

export type LoadedCheckpoint = { readonly records: RecordSet; readonly bytes: number };

/** Throws `StoreDamaged` when a byte of the checkpoint differs from the written one. */
export const loadCheckpoint = async (options: LoadOptions, identity: StoreIdentity): Promise<LoadedCheckpoint> => {
  const index = await usableIndex(options, identity);
  const loaded = index === undefined ? undefined : await loadWith(indexedLine(index, options.model), options, identity);
  return loaded ?? (await loadWith(parsedLine(options.model), options, identity)) ?? notLoaded();
};

/** Says of a line what the index would say. Undefined when it does not know. */
type DescribeLine = (bytes: Buffer, start: number, end: number) => IndexedRecord | undefined;

/** Undefined when a line was not described. */
const loadWith = async (
  describe: DescribeLine,
  { directory, model, blocks }: LoadOptions,
  identity: StoreIdentity,
): Promise<LoadedCheckpoint | undefined> => {
  const records = createRecordSet(model);
  const state: { block: RecordBlock | undefined; isDescribed: boolean } = { block: undefined, isDescribed: true };
  const bytes = await readCheckpoint(join(directory, checkpointName(identity.generation)), identity, {
    record: (piece, start, end) => {
      const found = state.isDescribed ? describe(piece, start, end) : undefined;
      state.isDescribed = found !== undefined;
      if (found === undefined) return;
      const block = state.block?.bytes === piece ? state.block : blocks(piece);
      state.block = block;
      const { type, id, bundle, indexKeys } = found;
      records.load({ type, id, bundle, indexKeys, block, start, end, entity: undefined, isAskedAgain: false });
    },
    counters: (counters) => records.raise(counters),
  });
  return state.isDescribed ? { records, bytes } : undefined;
};

const parsedLine =
  (model: RecordModel): DescribeLine =>
  (bytes, start, end) => {
    const entity = JSON.parse(bytes.toString('utf8', start, end)) as Entity; // the checksum covers it
    const { type, id, bundle } = entity;
    return { type, id, bundle, indexKeys: model.indexKeys(entity) };
  };

/** One of so many records is read, and compared with what the index says of it. */
const recordsForOneRead = 1024;

const indexedLine = (index: Iterator<IndexedRecord>, model: RecordModel): DescribeLine => {
  const parsed = parsedLine(model);
  let number = 0;
  return (bytes, start, end) => {
    const next = index.next();
    if (next.done === true) return undefined;
    const isRead = number++ % recordsForOneRead === 0;
    return isRead && !areEqual(parsed(bytes, start, end), next.value) ? undefined : next.value;
  };
};

const usableIndex = async ({ directory, model }: LoadOptions, identity: StoreIdentity) => {
  if (model.keysVersion === undefined) return undefined;
  const checkpoint = await claimedSum(join(directory, checkpointName(identity.generation)));
  return checkpoint === undefined
    ? undefined
    : readIndex(directory, { ...identity, checkpoint, keys: model.keysVersion });
};

const notLoaded = (): never => {
  throw new Error('A checkpoint that is read in full leaves no record out.');
};
