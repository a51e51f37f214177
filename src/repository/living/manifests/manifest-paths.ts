/** Describes the reads of manifests and of the pictures in them for the document of a site. */
import { type DocumentObject, partOf, type Part } from '../../../openapi/openapi-terms.ts';
import type { SitePath } from '../../document/specialise.ts';
import type { Site } from '../../site/site.ts';
import { errorResponse, refusals, securityFor } from '../responses.ts';
import { isOwnServer, pictureNames } from './image-service.ts';
import { infoSchema, manifestSchema } from './manifest-schema.ts';
import type { ManifestSettings, ManifestView } from './manifest-settings.ts';

const tags = ['Beyond the contract'];

/** The views with the ids of their operations: `/node/{node}/book-manifest` has `getNodeBookManifest`. */
export const manifestIds = ({
  views,
}: ManifestSettings): readonly { readonly id: string; readonly view: ManifestView }[] => {
  const taken = new Set<string>();
  return views.map((view) => {
    const word = inWords(view.path.replace('/{node}', ''));
    let id = `get${word}`;
    for (let number = 2; taken.has(id); number += 1) id = `get${word}${number}`;
    taken.add(id);
    return { id, view };
  });
};

const inWords = (path: string): string =>
  path
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');

export const manifestPaths = (
  settings: ManifestSettings,
  site: Site,
  document: DocumentObject,
): readonly SitePath[] => [
  ...manifestIds(settings).map(({ id, view }): SitePath => [
    view.path.replace('{node}', '{node_id}'),
    manifestItem(id, view, site),
  ]),
  ...(isOwnServer(settings) ? imagePaths(settings.image_server, document) : []),
];

const manifestItem = (id: string, view: ManifestView, site: Site): Part => {
  return {
    parameters: [
      {
        ...{ name: 'node_id', in: 'path', required: true, description: 'The id of a node.' },
        ...{ schema: { type: 'integer', minimum: 0 }, example: 1 },
      },
    ],
    get: {
      ...{
        operationId: id,
        tags,
        summary: `The IIIF manifest ${view.of === 'node' ? 'of a node' : 'of the members of a node'}`,
      },
      description: `A manifest of the IIIF Presentation API 2.1. Its pages are the media of ${view.of === 'node' ? 'the node' : 'its members, by their weight'} whose use is \`${view.use}\`.${view.check ? '' : ' It is there for a node that is not published as well, with its title.'}`,
      ...{ 'x-path-pattern': view.path, security: securityFor(site, { permissions: view.permissions, roles: [] }) },
      parameters: [{ $ref: '#/components/parameters/WriteFormat' }],
      responses: {
        '200': {
          description: 'The manifest. Without pictures its sequence has no canvases.',
          content: { 'application/json': { schema: manifestSchema } },
        },
        ...refusals,
        '404': absentNode(id, view),
        '406': { $ref: '#/components/responses/NotJson' },
      },
    },
  };
};

const absentNode = (id: string, { path, check }: ManifestView): Part =>
  errorResponse(check ? 'There is no such node, or the requester may not view it.' : 'There is no such node.', {
    ...(check ? { noReason: { value: { message: '' } } } : {}),
    notANode: {
      value: { message: `The "node" parameter was not converted for the path "${path}" (route name: "${id}")` },
    },
  });

const image = {
  ...{ name: 'image', in: 'path', required: true },
  description: 'The address of a file, encoded once more as one segment of a path.',
  ...{ schema: { type: 'string', minLength: 1 }, example: 'sites/default/files/picture.jpg' },
};

const absent = (description: string): Part =>
  errorResponse(description, {
    noSuchPicture: {
      value: {
        message:
          'The "image" parameter was not converted for the path "/iiif/2/{image}/info.json" (route name: "getImageInfo")',
      },
    },
  });

const refused = errorResponse('No media that the requester may view uses the file.', {
  noReason: { $ref: '#/components/examples/NoReason' },
});

/** The image service of this server. Bytes are answered as those of a guarded storage. */
const imagePaths = (server: string, { paths }: DocumentObject): readonly SitePath[] => {
  const pattern = Object.values(paths)
    .map((item) => partOf(item['get']))
    .find(({ operationId }) => operationId === 'getExternalContent');
  return [
    [`${server}/{image}/info.json`, infoItem(pattern?.['security'])],
    [`${server}/{image}/full/{size}/0/{quality}`, imageItem(pattern ?? {})],
  ];
};

const infoItem = (security: unknown): Part => ({
  parameters: [image],
  get: {
    ...{ operationId: 'getImageInfo', tags, summary: 'What there is of a picture' },
    description: 'The description of a picture in the IIIF Image API 2.1, level 0: the whole picture in its own size.',
    security,
    responses: {
      '200': { description: 'The size of the picture.', content: { 'application/json': { schema: infoSchema } } },
      ...{ ...refusals, '401': { $ref: '#/components/responses/Unauthorized' }, '403': refused },
      '404': absent('The address is none of a picture here.'),
    },
  },
});

const imageItem = (pattern: Part): Part => ({
  parameters: [
    image,
    {
      ...{ name: 'size', in: 'path', required: true, description: '`full`, or the width of the picture and a comma.' },
      ...{ schema: { type: 'string', minLength: 1 }, example: 'full' },
    },
    {
      ...{ name: 'quality', in: 'path', required: true },
      description:
        'The quality and the format of the stored bytes, or `default.jpg`, as which manifests name every picture.',
      ...{ schema: { type: 'string', enum: pictureNames }, example: 'default.jpg' },
    },
  ],
  get: {
    ...pattern,
    ...{ operationId: 'getImage', tags, summary: 'A picture' },
    description: 'The bytes of the picture as they are stored, with their media type.',
    responses: {
      ...partOf(pattern['responses']),
      '400': errorResponse('The quality is another than `default`, or the format another than that of the picture.', {
        otherQuality: { value: { message: '/path/quality: must be equal to one of the allowed values' } },
        otherFormat: { value: { message: '/path/quality: must be default.png or default.jpg' } },
      }),
      '403': refused,
      '404': absent('The address is none of a picture here, or the size is not that of the picture.'),
    },
  },
});
