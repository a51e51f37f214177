/** Looks up terms by URI or name, which stay the same between installations. Beyond the contract. */
import { pageOf, readPage } from '../src/content/list-page.ts';
import { termsNamed, termsWithUri } from '../src/content/listings.ts';
import type { Entity } from '../src/model/entity.ts';
import type { ContractRequest, Handler } from '../src/engine/handler.ts';
import { pageLinkHeaders, type PageQuery } from '../src/links/page-links.ts';
import { representList } from '../src/representations/represent-list.ts';
import type { World } from '../src/world.ts';

type LookupRequest = ContractRequest<unknown, PageQuery>;

const answer = async (request: LookupRequest, world: World, path: string, terms: readonly Entity[]) => {
  const page = pageOf(terms, readPage(request.query));
  const { body } = await representList(page.entries, 'json', { ...world, viewer: request.identity.principal });
  const headers = pageLinkHeaders(world.baseUrl + path, request.query, page);
  return { status: 200 as const, headers, mediaType: 'application/json' as const, body };
};

export const getTermFromUri: Handler<'getTermFromUri'> = async (request, world) => {
  const { uri } = request.query;
  return async () => {
    const found = uri === undefined ? [] : await termsWithUri(world.repository, request.identity.principal, uri);
    return answer(request, world, '/term_from_uri', found);
  };
};

export const getTermFromTermName: Handler<'getTermFromTermName'> = async (request, world) => {
  const { name, vocab } = request.query;
  return async () => {
    const { principal } = request.identity;
    const found = name === undefined ? [] : await termsNamed(world.repository, principal, name, vocab);
    return answer(request, world, '/term_from_term_name', found);
  };
};
