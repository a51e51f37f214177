/** Finds the image that stands for a node, as the module `dgi_image_discovery` of the starter site does: its member `did_image`. */
import { targetIds } from '../model/entity.ts';
import { mediaOf, mediaOfWithTerm, membersOf, termWithUri } from '../model/index-keys.ts';
import { mayView, type Viewer } from './views.ts';
import { type Entity, entityKey, firstValue } from '../../openapi/openapi-records.ts';

/** How many generations of members are asked for an image. */
const generations = 3;
const thumbnailUse = 'http://pcdm.org/use#ThumbnailImage';
const originalUse = 'http://pcdm.org/use#OriginalFile';

/**
 * The media that the node names and the viewer may see; else its thumbnail, or its original file where that is an image, also one that is
 * not published; else the image of its first member; else the image of its model.
 */
export const discoveredImage = (node: Entity, viewer: Viewer, left = generations): Entity | undefined =>
  targets(node, 'field_representative_image', viewer)[0] ??
  mediaWithUse(node, thumbnailUse, viewer)[0] ??
  mediaWithUse(node, originalUse, viewer).find(({ bundle }) => bundle === 'image') ??
  imageOfMember(node, viewer, left) ??
  imageOfModel(node, viewer);

const targets = (entity: Entity, field: string, viewer: Viewer, type: 'media' | 'taxonomy_term' = 'media'): Entity[] =>
  targetIds(entity, field).flatMap((id) => {
    const target = viewer.records.get(entityKey(type, id));
    return target !== undefined && mayView(target, viewer) ? [target] : [];
  });

const mediaWithUse = (node: Entity, uri: string, viewer: Viewer): readonly Entity[] => {
  const { records } = viewer;
  // Most nodes have no media, and then no term is asked for.
  if (records.lookup(mediaOf(node.id)).length === 0) return [];
  const media = records.lookup(termWithUri(uri)).flatMap((term) => records.lookup(mediaOfWithTerm(node.id, term.id)));
  // The module asks the database, which knows nothing of who may view a media.
  return media.sort((one, other) => one.id - other.id);
};

const imageOfMember = (node: Entity, viewer: Viewer, left: number): Entity | undefined => {
  if (left === 0) return undefined;
  const members = viewer.records.lookup(membersOf(node.id)).filter((member) => mayView(member, viewer));
  const [first] = members.sort((one, other) => weightOf(one) - weightOf(other) || one.id - other.id);
  return first && discoveredImage(first, viewer, left - 1);
};

/** A member without a weight comes first, as NULL does in the database. */
const weightOf = (member: Entity): number => {
  const weight = firstValue(member, 'field_weight');
  return typeof weight === 'number' ? weight : -Infinity;
};

const imageOfModel = (node: Entity, viewer: Viewer): Entity | undefined =>
  targets(node, 'field_model', viewer, 'taxonomy_term').flatMap((model) =>
    targets(model, 'field_default_image', viewer),
  )[0];
