/** Planted bugs in creating and deleting, which show only in a later request. */
import {
  omit,
  media,
  mutantsOf,
  newNode,
  node,
  nodes,
  one,
  onReply,
  onRequest,
  reading,
  record,
  sent,
  sentEntity,
  valuesOf,
  withBody,
  withEntity,
  withField,
  withSentJson,
  withHeader,
  type Alteration,
  type SeenReply,
  type SeenRequest,
  type Witness,
} from './mutant.ts';

const pathOf = (reply: SeenReply): string => new URL(valuesOf(reply, 'Location')[0] ?? 'http://localhost/').pathname;
const isMadeHere = (made: ReadonlySet<string>, { path }: SeenRequest): boolean => made.has(path);

/** Changes the records of nodes that were created here, in the answers to POST and to later reads. */
const onCreated =
  (change: (reply: SeenReply, count: number) => SeenReply): (() => Alteration) =>
  () => {
    const made = new Set<string>();
    return async (request, ask) => {
      const reply = await ask(request);
      if (request.method === 'POST' && nodes.test(request.path) && reply.status === 201) {
        made.add(pathOf(reply));
        return change(reply, made.size);
      }
      return isMadeHere(made, request) && reply.status === 200 ? change(reply, made.size) : reply;
    };
  };

/** Deleted records of these paths are still shown. */
const undead =
  (path: RegExp): (() => Alteration) =>
  () => {
    const kept = new Map<string, SeenReply>();
    return async (request, ask) => {
      const wasThere = request.method === 'DELETE' && path.test(request.path) ? await ask(reading(request)) : undefined;
      const reply = await ask(request);
      if (wasThere !== undefined && reply.status === 204) kept.set(request.path, wasThere);
      return reply.status === 404 && request.method !== 'DELETE' ? (kept.get(request.path) ?? reply) : reply;
    };
  };

const createThenRead =
  (json: unknown = newNode): Witness =>
  async (send) => {
    const made = await send('POST', '/node?_format=json', { as: 'editor', json });
    return [
      made,
      await send('GET', `${made.status === 201 ? pathOf(made) : '/node/1'}?_format=json`, { as: 'editor' }),
    ];
  };
const deleteThenRead =
  (path: string): Witness =>
  async (send) => {
    await send('DELETE', `${path}?_format=json`, { as: 'admin' });
    return send('GET', `${path}?_format=json`, { as: 'admin' });
  };
export const writeMutants = mutantsOf('writes', [
  ['deleted-nodes-are-still-there', 'deleted: GET: 404.', undead(node), deleteThenRead('/node/5')],
  ['deleted-media-are-still-there', 'deleted: GET: 404.', undead(media), deleteThenRead('/media/1')],
  [
    'create-creates-nothing',
    'POST /node: does not exist → exists.',
    () => async (request, ask) => {
      const reply = await ask(request);
      if (request.method === 'POST' && nodes.test(request.path) && reply.status === 201) {
        await ask({ ...reading(request, pathOf(reply)), method: 'DELETE' });
      }
      return reply;
    },
    createThenRead(),
  ],
  [
    'create-drops-optional-fields',
    'POST /node: other fields optional: they are stored.',
    onRequest(
      ({ method, path }) => method === 'POST' && nodes.test(path),
      (request) => {
        const asked = sentEntity(request);
        if (asked === undefined) return request;
        return withSentJson(request, omit(asked, 'field_description', 'field_extent', 'field_member_of'));
      },
    ),
    createThenRead({ ...newNode, field_member_of: [{ target_id: 2 }], field_extent: [{ value: '3 leaves' }] }),
  ],
  [
    'create-changes-the-title',
    'POST /node: body: the created node, with the values that were sent.',
    onCreated((reply) =>
      withField(reply, 'title', (items) => items.map(({ value }) => ({ value: String(value).toUpperCase() }))),
    ),
    createThenRead(),
  ],
  [
    'created-node-has-no-uuid',
    'uuid: assigned by the service.',
    onReply(sent('POST', nodes, 201), (reply) => withEntity(reply, (entity) => omit(entity, 'uuid'))),
    createThenRead(),
  ],
  [
    'created-nodes-share-a-uuid',
    'uuid: UUID: no two records have the same.',
    onCreated((reply) => withField(reply, 'uuid', () => [{ value: '22222222-2222-4222-8222-222222222222' }])),
    createThenRead(),
  ],
  [
    'created-node-belongs-to-another',
    'uid: reference (`user`): owner: the account that created it.',
    onReply(sent('POST', nodes, 201), (reply) =>
      withField(reply, 'uid', (items) => items.map((item) => ({ ...item, target_id: 3, url: '/user/3' }))),
    ),
    createThenRead(),
  ],
  [
    'uuid-changes-with-each-read',
    'Every entity has its own uuid, which stays.',
    () => {
      let count = 0;
      return async (request, ask) => {
        const reply = await ask(request);
        if (request.method !== 'GET' || !record.test(request.path) || reply.status !== 200) return reply;
        count += 1;
        const uuid = `33333333-3333-4333-8333-${String(count).padStart(12, '0')}`;
        return withField(reply, 'uuid', () => [{ value: uuid }]);
      };
    },
    one('GET', '/node/5?_format=json'),
  ],
  [
    'create-answers-with-no-record',
    'POST /node: body: the created node (JSON).',
    onReply(sent('POST', nodes, 201), (reply) => withHeader(withBody(reply, ''), 'Content-Type')),
    createThenRead(),
  ],
]);
