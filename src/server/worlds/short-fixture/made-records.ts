/** What short fixtures and samples share: uuids by name, and the records that a repository holds with their counters. */
import { createHash } from 'node:crypto';
import type { Repository } from '../../../core/content/repository.ts';
import { entityTypes, keyOf, revisionOf, type Entity } from '../../../core/model/entity.ts';
import type { InitialRecords } from '../../../storage/memory-entity-store.ts';
import type { Counters } from '../../../core/model/entity-store.ts';

/** Uuids from a name: the n-th one of a name is always the same. */
export const createNamedUuids = () => {
  let name = '';
  let drawn = 0;
  return {
    begin: (next: string): void => {
      name = next;
      drawn = 0;
    },
    next: (): string => {
      drawn += 1;
      return uuidOf(`fixture ${drawn} ${name}`, () => '8');
    },
  };
};

/** The records with uuids that are made from a word, and the kind and id of each. */
export const withUuidsOf = (word: string, { entities, counters }: InitialRecords): InitialRecords => ({
  entities: [...entities].map((entity) => ({
    ...entity,
    uuid: uuidOf(`${word} ${entity.type} ${entity.id}`, (digit) => '89ab'[digit & 3] ?? '8'),
  })),
  counters,
});

/** A uuid of version 4 (RFC 9562 §5.4), always the same for a text. `variant` makes its digit from one of the hash. */
const uuidOf = (text: string, variant: (digit: number) => string): string => {
  const hex = createHash('sha256').update(text).digest('hex');
  const fourth = `${variant(Number.parseInt(hex.charAt(16), 16))}${hex.slice(17, 20)}`;
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, fourth, hex.slice(20, 32)].join('-');
};

/** The records of a repository without those that it began with, and the counters of all. */
export const madeRecords = async ({ parts }: Repository, began: readonly Entity[]): Promise<InitialRecords> => {
  const lists = entityTypes.map((type) => parts.store.list(type, { offset: 0, limit: Number.MAX_SAFE_INTEGER }));
  const all = (await Promise.all(lists)).flatMap(({ entities }) => entities);
  const known = new Set(began.map(keyOf));
  return { entities: all.filter((entity) => !known.has(keyOf(entity))), counters: countersOf(all) };
};

/** The highest ids and revisions. */
const countersOf = (entities: readonly Entity[]): Counters =>
  Object.fromEntries(
    entityTypes.flatMap((type) => {
      const records = entities.filter((entity) => entity.type === type);
      const highest = (numbers: readonly number[]): number => numbers.reduce((most, each) => Math.max(most, each), 0);
      return [
        [type, highest(records.map(({ id }) => id))],
        [`${type}_revision`, highest(records.map(revisionOf))],
      ];
    }),
  );
