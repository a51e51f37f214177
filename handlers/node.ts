/** Nodes: read, create, update, delete. */
import { canonicalPath } from '../src/model/entity.ts';
import { entityAt } from '../src/engine/path-parameters.ts';
import type { Handler } from '../src/engine/handler.ts';
import { renderJson } from '../src/representations/json.ts';
import { represent } from '../src/representations/represent.ts';

export const getNode: Handler<'getNode'> = async (request, world) => {
  const viewer = request.identity.principal;
  const { entity } = await world.repository.view(viewer, entityAt(request, 'node', 'node_id'));
  return async () => ({
    status: 200,
    subject: entity,
    ...(await represent(entity, request.format, { ...world, viewer })),
  });
};

export const createNode: Handler<'createNode'> = async (request, world) => {
  const viewer = request.identity.principal;
  const handle = world.repository.create(viewer, 'node');
  return async ({ json }) => {
    const node = await handle.post(json);
    return {
      status: 201,
      headers: { Location: world.baseUrl + canonicalPath('node', node.id) },
      mediaType: 'application/json',
      body: await renderJson(node, { ...world, viewer }),
    };
  };
};

export const updateNode: Handler<'updateNode'> = async (request, world) => {
  const viewer = request.identity.principal;
  const handle = await world.repository.edit(viewer, entityAt(request, 'node', 'node_id'));
  return async ({ json }) => {
    const node = await handle.patch(json);
    return { status: 200, mediaType: 'application/json', body: await renderJson(node, { ...world, viewer }) };
  };
};

export const deleteNode: Handler<'deleteNode'> = async (request, world) => {
  const handle = await world.repository.remove(request.identity.principal, entityAt(request, 'node', 'node_id'));
  return async () => {
    await handle.commit();
    return { status: 204 };
  };
};
