/** The handler that reads user accounts. */
import { entityAt } from '../src/core/engine/path-parameters.ts';
import type { Handler } from '../src/core/engine/handler.ts';
import { renderJson } from '../src/core/representations/json.ts';

export const getUser: Handler<'getUser'> = async (request, world) => {
  const viewer = request.identity.principal;
  const entity = await world.repository.view(viewer, entityAt(request, 'user', 'user_id'));
  return async () => ({
    status: 200,
    mediaType: 'application/json',
    subject: entity,
    body: await renderJson(entity, { ...world, viewer }),
  });
};
