/** Says which records of a type a list of everything that is stored shows, and how it compares them. */
import { firstValue, isPublished, labelOf, targetIds, type Entity, type EntityType } from '../../model/entity.ts';
import type { Place, RecordFilter, RecordOrder } from '../../model/record-query.ts';

/** A record with what it is found and sorted by. */
export type ListedRecord = {
  readonly entity: Entity;
  /** Folded, and cut to its first 500 characters. */
  readonly title: string;
  /** Seconds since 1970; 0 for a record without such a time. */
  readonly changed: number;
};

const longestTitle = 500;

export const listed = (entity: Entity): ListedRecord => ({
  entity,
  title: folded(labelOf(entity)).slice(0, longestTitle),
  changed: changedOf(entity) ?? 0,
});

/** The time of the last change in seconds since 1970. */
export const changedOf = (entity: Entity): number | undefined => {
  const value = firstValue(entity, 'changed');
  return typeof value === 'number' ? value : undefined;
};

/** The text without the case and the accents of its letters. */
export const folded = (text: string): string =>
  // Most texts have neither, and this test costs less than the form NFD.
  /^[\x20-\x7e]*$/.test(text)
    ? text.toLowerCase()
    : text
        .normalize('NFD')
        .replace(/[\u0300-\u036f]/g, '')
        .toLowerCase();

/** The field of the term that says what a record is: the model of a node, the use of a media. */
export const modelField = (type: EntityType): string => (type === 'media' ? 'field_media_use' : 'field_model');

export const passesFilter = (filter: RecordFilter, { entity, title }: ListedRecord): boolean =>
  (filter.bundles?.includes(entity.bundle) ?? true) &&
  (filter.isPublished === undefined || isPublished(entity) === filter.isPublished) &&
  refersTo(entity, modelField(entity.type), filter.model) &&
  refersTo(entity, 'field_member_of', filter.memberOf) &&
  refersTo(entity, 'field_media_of', filter.mediaOf) &&
  (filter.text === undefined || title.includes(filter.text));

const refersTo = (entity: Entity, field: string, target: number | undefined): boolean =>
  target === undefined || targetIds(entity, field).includes(target);

export const placeOf = (record: ListedRecord, order: RecordOrder): Place => ({
  value: order === 'id' ? record.entity.id : record[order],
  id: record.entity.id,
});

/** Places of the same order. */
export const comparePlaces = (a: Place, b: Place): number => {
  if (a.value === b.value) return a.id - b.id;
  return a.value < b.value ? -1 : 1;
};

const comparisons: { readonly [O in RecordOrder]: (a: ListedRecord, b: ListedRecord) => number } = {
  id: (a, b) => a.entity.id - b.entity.id,
  title: (a, b) => (a.title === b.title ? a.entity.id - b.entity.id : a.title < b.title ? -1 : 1),
  changed: (a, b) => a.changed - b.changed || a.entity.id - b.entity.id,
};

/** Compares as `comparePlaces` compares their places, and makes none: a sort of many records compares often. */
export const compareRecords = (order: RecordOrder): ((a: ListedRecord, b: ListedRecord) => number) =>
  comparisons[order];
