/** What the sources of links are given and what they return. The sources stand in the files beside this one. */
import { canonicalPath, type Entity } from '../model/entity.ts';
import type { Format, Site } from '../site/site.ts';
import type { EntityStore } from '../model/entity-store.ts';
import type { TypedLink } from './typed-link.ts';

export type LinkContext = {
  readonly site: Site;
  readonly store: Pick<EntityStore, 'getMany' | 'lookupMany'>;
  /** Scheme, host, port and world prefix, without a slash at the end. */
  readonly baseUrl: string;
  /** Whether the requester may view an entity: nothing else is linked (contract: Signposting 1). */
  readonly canView: (entity: Entity) => boolean | Promise<boolean>;
  /** Whether the requester may replace the bytes of a media. */
  readonly mayEditSource: (media: Entity) => boolean;
  /** The format of the answer, which is not its own alternate; undefined when the answer is not a representation. */
  readonly format: Format | undefined;
  /** The formats that the entity's resource offers for GET, in the order of the configuration. */
  readonly formats: readonly Format[];
  /** How many links to the media of a node are worked out at most; all when absent. */
  readonly mediaLimit?: number | undefined;
};

/** What a link is given up for when there are too many: see `bounded-links.ts`. `kept` ones never are. */
export type LinkKind = 'page' | 'media' | 'tag' | 'related' | 'kept';
export type EntityLink = TypedLink & { readonly kind: LinkKind };

/** The absolute address of an entity. */
export const entityUrl = (entity: Entity, { baseUrl }: Pick<LinkContext, 'baseUrl'>): string =>
  baseUrl + canonicalPath(entity.type, entity.id);

/** The first entities that the requester may view, in order. Waits only where an answer has to be looked up. */
export const viewable = async (
  entities: readonly Entity[],
  { canView }: LinkContext,
  limit = Infinity,
): Promise<Entity[]> => {
  const shown: Entity[] = [];
  for (const entity of entities) {
    if (shown.length >= limit) break;
    const answer = canView(entity);
    // a node can have 10,000 media: awaiting each plain answer would cost more than everything else here
    if (typeof answer === 'boolean' ? answer : await answer) shown.push(entity);
  }
  return shown;
};
