/** Looks up terms by URI or name, which stay the same between installations. Beyond the contract. */
import { termsNamed, termsWithUri } from '../src/content/listings.ts';
import type { Entity } from '../src/model/entity.ts';
import type { ContractRequest, Handler } from '../src/engine/handler.ts';
import { representList } from '../src/representations/represent-list.ts';
import type { World } from '../src/world.ts';

const answer = async (request: ContractRequest<unknown, unknown>, world: World, terms: readonly Entity[]) => {
  const { body } = await representList(terms, 'json', { ...world, viewer: request.identity.principal });
  return { status: 200 as const, mediaType: 'application/json' as const, body };
};

export const getTermFromUri: Handler<'getTermFromUri'> = async (request, world) => {
  const { uri } = request.query;
  const found = uri === undefined ? [] : await termsWithUri(world.repository, request.identity.principal, uri);
  return () => answer(request, world, found);
};

export const getTermFromTermName: Handler<'getTermFromTermName'> = async (request, world) => {
  const { name, vocab } = request.query;
  const found = name === undefined ? [] : await termsNamed(world.repository, request.identity.principal, name, vocab);
  return () => answer(request, world, found);
};
