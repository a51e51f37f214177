/** Says what the real site's caches know about its answer of an entity: what ends it, and whether it is one account's own. */
import { may, type Principal } from '../model/principal.ts';
import { isPublished, ownerOf } from '../model/entity.ts';
import { viewVerdict } from './verdicts.ts';
import { keyOf, type Entity, type EntityKey } from '../../openapi/openapi-records.ts';

/** An entity. For a guarded file also the media that use it: who may see one of them may see the file. */
export type Shown = { readonly entity: Entity; readonly media?: readonly Entity[] | undefined };

/**
 * The records whose saving ends a kept answer. Neither the records that it refers to nor the media of a node are among them.
 * A guarded file also ends with the media through which it was seen.
 */
export const endingKeys = (principal: Principal, { entity, media }: Shown): EntityKey[] => {
  const opening = openingMedia(principal, media);
  return [keyOf(entity), ...(opening === undefined ? [] : [keyOf(opening)])];
};

/** Whether the right to see the entity was decided by who asks, and not by permissions alone. Such an answer is not kept. */
export const isViewPersonal = (principal: Principal, { entity, media }: Shown): boolean => {
  switch (entity.type) {
    case 'node':
      return (
        !may(principal, 'bypass node access') && isOwnUnpublished(principal, entity, 'view own unpublished content')
      );
    case 'media':
      return isMediaPersonal(principal, entity);
    case 'file':
      return isFilePersonal(principal, entity, media);
    case 'user':
      return !may(principal, 'administer users');
    default:
      return false;
  }
};

/** Whether the answer with its fields is one account's own. Who may change a record may see its revision log. */
export const isAnswerPersonal = (principal: Principal, shown: Shown): boolean =>
  isViewPersonal(principal, shown) || isRevisionLogPersonal(principal, shown.entity);

const openingMedia = (principal: Principal, media: readonly Entity[] | undefined): Entity | undefined =>
  media?.find((each) => viewVerdict(principal, each, { open: false, media: [] }) === undefined);

const isOwner = ({ uid }: Principal, entity: Entity): boolean => uid !== 0 && ownerOf(entity) === uid;

const isOwnUnpublished = (principal: Principal, entity: Entity, permission: string): boolean =>
  !isPublished(entity) && may(principal, permission) && isOwner(principal, entity);

/** A guarded file that no media uses is its owner's. */
const isFilePersonal = (principal: Principal, file: Entity, media: Shown['media']): boolean => {
  if (media?.length === 0) return isOwner(principal, file);
  const opening = openingMedia(principal, media);
  return opening !== undefined && isMediaPersonal(principal, opening);
};

/** A refusal depends on the owner, too. */
const isMediaPersonal = (principal: Principal, media: Entity): boolean =>
  !may(principal, 'administer media') && !isPublished(media) && may(principal, 'view own unpublished media');

const isRevisionLogPersonal = (principal: Principal, entity: Entity): boolean => {
  const { type, bundle } = entity;
  if (type === 'node') {
    if (may(principal, 'bypass node access') || may(principal, `edit any ${bundle} content`)) return false;
    return may(principal, `edit own ${bundle} content`);
  }
  if (type !== 'media' || !isOwner(principal, entity)) return false;
  if (may(principal, 'administer media') || may(principal, `edit any ${bundle} media`)) return false;
  if (may(principal, `edit own ${bundle} media`)) return true;
  return !may(principal, 'update any media') && may(principal, 'update media');
};
