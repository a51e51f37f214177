/** Planted bugs in the errors and their bodies. */
import {
  get,
  media,
  mutantsOf,
  newNode,
  nodes,
  one,
  onReply,
  reads,
  record,
  sent,
  withBody,
  withHeader,
  withJson,
  withStatus,
  type SeenReply,
} from './mutant.ts';

const any = /./;
const methods = 'GET HEAD POST PATCH PUT DELETE';
const messageOf = ({ body }: SeenReply): unknown => (JSON.parse(body.toString()) as { message: unknown }).message; // a refusal of the healthy server
const isMessage = ({ body }: SeenReply): boolean => body.toString().startsWith('{"message"');
const missing = get('/node/999999?_format=json');
const anonymousPost = one('POST', '/node?_format=json', { json: newNode });
const forbiddenPost = one('POST', '/node?_format=json', { as: 'viewer', json: newNode });

export const errorMutants = mutantsOf('errors', [
  [
    'missing-tells-more-than-a-message',
    'The 404 body is JSON with one member `message`.',
    onReply(
      (request, reply) => reads(record, 404)(request, reply) && isMessage(reply),
      (reply) => withJson(reply, { message: messageOf(reply), code: 404 }),
    ),
    missing,
  ],
  [
    'missing-says-error-instead-of-message',
    'The 404 body is JSON with one member `message`.',
    onReply(
      (request, reply) => reads(record, 404)(request, reply) && isMessage(reply),
      (reply) => withJson(reply, { error: messageOf(reply) }),
    ),
    missing,
  ],
  [
    'missing-does-not-say-what',
    'The message says that the parameter (`node`, `media` or `file`) could not be converted for the route path.',
    onReply(
      (request, reply) => reads(record, 404)(request, reply) && isMessage(reply),
      (reply) => withJson(reply, { message: 'Not Found' }),
    ),
    missing,
  ],
  [
    'missing-media-is-a-page',
    'The 404 has the content type `application/json`.',
    onReply(reads(media, 404), (reply) =>
      withHeader(
        withBody(reply, '<!DOCTYPE html><title>Page not found</title>'),
        'Content-Type',
        'text/html; charset=UTF-8',
      ),
    ),
    get('/media/999999?_format=json', 'editor'),
  ],
  [
    'missing-json-is-called-text',
    'The 404 has the content type `application/json`.',
    onReply(reads(record, 404), (reply) => withHeader(reply, 'Content-Type', 'text/plain; charset=UTF-8')),
    missing,
  ],
  [
    'forbidden-message-is-a-list',
    'The body of a refusal is {"message": string}.',
    onReply(
      (request, reply) => sent(methods, any, 403)(request, reply) && isMessage(reply),
      (reply) => withJson(reply, { message: [messageOf(reply)] }),
    ),
    forbiddenPost,
  ],
  [
    'unauthenticated-has-no-body',
    'The body of a 401 is {"message": string}.',
    onReply(sent(methods, any, 401), (reply) => withHeader(withBody(reply, ''), 'Content-Type')),
    anonymousPost,
  ],
  [
    'unauthenticated-without-challenge',
    '401 has a WWW-Authenticate header (RFC 9110 §15.5.2).',
    onReply(sent(methods, any, 401), (reply) => withHeader(reply, 'WWW-Authenticate')),
    anonymousPost,
  ],
  [
    'unauthenticated-answers-403',
    'Unauthenticated create, update or delete requests receive 401.',
    onReply(sent('POST PATCH DELETE', any, 401), (reply) => withStatus(withHeader(reply, 'WWW-Authenticate'), 403)),
    anonymousPost,
  ],
  [
    'forbidden-answers-401',
    'Authenticated requests lacking permission receive 403.',
    onReply(sent('POST PATCH DELETE', any, 403), (reply) =>
      withStatus(withHeader(reply, 'WWW-Authenticate', 'Basic realm="Islandora"'), 401),
    ),
    forbiddenPost,
  ],
  [
    'forbidden-answers-404',
    'Authenticated requests lacking permission receive 403.',
    onReply(sent('PATCH DELETE', record, 403), (reply) => withStatus(reply, 404)),
    one('DELETE', '/node/5?_format=json', { as: 'viewer' }),
  ],
  [
    'broken-json-answers-500',
    'A body that is not JSON: 400 with a message.',
    onReply(sent('POST PATCH', any, 400), (reply) =>
      withHeader(
        withStatus(withBody(reply, 'The website encountered an unexpected error. Try again later.'), 500),
        'Content-Type',
        'text/plain; charset=UTF-8',
      ),
    ),
    one('POST', '/node?_format=json', {
      as: 'editor',
      body: '{"type":',
      headers: { 'content-type': 'application/json' },
    }),
  ],
  [
    'invalid-lists-errors',
    'The body of a 422 is {"message": string}.',
    onReply(sent('POST PATCH', any, 422), (reply) =>
      withJson(reply, { errors: [{ detail: 'This value should not be null.' }] }),
    ),
    one('POST', '/node?_format=json', { as: 'editor', json: { type: newNode.type } }),
  ],
  [
    'invalid-answers-400',
    'Validation errors: 422.',
    onReply(sent('POST', nodes, 422), (reply) => withStatus(reply, 400)),
    one('POST', '/node?_format=json', { as: 'editor', json: { type: newNode.type, field_model: newNode.field_model } }),
  ],
]);
