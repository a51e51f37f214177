/** Finds what belongs to a media and to a term: parent, source file, addresses. */
import { targetIds } from '../../model/entity.ts';
import type { Model } from '../../model/bundle.ts';
import { mediaOfWithTerm, termWithUri } from '../../model/index-keys.ts';
import { entityKey, type Entity, type EntityKey, type IndexKey } from '../../../openapi/openapi-records.ts';

/** The records that a function reads, without waiting. */
export type ReadRecords = {
  get(key: EntityKey): Entity | undefined;
  /** Ascending id. */
  lookup(index: IndexKey): readonly Entity[];
};

/** The node that a media is of: the first, where it names several. */
export const parentOf = (media: Entity, records: ReadRecords): Entity | undefined => {
  const [id] = targetIds(media, 'field_media_of');
  return id === undefined ? undefined : records.get(entityKey('node', id));
};

export const sourceFieldOf = (media: Entity, model: Model): string | undefined =>
  model.bundle('media', media.bundle)?.source?.field;

export const sourceFileOf = (media: Entity, model: Model, records: ReadRecords): Entity | undefined => {
  const field = sourceFieldOf(media, model);
  const [id] = field === undefined ? [] : targetIds(media, field);
  return id === undefined ? undefined : records.get(entityKey('file', id));
};

export const termAt = (uri: string, records: ReadRecords): Entity | undefined => records.lookup(termWithUri(uri))[0];

/** The first media of a node with a term. With two originals it is the older one. */
export const mediaWithTerm = (node: Entity, term: Entity, records: ReadRecords): Entity | undefined =>
  records.lookup(mediaOfWithTerm(node.id, term.id))[0];
