/** Defines the types of a record: entity, field, item and key. */
import { isRecord } from '../../basics/json.ts';

export type Json = string | number | boolean | null | readonly Json[] | { readonly [member: string]: Json };
export type JsonObject = { readonly [member: string]: Json };

export type FieldName = string;

/**
 * One stored element of a field. It holds only what is set and nothing computed. A reference holds `target_id` (a
 * number, or the machine name of a bundle). A time holds whole seconds since 1970 in `value`. Other types hold what the
 * wire shows.
 */
export type FieldItem = JsonObject;
export type FieldItems = readonly FieldItem[];
export type Fields = { readonly [name: FieldName]: FieldItems };

/** The types that fields refer to. */
export const referredTypes = ['node', 'media', 'file', 'taxonomy_term', 'user'] as const;
export type ReferredType = (typeof referredTypes)[number];
/** The types of the repository's content. */
export const entityTypes = [...referredTypes, 'path_alias', 'redirect'] as const;
export type RepositoryType = (typeof entityTypes)[number];
/**
 * The types of all records. A `collection_record` is of no repository: its bundle is the name of its collection, its `uuid` is empty, the
 * first item of `id` has its id as text and that of `value` its JSON value. Its number is its place in the collection.
 */
export const storedTypes = [...entityTypes, 'collection_record'] as const;
export type EntityType = (typeof storedTypes)[number];

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
  /** Further hashes on the way to the record (`living/hashes`). Of stored records only icons of older servers have them here. */
  readonly hashes?: Readonly<Record<string, string>>;
};

/**
 * A record. It is immutable: a change makes a new one. `fields` holds what is set, without id, uuid and bundle; a field that was
 * emptied is left out or has no items. Files, users, aliases and redirects have one bundle, named like their type.
 */
export type Entity = {
  readonly type: EntityType;
  readonly id: number;
  readonly uuid: string;
  readonly bundle: string;
  readonly fields: Fields;
  /** By language: the fields that a translation has otherwise. Nodes, media and terms only. */
  readonly translations?: Readonly<Record<string, Fields>>;
  /** Files only. Absent when the file has lost its bytes. */
  readonly blob?: BlobReference;
  /** Users only: the password as `scrypt$N$r$p$salt$hash`, base64. Never leaves the process. */
  readonly password?: string;
};

/** `node:12`. */
export type EntityKey = `${EntityType}:${number}`;
export const entityKey = (type: EntityType, id: number): EntityKey => `${type}:${id}`;
export const keyOf = (entity: Pick<Entity, 'type' | 'id'>): EntityKey => entityKey(entity.type, entity.id);

/**
 * The fields of each entity type that show its id, bundle, revision id and label; the `target_type` of references to its bundles; where
 * its records are. Files and users show no bundle.
 */
export const identityFields: {
  readonly [T in EntityType]: {
    readonly id: FieldName;
    readonly bundle?: FieldName;
    readonly bundleType?: string;
    readonly revision?: FieldName;
    readonly label: FieldName;
    readonly path: string;
  };
} = {
  node: { id: 'nid', bundle: 'type', bundleType: 'node_type', revision: 'vid', label: 'title', path: '/node' },
  media: { id: 'mid', bundle: 'bundle', bundleType: 'media_type', revision: 'vid', label: 'name', path: '/media' },
  file: { id: 'fid', label: 'filename', path: '/entity/file' },
  taxonomy_term: {
    ...{ id: 'tid', bundle: 'vid', bundleType: 'taxonomy_vocabulary', revision: 'revision_id', label: 'name' },
    path: '/taxonomy/term',
  },
  user: { id: 'uid', label: 'name', path: '/user' },
  path_alias: { id: 'id', revision: 'revision_id', label: 'alias', path: '/entity/path_alias' },
  redirect: { id: 'rid', bundle: 'type', label: 'redirect_source', path: '/admin/config/search/redirect/edit' },
  // No address leads to one.
  collection_record: { id: 'id', label: 'id', path: '/collection_record' },
};

/** The items of a field; `[]` when it is not set. */
export const items = (entity: Entity, field: FieldName): FieldItems => entity.fields[field] ?? [];

/** The field that shows the state of a record, for every bundle of a type of which one has a workflow. */
export const stateField = 'moderation_state';

/** The `value` of a field's first item. */
export const firstValue = (entity: Entity, field: FieldName): Json | undefined => items(entity, field)[0]?.['value'];

/** A JSON value as text: a string unchanged, undefined as the empty string, anything else as JSON. */
export const textOf = (value: Json | undefined): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);

/** A member that the object has itself: somebody may send one that is called `toString`. */
export const memberOf = (value: Json | undefined, name: string): Json | undefined =>
  isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;

export const isSet = (value: Json | undefined): boolean => value !== undefined && value !== null && value !== '';

/** The numeric `target_id`s of a reference field, in item order. */
export const targetIds = (entity: Entity, field: FieldName): number[] => {
  // Each reply calls this about twenty times, and for lists of one item `flatMap` costs five times as much as a loop.
  const ids: number[] = [];
  for (const { target_id: id } of items(entity, field)) if (typeof id === 'number') ids.push(id);
  return ids;
};

/** The account that owns the entity; 0 when it has no owner. */
export const ownerOf = (entity: Entity): number =>
  entity.type === 'user' ? entity.id : (targetIds(entity, 'uid')[0] ?? 0);

/** Whether a node, media or term is published, a file permanent, or a user active. */
export const isPublished = (entity: Entity): boolean => firstValue(entity, 'status') === true;

/** Title, name or file name; the empty string without one. */
export const labelOf = (entity: Entity): string => textOf(firstValue(entity, identityFields[entity.type].label));

/** The revision id of the record; 0 for types without revisions. */
export const revisionOf = (entity: Entity): number => {
  const field = identityFields[entity.type].revision;
  const value = field === undefined ? undefined : firstValue(entity, field);
  return typeof value === 'number' ? value : 0;
};

/** The canonical path of an entity, `/node/12`, without the base URL. */
export const canonicalPath = (type: EntityType, id: number): string => `${identityFields[type].path}/${id}`;
