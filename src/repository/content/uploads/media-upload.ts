/** Uploads the bytes of a media: checks what must exist, access and headers, then stores them. */
import type { Principal } from '../../model/principal.ts';
import { editSourceVerdict, throwIfDenied, uploadVerdict } from '../verdicts.ts';
import { storeUpload, type ArrivingBytes } from './store-upload.ts';
import { readContentLocation, requireExtension } from './content-location.ts';
import { mediaOfWithTerm } from '../../model/index-keys.ts';
import { iconFileFor } from './media-icons.ts';
import { createMedia, mediaToReplace, noSourceFile, replaceSource, sourceFileKey } from './media-source.ts';
import type { Bundle, MediaSource } from '../../model/bundle.ts';
import type { Repository } from '../repository.ts';
import type { Address } from '../views.ts';
import { malformed, notFound, type Problem } from '../../../openapi/openapi-terms.ts';
import { entityKey, firstValue, textOf, type Entity } from '../../../openapi/openapi-records.ts';

/** An uploaded body and the headers that describe it. Header texts have one character per byte, as Node gives them. */
type UploadBody = ArrivingBytes & {
  readonly contentLocation?: string | undefined;
};

type UploadOutcome = { readonly created: boolean; readonly media: Entity };

/** The right to upload. Only `receive` reads the body. */
type UploadHandle = { receive(body: UploadBody): Promise<UploadOutcome> };

type UploadTarget = {
  readonly node: Address;
  readonly mediaType: { readonly name: string; readonly absent: () => Problem };
  readonly term: Address;
};

/** `PUT /node/{node}/media/{type}/{term}`. Throws 404 when one of the three is missing, 403 without access. */
export const openUpload = async (
  repository: Repository,
  principal: Principal,
  target: UploadTarget,
): Promise<UploadHandle> => {
  const { store, site } = repository.parts;
  const keys = [entityKey('node', target.node.id), entityKey('taxonomy_term', target.term.id)];
  const [node, term] = await store.getMany(keys);
  const bundle = site.model.bundle('media', target.mediaType.name);
  if (node === undefined) throw target.node.absent();
  if (bundle === undefined) throw target.mediaType.absent();
  if (term === undefined) throw target.term.absent();
  throwIfDenied(uploadVerdict(principal, node, site.model));
  const source = bundle.source;
  if (source === undefined || source.kind === 'oembed') throw notFound(`Source field not set for ${bundle.id} media`);
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
  const labels = { contentLocation: body.contentLocation, mediaType: bundle.id };
  const node = target.node.id;
  const term = target.term.id;
  const index = mediaOfWithTerm(node, term);
  const [present = []] = await store.lookupMany([index]);
  const first = mediaToReplace(present, principal, site.model);
  const bundleOf = (media: Entity | undefined): Bundle | undefined => media && site.model.bundle('media', media.bundle);
  let fileId: number | undefined;
  // On the real site the first icon is made after the file, so it has the higher id.
  const reserveFileId = async (): Promise<void> => {
    fileId = await store.transact([], (view) => ({ changes: [], result: view.nextId('file') }));
  };
  const newUri = first === undefined ? readUri(repository, bundle, source, body) : undefined;
  return storeUpload(repository, principal, {
    ...body,
    maxBytes: maxBytesOf(repository, first === undefined ? bundle.id : first.bundle),
    bundle: bundleOf(first) ?? bundle,
    uri: newUri ?? (await sourceUri(repository, first)),
    iconFile: await iconFileFor(
      repository.parts,
      bundleOf(first)?.source ?? source,
      principal,
      first === undefined ? reserveFileId : undefined,
    ),
    reads: [entityKey('node', node), { index }],
    // Looks up again after the bytes have been received, so that only one of many racing uploads creates a media.
    decide: (view, blob, context) => {
      const presentNode = view.get(entityKey('node', node));
      if (presentNode === undefined) throw target.node.absent();
      throwIfDenied(uploadVerdict(principal, presentNode, site.model));
      const media = mediaToReplace(view.lookup(index), principal, site.model);
      if (media !== undefined) return replaceSource(media, { blob, contentType, labels }, site.model, context);
      const plan = { bundle, source, uri: newUri ?? readUri(repository, bundle, source, body), node, term, fileId };
      return createMedia(plan, { blob, contentType }, site.model, context);
    },
  });
};

/** `PUT /media/{media}/source`. Needs exactly `update media`, also for media that the principal may not see. */
export const openSource = async (
  repository: Repository,
  principal: Principal,
  address: Address,
): Promise<UploadHandle> => {
  const media = await repository.find(address);
  throwIfDenied(editSourceVerdict(principal));
  return {
    receive: async (body) => {
      const contentType = readContentType(body.contentType);
      const labels = { contentLocation: body.contentLocation };
      const key = entityKey('media', media.id);
      return storeUpload(repository, principal, {
        ...body,
        maxBytes: maxBytesOf(repository, media.bundle),
        bundle: repository.parts.site.model.bundle('media', media.bundle),
        uri: await sourceUri(repository, media),
        reads: [key],
        decide: (view, blob, context) => {
          const present = view.get(key);
          if (present === undefined) throw address.absent();
          return replaceSource(present, { blob, contentType, labels }, repository.parts.site.model, context);
        },
      });
    },
  };
};

/** The lower of the site's limit and the media type's own one. */
export const maxBytesOf = (repository: Repository, mediaType: string): number => {
  const { model, maxUploadBytes } = repository.parts.site;
  return Math.min(maxUploadBytes, model.bundle('media', mediaType)?.source?.maxBytes ?? Infinity);
};

/** The uri in the `Content-Location`, which the media type must allow. */
const readUri = (repository: Repository, bundle: Bundle, source: MediaSource, body: UploadBody): string => {
  const schemes = repository.parts.site.storages.map((mount) => mount.scheme);
  const location = readContentLocation(body.contentLocation, schemes);
  const field = bundle.fields.get(source.field);
  if (field !== undefined) requireExtension(location, field);
  return location.uri;
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

/** The type is stored verbatim and sent back later, so it must be a media type (RFC 9110 §8.3.1). */
const readContentType = (header: string | undefined): string => {
  if (header === undefined || header.trim() === '') throw malformed('Missing Content-Type header');
  if (header.length > 255 || !mediaType.test(header)) throw malformed('Invalid Content-Type header');
  return header;
};
