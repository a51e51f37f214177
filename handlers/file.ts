/** File records: read and delete. Files cannot be patched. `content.ts` sends their bytes. */
import { entityAt } from '../src/engine/path-parameters.ts';
import type { Handler } from '../src/engine/handler.ts';
import { represent } from '../src/representations/represent.ts';

export const getFile: Handler<'getFile'> = async (request, world) => {
  const viewer = request.identity.principal;
  const { entity } = await world.repository.view(viewer, entityAt(request, 'file', 'file_id'));
  return async () => ({
    status: 200,
    subject: entity,
    ...(await represent(entity, request.format, { ...world, viewer })),
  });
};

export const deleteFile: Handler<'deleteFile'> = async (request, world) => {
  const handle = await world.repository.remove(request.identity.principal, entityAt(request, 'file', 'file_id'));
  return async () => {
    await handle.commit();
    return { status: 204 };
  };
};
