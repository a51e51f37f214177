/** The handlers of URL aliases and redirects as records. `core/engine/redirect.ts` answers what they lead to. */
import type { Records } from '../src/core/content/reading.ts';
import { viewed } from '../src/core/content/views.ts';
import { type ContractRequest, type Handler, jsonReply, type Reader } from '../src/core/engine/handler.ts';
import { entityAt } from '../src/core/engine/path-parameters.ts';
import { JsonBody } from '../src/core/representations/represent.ts';
import type { World } from '../src/core/world.ts';
import { entityHandlers } from './entity-handlers.ts';

const aliases = entityHandlers('path_alias', 'path_alias_id');
const redirects = entityHandlers('redirect', 'redirect_id');

/** Such a record has no links. */
const shown = (
  request: ContractRequest<{ readonly [parameter: string]: number }, unknown>,
  [type, parameter]: readonly ['path_alias' | 'redirect', string],
  { site, baseUrl, basePath }: World,
  records: Records,
) => {
  const { principal: viewer } = request.identity;
  const entity = viewed(entityAt(request, type, parameter), { principal: viewer, records, site });
  return () => jsonReply(new JsonBody('record', [entity], { site, baseUrl, basePath, records, viewer }));
};

export const getPathAlias: Reader<'getPathAlias'> = (request, world, records) =>
  shown(request, ['path_alias', 'path_alias_id'], world, records);
export const getRedirect: Reader<'getRedirect'> = (request, world, records) =>
  shown(request, ['redirect', 'redirect_id'], world, records);

/** The real site gives no address of the new alias. */
export const createPathAlias: Handler<'createPathAlias'> = async (request, world) => {
  const work = await aliases.create(request, world);
  return async (input) => {
    const { status, mediaType, body } = await work(input);
    return { status, mediaType, body };
  };
};

export const createRedirect: Handler<'createRedirect'> = redirects.create;
