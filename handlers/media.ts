/** Media: read, update, delete, and, beyond the contract, create. `upload.ts` creates them by upload. */
import { canonicalPath } from '../src/model/entity.ts';
import { entityAt } from '../src/engine/path-parameters.ts';
import type { Handler } from '../src/engine/handler.ts';
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

export const createMedia: Handler<'createMedia'> = async (request, world) => {
  const viewer = request.identity.principal;
  const handle = world.repository.create(viewer, 'media');
  return async ({ json }) => {
    const media = await handle.post(json);
    return {
      status: 201,
      headers: { Location: world.baseUrl + canonicalPath('media', media.id) },
      mediaType: 'application/json',
      body: await renderJson(media, { ...world, viewer }),
    };
  };
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

/** The same at `/media/{id}/edit`, which is the address of a media on sites without standalone media pages. */
export const getMediaByEditPath: Handler<'getMediaByEditPath'> = (request, world) => getMedia(request, world);
export const updateMediaByEditPath: Handler<'updateMediaByEditPath'> = (request, world) => updateMedia(request, world);
export const deleteMediaByEditPath: Handler<'deleteMediaByEditPath'> = (request, world) => deleteMedia(request, world);
