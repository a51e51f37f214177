/** Taxonomy terms: what models, media uses and subjects refer to. */
import { entityAt } from '../src/contract/entity-at.ts';
import type { Handler } from '../src/contract/handler.ts';
import { represent } from '../src/representations/represent.ts';

export const getTerm: Handler<'getTerm'> = async (request, world) => {
  const viewer = request.identity.principal;
  const { entity } = await world.repository.view(viewer, entityAt(request, 'taxonomy_term', 'term_id'));
  return async () => ({
    status: 200,
    subject: entity,
    ...(await represent(entity, request.format, { ...world, viewer })),
  });
};
