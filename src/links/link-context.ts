/** What the sources of links need to know, gathered for one requester from a world. What becomes of it is not decided here. */
import type { Principal } from '../model/principal.ts';
import { editSourceVerdict } from '../content/verdicts.ts';
import type { EntityType } from '../model/entity.ts';
import type { Repository } from '../content/repository.ts';
import { resourceOf, type Site } from '../site/site.ts';
import type { EntityStore } from '../model/entity-store.ts';
import type { LinkContext } from './link-source.ts';

/** The part of a world that links are made from. */
export type LinkedWorld = {
  readonly site: Site;
  readonly store: EntityStore;
  readonly baseUrl: string;
  readonly repository: Repository;
};

/** The context of the links of an entity of this type; `format` is the answer's, undefined when it is no representation. */
export const linkContextOf = (
  world: LinkedWorld,
  principal: Principal,
  type: EntityType,
  format: LinkContext['format'],
): LinkContext => ({
  site: world.site,
  store: world.store,
  baseUrl: world.baseUrl,
  canView: (entity) => world.repository.canView(principal, entity),
  mayEditSource: () => editSourceVerdict(principal) === undefined,
  format,
  formats: resourceOf(world.site, type)?.methods.get('GET')?.formats ?? [],
});
