/** Makes the handlers that nodes, media, terms and files have in common: read, create, update, delete. */
import { entityAt } from '../src/engine/path-parameters.ts';
import type { ContractRequest } from '../src/engine/handler.ts';
import { canonicalPath, type EntityType, type Json } from '../src/model/entity.ts';
import { renderJson } from '../src/representations/json.ts';
import { represent } from '../src/representations/represent.ts';
import type { World } from '../src/world.ts';

/** A request whose path has the id of an entity in this parameter. */
export type EntityRequest<Parameter extends string> = ContractRequest<{ readonly [P in Parameter]: number }, unknown>;
type JsonInput = { readonly json: Json };

/** The handlers of a type. `parameter` is the path parameter that has the id. */
export const entityHandlers = <Parameter extends string>(type: EntityType, parameter: Parameter) => ({
  read: async (request: EntityRequest<Parameter>, world: World) => {
    const viewer = request.identity.principal;
    const entity = await world.repository.view(viewer, entityAt(request, type, parameter));
    return async () => ({
      status: 200 as const,
      subject: entity,
      ...(await represent(entity, request.format, { ...world, viewer })),
    });
  },

  create: async (request: ContractRequest<unknown, unknown>, world: World) => {
    const viewer = request.identity.principal;
    const post = world.repository.create(viewer, type);
    return async ({ json }: JsonInput) => {
      const entity = await post(json);
      return {
        status: 201 as const,
        headers: { Location: world.baseUrl + canonicalPath(type, entity.id) },
        mediaType: 'application/json' as const,
        body: await renderJson(entity, { ...world, viewer }),
      };
    };
  },

  update: async (request: EntityRequest<Parameter>, world: World) => {
    const viewer = request.identity.principal;
    const patch = await world.repository.edit(viewer, entityAt(request, type, parameter));
    return async ({ json }: JsonInput) => ({
      status: 200 as const,
      mediaType: 'application/json' as const,
      body: await renderJson(await patch(json), { ...world, viewer }),
    });
  },

  remove: async (request: EntityRequest<Parameter>, world: World) => {
    const commit = await world.repository.remove(request.identity.principal, entityAt(request, type, parameter));
    return async () => {
      await commit();
      return { status: 204 as const };
    };
  },
});
