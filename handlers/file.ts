/** The handlers that read and delete file records. Files cannot be patched. `content.ts` sends their bytes. */
import type { Handler, Reader } from '../src/core/engine/handler.ts';
import { denied } from '../src/core/problem.ts';
import { entityHandlers } from './entity-handlers.ts';

const files = entityHandlers('file', 'file_id');

/** No account may create the record of a file, not even uid 1. */
export const createFile: Handler<'createFile'> = async () => {
  throw denied('');
};

export const getFile: Reader<'getFile'> = files.read;
export const deleteFile: Handler<'deleteFile'> = files.remove;
