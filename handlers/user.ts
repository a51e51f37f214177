/** The handler that reads user accounts. */
import { viewed } from '../src/core/content/views.ts';
import { entityAt } from '../src/core/engine/path-parameters.ts';
import { jsonReply, type Reader } from '../src/core/engine/handler.ts';
import { JsonBody } from '../src/core/representations/represent.ts';

export const getUser: Reader<'getUser'> = (request, { site, baseUrl, basePath }, records) => {
  const { principal: viewer } = request.identity;
  const subject = viewed(entityAt(request, 'user', 'user_id'), { principal: viewer, records, site });
  const context = { site, baseUrl, basePath, records, viewer };
  return () => ({ ...jsonReply(new JsonBody('record', [subject], context)), subject });
};
