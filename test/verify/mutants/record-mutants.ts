/** Planted bugs in the records of nodes, media and files. */
import {
  omit,
  file,
  get,
  isRead,
  media,
  mutantsOf,
  node,
  onReply,
  record,
  reads,
  withEntity,
  withField,
  type Entity,
  type Item,
  type SeenReply,
  type SeenRequest,
  formatOf,
} from './mutant.ts';

const isJson = (path: RegExp) => (request: SeenRequest, reply: SeenReply) =>
  isRead(request) && path.test(request.path) && reply.status === 200 && formatOf(request) === 'json';

const values = (change: (value: unknown) => unknown) => (items: readonly Item[]) =>
  items.map((item) => ({ ...item, value: change(item['value']) }));
const without = (member: string) => (items: readonly Item[]) => items.map((item) => omit(item, member));
const fieldsOf = (entity: Entity, change: (items: readonly Item[], name: string) => unknown): Record<string, unknown> =>
  Object.fromEntries(Object.entries(entity).map(([name, items]) => [name, change(items, name)]));
const isReference = ([item]: readonly Item[]): boolean => item?.['target_id'] !== undefined;

const node5 = get('/node/5?_format=json', 'editor');
const media1 = get('/media/1?_format=json', 'editor');
const file1 = get('/entity/file/1?_format=json', 'editor');

export const recordMutants = mutantsOf('records', [
  [
    'title-is-no-list',
    'All fields of a record are lists.',
    onReply(isJson(node), (reply) => withField(reply, 'title', ([first]) => first)),
    node5,
  ],
  [
    'title-is-plain-text',
    'Scalar elements have the shape {"value": <scalar>}.',
    onReply(isJson(node), (reply) => withField(reply, 'title', (items) => items.map(({ value }) => value))),
    node5,
  ],
  [
    'empty-fields-are-null',
    'A list with no value is `[]`.',
    onReply(isJson(record), (reply) =>
      withEntity(reply, (entity) => fieldsOf(entity, (items) => (items.length === 0 ? null : items))),
    ),
    node5,
  ],
  [
    'empty-fields-are-left-out',
    'A list with no value is `[]`: the field is there.',
    onReply(isJson(node), (reply) =>
      withEntity(reply, (entity) => Object.fromEntries(Object.entries(entity).filter(([, items]) => items.length > 0))),
    ),
    node5,
  ],
  [
    'node-id-is-text',
    'nid: scalar, integer.',
    onReply(isJson(node), (reply) => withField(reply, 'nid', values(String))),
    node5,
  ],
  [
    'status-is-a-number',
    'status: scalar, boolean.',
    onReply(isJson(node), (reply) => withField(reply, 'status', values(Number))),
    node5,
  ],
  [
    'media-id-is-text',
    'mid: media id, an integer.',
    onReply(isJson(media), (reply) => withField(reply, 'mid', values(String))),
    media1,
  ],
  [
    'file-size-is-text',
    'filesize: scalar, integer.',
    onReply(isJson(file), (reply) => withField(reply, 'filesize', values(String))),
    file1,
  ],
  [
    'dates-have-no-offset',
    'Datetime element: `value`: ISO 8601 with UTC offset.',
    onReply(isJson(node), (reply) =>
      withField(
        reply,
        'created',
        values((value) => String(value).slice(0, 19)),
      ),
    ),
    node5,
  ],
  [
    'dates-are-unix-seconds',
    'Datetime element: `value`: string, ISO 8601.',
    onReply(isJson(node), (reply) =>
      withField(
        reply,
        'changed',
        values((value) => Date.parse(String(value)) / 1000),
      ),
    ),
    node5,
  ],
  [
    'dates-have-no-format',
    'Datetime element: `format`: string, the pattern used.',
    onReply(isJson(media), (reply) => withField(reply, 'created', without('format'))),
    media1,
  ],
  [
    'references-have-no-type',
    'Reference element: `target_type`.',
    onReply(isJson(node), (reply) => withField(reply, 'field_model', without('target_type'))),
    node5,
  ],
  [
    'reference-ids-are-text',
    'Reference element: `target_id`: integer.',
    onReply(isJson(node), (reply) =>
      withField(reply, 'field_model', (items) =>
        items.map((item) => ({ ...item, target_id: String(item['target_id']) })),
      ),
    ),
    node5,
  ],
  [
    'reference-urls-are-missing',
    'Reference element: `url`: relative path of the referenced entity.',
    onReply(isJson(node), (reply) => withField(reply, 'field_model', without('url'))),
    node5,
  ],
  [
    'reference-urls-lead-elsewhere',
    'Reference element: `url`: path of the referenced entity.',
    onReply(isJson(record), (reply) =>
      withEntity(reply, (entity) =>
        fieldsOf(entity, (items) =>
          isReference(items)
            ? items.map((item) =>
                'url' in item ? { ...item, url: String(item['url']).replace('/taxonomy/term/', '/term/') } : item,
              )
            : items,
        ),
      ),
    ),
    node5,
  ],
  [
    'reference-uuid-of-another',
    'Reference element: `target_uuid`: the UUID of the referenced entity.',
    onReply(isJson(node), (reply) =>
      withField(reply, 'field_model', (items) =>
        items.map((item) => ({ ...item, target_uuid: '11111111-1111-4111-8111-111111111111' })),
      ),
    ),
    node5,
  ],
  [
    'node-uuid-is-none',
    'uuid: scalar, string UUID.',
    onReply(isJson(node), (reply) =>
      withField(
        reply,
        'uuid',
        values((value) => String(value).replaceAll('-', '').slice(4)),
      ),
    ),
    node5,
  ],
  [
    'record-of-another-node',
    'GET /node/{node_id}: the node.',
    onReply(isJson(node), (reply) =>
      withField(
        reply,
        'nid',
        values((value) => Number(value) + 1),
      ),
    ),
    node5,
  ],
  [
    'media-has-no-media-of',
    'field_media_of: the node(s) the media belongs to.',
    onReply(isJson(media), (reply) => withEntity(reply, (entity) => omit(entity, 'field_media_of'))),
    media1,
  ],
  [
    'media-size-is-not-the-file’s',
    'field_file_size: bytes.',
    onReply(isJson(media), (reply) =>
      withField(
        reply,
        'field_file_size',
        values((value) => Math.ceil(Number(value) / 1024)),
      ),
    ),
    media1,
  ],
  [
    'media-type-is-not-the-file’s',
    'field_mime_type: MIME type.',
    onReply(isJson(media), (reply) =>
      withField(
        reply,
        'field_mime_type',
        values(() => 'application/octet-stream'),
      ),
    ),
    media1,
  ],
  [
    'file-uri-has-no-url',
    'File, uri: {value, url}.',
    onReply(isJson(file), (reply) => withField(reply, 'uri', without('url'))),
    file1,
  ],
  [
    'file-uri-has-no-scheme',
    'File, uri: `value`: scheme-qualified storage location (<scheme>://<path>).',
    onReply(isJson(file), (reply) =>
      withField(
        reply,
        'uri',
        values((value) => String(value).replace(/^\w+:\/\//, '')),
      ),
    ),
    file1,
  ],
  [
    'file-url-leads-nowhere',
    'File, uri: `url`: path at which the content is served.',
    onReply(isJson(file), (reply) =>
      withField(reply, 'uri', (items) => items.map((item) => ({ ...item, url: `/files${String(item['url'])}` }))),
    ),
    file1,
  ],
  [
    'file-size-is-not-that-of-the-content',
    'filesize: bytes.',
    onReply(reads(file), (reply) =>
      withField(
        reply,
        'filesize',
        values((value) => Number(value) + 1),
      ),
    ),
    file1,
  ],
]);
