/**
 * The addresses of pictures on an image server, and the image service of this server itself: level 0 of version 2 of the IIIF Image API,
 * which has each picture whole and in its own size.
 */
import type { Site } from '../../site/site.ts';
import { contentUrl } from '../../site/content-url.ts';
import { decodedUri } from '../../model/uri.ts';
import type { ManifestSettings } from './manifest-settings.ts';
import { firstValue, textOf, type Entity } from '../../../openapi/openapi-records.ts';
import type { JsonObject } from '../../../basics/json.ts';

export type ImageAddressing = {
  readonly site: Site;
  readonly baseUrl: string;
  readonly settings: ManifestSettings;
  readonly isImageServer: boolean;
};

export const level0 = 'http://iiif.io/api/image/2/level0.json';

/** Whether the pictures are at this server: then the setting is a path. */
export const isOwnServer = ({ image_server: server }: ManifestSettings): boolean => server.startsWith('/');

/** The address of a picture, whose identifier is the encoded address of the file. */
export const imageAddress = (
  file: Entity,
  { site, baseUrl, settings: { image_server: server, relative_paths: isRelative } }: ImageAddressing,
): string => {
  const url = contentUrl(site, isRelative ? '' : baseUrl, file) ?? '';
  const address = server.startsWith('/') ? `${baseUrl}${server}` : server.replace(/\/+$/, '');
  return `${address}/${encodeURIComponent(url.replace(/^\/+/, '')).replaceAll('~', '%7E')}`;
};

/** The uri of the file that an identifier names, decoded once by the router. Undefined for one of another server. */
export const uriOfImage = (identifier: string, { site, baseUrl }: Pick<ImageAddressing, 'site' | 'baseUrl'>) => {
  const path = identifier.startsWith(`${baseUrl}/`) ? identifier.slice(baseUrl.length) : `/${identifier}`;
  const mount = site.storages.find(({ prefix }) => path.startsWith(`${prefix}/`));
  return (
    mount &&
    `${mount.scheme}://${path
      .slice(mount.prefix.length + 1)
      .split('/')
      .map(decodedUri)
      .join('/')}`
  );
};

/** `info.json` of a picture (Image API 2.1 §5). Undefined for a file that is not a picture. */
export const imageInfo = (file: Entity, addressing: ImageAddressing): JsonObject | undefined => {
  const { width, height } = file.blob ?? {};
  if (width === undefined || height === undefined) return undefined;
  return {
    ...{ '@context': 'http://iiif.io/api/image/2/context.json', '@id': imageAddress(file, addressing) },
    ...{ protocol: 'http://iiif.io/api/image', width, height },
    sizes: [{ width, height }],
    profile: [level0],
  };
};

/** The names of a format (§4.5) by its media type, with the other spellings of files. */
const formatNames: Readonly<Record<string, readonly string[]>> = {
  'image/gif': ['gif'],
  'image/jp2': ['jp2'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/png': ['png'],
  'image/tiff': ['tif', 'tiff'],
  'image/webp': ['webp'],
};

/** `default` with each name of a format. */
export const pictureNames: readonly string[] = Object.values(formatNames)
  .flat()
  .map((format) => `default.${format}`);

/**
 * The names that the bytes of a picture may be asked for by: those of their format, and the one that every manifest writes. Viewers take
 * that from the manifest and show what its media type says.
 */
export const namesOfPicture = (file: Entity): readonly string[] => {
  const formats = formatNames[textOf(firstValue(file, 'filemime'))] ?? [];
  return [...new Set([...formats, 'jpg'])].map((format) => `default.${format}`);
};

/** Whether a size of the Image API is that of the whole picture (§4.2): `full`, or its width, with or without its height. */
export const isWhole = (size: string, { blob }: Entity): boolean =>
  ['full', 'max', `${blob?.width},`, `${blob?.width},${blob?.height}`].includes(size);
