/** Defines the types of a stored record: entity, field, item and key. An application says which types of entities there are. */

import type { Json, JsonObject } from '../../basics/json.ts';

export type FieldName = string;

/**
 * One stored element of a field. It holds only what is set and nothing computed. A reference holds `target_id` (a
 * number, or the machine name of a bundle). A time holds whole seconds since 1970 in `value`. Other types hold what the
 * wire shows.
 */
export type FieldItem = JsonObject;
export type FieldItems = readonly FieldItem[];
export type Fields = { readonly [name: FieldName]: FieldItems };

/**
 * Where the bytes of a file are: an opaque name in the storage of the file's scheme, their number and their hash in
 * hex. An image also has its size in pixels, read from its header on arrival.
 */
export type BlobReference = {
  readonly key: string;
  readonly size: number;
  readonly sha256: string;
  readonly width?: number;
  readonly height?: number;
  /** Further hashes by their names, on the way to the record. */
  readonly hashes?: Readonly<Record<string, string>>;
};

/**
 * A record. It is immutable: a change makes a new one. `fields` holds what is set, without id, uuid and bundle; a field that was
 * emptied is left out or has no items. Entities of a type with one bundle have it named like their type.
 */
export type Entity = {
  /** One of `RecordModel.types`. It has no colon. */
  readonly type: string;
  readonly id: number;
  readonly uuid: string;
  readonly bundle: string;
  readonly fields: Fields;
  /** By language: the fields that a translation has otherwise. */
  readonly translations?: Readonly<Record<string, Fields>>;
  /** Files only. Absent when the file has lost its bytes. */
  readonly blob?: BlobReference;
  /** Accounts only: the password as `scrypt$N$r$p$salt$hash`, base64. Never leaves the process. */
  readonly password?: string;
};

/** `node:12`. */
export type EntityKey = `${string}:${number}`;
export const entityKey = (type: string, id: number): EntityKey => `${type}:${id}`;
export const keyOf = (entity: Pick<Entity, 'type' | 'id'>): EntityKey => entityKey(entity.type, entity.id);

/** The items of a field; `[]` when it is not set. */
export const items = (entity: Entity, field: FieldName): FieldItems => entity.fields[field] ?? [];

/** The `value` of a field's first item. */
export const firstValue = (entity: Entity, field: FieldName): Json | undefined => items(entity, field)[0]?.['value'];

/** The scheme of the storage that has the bytes of a record: that of its `uri`, as in `public://a.png`. */
export const schemeOf = (file: Entity): string => textOf(firstValue(file, 'uri')).split('://')[0] ?? '';

/** A JSON value as text: a string unchanged, undefined as the empty string, anything else as JSON. */
export const textOf = (value: Json | undefined): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
