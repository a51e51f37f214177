/** Opens the two binary endpoints: what must exist, who may, what the headers must say (contract, rules 1–3; R 3). */
import type { Principal } from '../../model/principal.ts';
import { malformed, notFound, type Problem } from '../../problem.ts';
import { editSourceVerdict, uploadVerdict } from '../verdicts.ts';
import { storeArrival } from './arriving-content.ts';
import { readContentLocation, requireExtension, type ContentLocation } from './content-location.ts';
import { entityKey, firstValue, textOf, type Entity } from '../../model/entity.ts';
import { mediaOfWithTerm } from '../index-keys.ts';
import { createMedia, mediaToReplace, noSourceFile, replaceSource, sourceFileKey } from './media-source.ts';
import type { Bundle, MediaSource } from '../../model/bundle.ts';
import { requireHandle, type Address, type Repository } from '../repository.ts';

/** A body on its way, and the headers that say what it is. Header text as Node gives it, one character a byte. */
export type UploadBody = {
  readonly stream: AsyncIterable<Uint8Array>;
  /** The `Content-Length`, where one was sent. */
  readonly length: number | undefined;
  readonly contentType: string | undefined;
  readonly contentLocation: string | undefined;
};

export type UploadOutcome = { readonly created: boolean; readonly media: Entity };

/** The right to put bytes somewhere. The body is read by `receive` only. */
export type UploadHandle = { receive(body: UploadBody): Promise<UploadOutcome> };

export type UploadTarget = {
  readonly node: Address;
  readonly mediaType: { readonly name: string; readonly absent: () => Problem };
  readonly term: Address;
};

/** `PUT /node/{node}/media/{type}/{term}`: all three exist (404), the node may be changed and media created (403). */
export const openUpload = async (
  repository: Repository,
  principal: Principal,
  target: UploadTarget,
): Promise<UploadHandle> => {
  const { store, site } = repository.parts;
  const nodeKey = entityKey('node', target.node.id);
  const [node, term] = await store.getMany([nodeKey, entityKey('taxonomy_term', target.term.id)]);
  const bundle = site.model.bundle('media', target.mediaType.name);
  if (node === undefined) throw target.node.absent();
  if (bundle === undefined) throw target.mediaType.absent();
  if (term === undefined) throw target.term.absent();
  requireHandle(uploadVerdict(principal, node));
  const source = bundle.source;
  if (source === undefined) throw notFound(`Source field not set for ${bundle.id} media`);
  return { receive: (body) => receiveForNode(repository, principal, target, { bundle, source, body }) };
};

type NodeUpload = { readonly bundle: Bundle; readonly source: MediaSource; readonly body: UploadBody };

const receiveForNode = async (
  repository: Repository,
  principal: Principal,
  target: UploadTarget,
  { bundle, source, body }: NodeUpload,
): Promise<UploadOutcome> => {
  const { store, site } = repository.parts;
  const contentType = readContentType(body.contentType);
  const node = target.node.id;
  const term = target.term.id;
  const index = mediaOfWithTerm(node, term);
  const [present = []] = await store.lookupMany([index]);
  const first = mediaToReplace(present, principal);
  const planned = first === undefined ? locationOf(repository, bundle, source, body) : undefined;
  return storeArrival(repository, principal, {
    stream: body.stream,
    length: body.length,
    maxBytes: maxBytesOf(repository, first === undefined ? bundle.id : first.bundle),
    uri: planned?.uri ?? (await sourceUri(repository, first)),
    iconFile: await repository.icons.fileFor(bundle, principal.uid),
    reads: [entityKey('node', node), { index }],
    // Whether a media exists is decided here, after the bytes have arrived: of many racing uploads one creates.
    decide: (view, blob, ground) => {
      const found = view.get(entityKey('node', node));
      if (found === undefined) throw target.node.absent();
      requireHandle(uploadVerdict(principal, found));
      const media = mediaToReplace(view.lookup(index), principal);
      if (media !== undefined) return replaceSource(media, { blob, contentType }, site.model, ground);
      const location = planned ?? locationOf(repository, bundle, source, body);
      return createMedia({ bundle, source, location, node, term }, { blob, contentType }, site.model, ground);
    },
  });
};

/** `PUT /media/{media}/source`: literally `update media` (R 3.3), also on media that may not be seen. */
export const openSource = async (
  repository: Repository,
  principal: Principal,
  address: Address,
): Promise<UploadHandle> => {
  const media = await repository.find(address);
  requireHandle(editSourceVerdict(principal));
  return {
    receive: async (body) => {
      const contentType = readContentType(body.contentType);
      const key = entityKey('media', media.id);
      return storeArrival(repository, principal, {
        stream: body.stream,
        length: body.length,
        maxBytes: maxBytesOf(repository, media.bundle),
        uri: await sourceUri(repository, media),
        iconFile: undefined,
        reads: [key],
        decide: (view, blob, ground) => {
          const present = view.get(key);
          if (present === undefined) throw address.absent();
          return replaceSource(present, { blob, contentType }, repository.parts.site.model, ground);
        },
      });
    },
  };
};

/** The site's limit, or the media type's own where that is lower. */
export const maxBytesOf = (repository: Repository, mediaType: string): number => {
  const { model, maxUploadBytes } = repository.parts.site;
  return Math.min(maxUploadBytes, model.bundle('media', mediaType)?.source?.maxBytes ?? Infinity);
};

const locationOf = (repository: Repository, bundle: Bundle, source: MediaSource, body: UploadBody): ContentLocation => {
  const schemes = repository.parts.site.storages.map((mount) => mount.scheme);
  const location = readContentLocation(body.contentLocation, schemes);
  const field = bundle.fields.get(source.field);
  if (field !== undefined) requireExtension(location, field);
  return location;
};

const sourceUri = async (repository: Repository, media: Entity | undefined): Promise<string> => {
  if (media === undefined) throw noSourceFile();
  const { store, site } = repository.parts;
  const [file] = await store.getMany([sourceFileKey(media, site.model)]);
  if (file === undefined) throw noSourceFile();
  return textOf(firstValue(file, 'uri'));
};

const token = "[A-Za-z0-9!#$%&'*+.^_`|~-]+";
const mediaType = new RegExp(
  `^${token}/${token}(?:[ \\t]*;[ \\t]*${token}=(?:${token}|"[\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]*"))*$`,
);

/** The declared type is stored verbatim and sent back later, so it must be one (RFC 9110 §8.3.1). */
const readContentType = (header: string | undefined): string => {
  if (header === undefined || header.trim() === '') throw malformed('Missing Content-Type header');
  if (header.length > 255 || !mediaType.test(header)) throw malformed('Invalid Content-Type header');
  return header;
};
