/** Taxonomy terms: read, and, beyond the contract, create, update, delete. */
import { canonicalPath } from '../src/model/entity.ts';
import { entityAt } from '../src/engine/path-parameters.ts';
import type { Handler } from '../src/engine/handler.ts';
import { renderJson } from '../src/representations/json.ts';
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

export const createTerm: Handler<'createTerm'> = async (request, world) => {
  const viewer = request.identity.principal;
  const handle = world.repository.create(viewer, 'taxonomy_term');
  return async ({ json }) => {
    const term = await handle.post(json);
    return {
      status: 201,
      headers: { Location: world.baseUrl + canonicalPath('taxonomy_term', term.id) },
      mediaType: 'application/json',
      body: await renderJson(term, { ...world, viewer }),
    };
  };
};

export const updateTerm: Handler<'updateTerm'> = async (request, world) => {
  const viewer = request.identity.principal;
  const handle = await world.repository.edit(viewer, entityAt(request, 'taxonomy_term', 'term_id'));
  return async ({ json }) => {
    const term = await handle.patch(json);
    return { status: 200, mediaType: 'application/json', body: await renderJson(term, { ...world, viewer }) };
  };
};

export const deleteTerm: Handler<'deleteTerm'> = async (request, world) => {
  const handle = await world.repository.remove(
    request.identity.principal,
    entityAt(request, 'taxonomy_term', 'term_id'),
  );
  return async () => {
    await handle.commit();
    return { status: 204 };
  };
};
