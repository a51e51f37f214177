/** Planted bugs in who may do what. */
import {
  asAccount,
  file,
  get,
  isAnonymous,
  isRead,
  media,
  mutantsOf,
  newNode,
  newTitle,
  node,
  one,
  onRefusal,
  onReply,
  reads,
  sent,
  upload,
  withJson,
  withStatus,
} from './mutant.ts';

const byAdmin = (request: Parameters<typeof asAccount>[0]) => asAccount(request, 'admin');
const refusal = (message: string) => ({ message });

export const permissionMutants = mutantsOf('permissions', [
  [
    'unpublished-nodes-are-shown-to-anonymous',
    'Restricted (hidden) resources need credentials of an allowed provider.',
    onRefusal((request, reply) => reads(node, 401)(request, reply) && isAnonymous(request), byAdmin),
    get('/node/11?_format=json'),
  ],
  [
    'unpublished-nodes-are-shown-to-viewers',
    'Credentials supplied but the permission is missing: 403.',
    onRefusal(reads(node, 403), byAdmin),
    get('/node/11?_format=json', 'viewer'),
  ],
  [
    'head-shows-unpublished-nodes',
    'HEAD answers as GET does: 401 without credentials.',
    onRefusal((request, reply) => request.method === 'HEAD' && reply.status === 401, byAdmin),
    one('HEAD', '/node/11?_format=json'),
  ],
  [
    'media-are-shown-to-anonymous',
    'Anonymous users lack the view-media permission.',
    onRefusal(reads(media, 401), byAdmin),
    get('/media/1?_format=json'),
  ],
  [
    'media-are-hidden-from-viewers',
    'A role with the view-media permission may read media.',
    onReply(
      (request, reply) => reads(media)(request, reply) && !isAnonymous(request),
      (reply) => withStatus(withJson(reply, refusal("The 'view media' permission is required.")), 403),
    ),
    get('/media/1?_format=json', 'viewer'),
  ],
  [
    'viewers-may-create',
    'Authenticated requests lacking permission receive 403.',
    onRefusal(sent('POST', /^\/node$/, 403), byAdmin),
    one('POST', '/node?_format=json', { as: 'viewer', json: newNode }),
  ],
  [
    'viewers-may-update',
    'Authenticated requests lacking permission receive 403.',
    onRefusal(sent('PATCH', node, 403), byAdmin),
    one('PATCH', '/node/5?_format=json', { as: 'viewer', json: newTitle }),
  ],
  [
    'viewers-may-delete-nodes',
    'Authenticated requests lacking permission receive 403.',
    onRefusal(sent('DELETE', node, 403), byAdmin),
    one('DELETE', '/node/5?_format=json', { as: 'viewer' }),
  ],
  [
    'viewers-may-delete-files',
    'Authenticated requests lacking permission receive 403.',
    onRefusal(sent('DELETE', file, 403), byAdmin),
    one('DELETE', '/entity/file/1?_format=json', { as: 'viewer' }),
  ],
  [
    'viewers-may-upload',
    'Authenticated requests lacking permission receive 403.',
    onRefusal(sent('PUT', upload, 403), byAdmin),
    one('PUT', '/node/22/media/file/16?_format=json', {
      as: 'viewer',
      body: 'a text',
      headers: { 'content-type': 'text/plain', 'content-location': 'public://a.txt' },
    }),
  ],
  [
    'editors-may-not-create',
    'POST /node, authorized: 201.',
    onReply(
      (request, reply) => sent('POST', /^\/node$/, 201)(request, reply),
      (reply) => withStatus(withJson(reply, refusal('')), 403),
    ),
    one('POST', '/node?_format=json', { as: 'editor', json: newNode }),
  ],
  [
    'published-nodes-are-hidden',
    'GET of a node that anybody may view: 200.',
    onReply(
      (request, reply) => isRead(request) && node.test(request.path) && reply.status === 200 && isAnonymous(request),
      (reply) => withStatus(withJson(reply, refusal('No authentication credentials provided.')), 401),
    ),
    get('/node/5?_format=json'),
  ],
]);
