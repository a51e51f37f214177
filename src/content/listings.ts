/** Lists records: the media and the members of a node, terms by name or URI. Every list comes from an index. */
import type { Principal } from '../model/principal.ts';
import type { IndexKey } from '../model/entity-store.ts';
import { firstValue, type Entity } from '../model/entity.ts';
import { mediaOf, membersOf, termNamed, termWithUri } from './index-keys.ts';
import { mapInSlices, nextTurn } from './long-work.ts';
import type { Repository } from './repository.ts';

/** The media of a node that the principal may view, by id. */
export const mediaOfNode = (repository: Repository, principal: Principal, node: Entity): Promise<Entity[]> =>
  viewable(repository, principal, [mediaOf(node.id)]);

/** The members of a node that the principal may view, by `field_weight` where a site has that field, then by id. */
export const membersOfNode = async (repository: Repository, principal: Principal, node: Entity): Promise<Entity[]> => {
  const members = await viewable(repository, principal, [membersOf(node.id)]);
  const isWeighted = repository.parts.site.model.bundles('node').some(({ fields }) => fields.has('field_weight'));
  return isWeighted ? members.sort((a, b) => weightOf(a) - weightOf(b)) : members;
};

/** The terms with an external URI that the principal may view, by id. */
export const termsWithUri = (repository: Repository, principal: Principal, uri: string): Promise<Entity[]> =>
  viewable(repository, principal, [termWithUri(uri)]);

/** The terms with a name, in any letter case, that the principal may view: in one vocabulary or in all of them. */
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
  // Lists that arrive together begin in turns of their own.
  await nextTurn();
  const lists = await repository.parts.store.lookupMany(keys);
  // Each list is in ascending id already.
  const found = lists.length === 1 ? (lists[0] ?? []) : lists.flat().sort((a, b) => a.id - b.id);
  const answers = await mapInSlices(found, (entity) => repository.canView(principal, entity));
  const visible: Entity[] = [];
  for (const [at, entity] of found.entries()) {
    const answer = answers[at];
    if (answer instanceof Promise ? await answer : answer) visible.push(entity);
  }
  return visible;
};
