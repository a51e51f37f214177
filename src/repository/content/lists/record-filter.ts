/** Says which records of a type a list of everything that is stored shows, and how it compares them. */
import { isPublished, labelOf, targetIds } from '../../model/entity.ts';
import {
  firstValue,
  type Entity,
  type Place,
  type RecordFilter,
  type RecordQuery,
  type RecordOrder,
} from '../../../openapi/openapi-records.ts';

/** Which records of the repository a list shows. A member that is left out asks for nothing. */
export type ContentFilter = Pick<RecordFilter, 'bundles' | 'text' | 'isPublished'> & {
  /** A term: the model of nodes, the use of media. */
  readonly model?: number | undefined;
  /** Nodes: a node that they are members of. */
  readonly memberOf?: number | undefined;
  /** Media: a node that they belong to. */
  readonly mediaOf?: number | undefined;
};

/** A part of such a list. */
export type ContentQuery = Omit<RecordQuery, 'filter' | 'offset' | 'after'> & {
  readonly filter: ContentFilter;
} & ({ readonly offset: number } | { readonly after: Place });

/** What a record is found and sorted by. Lists keep this and not the record, which takes ten times as much memory. */
export type ListedRecord = {
  readonly id: number;
  readonly bundle: string;
  readonly isPublished: boolean;
  /** The terms that say what it is, the nodes that it is a member of, and those that it belongs to as a media. */
  readonly models: readonly number[];
  readonly memberOf: readonly number[];
  readonly mediaOf: readonly number[];
  /** Folded, and cut to its first 500 characters. */
  readonly title: string;
  /** Seconds since 1970; 0 for a record without such a time. */
  readonly changed: number;
};

const longestTitle = 500;

export const listed = (entity: Entity): ListedRecord => ({
  id: entity.id,
  bundle: entity.bundle,
  isPublished: isPublished(entity),
  models: keptIds(targetIds(entity, modelField(entity.type))),
  memberOf: keptIds(targetIds(entity, 'field_member_of')),
  mediaOf: keptIds(targetIds(entity, 'field_media_of')),
  title: folded(labelOf(entity)).slice(0, longestTitle),
  changed: changedOf(entity) ?? 0,
});

const none: readonly number[] = [];

/** Most records have one empty list or two. */
const keptIds = (ids: readonly number[]): readonly number[] => (ids.length === 0 ? none : ids);

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
export const modelField = (type: string): string => (type === 'media' ? 'field_media_use' : 'field_model');

export const passesFilter = (filter: ContentFilter, record: ListedRecord): boolean =>
  (filter.bundles?.includes(record.bundle) ?? true) &&
  (filter.isPublished === undefined || record.isPublished === filter.isPublished) &&
  has(record.models, filter.model) &&
  has(record.memberOf, filter.memberOf) &&
  has(record.mediaOf, filter.mediaOf) &&
  (filter.text === undefined || record.title.includes(filter.text));

const has = (ids: readonly number[], wanted: number | undefined): boolean =>
  wanted === undefined || ids.includes(wanted);

export const placeOf = (record: ListedRecord, order: RecordOrder): Place => ({
  value: order === 'id' ? record.id : record[order],
  id: record.id,
});

/** Places of the same order. */
export const comparePlaces = (a: Place, b: Place): number => {
  if (a.value === b.value) return a.id - b.id;
  return a.value < b.value ? -1 : 1;
};

const comparisons: { readonly [O in RecordOrder]: (a: ListedRecord, b: ListedRecord) => number } = {
  id: (a, b) => a.id - b.id,
  title: (a, b) => (a.title === b.title ? a.id - b.id : a.title < b.title ? -1 : 1),
  changed: (a, b) => a.changed - b.changed || a.id - b.id,
};

/** Compares as `comparePlaces` compares their places, and makes none: a sort of many records compares often. */
export const compareRecords = (order: RecordOrder): ((a: ListedRecord, b: ListedRecord) => number) =>
  comparisons[order];
