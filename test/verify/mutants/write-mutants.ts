/** Planted bugs in creating, changing, deleting and uploading, some of which show only in a later request. */
import {
  body,
  both,
  bug,
  by,
  eachItem,
  empty,
  entity,
  entityOf,
  field,
  isRequest,
  madePath,
  media,
  newNode,
  newTitle,
  node,
  nodes,
  not,
  omit,
  one,
  onRefusal,
  onReply,
  onRequest,
  planted,
  read,
  reading,
  record,
  refusal,
  sending,
  sendingEntity,
  sendingJson,
  sent,
  sentEntity,
  set,
  status,
  upload,
  write,
  type Bug,
  type Change,
  type Entity,
  type Match,
  type SeenReply,
  type SeenRequest,
  type Send,
  type Turn,
  type Witness,
} from './mutant.ts';

const nodeMade = sent('POST', nodes, 201);
const onMade = onReply(nodeMade);

/** Changes the answers that make something, and later ones of what was made. */
const onMadeAndLater = (makes: Match, change: Change): Bug =>
  bug(() => {
    const made = new Set<string | undefined>();
    return async (request, ask) => {
      const reply = await ask(request);
      const isNew = makes(request, reply);
      if (isNew) made.add(madePath(reply));
      return isNew || (made.has(request.path) && reply.status === 200) ? change(reply, request) : reply;
    };
  });

/** Deleted records of these paths are still shown. */
const undead = (path: RegExp): Bug =>
  bug(() => {
    const kept = new Map<string, SeenReply>();
    return async (request, ask) => {
      const wasThere = isRequest('DELETE', path)(request) ? await ask(reading(request)) : undefined;
      const reply = await ask(request);
      if (wasThere !== undefined && reply.status === 204) kept.set(request.path, wasThere);
      return reply.status === 404 && request.method !== 'DELETE' ? (kept.get(request.path) ?? reply) : reply;
    };
  });

/** A write, and what is there afterwards. */
const thenRead =
  (method: string, path: string, as: string, json?: unknown): Witness =>
  async (send) => {
    const done = await send(method, `${path}?_format=json`, { as, json });
    return [done, await send('GET', `${madePath(done) ?? path}?_format=json`, { as })];
  };
const created = (more: object = {}): Witness => thenRead('POST', '/node', 'editor', { ...newNode, ...more });

const createMutants = planted('writes', created(), {
  'deleted: GET: 404.': {
    'deleted-nodes-are-still-there': undead(node).seenBy(thenRead('DELETE', '/node/5', 'admin')),
    'deleted-media-are-still-there': undead(media).seenBy(thenRead('DELETE', '/media/1', 'admin')),
  },
  'POST /node: does not exist → exists.': {
    'create-creates-nothing': bug(() => async (request, ask) => {
      const reply = await ask(request);
      if (nodeMade(request, reply)) await ask({ ...reading(request, madePath(reply)), method: 'DELETE' });
      return reply;
    }),
  },
  'POST /node: other fields optional: they are stored.': {
    'create-drops-optional-fields': onRequest(isRequest('POST', nodes))(
      sendingEntity((asked) => omit(asked, 'field_description', 'field_extent', 'field_member_of')),
    ).seenBy(created({ field_member_of: [{ target_id: 2 }], field_extent: [{ value: '3 leaves' }] })),
  },
  'POST /node: body: the created node, with the values that were sent.': {
    'create-changes-the-title': onMadeAndLater(
      nodeMade,
      eachItem('title', (item) => ({ value: String(item['value']).toUpperCase() })),
    ),
  },
  'uuid: assigned by the service.': { 'created-node-has-no-uuid': onMade(entity((all) => omit(all, 'uuid'))) },
  'uuid: UUID: no two records have the same.': {
    'created-nodes-share-a-uuid': onMadeAndLater(
      nodeMade,
      field('uuid', () => [{ value: '22222222-2222-4222-8222-222222222222' }]),
    ),
  },
  'uid: reference (`user`): owner: the account that created it.': {
    'created-node-belongs-to-another': onMade(eachItem('uid', (item) => ({ ...item, target_id: 3, url: '/user/3' }))),
  },
  'Every entity has its own uuid, which stays.': {
    'uuid-changes-with-each-read': bug(() => {
      let count = 0;
      return onReply(sent('GET', record, 200))((reply) => {
        count += 1;
        const uuid = `33333333-3333-4333-8333-${String(count).padStart(12, '0')}`;
        return field('uuid', () => [{ value: uuid }])(reply);
      }).alter();
    }).seenBy(read('/node/5')),
  },
  'POST /node: body: the created node (JSON).': { 'create-answers-with-no-record': onMade(empty(201)) },
});

type Patched = { readonly reply: SeenReply; readonly before: Entity; readonly asked: Entity };

/** What a successful PATCH is replaced with. `before` is the record as it was. `again` sends another PATCH. */
const onPatch = (
  path: RegExp,
  change: (seen: Patched, again: (body: unknown) => Promise<SeenReply>) => Promise<SeenReply> | SeenReply,
): Bug =>
  bug(() => async (request, ask) => {
    if (!isRequest('PATCH', path)(request)) return ask(request);
    const before = entityOf(await ask(reading(request)));
    const reply = await ask(request);
    if (reply.status !== 200) return reply;
    return change({ reply, before, asked: sentEntity(request) ?? {} }, (json) =>
      ask(sendingJson(json)(by('admin')(request))),
    );
  });

const changesNothing = (path: RegExp): Bug =>
  onPatch(path, async ({ reply, before, asked }, again) => {
    await again(Object.fromEntries(Object.keys(asked).map((name) => [name, before[name] ?? []])));
    return reply;
  });

const patched = (fields: object): Witness => thenRead('PATCH', '/node/5', 'editor', { type: newTitle.type, ...fields });
const newBundle = { bundle: [{ target_id: 'image' }], name: [{ value: 'Anew.png' }] };
const several = ['field_subject', 'field_description', 'field_alternative_title', 'field_identifier'];

const patchMutants = planted('updates', patched(newTitle), {
  'PATCH: the record is updated.': { 'patch-changes-nothing': changesNothing(node) },
  'PATCH /media: the record is updated.': {
    'media-patch-changes-nothing': changesNothing(media).seenBy(thenRead('PATCH', '/media/1', 'editor', newBundle)),
  },
  'PATCH: JSON body with `type` plus only the fields to change: the others stay.': {
    'patch-replaces-the-record': onPatch(node, ({ before, asked }, again) => {
      const others = Object.entries(before).filter(
        ([name, items]) => /^field_(?!model$)/.test(name) && items.length > 0 && !(name in asked),
      );
      return again({ ...asked, ...Object.fromEntries(others.map(([name]) => [name, []])) });
    }),
  },
  'All fields of a record are lists: all values sent are stored.': {
    'patch-keeps-the-first-value-only': onRequest(isRequest('PATCH', node))(
      sendingEntity((asked) =>
        Object.fromEntries(
          Object.entries(asked).map(([name, items]) => [name, Array.isArray(items) ? items.slice(0, 1) : items]),
        ),
      ),
    ).seenBy(patched({ field_subject: [{ target_id: 27 }, { target_id: 28 }] })),
  },
  'PATCH: a field is replaced as a whole.': {
    'patch-adds-to-the-old-values': onPatch(node, ({ before, asked }, again) => {
      const added = Object.entries(asked).filter(([name]) => several.includes(name));
      return again({
        ...asked,
        ...Object.fromEntries(added.map(([name, items]) => [name, [...(before[name] ?? []), ...items]])),
      });
    }).seenBy(patched({ field_alternative_title: [{ value: 'Another name' }] })),
  },
  'PATCH: body is the updated record.': {
    'patch-answers-with-the-old-record': onPatch(node, ({ reply, before }) => body(JSON.stringify(before))(reply)),
  },
  'PATCH: `changed` is updated.': {
    'patch-keeps-the-time-of-change': bug(() => {
      const first = new Map<string, unknown>();
      return async (request, ask) => {
        if (isRequest('PATCH', node)(request) && !first.has(request.path)) {
          first.set(request.path, entityOf(await ask(reading(request)))['changed']);
        }
        const reply = await ask(request);
        const changed = first.get(request.path);
        return changed === undefined || reply.status !== 200 ? reply : field('changed', () => changed)(reply);
      };
    }),
  },
  'PATCH of `field_member_of` with `target_type` `node_type`: the response shows `node`.': {
    'node-type-of-the-collection-is-shown-as-sent': onReply(sent('PATCH', node, 200))(
      eachItem('field_member_of', (item) => ({ ...item, target_type: 'node_type' })),
    ).seenBy(patched({ field_member_of: [{ target_id: 2, target_type: 'node_type' }] })),
  },
});

const writesNode = /^\/node(\/\d+)?$/;
const refusedWrite = sent('POST PATCH', writesNode, 400, 403, 415, 422);
const wrongType = sent('POST PATCH', writesNode, 415);
const noTitleOrModel = sent('POST', nodes, 422);
const wrongPatch = sent('PATCH', node, 403, 422);

/** Accepts a refused write with another body, when `change` gives one. */
const lenient = (match: Match, change: (asked: Entity) => object | undefined): Bug => {
  const changed = (request: SeenRequest): object | undefined => {
    const asked = sentEntity(request);
    return asked === undefined ? undefined : change(asked);
  };
  return onRefusal(both(match, (request) => changed(request) !== undefined))((request) =>
    sendingJson(changed(request))(request),
  );
};
const adding = (name: string, items: unknown) => (asked: Entity) =>
  name in asked ? undefined : { ...asked, [name]: items };
const dropping = (dropped: RegExp) => (asked: Entity) => {
  const names = Object.keys(asked).filter((name) => dropped.test(name));
  return names.length === 0 ? undefined : omit(asked, ...names);
};
const unknown =
  /^(?!(nid|uuid|vid|langcode|type|status|title|uid|created|changed|promote|sticky|path|field_(model|member_of|extent|subject|identifier|pid|rights|description|display_hints|edtf_date\w*|linked_agent|alternative_title|resource_type|access_terms)|revision\w*|default_langcode|content_translation\w*)$)/;

const post = (json: unknown): Witness => write('POST', '/node', 'editor', json);
const postWithout = (name: string): Witness => post(omit<unknown>(newNode, name));
const patchTitle = (more: object): Witness => write('PATCH', '/node/5', 'editor', { ...newTitle, ...more });
const raw = (text: string, type = 'application/json', format = 'json'): Witness =>
  one('POST', `/node?_format=${format}`, { as: 'editor', body: text, headers: { 'content-type': type } });
const asJson = sending({ 'content-type': 'application/json' });
const hasBody: Match = (request) => request.body.length > 0;
const hasObject: Match = (request) => sentEntity(request) !== undefined;

const inputMutants = planted('input', post(newNode), {
  'title: required on create.': {
    'create-without-title-is-accepted': lenient(noTitleOrModel, adding('title', [{ value: 'Untitled' }])).seenBy(
      postWithout('title'),
    ),
  },
  'field_model: required on create.': {
    'create-without-model-is-accepted': lenient(noTitleOrModel, adding('field_model', newNode.field_model)).seenBy(
      postWithout('field_model'),
    ),
  },
  'type: required on create and on PATCH.': {
    'create-without-type-is-accepted': lenient(sent('POST', nodes, 400, 422), adding('type', newNode.type)).seenBy(
      postWithout('type'),
    ),
  },
  'On PATCH, `type` is required because it defines which fields the node has.': {
    'patch-without-type-is-accepted': lenient(sent('PATCH', node, 400, 422), adding('type', newNode.type)).seenBy(
      write('PATCH', '/node/5', 'editor', omit(newTitle, 'type')),
    ),
  },
  'PATCH /media: same rules as node PATCH: `bundle` is required.': {
    'media-patch-without-bundle-is-accepted': lenient(
      sent('PATCH', media, 400, 422),
      adding('bundle', [{ target_id: 'image' }]),
    ).seenBy(write('PATCH', '/media/1', 'editor', { name: [{ value: 'a.png' }] })),
  },
  'The content type defines which fields a node has.': {
    'unknown-fields-are-accepted': lenient(refusedWrite, dropping(unknown)).seenBy(
      post({ ...newNode, field_of_nobody: [{ value: 'x' }] }),
    ),
  },
  'Reference element: the referenced entity exists.': {
    'references-to-nothing-are-accepted': lenient(refusedWrite, (asked) =>
      Number(asked['field_member_of']?.[0]?.['target_id']) > 100_000 ? { ...asked, field_member_of: [] } : undefined,
    ).seenBy(post({ ...newNode, field_member_of: [{ target_id: 999_999_999 }] })),
  },
  'Validation errors are refused: a title has at most 255 characters.': {
    'long-titles-are-cut': lenient(refusedWrite, (asked) => {
      const title = String(asked['title']?.[0]?.['value']);
      return title.length > 255 ? { ...asked, title: [{ value: title.slice(0, 255) }] } : undefined;
    }).seenBy(post({ ...newNode, title: [{ value: 'x'.repeat(256) }] })),
  },
  'nid: assigned by the service.': {
    'ids-can-be-patched': lenient(wrongPatch, dropping(/^nid$/)).seenBy(patchTitle({ nid: [{ value: 4711 }] })),
  },
  'uuid: assigned by the service.': {
    'uuids-can-be-patched': lenient(wrongPatch, dropping(/^uuid$/)).seenBy(
      patchTitle({ uuid: [{ value: '44444444-4444-4444-8444-444444444444' }] }),
    ),
  },
  'A body that is not JSON is refused.': {
    'broken-json-is-accepted': onRefusal(both(sent('POST', nodes, 400), hasBody, not(hasObject)))(
      sendingJson(newNode),
    ).seenBy(raw('{"type":')),
  },
  'POST /node: body with `type`, `title`, `field_model`.': {
    'empty-bodies-are-accepted': onRefusal(both(sent('POST', nodes, 400), not(hasBody)))(
      sendingJson(newNode),
      asJson,
    ).seenBy(raw('')),
  },
  'A request whose `Content-type` header does not match the body format is an error.': {
    'another-content-type-is-accepted': onRefusal(wrongType)(asJson).seenBy(raw(JSON.stringify(newNode), 'text/plain')),
  },
  'An unsupported media type: 415.': {
    'another-content-type-answers-400': onReply(wrongType)(status(400)).seenBy(
      raw(JSON.stringify(newNode), 'text/plain'),
    ),
  },
  'Which formats each method accepts is configured: POST takes json only.': {
    'jsonld-can-be-posted': onRefusal(sent('POST', nodes, 406, 415))(set({ query: '_format=json' }), asJson).seenBy(
      raw(JSON.stringify(newNode), 'application/ld+json', 'jsonld'),
    ),
  },
  'POST /node: `type`, `title`, `field_model` (other fields optional).': {
    'optional-fields-are-required': onReply(
      both(nodeMade, (request) => sentEntity(request)?.['field_extent'] === undefined),
    )(
      refusal(422, 'Unprocessable Entity: validation failed.\nfield_extent: This value should not be null.'),
      status(422, 'Location'),
    ),
  },
});

const isUpload = isRequest('PUT', upload);
const refusedUpload = sent('PUT', upload, 400);
const lacks =
  (name: string): Match =>
  (request) =>
    request.headers[name] === undefined;
const locationOf = ({ headers }: SeenRequest): string => headers['content-location'] ?? '';
const relocated =
  (change: (location: string, request: SeenRequest) => string): Turn =>
  (request) =>
    sending({ 'content-location': change(locationOf(request), request) })(request);
const restored = (change: (bytes: Buffer) => Buffer): Bug =>
  onRequest((request) => isUpload(request) && request.body.length > 0)((request) => ({
    ...request,
    body: change(request.body),
  }));

/** One that each media type takes. */
const extensions: Readonly<Record<string, string>> = { image: 'png', audio: 'mp3', video: 'mp4', file: 'txt' };
const extensionFor = ({ path }: SeenRequest): string => extensions[path.split('/')[4] ?? ''] ?? 'txt';

type Content = Buffer | string;
type Headers = Readonly<Record<string, string>>;
const headers: Headers = { 'content-type': 'text/plain', 'content-location': 'public://witness/a.txt' };
const put = (send: Send, content: Content, given: Headers = headers, node = 22) =>
  send('PUT', `/node/${node}/media/file/16?_format=json`, { as: 'editor', body: content, headers: given });
const uploaded =
  (given: Headers, content = 'a text'): Witness =>
  (send) =>
    put(send, content, given);
/** An upload, the media that came of it, its file and its bytes. */
const followed =
  (contents: readonly Content[] = ['a text'], given: Headers = headers): Witness =>
  async (send) => {
    const answers = [];
    for (const content of contents) answers.push(await put(send, content, given));
    const show = (path: string): Promise<SeenReply> => send('GET', `${path}?_format=json`, { as: 'editor' });
    const made = await show(answers.map(madePath).findLast((path) => path !== undefined) ?? '/node/1');
    const file = await show(`/entity/file/${String(entityOf(made)['field_media_file']?.[0]?.['target_id'])}`);
    const { url } = (entityOf(file)['uri']?.[0] ?? {}) as { readonly url?: string }; // of a file
    return [answers, made, file, await send('GET', url ?? '/', { as: 'editor' })];
  };

/** What the first upload to an address was. */
const remembering = (again: (request: SeenRequest, first: SeenRequest) => SeenRequest): Bug =>
  bug(() => {
    const firsts = new Map<string, SeenRequest>();
    return async (request, ask) => {
      const first = firsts.get(request.path);
      if (!isUpload(request)) return ask(request);
      const reply = await ask(first === undefined ? request : again(request, first));
      if (reply.status === 201) firsts.set(request.path, request);
      return reply;
    };
  });

const uploadMutants = planted('uploads', followed(), {
  'exists: the file content is replaced with the request body.': {
    'replacing-keeps-the-old-bytes': remembering((request, first) =>
      request.body.length === 0 ? request : { ...request, body: first.body },
    ).seenBy(followed(['one', 'two'])),
  },
  'exists: the file content is replaced; `Content-type` is the MIME type of the file.': {
    'replacing-keeps-the-old-media-type': remembering((request, first) =>
      sending({ 'content-type': first.headers['content-type'] ?? '' })(request),
    ).seenBy(async (send) => {
      const path = madePath(await put(send, 'a text')) ?? '';
      await put(send, 'two', { ...headers, 'content-type': 'text/markdown' });
      return send('GET', `${path}?_format=json`, { as: 'editor' });
    }),
  },
  'An existing media is found by a lookup on the node and the media-use term. If found, the body replaces the file content.':
    {
      'replacing-makes-another-media': bug(() => {
        const made = new Map<string, string>();
        return async (request, ask) => {
          const before = isUpload(request) ? made.get(request.path) : undefined;
          if (before !== undefined) await ask({ ...reading(request, before), method: 'DELETE' });
          const reply = await ask(request);
          const path = madePath(reply);
          if (isUpload(request) && path !== undefined) made.set(request.path, path);
          return reply;
        };
      }).seenBy(followed(['one', 'two'])),
    },
  'The body is the content of the file.': {
    'a-byte-is-added': restored((bytes) => Buffer.concat([bytes, Buffer.from('\n')])),
    'the-last-byte-is-lost': restored((bytes) => bytes.subarray(0, Math.max(1, bytes.length - 1))),
  },
  'binary body.': {
    'bytes-are-read-as-text': restored((bytes) => Buffer.from(bytes.toString('utf8'), 'utf8')).seenBy(
      followed([Buffer.from([1, 0xff, 0xfe, 2])]),
    ),
  },
  'media_use_term_id: id of the media-use taxonomy term set on the media.': {
    'another-use-is-set': onRequest(isUpload)((request) => ({
      ...request,
      path: request.path.replace(/\d+$/, (term) => (term === '16' ? '17' : '16')),
    })),
  },
  'node_id: the node the media is linked to.': {
    'media-is-not-linked-to-the-node': bug(() => async (request, ask) => {
      const reply = await ask(request);
      const path = madePath(reply);
      if (!isUpload(request) || path === undefined) return reply;
      const changed = { bundle: [{ target_id: request.path.split('/')[4] }], field_media_of: [] };
      const place = set({ method: 'PATCH', path, query: '_format=json' });
      await ask(sendingJson(changed)(asJson(by('admin')(place(request)))));
      return reply;
    }),
  },
  '`Content-type`: MIME type of the file.': {
    'media-type-of-the-content-is-lost': onRequest(
      (request) => isUpload(request) && request.headers['content-type'] !== undefined,
    )(sending({ 'content-type': 'application/octet-stream' })),
  },
  'With scheme `public` the file is stored in local public storage at that path.': {
    'location-of-the-content-is-ignored': onRequest(
      (request) => isUpload(request) && /^\w+:\/\/(?!.*\.\.).+\/[^/]+$/.test(locationOf(request)),
    )(relocated((location) => location.replace(/^(\w+:\/\/).*\/(?=[^/]+$)/, '$1uploads/'))),
  },
  'With the external object-store scheme it is stored in the external store.': {
    'the-external-store-is-not-used': onRequest(isUpload)(
      relocated((location) => location.replace(/^fedora:/, 'public:')),
    ).seenBy(followed(['a text'], { ...headers, 'content-location': 'fedora://witness/a.txt' })),
  },
  'PUT: headers `Content-type` (MIME type of the file) and `Content-Location`.': {
    'upload-without-content-type-is-accepted': onRefusal(both(refusedUpload, lacks('content-type')))(
      sending({ 'content-type': 'application/octet-stream' }),
    ).seenBy(uploaded({ 'content-location': 'public://a.txt' })),
  },
  'PUT: headers `Content-type` and `Content-Location`.': {
    'upload-without-location-is-accepted': onRefusal(both(refusedUpload, lacks('content-location')))(
      relocated((_none, request) => `public://unnamed.${extensionFor(request)}`),
    ).seenBy(uploaded({ 'content-type': 'text/plain' })),
  },
  '`Content-Location` has the form `<scheme>://<path>`; a path may not lead out of the store.': {
    'upload-outside-of-the-store-is-accepted': onRefusal(
      both(sent('PUT', upload, 400, 422, 500), (request) => locationOf(request).includes('..')),
    )(relocated((location) => location.replaceAll('../', ''))).seenBy(
      uploaded({ ...headers, 'content-location': 'public://../../etc/a.txt' }),
    ),
  },
  'The extension is one that the media type takes: 400.': {
    'upload-of-other-types-of-files-is-accepted': onRefusal(
      both(refusedUpload, (_request, reply) => reply.body.includes('extension')),
    )(relocated((location, request) => `${location.replace(/\.\w*$/, '')}.${extensionFor(request)}`)).seenBy(
      uploaded({ ...headers, 'content-location': 'public://a.exe' }),
    ),
  },
  'An empty body: 400.': {
    'empty-uploads-are-accepted': onRefusal(both(refusedUpload, not(hasBody)))(
      sending({ 'content-length': '1' }),
      set({ body: Buffer.from('\n') }),
    ).seenBy(uploaded(headers, '')),
  },
  'The entity does not exist: 404.': {
    'upload-to-a-missing-node-answers-500': onReply(sent('PUT', upload, 404))(refusal(500, 'Error')).seenBy((send) =>
      put(send, 'a', headers, 999999),
    ),
  },
  '201; Location header gives the media: it can be read.': {
    'media-of-an-upload-is-hidden': onMadeAndLater(isUpload, (reply, request) =>
      request.method === 'GET' ? refusal(403, '')(reply) : reply,
    ),
  },
});

export const writeMutants = [...createMutants, ...patchMutants, ...inputMutants, ...uploadMutants];
