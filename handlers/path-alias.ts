/** The handlers of URL aliases and redirects as records. `core/engine/redirect.ts` answers what they lead to. */
import type { ContractRequest, Handler } from '../src/core/engine/handler.ts';
import { entityAt } from '../src/core/engine/path-parameters.ts';
import { renderJson } from '../src/core/representations/json.ts';
import type { World } from '../src/core/world.ts';
import { entityHandlers } from './entity-handlers.ts';

const aliases = entityHandlers('path_alias', 'path_alias_id');
const redirects = entityHandlers('redirect', 'redirect_id');

/** Such a record has no links. */
const shown = async (
  request: ContractRequest<{ readonly [parameter: string]: number }, unknown>,
  [type, parameter]: readonly ['path_alias' | 'redirect', string],
  world: World,
) => {
  const viewer = request.identity.principal;
  const entity = await world.repository.view(viewer, entityAt(request, type, parameter));
  return async () => ({
    status: 200 as const,
    mediaType: 'application/json' as const,
    body: await renderJson(entity, { ...world, viewer }),
  });
};

export const getPathAlias: Handler<'getPathAlias'> = (request, world) =>
  shown(request, ['path_alias', 'path_alias_id'], world);
export const getRedirect: Handler<'getRedirect'> = (request, world) =>
  shown(request, ['redirect', 'redirect_id'], world);

/** The real site gives no address of the new alias. */
export const createPathAlias: Handler<'createPathAlias'> = async (request, world) => {
  const work = await aliases.create(request, world);
  return async (input) => {
    const { status, mediaType, body } = await work(input);
    return { status, mediaType, body };
  };
};

export const createRedirect: Handler<'createRedirect'> = redirects.create;
