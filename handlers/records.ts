/** The handlers that read, create, update and delete records, by their type. `openapi.yaml` says which are beyond the contract. */
import type { Records, World } from '../src/repository/repository.ts';
import { viewed, JsonBody } from '../src/repository/repository-content.ts';
import { jsonReply } from '../src/openapi/openapi-host.ts';
import { type Handler, type Reader, entityAt } from '../src/repository/repository-engine.ts';
import { entityHandlers, type EntityRequest } from './entity-handlers.ts';
import { denied } from '../src/openapi/openapi-terms.ts';

const nodes = entityHandlers('node', 'node_id');

export const getNode: Reader<'getNode'> = nodes.read;
export const createNode: Handler<'createNode'> = nodes.create;
export const updateNode: Handler<'updateNode'> = nodes.update;
export const deleteNode: Handler<'deleteNode'> = nodes.remove;

/** `upload.ts` uploads their files. */
const media = entityHandlers('media', 'media_id');

export const getMedia: Reader<'getMedia'> = media.read;
export const createMedia: Handler<'createMedia'> = media.create;
export const updateMedia: Handler<'updateMedia'> = media.update;
export const deleteMedia: Handler<'deleteMedia'> = media.remove;

/** The same handlers at `/media/{id}/edit`, which is the address of a media on sites without standalone media pages. */
export const getMediaByEditPath: Reader<'getMediaByEditPath'> = media.read;
export const updateMediaByEditPath: Handler<'updateMediaByEditPath'> = media.update;
export const deleteMediaByEditPath: Handler<'deleteMediaByEditPath'> = media.remove;

const terms = entityHandlers('taxonomy_term', 'term_id');

export const getTerm: Reader<'getTerm'> = terms.read;
export const createTerm: Handler<'createTerm'> = terms.create;
export const updateTerm: Handler<'updateTerm'> = terms.update;
export const deleteTerm: Handler<'deleteTerm'> = terms.remove;

/** Files cannot be patched. `content.ts` sends their bytes. */
const files = entityHandlers('file', 'file_id');

/** No account may create the record of a file, not even uid 1. */
export const createFile: Handler<'createFile'> = async () => {
  throw denied('');
};

export const getFile: Reader<'getFile'> = files.read;
export const deleteFile: Handler<'deleteFile'> = files.remove;

/** A record that is JSON in every format, and its reply. */
const asJson = <Parameter extends string>(
  request: EntityRequest<Parameter>,
  [type, parameter]: readonly [string, Parameter],
  { site, baseUrl, basePath }: World,
  records: Records,
) => {
  const { principal: viewer } = request.identity;
  const subject = viewed(entityAt(request, type, parameter), { principal: viewer, records, site });
  const reply = () => jsonReply(new JsonBody('record', [subject], { site, baseUrl, basePath, records, viewer }));
  return { subject, reply };
};

export const getUser: Reader<'getUser'> = (request, world, records) => {
  const { subject, reply } = asJson(request, ['user', 'user_id'], world, records);
  return () => ({ ...reply(), subject });
};

/** URL aliases and redirects as records have no links. `repository/engine/redirect.ts` answers what they lead to. */
export const getPathAlias: Reader<'getPathAlias'> = (request, world, records) =>
  asJson(request, ['path_alias', 'path_alias_id'], world, records).reply;
export const getRedirect: Reader<'getRedirect'> = (request, world, records) =>
  asJson(request, ['redirect', 'redirect_id'], world, records).reply;

const aliases = entityHandlers('path_alias', 'path_alias_id');

export const updatePathAlias: Handler<'updatePathAlias'> = aliases.update;
export const deletePathAlias: Handler<'deletePathAlias'> = aliases.remove;

/** The real site gives no address of the new alias. */
export const createPathAlias: Handler<'createPathAlias'> = async (request, world) => {
  const work = await aliases.create(request, world);
  return async (input) => {
    const { status, mediaType, body } = await work(input);
    return { status, mediaType, body };
  };
};

const redirects = entityHandlers('redirect', 'redirect_id');

export const createRedirect: Handler<'createRedirect'> = redirects.create;
export const updateRedirect: Handler<'updateRedirect'> = redirects.update;
export const deleteRedirect: Handler<'deleteRedirect'> = redirects.remove;
