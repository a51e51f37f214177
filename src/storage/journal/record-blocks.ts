/** Makes the blocks of bytes that a store keeps its records in. */
import type { PackedRecord, RecordBlock } from '../record-layer.ts';
import type { Entity } from '../../openapi/openapi-records.ts';

export type RecordBlocks = (bytes: Buffer) => RecordBlock;

/** How many packed records stay read. With the fields of a usual node they take about 12 MB. */
const keptEntities = 4096;

/**
 * The blocks share one cache. It forgets the record that was read first, and passes over those that were asked for again
 * meanwhile, such as an account that every request has: what others remember of a record is remembered by its object.
 */
export const createRecordBlocks = (): RecordBlocks => {
  const kept: PackedRecord[] = [];
  let oldest = 0;
  const keep = (record: PackedRecord): void => {
    for (let next = kept[oldest]; next?.isAskedAgain === true; next = kept[oldest]) {
      next.isAskedAgain = false;
      oldest = (oldest + 1) % keptEntities;
    }
    const forgotten = kept[oldest];
    if (forgotten !== undefined) forgotten.entity = undefined;
    kept[oldest] = record;
    oldest = (oldest + 1) % keptEntities;
  };
  const read = (record: PackedRecord): Entity => {
    const { block, start, end } = record;
    const entity = JSON.parse(bufferOf(block).toString('utf8', start, end)) as Entity; // a checksum covered the bytes
    record.entity = entity;
    keep(record);
    return entity;
  };
  return (bytes) => ({ bytes, read });
};

/** All blocks are made here. */
export const bufferOf = ({ bytes }: RecordBlock): Buffer => bytes as Buffer;
