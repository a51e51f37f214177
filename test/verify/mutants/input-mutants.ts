/** Planted bugs that accept what the service must refuse, or refuse what it must accept. */
import {
  media,
  mutantsOf,
  newNode,
  newTitle,
  node,
  nodes,
  one,
  onRefusal,
  onReply,
  sent,
  sentEntity,
  withHeader,
  withJson,
  withSentJson,
  withStatus,
  type Alteration,
  type Entity,
  type Match,
  type SeenRequest,
} from './mutant.ts';

const writesNode = /^\/node(\/\d+)?$/;
const refusedWrite = sent('POST PATCH', writesNode, 400, 403, 415, 422);

/** Accepts a refused write with another body, when `change` gives one. */
const lenient = (
  match: Match,
  change: (asked: Entity, request: SeenRequest) => object | undefined,
): (() => Alteration) => {
  const changed = (request: SeenRequest): object | undefined => {
    const asked = sentEntity(request);
    return asked === undefined ? undefined : change(asked, request);
  };
  return onRefusal(
    (request, reply) => match(request, reply) && changed(request) !== undefined,
    (request) => withSentJson(request, changed(request)),
  );
};
const adding = (name: string, value: unknown) => (asked: Entity) =>
  name in asked ? undefined : { ...asked, [name]: value };
const dropping = (isDropped: (name: string) => boolean) => (asked: Entity) => {
  const kept = Object.entries(asked).filter(([name]) => !isDropped(name));
  return kept.length === Object.keys(asked).length ? undefined : Object.fromEntries(kept);
};
const isText = (body: Buffer): boolean => body.length > 0;
const known =
  /^(nid|uuid|vid|langcode|type|status|title|uid|created|changed|promote|sticky|path|field_(model|member_of|extent|subject|identifier|pid|rights|description|display_hints|edtf_date\w*|linked_agent|alternative_title|resource_type|access_terms)|revision\w*|default_langcode|content_translation\w*)$/;

const post = (json: unknown) => one('POST', '/node?_format=json', { as: 'editor', json });
const patch = (json: unknown) => one('PATCH', '/node/5?_format=json', { as: 'editor', json });
const raw = (body: string, type = 'application/json') =>
  one('POST', '/node?_format=json', { as: 'editor', body, headers: { 'content-type': type } });
const json = { 'content-type': 'application/json' };

export const inputMutants = mutantsOf('input', [
  [
    'create-without-title-is-accepted',
    'title: required on create.',
    lenient(sent('POST', nodes, 422), adding('title', [{ value: 'Untitled' }])),
    post({ type: newNode.type, field_model: newNode.field_model }),
  ],
  [
    'create-without-model-is-accepted',
    'field_model: required on create.',
    lenient(sent('POST', nodes, 422), adding('field_model', newNode.field_model)),
    post({ type: newNode.type, title: newNode.title }),
  ],
  [
    'create-without-type-is-accepted',
    'type: required on create and on PATCH.',
    lenient(sent('POST', nodes, 400, 422), adding('type', newNode.type)),
    post({ title: newNode.title, field_model: newNode.field_model }),
  ],
  [
    'patch-without-type-is-accepted',
    'On PATCH, `type` is required because it defines which fields the node has.',
    lenient(sent('PATCH', node, 400, 422), adding('type', newNode.type)),
    patch({ title: newTitle.title }),
  ],
  [
    'media-patch-without-bundle-is-accepted',
    'PATCH /media: same rules as node PATCH: `bundle` is required.',
    lenient(sent('PATCH', media, 400, 422), adding('bundle', [{ target_id: 'image' }])),
    one('PATCH', '/media/1?_format=json', { as: 'editor', json: { name: [{ value: 'a.png' }] } }),
  ],
  [
    'unknown-fields-are-accepted',
    'The content type defines which fields a node has.',
    lenient(
      refusedWrite,
      dropping((name) => !known.test(name)),
    ),
    post({ ...newNode, field_of_nobody: [{ value: 'x' }] }),
  ],
  [
    'references-to-nothing-are-accepted',
    'Reference element: the referenced entity exists.',
    lenient(refusedWrite, (asked) => {
      const [first] = asked['field_member_of'] ?? [];
      return Number(first?.['target_id']) > 100_000 ? { ...asked, field_member_of: [] } : undefined;
    }),
    post({ ...newNode, field_member_of: [{ target_id: 999_999_999 }] }),
  ],
  [
    'long-titles-are-cut',
    'Validation errors are refused: a title has at most 255 characters.',
    lenient(refusedWrite, (asked) => {
      const [first] = asked['title'] ?? [];
      const title = String(first?.['value']);
      return title.length > 255 ? { ...asked, title: [{ value: title.slice(0, 255) }] } : undefined;
    }),
    post({ ...newNode, title: [{ value: 'x'.repeat(256) }] }),
  ],
  [
    'ids-can-be-patched',
    'nid: assigned by the service.',
    lenient(
      sent('PATCH', node, 403, 422),
      dropping((name) => name === 'nid'),
    ),
    patch({ ...newTitle, nid: [{ value: 4711 }] }),
  ],
  [
    'uuids-can-be-patched',
    'uuid: assigned by the service.',
    lenient(
      sent('PATCH', node, 403, 422),
      dropping((name) => name === 'uuid'),
    ),
    patch({ ...newTitle, uuid: [{ value: '44444444-4444-4444-8444-444444444444' }] }),
  ],
  [
    'broken-json-is-accepted',
    'A body that is not JSON is refused.',
    onRefusal(
      (request, reply) =>
        sent('POST', nodes, 400)(request, reply) && isText(request.body) && sentEntity(request) === undefined,
      (request) => withSentJson(request, newNode),
    ),
    raw('{"type":'),
  ],
  [
    'empty-bodies-are-accepted',
    'POST /node: body with `type`, `title`, `field_model`.',
    onRefusal(
      (request, reply) => sent('POST', nodes, 400)(request, reply) && !isText(request.body),
      (request) => ({ ...withSentJson(request, newNode), headers: { ...request.headers, ...json } }),
    ),
    raw(''),
  ],
  [
    'another-content-type-is-accepted',
    'A request whose `Content-type` header does not match the body format is an error.',
    onRefusal(sent('POST PATCH', writesNode, 415), (request) => ({
      ...request,
      headers: { ...request.headers, ...json },
    })),
    raw(JSON.stringify(newNode), 'text/plain'),
  ],
  [
    'another-content-type-answers-400',
    'An unsupported media type: 415.',
    onReply(sent('POST PATCH', writesNode, 415), (reply) => withStatus(reply, 400)),
    raw(JSON.stringify(newNode), 'text/plain'),
  ],
  [
    'jsonld-can-be-posted',
    'Which formats each method accepts is configured: POST takes json only.',
    onRefusal(sent('POST', nodes, 406, 415), (request) => ({
      ...request,
      query: '_format=json',
      headers: { ...request.headers, ...json },
    })),
    one('POST', '/node?_format=jsonld', {
      as: 'editor',
      body: JSON.stringify(newNode),
      headers: { 'content-type': 'application/ld+json' },
    }),
  ],
  [
    'optional-fields-are-required',
    'POST /node: `type`, `title`, `field_model` (other fields optional).',
    onReply(
      (request, reply) =>
        sent('POST', nodes, 201)(request, reply) && sentEntity(request)?.['field_extent'] === undefined,
      (reply) =>
        withHeader(
          withStatus(
            withJson(reply, {
              message: 'Unprocessable Entity: validation failed.\nfield_extent: This value should not be null.',
            }),
            422,
          ),
          'Location',
        ),
    ),
    post(newNode),
  ],
]);
