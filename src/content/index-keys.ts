/** Makes the index keys that records are found by. Entity stores keep one set of records for each key. */
import { firstValue, items, revisionOf, targetIds, textOf, type Entity, type EntityType } from '../model/entity.ts';
import type { IndexKey } from '../model/entity-store.ts';

export const byUuid = (type: EntityType, uuid: string): IndexKey => `uuid:${type}/${uuid}`;
/** Finds records whose revision id is another number than their id. The others are found by their id. */
export const byRevision = (type: EntityType, revision: number): IndexKey => `revision:${type}/${revision}`;
export const mediaOf = (node: number): IndexKey => `media-of:${node}`;
/** Finds a media by its node and by any of its terms, as the upload endpoint of the real site does. */
export const mediaOfWithTerm = (node: number, term: number): IndexKey => `media-of:${node}/${term}`;
export const membersOf = (node: number): IndexKey => `members-of:${node}`;
export const mediaUsingFile = (file: number): IndexKey => `media-using:${file}`;
export const fileAt = (uri: string): IndexKey => `file-at:${uri}`;
export const termWithUri = (uri: string): IndexKey => `term-uri:${uri}`;
export const termNamed = (vocabulary: string, name: string): IndexKey =>
  `term-name:${vocabulary}/${name.toLowerCase()}`;
export const userNamed = (name: string): IndexKey => `user-name:${name.toLowerCase()}`;

/** All keys that a record is found by. */
export const indexKeys = (entity: Entity): readonly IndexKey[] => [
  byUuid(entity.type, entity.uuid),
  ...revisionKeys(entity),
  ...keysByType[entity.type](entity),
];

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
    ...filesOf(media).map(mediaUsingFile),
  ];
};

/** The name of a source field depends on the media type, but always starts with `field_media_`. */
const filesOf = (media: Entity): number[] => [
  ...new Set(
    Object.keys(media.fields)
      .filter((name) => name.startsWith('field_media_') && name !== 'field_media_of' && name !== 'field_media_use')
      .flatMap((name) => targetIds(media, name)),
  ),
];

const termKeys = (term: Entity): IndexKey[] => [
  termNamed(term.bundle, textOf(firstValue(term, 'name'))),
  ...items(term, 'field_external_uri').flatMap((item) =>
    typeof item['uri'] === 'string' ? [termWithUri(item['uri'])] : [],
  ),
];

const keysByType: { readonly [T in EntityType]: (entity: Entity) => IndexKey[] } = {
  node: (node) => targetIds(node, 'field_member_of').map(membersOf),
  media: mediaKeys,
  file: (file) => [fileAt(textOf(firstValue(file, 'uri')))],
  taxonomy_term: termKeys,
  user: (user) => [userNamed(textOf(firstValue(user, 'name')))],
};
