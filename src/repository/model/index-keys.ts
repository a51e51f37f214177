/** Makes the index keys that records are found by. Entity stores keep one set of records for each key. */
import { digestNames } from '../../basics/secrets/digest.ts';
import { isRepositoryType, isPublished, revisionOf, targetIds } from './entity.ts';
import type { RepositoryType } from './entity.ts';
import { urisOfTerm } from './term-uris.ts';
import {
  collectionKeys,
  firstValue,
  items,
  textOf,
  type Entity,
  type FieldItem,
  type IndexKey,
  type IndexKeys,
} from '../../openapi/openapi-records.ts';

export const byUuid = (type: string, uuid: string): IndexKey => `uuid:${type}/${uuid}`;
/** Finds records whose revision id is another number than their id. The others are found by their id. */
export const byRevision = (type: string, revision: number): IndexKey => `revision:${type}/${revision}`;
export const mediaOf = (node: number): IndexKey => `media-of:${node}`;
/** Finds a media by its node and by any of its terms, as the upload endpoint of the real site does. */
export const mediaOfWithTerm = (node: number, term: number): IndexKey => `media-of:${node}/${term}`;
export const membersOf = (node: number): IndexKey => `members-of:${node}`;
export const mediaUsingFile = (file: number): IndexKey => `media-using:${file}`;
export const fileAt = (uri: string): IndexKey => `file-at:${uri}`;
/** Finds files by a hash that their record shows. */
export const fileWithHash = (hash: string): IndexKey => `file-hash:${hash}`;
export const termWithUri = (uri: string): IndexKey => `term-uri:${uri}`;
export const termNamed = (vocabulary: string, name: string): IndexKey =>
  `term-name:${vocabulary}/${name.toLowerCase()}`;
/** Finds a record by its URL alias, such as `/letters/5`. Neither case nor slashes at its end count. */
export const aliasAt = (alias: string): IndexKey => `alias:${alias.toLowerCase().replace(/\/+$/, '')}`;
/** Finds the aliases of a path, such as `/node/5`. */
export const aliasesOf = (path: string): IndexKey => `aliases-of:${path}`;
/** Finds redirects by the path that they lead away from. Neither case nor slashes around it count. */
export const redirectFrom = (path: string): IndexKey => `redirect-from:${path.toLowerCase().replace(/^\/+|\/+$/g, '')}`;
/** Finds the terms below a term. */
export const childrenOf = (term: number): IndexKey => `children-of:${term}`;
export const userNamed = (name: string): IndexKey => `user-name:${name.toLowerCase()}`;
/** Means all records of a type, or of the type of a key. No store keeps a set for it. */
export const everyOf = (type: string): string => `every:${type.split(':', 1).join()}`;

/**
 * All keys that a record is found by. Stores keep them with their records, so raise `keysVersion` when any record gets other
 * keys than before.
 */
export const indexKeys: IndexKeys = (entity) => {
  const { type } = entity;
  if (!isRepositoryType(type)) return collectionKeys(entity);
  return [byUuid(type, entity.uuid), ...revisionKeys(entity), ...keysByType[type](entity)];
};

/** Rises when `indexKeys` gives a record other keys than before. */
export const keysVersion = 3;

const revisionKeys = (entity: Entity): IndexKey[] => {
  const revision = revisionOf(entity);
  return revision === 0 || revision === entity.id ? [] : [byRevision(entity.type, revision)];
};

const mediaKeys = (media: Entity): IndexKey[] => {
  const terms = [...targetIds(media, 'field_media_use'), ...targetIds(media, 'field_access_terms')];
  const nodes = targetIds(media, 'field_media_of');
  return [
    ...nodes.map(mediaOf),
    ...nodes.flatMap((node) => terms.map((term) => mediaOfWithTerm(node, term))),
    ...Array.from(filesOf(media), mediaUsingFile),
    ...aliasKeys(media),
  ];
};

/**
 * Every file that a media could use. A key depends on the record alone, and the names of fields depend on the site. So this
 * goes by the shape of items, and `mediaUsing` of `file-uses.ts` then asks the model.
 */
const filesOf = (media: Entity): Iterable<number> => {
  const ids = new Set<number>();
  for (const name in media.fields) {
    if (notFiles.has(name)) continue;
    const isNamedSo = name.startsWith('field_media_');
    for (const item of media.fields[name] ?? []) {
      const id = item['target_id'];
      if (typeof id === 'number' && (isNamedSo || isFileItem(item))) ids.add(id);
    }
  }
  return ids;
};

const notFiles: ReadonlySet<string> = new Set(['thumbnail', 'field_media_of', 'field_media_use']);

/** Files have a description, images an alternative text, tracks a language. */
const isFileItem = (item: FieldItem): boolean => 'description' in item || 'alt' in item || 'srclang' in item;

const termKeys = (term: Entity): IndexKey[] => [
  termNamed(term.bundle, textOf(firstValue(term, 'name'))),
  ...[...new Set(urisOfTerm(term))].map(termWithUri),
  ...[...new Set(targetIds(term, 'parent'))].filter((parent) => parent !== 0).map(childrenOf),
  ...aliasKeys(term),
];

/** A record whose alias has a number is found by the alias, which is a record of its own. */
const aliasKeys = (entity: Entity): IndexKey[] => {
  const { alias, pid } = entity.fields['path']?.[0] ?? {};
  return typeof alias === 'string' && pid === undefined ? [aliasAt(alias)] : [];
};

const pathAliasKeys = (record: Entity): IndexKey[] => [
  aliasesOf(textOf(firstValue(record, 'path'))),
  ...(isPublished(record) ? [aliasAt(textOf(firstValue(record, 'alias')))] : []),
];

const hashKeys = (file: Entity): Iterable<IndexKey> => {
  const shown = digestNames.flatMap((name) => [...items(file, name), ...items(file, `original_${name}`)]);
  return new Set(shown.map(({ value }) => fileWithHash(textOf(value))));
};

const keysByType: { readonly [T in RepositoryType]: (entity: Entity) => IndexKey[] } = {
  node: (node) => [...targetIds(node, 'field_member_of').map(membersOf), ...aliasKeys(node)],
  media: mediaKeys,
  file: (file) => [fileAt(textOf(firstValue(file, 'uri'))), ...hashKeys(file)],
  taxonomy_term: termKeys,
  user: (user) => [userNamed(textOf(firstValue(user, 'name')))],
  path_alias: pathAliasKeys,
  redirect: (redirect) => [redirectFrom(textOf(redirect.fields['redirect_source']?.[0]?.['path']))],
};
