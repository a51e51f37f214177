/** Planted bugs in methods, statuses and the headers that belong to a status. */
import {
  asAccount,
  file,
  get,
  isRead,
  mutantsOf,
  newNode,
  newTitle,
  node,
  nodes,
  one,
  onRefusal,
  onReply,
  record,
  reads,
  sent,
  upload,
  valuesOf,
  withBody,
  withHeader,
  withJson,
  withStatus,
} from './mutant.ts';

const any = /./;
const created = one('POST', '/node?_format=json', { as: 'editor', json: newNode });
const uploaded = one('PUT', '/node/22/media/image/16', {
  as: 'editor',
  body: 'no picture',
  headers: { 'content-type': 'image/png', 'content-location': 'public://a.png' },
});

export const statusMutants = mutantsOf('statuses', [
  [
    'create-answers-200',
    'POST /node: 201; Location header with the new node’s URI; body: the created node.',
    onReply(sent('POST', nodes, 201), (reply) => withStatus(reply, 200)),
    created,
  ],
  [
    'patch-answers-204',
    'PATCH: 200; body: the updated node.',
    onReply(sent('PATCH', record, 200), (reply) => withHeader(withStatus(withBody(reply, ''), 204), 'Content-Type')),
    one('PATCH', '/node/5?_format=json', { as: 'editor', json: newTitle }),
  ],
  [
    'delete-answers-200',
    'DELETE: 204, no body.',
    onReply(sent('DELETE', node, 204), (reply) => withJson(withStatus(reply, 200), {})),
    one('DELETE', '/node/5?_format=json', { as: 'admin' }),
  ],
  [
    'file-delete-answers-202',
    'DELETE /entity/file/{file_id}: 204, no body.',
    onReply(sent('DELETE', file, 204), (reply) => withStatus(reply, 202)),
    one('DELETE', '/entity/file/1?_format=json', { as: 'admin' }),
  ],
  [
    'deleted-again-answers-204',
    'deleted: 404 (also after a successful DELETE).',
    onReply(sent('DELETE', record, 404), (reply) => withHeader(withStatus(withBody(reply, ''), 204), 'Content-Type')),
    one('DELETE', '/node/999999?_format=json', { as: 'admin' }),
  ],
  [
    'missing-answers-200',
    'GET of an entity that does not exist: 404.',
    onReply(reads(record, 404), (reply) => withJson(withStatus(reply, 200), {})),
    get('/node/999999?_format=json'),
  ],
  [
    'missing-answers-410',
    'The entity does not exist or was deleted: 404.',
    onReply(reads(record, 404), (reply) => withStatus(reply, 410)),
    get('/media/999999?_format=json', 'editor'),
  ],
  [
    'wrong-method-answers-404',
    'Methods that a path does not have: 405.',
    onReply(sent('PUT POST PATCH', any, 405), (reply) => withHeader(withStatus(reply, 404), 'Allow')),
    one('PUT', '/node/5?_format=json', { as: 'admin' }),
  ],
  [
    'wrong-method-without-allow',
    '405 has an Allow header (RFC 9110 §15.5.6).',
    onReply(sent('PUT POST PATCH DELETE GET', any, 405), (reply) => withHeader(reply, 'Allow')),
    one('PUT', '/node/5?_format=json', { as: 'admin' }),
  ],
  [
    'allow-leaves-out-methods',
    'Allow lists the methods of the path: nodes can be read, patched and deleted.',
    onReply(sent('PUT POST PATCH', record, 405), (reply) =>
      withHeader(reply, 'Allow', ...valuesOf(reply, 'Allow').map((value) => value.replace(/DELETE, |, DELETE/, ''))),
    ),
    one('PUT', '/node/5?_format=json', { as: 'admin' }),
  ],
  [
    'files-can-be-patched',
    'Files cannot be patched.',
    onRefusal(sent('PATCH', file, 405), (request) => ({ ...asAccount(request, 'admin'), method: 'GET' })),
    one('PATCH', '/entity/file/1?_format=json', { as: 'admin', json: { filename: [{ value: 'a.png' }] } }),
  ],
  [
    'upload-takes-post',
    'The upload endpoint accepts only PUT.',
    onRefusal(sent('POST', upload, 405), (request) => ({ ...request, method: 'PUT' })),
    one('POST', '/node/22/media/image/16', {
      as: 'editor',
      body: 'no picture',
      headers: { 'content-type': 'image/png', 'content-location': 'public://a.png' },
    }),
  ],
  [
    'head-is-refused',
    'HEAD of the same resources as GET: headers only.',
    onReply(
      (request, { status }) => request.method === 'HEAD' && record.test(request.path) && status === 200,
      (reply) => withHeader(withStatus(reply, 405), 'Allow', 'GET'),
    ),
    one('HEAD', '/node/5?_format=json'),
  ],
  [
    'location-is-missing',
    'POST /node: Location header with the new node’s URI.',
    onReply(sent('POST', nodes, 201), (reply) => withHeader(reply, 'Location')),
    created,
  ],
  [
    'location-names-another-node',
    'Location gives the URI of the new node.',
    onReply(sent('POST', nodes, 201), (reply) =>
      withHeader(reply, 'Location', ...valuesOf(reply, 'Location').map((value) => value.replace(/\d+$/, '1'))),
    ),
    created,
  ],
  [
    'location-is-relative-to-nothing',
    'Location gives the URI of the new node, whose path is /node/{node_id}.',
    onReply(sent('POST', nodes, 201), (reply) =>
      withHeader(reply, 'Location', ...valuesOf(reply, 'Location').map((value) => value.replace('/node/', '/nodes/'))),
    ),
    created,
  ],
  [
    'upload-location-is-missing',
    'PUT of an upload: 201; Location header with the media URI.',
    onReply(sent('PUT', upload, 201), (reply) => withHeader(reply, 'Location')),
    uploaded,
  ],
  [
    'upload-location-names-the-node',
    'Location gives the media.',
    onReply(sent('PUT', upload, 201), (reply, { path }) =>
      withHeader(
        reply,
        'Location',
        ...valuesOf(reply, 'Location').map((value) => value.replace(/\/media\/\d+$/, path.replace(/\/media.*/, ''))),
      ),
    ),
    uploaded,
  ],
  [
    'upload-answers-with-a-body',
    'PUT of an upload: 201; empty body.',
    onReply(sent('PUT', upload, 201), (reply) => withJson(reply, { status: 'created' })),
    uploaded,
  ],
  [
    'head-has-no-links',
    'HEAD: headers only, including Link headers.',
    onReply(
      ({ method }) => method === 'HEAD',
      (reply) => withHeader(reply, 'Link'),
    ),
    one('HEAD', '/node/5?_format=json'),
  ],
  [
    'head-has-another-media-type',
    'HEAD has the headers of GET (RFC 9110 §9.3.2).',
    onReply(
      ({ method }, { status }) => method === 'HEAD' && status === 200,
      (reply) => withHeader(reply, 'Content-Type', 'text/html; charset=UTF-8'),
    ),
    one('HEAD', '/node/5?_format=json'),
  ],
  [
    'json-is-called-html',
    'The representation of `_format=json` is JSON: `application/json`.',
    onReply(
      (request, reply) => isRead(request) && valuesOf(reply, 'Content-Type').includes('application/json'),
      (reply) => withHeader(reply, 'Content-Type', 'text/html; charset=UTF-8'),
    ),
    get('/node/5?_format=json'),
  ],
]);
