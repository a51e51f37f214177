/** The handlers that read, update and delete media and, beyond the contract, create them. `upload.ts` uploads their files. */
import type { Handler, Reader } from '../src/core/engine/handler.ts';
import { entityHandlers } from './entity-handlers.ts';

const media = entityHandlers('media', 'media_id');

export const getMedia: Reader<'getMedia'> = media.read;
export const createMedia: Handler<'createMedia'> = media.create;
export const updateMedia: Handler<'updateMedia'> = media.update;
export const deleteMedia: Handler<'deleteMedia'> = media.remove;

/** The same handlers at `/media/{id}/edit`, which is the address of a media on sites without standalone media pages. */
export const getMediaByEditPath: Reader<'getMediaByEditPath'> = media.read;
export const updateMediaByEditPath: Handler<'updateMediaByEditPath'> = media.update;
export const deleteMediaByEditPath: Handler<'deleteMediaByEditPath'> = media.remove;
