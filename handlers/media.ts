/** Media: read, update, delete (contract: Endpoints). They are created by `upload.ts`. */
import { entityAt } from '../src/contract/entity-at.ts';
import type { Handler } from '../src/contract/handler.ts';
import { renderJson } from '../src/representations/json.ts';
import { represent } from '../src/representations/represent.ts';

export const getMedia: Handler<'getMedia'> = async (request, world) => {
  const viewer = request.identity.principal;
  const { entity } = await world.repository.view(viewer, entityAt(request, 'media', 'media_id'));
  return async () => ({
    status: 200,
    subject: entity,
    ...(await represent(entity, request.format, { ...world, viewer })),
  });
};

export const updateMedia: Handler<'updateMedia'> = async (request, world) => {
  const viewer = request.identity.principal;
  const handle = await world.repository.edit(viewer, entityAt(request, 'media', 'media_id'));
  return async ({ json }) => {
    const media = await handle.patch(json);
    return { status: 200, mediaType: 'application/json', body: await renderJson(media, { ...world, viewer }) };
  };
};

export const deleteMedia: Handler<'deleteMedia'> = async (request, world) => {
  const handle = await world.repository.remove(request.identity.principal, entityAt(request, 'media', 'media_id'));
  return async () => {
    await handle.commit();
    return { status: 204 };
  };
};
