/** Planted bugs in PATCH, which show in its answer or in a later read. */
import {
  asAccount,
  entityOf,
  media,
  mutantsOf,
  newTitle,
  node,
  onReply,
  onRequest,
  reading,
  sent,
  sentEntity,
  withBody,
  withField,
  withSentJson,
  type Alteration,
  type Entity,
  type SeenReply,
  type SeenRequest,
  type Witness,
} from './mutant.ts';

const patching = (request: SeenRequest, body: unknown): SeenRequest => withSentJson(asAccount(request, 'admin'), body);

/** What a successful PATCH is replaced with. `before` is the record as it was. */
const onPatch =
  (
    path: RegExp,
    change: (
      seen: { readonly reply: SeenReply; readonly before: SeenReply; readonly asked: Entity },
      again: (body: unknown) => Promise<SeenReply>,
    ) => Promise<SeenReply> | SeenReply,
  ): (() => Alteration) =>
  () =>
  async (request, ask) => {
    if (request.method !== 'PATCH' || !path.test(request.path)) return ask(request);
    const before = await ask(reading(request));
    const reply = await ask(request);
    if (reply.status !== 200) return reply;
    return change({ reply, before, asked: sentEntity(request) ?? {} }, (body) => ask(patching(request, body)));
  };

const changesNothing = (path: RegExp): (() => Alteration) =>
  onPatch(path, async ({ reply, before, asked }, again) => {
    const old = entityOf(before);
    await again(Object.fromEntries(Object.keys(asked).map((name) => [name, old[name] ?? []])));
    return reply;
  });

const patchThenRead =
  (path: string, json: unknown): Witness =>
  async (send) => [
    await send('PATCH', `${path}?_format=json`, { as: 'editor', json }),
    await send('GET', `${path}?_format=json`, { as: 'editor' }),
  ];
const newBundle = { bundle: [{ target_id: 'image' }], name: [{ value: 'Anew.png' }] };

export const patchMutants = mutantsOf('updates', [
  ['patch-changes-nothing', 'PATCH: the record is updated.', changesNothing(node), patchThenRead('/node/5', newTitle)],
  [
    'media-patch-changes-nothing',
    'PATCH /media: the record is updated.',
    changesNothing(media),
    patchThenRead('/media/1', newBundle),
  ],
  [
    'patch-replaces-the-record',
    'PATCH: JSON body with `type` plus only the fields to change: the others stay.',
    onPatch(node, ({ before, asked }, again) =>
      again({
        ...asked,
        ...Object.fromEntries(
          Object.entries(entityOf(before))
            .filter(
              ([name, items]) =>
                name.startsWith('field_') && name !== 'field_model' && items.length > 0 && !(name in asked),
            )
            .map(([name]) => [name, []]),
        ),
      }),
    ),
    patchThenRead('/node/5', newTitle),
  ],
  [
    'patch-keeps-the-first-value-only',
    'All fields of a record are lists: all values sent are stored.',
    onRequest(
      ({ method, path }) => method === 'PATCH' && node.test(path),
      (request) => {
        const asked = sentEntity(request);
        if (asked === undefined) return request;
        return withSentJson(
          request,
          Object.fromEntries(
            Object.entries(asked).map(([name, items]) => [name, Array.isArray(items) ? items.slice(0, 1) : items]),
          ),
        );
      },
    ),
    patchThenRead('/node/5', { type: newTitle.type, field_subject: [{ target_id: 27 }, { target_id: 28 }] }),
  ],
  [
    'patch-adds-to-the-old-values',
    'PATCH: a field is replaced as a whole.',
    onPatch(node, ({ before, asked }, again) => {
      const old = entityOf(before);
      return again(
        Object.fromEntries(
          Object.entries(asked).map(([name, items]) =>
            ['field_subject', 'field_description', 'field_alternative_title', 'field_identifier'].includes(name)
              ? [name, [...(old[name] ?? []), ...items]]
              : [name, items],
          ),
        ),
      );
    }),
    patchThenRead('/node/5', { type: newTitle.type, field_alternative_title: [{ value: 'Another name' }] }),
  ],
  [
    'patch-answers-with-the-old-record',
    'PATCH: body is the updated record.',
    onPatch(node, ({ reply, before }) => withBody(reply, before.body)),
    patchThenRead('/node/5', newTitle),
  ],
  [
    'patch-keeps-the-time-of-change',
    'PATCH: `changed` is updated.',
    () => {
      const first = new Map<string, unknown>();
      return async (request, ask) => {
        if (request.method === 'PATCH' && !first.has(request.path) && node.test(request.path)) {
          first.set(request.path, entityOf(await ask(reading(request)))['changed']);
        }
        const reply = await ask(request);
        const changed = first.get(request.path);
        return changed === undefined || reply.status !== 200 ? reply : withField(reply, 'changed', () => changed);
      };
    },
    patchThenRead('/node/5', newTitle),
  ],
  [
    'node-type-of-the-collection-is-shown-as-sent',
    'PATCH of `field_member_of` with `target_type` `node_type`: the response shows `node`.',
    onReply(sent('PATCH', node, 200), (reply) =>
      withField(reply, 'field_member_of', (items) => items.map((item) => ({ ...item, target_type: 'node_type' }))),
    ),
    patchThenRead('/node/5', { type: newTitle.type, field_member_of: [{ target_id: 2, target_type: 'node_type' }] }),
  ],
]);
