/** Names the types of records of a repository, and reads what all of them have. */
import { isRecord, type Json } from '../../basics/json.ts';
import {
  collectionRecordType,
  type Entity,
  type FieldName,
  firstValue,
  items,
  textOf,
} from '../../openapi/openapi-records.ts';

/** The types that fields refer to. */
export const referredTypes = ['node', 'media', 'file', 'taxonomy_term', 'user'] as const;
export type ReferredType = (typeof referredTypes)[number];
/** The types of the repository's content. */
export const entityTypes = [...referredTypes, 'path_alias', 'redirect'] as const;
export type RepositoryType = (typeof entityTypes)[number];
/** The types of all records of a repository: its content, and the records of collections. */
export const storedTypes: readonly string[] = [...entityTypes, collectionRecordType];
/** Whether records of this type are content of the repository. */
export const isRepositoryType = (type: string): type is RepositoryType => identities.has(type);

/**
 * The fields of an entity type that show its id, bundle, revision id and label; the `target_type` of references to its bundles; where
 * its records are. Files and users show no bundle. Records of other types have an id.
 */
export const identityOf = (type: string): IdentityFields =>
  identities.get(type) ?? { id: 'id', label: 'id', path: `/${type}` };

type IdentityFields = {
  readonly id: FieldName;
  readonly bundle?: FieldName;
  readonly bundleType?: string;
  readonly revision?: FieldName;
  readonly label: FieldName;
  readonly path: string;
};

const rows: { readonly [T in RepositoryType]: IdentityFields } = {
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
};
const identities: ReadonlyMap<string, IdentityFields> = new Map(Object.entries(rows));

/** The field that shows the state of a record, for every bundle of a type of which one has a workflow. */
export const stateField = 'moderation_state';

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
export const labelOf = (entity: Entity): string => textOf(firstValue(entity, identityOf(entity.type).label));

/** The revision id of the record; 0 for types without revisions. */
export const revisionOf = (entity: Entity): number => {
  const field = identityOf(entity.type).revision;
  const value = field === undefined ? undefined : firstValue(entity, field);
  return typeof value === 'number' ? value : 0;
};

/** The canonical path of an entity, `/node/12`, without the base URL. */
export const canonicalPath = (type: string, id: number): string => `${identityOf(type).path}/${id}`;
