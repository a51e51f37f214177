/** Lists of records by the look-ups that clients make: what belongs to a node, which terms have a name or a URI. Always by index. */
import type { Principal } from '../model/principal.ts';
import type { IndexKey } from '../model/entity-store.ts';
import { firstValue, type Entity } from '../model/entity.ts';
import { mediaOf, membersOf, termNamed, termWithUri } from './index-keys.ts';
import type { Repository } from './repository.ts';

/** The media of a node that the principal may view, by id. */
export const mediaOfNode = (repository: Repository, principal: Principal, node: Entity): Promise<Entity[]> =>
  viewable(repository, principal, [mediaOf(node.id)]);

/** The members of a node that the principal may view: by `field_weight` where a site has it, then by id (clients.md 1.1). */
export const membersOfNode = async (repository: Repository, principal: Principal, node: Entity): Promise<Entity[]> =>
  (await viewable(repository, principal, [membersOf(node.id)])).sort((a, b) => weightOf(a) - weightOf(b));

/** The viewable terms with an external URI, by id. */
export const termsWithUri = (repository: Repository, principal: Principal, uri: string): Promise<Entity[]> =>
  viewable(repository, principal, [termWithUri(uri)]);

/** The viewable terms with a name, letter case aside, in one vocabulary or in all of them. */
export const termsNamed = (
  repository: Repository,
  principal: Principal,
  name: string,
  vocabulary: string | undefined,
): Promise<Entity[]> => {
  const all = repository.parts.site.model.bundles('taxonomy_term').map(({ id }) => id);
  const vocabularies = vocabulary === undefined ? all : [vocabulary];
  return viewable(
    repository,
    principal,
    vocabularies.map((id) => termNamed(id, name)),
  );
};

/** open: members without a weight come first, as SQL sorts NULL. */
const weightOf = (node: Entity): number => {
  const weight = firstValue(node, 'field_weight');
  return typeof weight === 'number' ? weight : Number.MIN_SAFE_INTEGER;
};

const viewable = async (repository: Repository, principal: Principal, keys: IndexKey[]): Promise<Entity[]> => {
  const found = (await repository.parts.store.lookupMany(keys)).flat().sort((a, b) => a.id - b.id);
  const shown: Entity[] = [];
  for (const entity of found) if (await repository.canView(principal, entity)) shown.push(entity);
  return shown;
};
