/** The words for records: entities, fields, items and the keys they are found by. No rules live here. */

export type Scalar = string | number | boolean | null;
export type Json = Scalar | readonly Json[] | { readonly [member: string]: Json };
export type JsonObject = { readonly [member: string]: Json };

export type FieldName = string;

/**
 * One stored element of a field, compact: only what is set, nothing computed. A reference holds `target_id` (number,
 * or the machine name of a bundle), a time holds whole seconds since 1970 in `value`; other types hold what the wire shows.
 */
export type FieldItem = JsonObject;
export type FieldItems = readonly FieldItem[];
export type Fields = { readonly [name: FieldName]: FieldItems };

export const entityTypes = ['node', 'media', 'file', 'taxonomy_term', 'user'] as const;
export type EntityType = (typeof entityTypes)[number];

/**
 * Where the bytes of a file lie: an opaque name in the storage of the file's scheme, their number and their hash (hex);
 * for an image also its pixels, read from its header when it arrived.
 */
export type BlobReference = {
  readonly key: string;
  readonly size: number;
  readonly sha256: string;
  readonly width?: number;
  readonly height?: number;
};

/**
 * A record. Immutable: a change makes a new one. `fields` holds the non-empty fields only; id, uuid and bundle stand
 * above and are not repeated in it. Files and users have one bundle, named like their type.
 */
export type Entity = {
  readonly type: EntityType;
  readonly id: number;
  readonly uuid: string;
  readonly bundle: string;
  readonly fields: Fields;
  /** Files only. Absent when the file has lost its bytes. */
  readonly blob?: BlobReference;
  /** Users only: the password as `scrypt$N$r$p$salt$hash`, base64. Never leaves the process. */
  readonly password?: string;
};

/** `node:12`. */
export type EntityKey = `${EntityType}:${number}`;
export const entityKey = (type: EntityType, id: number): EntityKey => `${type}:${id}`;
export const keyOf = (entity: Entity): EntityKey => entityKey(entity.type, entity.id);

/** The field that shows the id, the bundle (none for files and users) and the revision id of each entity type. */
export const identityFields: {
  readonly [T in EntityType]: {
    readonly id: FieldName;
    readonly bundle: FieldName | undefined;
    readonly revision: FieldName | undefined;
    readonly label: FieldName;
  };
} = {
  node: { id: 'nid', bundle: 'type', revision: 'vid', label: 'title' },
  media: { id: 'mid', bundle: 'bundle', revision: 'vid', label: 'name' },
  file: { id: 'fid', bundle: undefined, revision: undefined, label: 'filename' },
  taxonomy_term: { id: 'tid', bundle: 'vid', revision: 'revision_id', label: 'name' },
  user: { id: 'uid', bundle: undefined, revision: undefined, label: 'name' },
};

/** What a bundle is called when it is itself referred to (`target_type` of `type`, `bundle`, `vid`). */
export const bundleTypes: { readonly [T in EntityType]: string | undefined } = {
  node: 'node_type',
  media: 'media_type',
  file: undefined,
  taxonomy_term: 'taxonomy_vocabulary',
  user: undefined,
};

/** The items of a field, `[]` when it is not set. */
export const items = (entity: Entity, field: FieldName): FieldItems => entity.fields[field] ?? [];

/** The `value` of a field's first item. */
export const firstValue = (entity: Entity, field: FieldName): Json | undefined => items(entity, field)[0]?.['value'];

/** A JSON value as text: a string as it is, nothing as the empty string, anything else as JSON. */
export const textOf = (value: Json | undefined): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);

/** The numeric `target_id`s of a reference field, in item order. */
export const targetIds = (entity: Entity, field: FieldName): number[] => {
  // A loop: for lists of one, as nearly all are, `flatMap` costs five times as much, and every answer asks twenty times.
  const ids: number[] = [];
  for (const { target_id: id } of items(entity, field)) if (typeof id === 'number') ids.push(id);
  return ids;
};

/** The account that owns the entity, 0 when none does. */
export const ownerOf = (entity: Entity): number =>
  entity.type === 'user' ? entity.id : (targetIds(entity, 'uid')[0] ?? 0);

/** Published, or for a file permanent, or for a user active. */
export const isPublished = (entity: Entity): boolean => firstValue(entity, 'status') === true;

/** Title, name or file name; the empty string when it has none. */
export const labelOf = (entity: Entity): string => textOf(firstValue(entity, identityFields[entity.type].label));

/** The revision id that the record shows, 0 for types without revisions. */
export const revisionOf = (entity: Entity): number => {
  const field = identityFields[entity.type].revision;
  const value = field === undefined ? undefined : firstValue(entity, field);
  return typeof value === 'number' ? value : 0;
};

/** The canonical path of an entity, `/node/12`, without the base URL. */
export const canonicalPath = (type: EntityType, id: number): string => {
  const prefix: { readonly [T in EntityType]: string } = {
    node: '/node',
    media: '/media',
    file: '/entity/file',
    taxonomy_term: '/taxonomy/term',
    user: '/user',
  };
  return `${prefix[type]}/${id}`;
};
