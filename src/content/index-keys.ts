/** By which names records are found: the look-ups that the interface makes. The stores keep the sets, this says who is in them. */
import type { Entity, EntityType } from '../model/entity.ts';
import { firstValue, items, targetIds, textOf } from '../model/entity.ts';
import type { IndexKey } from '../model/entity-store.ts';

export const byUuid = (type: EntityType, uuid: string): IndexKey => `uuid:${type}/${uuid}`;
export const mediaOf = (node: number): IndexKey => `media-of:${node}`;
/** A media is found for a node and a term by any of its term references (reference 3.1). */
export const mediaOfWithTerm = (node: number, term: number): IndexKey => `media-of:${node}/${term}`;
export const membersOf = (node: number): IndexKey => `members-of:${node}`;
export const mediaUsingFile = (file: number): IndexKey => `media-using:${file}`;
export const fileAt = (uri: string): IndexKey => `file-at:${uri}`;
export const termWithUri = (uri: string): IndexKey => `term-uri:${uri}`;
export const termNamed = (vocabulary: string, name: string): IndexKey =>
  `term-name:${vocabulary}/${name.toLowerCase()}`;
export const userNamed = (name: string): IndexKey => `user-name:${name.toLowerCase()}`;

/** Every set that a record belongs to. */
export const indexKeys = (entity: Entity): readonly IndexKey[] => {
  const own = byUuid(entity.type, entity.uuid);
  switch (entity.type) {
    case 'node':
      return [own, ...targetIds(entity, 'field_member_of').map(membersOf)];
    case 'media':
      return [own, ...mediaKeys(entity)];
    case 'file':
      return [own, fileAt(textOf(firstValue(entity, 'uri')))];
    case 'taxonomy_term':
      return [own, ...termKeys(entity)];
    case 'user':
      return [own, userNamed(textOf(firstValue(entity, 'name')))];
  }
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

/** Source file first: the source field's name depends on the media type, its items alone carry `display` or `alt`. */
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
