/** Keeps records as the bytes of their JSON, and reads one when it is asked for: as objects they take four times as much. */
import type { Entity, EntityType } from '../core/model/entity.ts';
import type { IndexKey } from '../core/model/entity-store.ts';
import { beginSlices } from '../basics/long-work.ts';

/**
 * A record whose JSON lies in a block of bytes. `indexKeys` are those of the record, so that nobody has to read it for
 * them. A compaction moves the bytes into a new block.
 */
export type PackedRecord = {
  readonly type: EntityType;
  readonly id: number;
  readonly bundle: string;
  readonly indexKeys: readonly IndexKey[];
  block: RecordBlock;
  start: number;
  end: number;
  /** As long as it was read lately. */
  entity: Entity | undefined;
  /** It was asked for again since it was read, or since the cache passed it over. */
  isAskedAgain: boolean;
};

/** Bytes of many records. They never change. */
export type RecordBlock = {
  readonly bytes: Uint8Array;
  /** Reads the record and keeps it for a while. */
  readonly read: (record: PackedRecord) => Entity;
};

/** A record in memory: as an object, or packed. */
export type HeldRecord = Entity | PackedRecord;

export const isPacked = (held: HeldRecord): held is PackedRecord => 'block' in held;

export const entityOf = (held: HeldRecord): Entity => {
  if (!isPacked(held)) return held;
  if (held.entity === undefined) return held.block.read(held);
  held.isAskedAgain = true;
  return held.entity;
};

/** The records, in the same order, read as they are iterated. */
export function* entitiesOf(records: Iterable<HeldRecord>): Generator<Entity> {
  for (const held of records) yield entityOf(held);
}

/** So few records are read at once. */
const fewRecords = 200;

/** The records, read in slices between which other requests are answered when they are many. */
export const readRecords = (records: readonly HeldRecord[]): Promise<readonly Entity[]> =>
  records.length <= fewRecords ? Promise.resolve(records.map(entityOf)) : readInSlices(records);

const readInSlices = async (records: readonly HeldRecord[]): Promise<readonly Entity[]> => {
  const slices = beginSlices();
  const entities: Entity[] = [];
  for (const held of records) {
    entities.push(entityOf(held));
    if (entities.length % 32 === 0 && slices.isOver()) await slices.next();
  }
  return entities;
};
