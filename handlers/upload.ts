/** The handlers that take bytes: the two binary endpoints, which create or replace the file of a media, and the standard upload. */
import { readFrom, addressPath } from '../src/repository/repository.ts';
import { openFileUpload, openSource, openUpload, renderJson } from '../src/repository/repository-content.ts';
import { entityAt, type Handler } from '../src/repository/repository-engine.ts';
import { jsonReply } from '../src/openapi/openapi-host.ts';
import { asStored } from './entity-handlers.ts';

export const putNodeMedia: Handler<'putNodeMedia'> = async (request, world) => {
  const handle = await openUpload(world.repository, request.identity.principal, {
    node: entityAt(request, 'node', 'node_id'),
    mediaType: { name: request.path.media_type, absent: () => request.absent('media_type') },
    term: entityAt(request, 'taxonomy_term', 'media_use_term_id'),
  });
  return async ({ bytes }) => {
    const { created, media } = await handle.receive({
      ...bytes,
      advise: request.advise,
      contentType: request.headers['content-type'],
      contentLocation: request.headers['content-location'],
    });
    return created
      ? { status: 201, headers: { Location: world.baseUrl + addressPath(world.site, 'media', media.id) } }
      : { status: 204 };
  };
};

export const putMediaSource: Handler<'putMediaSource'> = async (request, world) => {
  const handle = await openSource(world.repository, request.identity.principal, entityAt(request, 'media', 'media_id'));
  return async ({ bytes }) => {
    const contentType = request.headers['content-type'];
    const contentLocation = request.headers['content-location'];
    await handle.receive({ ...bytes, contentType, contentLocation, advise: request.advise });
    return { status: 204 };
  };
};

/** The standard upload, which stores bytes as a temporary file. It is beyond the contract. */
export const uploadFile: Handler<'uploadFile'> = async (request, world) => {
  const viewer = request.identity.principal;
  const { entity_type: entityType, bundle, field_name: field } = request.path;
  const handle = openFileUpload(world.repository, viewer, { entityType, bundle, field });
  return async ({ bytes }) => {
    const disposition = request.headers['content-disposition'];
    const file = await handle.receive({ ...bytes, disposition, advise: request.advise });
    const body = await readFrom(world.store, (records) =>
      renderJson(asStored(file, world, records), { ...world, records, viewer }),
    );
    return jsonReply(body, 201);
  };
};
