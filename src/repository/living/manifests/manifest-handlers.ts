/** Answers the reads of manifests and of the pictures in them, by operation id. */
import { listVerdict, throwIfDenied } from '../../content/verdicts.ts';
import { fileToSend, mayView } from '../../content/views.ts';
import type { Records } from '../../model/reading.ts';
import { jsonReply } from '../../../openapi/openapi-host.ts';
import type { AnyHandler, AnyRequest } from '../../engine/handler.ts';
import type { World } from '../../world.ts';
import { imageInfo, isOwnServer, isWhole, namesOfPicture, uriOfImage } from './image-service.ts';
import { manifestOf } from './manifest.ts';
import { manifestIds } from './manifest-paths.ts';
import type { ManifestSettings, ManifestView } from './manifest-settings.ts';
import { picturesOf } from './pictures.ts';
import { entityKey, type Entity } from '../../../openapi/openapi-records.ts';
import { Problem, notFound } from '../../../openapi/openapi-terms.ts';

export const manifestHandlers = (settings: ManifestSettings): Readonly<Record<string, AnyHandler>> => ({
  ...Object.fromEntries(manifestIds(settings).map(({ id, view }) => [id, manifestHandler(settings, view)])),
  ...(isOwnServer(settings) ? { getImageInfo: infoHandler(settings), getImage: imageHandler } : {}),
});

const manifestHandler =
  (settings: ManifestSettings, view: ManifestView): AnyHandler =>
  (request, world, records) => {
    const { principal } = request.identity;
    throwIfDenied(listVerdict(principal, { permissions: view.permissions, roles: [] }));
    const { site, baseUrl, basePath } = world;
    const addressing = { site, baseUrl, settings, isImageServer: isOwnServer(settings) };
    const reader = { ...addressing, principal, records };
    const node = records.get(entityKey('node', Number(request.path['node_id'])));
    // After the refusal of a provider, as on a real site.
    return () => {
      if (node === undefined && !view.check) throw request.absent('node_id');
      // A view that checks its argument says no more.
      if (node === undefined || (view.check && !mayView(node, reader))) throw notFound('');
      const origin = baseUrl.slice(0, baseUrl.length - basePath.length);
      const surroundings = { ...addressing, view, origin, target: basePath + request.target };
      return jsonReply(manifestOf(node, picturesOf(node, view, reader), surroundings));
    };
  };

const infoHandler =
  (settings: ManifestSettings): AnyHandler =>
  (request, world, records) => {
    const { file } = pictureOf(request, world, records);
    const { site, baseUrl } = world;
    const info = imageInfo(file, { site, baseUrl, settings, isImageServer: true });
    if (info === undefined) throw request.absent('image');
    return () => jsonReply(info);
  };

const imageHandler: AnyHandler = (request, world, records) => {
  const { file, scheme } = pictureOf(request, world, records);
  if (!isWhole(String(request.path['size']), file)) throw request.absent('size');
  const names = namesOfPicture(file);
  if (!names.includes(String(request.path['quality'])))
    throw new Problem(400, `/path/quality: must be ${names.join(' or ')}`);
  return () => ({ status: 200, body: { file, scheme } });
};

const pictureOf = (
  request: AnyRequest,
  { site, baseUrl }: World,
  records: Records,
): { readonly file: Entity; readonly scheme: string } => {
  const uri = uriOfImage(String(request.path['image']), { site, baseUrl });
  if (uri === undefined) throw request.absent('image');
  const viewer = { principal: request.identity.principal, records, site, opensUnusedFiles: false };
  const file = fileToSend(uri, () => request.absent('image'), viewer);
  if (file.blob?.width === undefined) throw request.absent('image');
  return { file, scheme: uri.split('://')[0] ?? '' };
};
