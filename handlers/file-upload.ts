/** The handler of the standard upload, which stores bytes as a temporary file. It is beyond the contract. */
import { readFrom } from '../src/core/content/reading.ts';
import { openFileUpload } from '../src/core/content/uploads/standard-upload.ts';
import { type Handler, jsonReply } from '../src/core/engine/handler.ts';
import { renderJson } from '../src/core/representations/json.ts';
import { asStored } from './entity-handlers.ts';

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
