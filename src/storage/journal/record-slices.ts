/** Turns records into the lines of a checkpoint, in slices, and keeps them in memory as these bytes. */
import { isPacked, type HeldRecord, type PackedRecord } from '../record-layer.ts';
import type { RecordSet } from '../record-set.ts';
import { bufferOf, type RecordBlocks } from './record-blocks.ts';
import type { IndexKey, RecordModel } from '../../openapi/openapi-records.ts';

/** Lines of some records. The JSON of each one lies from its start up to its end. */
export type RecordSlice = {
  readonly bytes: Buffer;
  readonly records: readonly HeldRecord[];
  readonly starts: readonly number[];
  readonly ends: readonly number[];
};

/** A slice has at least so many bytes, but for the last one. It takes about a millisecond. */
const sliceBytes = 128 * 1024;

const separator = Buffer.from(',\n');
const lastSeparator = Buffer.from('\n');

/** The bytes of a record that did not change are copied. */
export function* recordSlices(records: readonly HeldRecord[]): Generator<RecordSlice> {
  for (let next = 0; next < records.length;) {
    const first = next;
    const parts: Buffer[] = [];
    const starts: number[] = [];
    const ends: number[] = [];
    let size = 0;
    for (; next < records.length && size < sliceBytes; next += 1) {
      const line = lineOf(records[next]);
      const end = next + 1 < records.length ? separator : lastSeparator;
      starts.push(size);
      ends.push(size + line.byteLength);
      size += line.byteLength + end.byteLength;
      parts.push(line, end);
    }
    yield { bytes: joined(parts, size), records: records.slice(first, next), starts, ends };
  }
}

const lineOf = (held: HeldRecord | undefined): Buffer =>
  held !== undefined && isPacked(held)
    ? bufferOf(held.block).subarray(held.start, held.end)
    : Buffer.from(JSON.stringify(held));

/** Not from the pool of small buffers: the bytes stay for long. */
const joined = (parts: readonly Buffer[], size: number): Buffer => {
  const bytes = Buffer.allocUnsafeSlow(size);
  let at = 0;
  for (const part of parts) at += part.copy(bytes, at);
  return bytes;
};

/** How many bytes the line of a record has, without the separator. */
export const lineBytes = (held: HeldRecord): number =>
  isPacked(held) ? held.end - held.start : Buffer.byteLength(JSON.stringify(held));

/** The index keys of the records in a slice, by position. */
export type SliceKeys = readonly (readonly IndexKey[])[];

/** Moves the records of the set to the bytes of the slice: then the objects and the earlier bytes can go. */
export const packSlice = (slice: RecordSlice, set: RecordSet, blocks: RecordBlocks, model: RecordModel): SliceKeys => {
  const block = blocks(slice.bytes);
  return slice.records.map((held, at) => {
    const [start, end] = [slice.starts[at] ?? 0, slice.ends[at] ?? 0];
    if (isPacked(held)) {
      Object.assign(held, { block, start, end });
      return held.indexKeys;
    }
    const { type, id, bundle } = held;
    const indexKeys = model.indexKeys(held);
    const packed: PackedRecord = {
      type,
      id,
      bundle,
      indexKeys,
      block,
      start,
      end,
      entity: undefined,
      isAskedAgain: false,
    };
    set.pack(held, packed);
    return indexKeys;
  });
};
