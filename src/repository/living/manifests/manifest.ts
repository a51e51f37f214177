/** Writes an IIIF manifest as the module of a real site does: version 2 of the Presentation API, one canvas for each picture. */
import { labelOf } from '../../model/entity.ts';
import { imageAddress, level0, type ImageAddressing } from './image-service.ts';
import type { ManifestSettings, ManifestView } from './manifest-settings.ts';
import type { Picture } from './pictures.ts';
import { firstValue, textOf, type Entity } from '../../../openapi/openapi-records.ts';
import type { JsonObject } from '../../../basics/json.ts';

type ManifestContext = ImageAddressing & {
  readonly settings: ManifestSettings;
  readonly view: ManifestView;
  /** Path and query of the request, without the host. */
  readonly target: string;
  /** The host of the addresses that are made of `target`. */
  readonly origin: string;
};

const presentation = 'http://iiif.io/api/presentation/2/context.json';

/** A manifest without pictures has a sequence without canvases, as the real one. */
export const manifestOf = (node: Entity, pictures: readonly Picture[], context: ManifestContext): JsonObject => {
  const { view, target, origin, baseUrl } = context;
  const base = `${origin}${parentOf(target)}`;
  const canvases = pictures.map((picture) => canvasOf(picture, base, context));
  return {
    ...{ '@type': 'sc:Manifest', '@id': target, label: labelIn(node, context), '@context': presentation },
    sequences: [
      {
        ...{ '@context': presentation, '@id': `${base}/sequence/normal`, '@type': 'sc:Sequence' },
        ...(canvases.length === 0 ? {} : { canvases }),
      },
    ],
    ...(view.search === undefined ? {} : { service: [searchService(node, view.search, baseUrl)] }),
  };
};

/** A real site takes what comes before the last slash, also where that slash ends the path and a query follows. */
const parentOf = (target: string): string => `/${target.replace(/^\/+|\/+$/g, '').replace(/\/?[^/]*$/, '')}`;

const labelIn = (node: Entity, { settings, view }: ManifestContext): string => {
  switch (settings.label) {
    case 'node':
      return labelOf(node);
    case 'view':
      return view.title;
    case 'none':
      return '';
    case 'fixed':
      return 'IIIF Manifest';
  }
};

const canvasOf = (
  { media, file, width, height, text }: Picture,
  base: string,
  context: ManifestContext,
): JsonObject => {
  const id = `${base}/canvas/${media.id}`;
  const service = imageAddress(file, context);
  return {
    ...{ '@id': id, '@type': 'sc:Canvas', label: labelOf(file), height, width },
    images: [
      {
        ...{ '@id': `${base}/annotation/${media.id}`, '@type': 'oa:Annotation', motivation: 'sc:painting' },
        resource: {
          ...{ '@id': `${service}/full/full/0/default.jpg`, '@type': 'dctypes:Image' },
          ...{ format: textOf(firstValue(file, 'filemime')), height, width },
          service: {
            ...{ '@id': service, '@context': 'http://iiif.io/api/image/2/context.json' },
            profile: context.isImageServer ? level0 : 'http://iiif.io/api/image/2/profiles/level2.json',
          },
        },
        on: id,
      },
    ],
    ...(text === undefined ? {} : { seeAlso: textAt(text) }),
  };
};

const textAt = (address: string): JsonObject => ({
  ...{ '@id': address, format: 'text/vnd.hocr+html', profile: 'http://kba.cloud/hocr-spec' },
  label: 'hOCR embedded text',
});

const searchService = ({ id }: Entity, path: string, baseUrl: string): JsonObject => ({
  '@context': 'http://iiif.io/api/search/0/context.json',
  '@id': `${baseUrl}/${path.replace(/^\/+/, '').replace('%node', String(id))}`,
  profile: 'http://iiif.io/api/search/0/search',
  label: 'Search inside this work',
});
