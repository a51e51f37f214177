/** The media and the members of a node as lists, page by page, beyond the contract. */
import type { Principal } from '../src/model/principal.ts';
import { canonicalPath, type Entity } from '../src/model/entity.ts';
import { pageOf, readPage } from '../src/content/list-page.ts';
import { mediaOfNode, membersOfNode } from '../src/content/listings.ts';
import type { Repository } from '../src/content/repository.ts';
import { entityAt } from '../src/engine/path-parameters.ts';
import type { ContractRequest, Handler } from '../src/engine/handler.ts';
import { pageLinkHeaders, type PageQuery } from '../src/links/page-links.ts';
import { representList } from '../src/representations/represent-list.ts';
import type { World } from '../src/world.ts';

type Listing = (repository: Repository, principal: Principal, node: Entity) => Promise<Entity[]>;
type ListRequest = ContractRequest<{ readonly node_id: number }, PageQuery>;

/** `name` is the last segment of the path. */
const listHandler = (name: string, listing: Listing) => async (request: ListRequest, world: World) => {
  const viewer = request.identity.principal;
  const node = await world.repository.view(viewer, entityAt(request, 'node', 'node_id'));
  return async () => {
    const page = pageOf(await listing(world.repository, viewer, node), readPage(request.query));
    const address = `${world.baseUrl}${canonicalPath('node', node.id)}/${name}`;
    return {
      status: 200 as const,
      headers: pageLinkHeaders(address, request.query, page),
      ...(await representList(page.entries, request.format, { ...world, viewer })),
    };
  };
};

export const listNodeMedia: Handler<'listNodeMedia'> = listHandler('media', mediaOfNode);
export const listNodeMembers: Handler<'listNodeMembers'> = listHandler('members', membersOfNode);
