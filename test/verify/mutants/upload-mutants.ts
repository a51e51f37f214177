/** Planted bugs in the upload endpoint. */
import {
  asAccount,
  entityOf,
  media,
  mutantsOf,
  onRefusal,
  onReply,
  onRequest,
  sent,
  upload,
  valuesOf,
  withJson,
  withStatus,
  type Alteration,
  type SeenRequest,
  type Send,
  type Witness,
} from './mutant.ts';

const isUpload = ({ method, path }: SeenRequest): boolean => method === 'PUT' && upload.test(path);
const withHeaders = (request: SeenRequest, headers: Readonly<Record<string, string>>): SeenRequest => ({
  ...request,
  headers: { ...request.headers, ...headers },
});
const locationOf = ({ headers }: SeenRequest): string => headers['content-location'] ?? '';
const relocated = (change: (location: string) => string) => (request: SeenRequest) =>
  withHeaders(request, { 'content-location': change(locationOf(request)) });
const restored = (change: (body: Buffer) => Buffer): (() => Alteration) =>
  onRequest(isUpload, (request) => ({
    ...request,
    body: request.body.length === 0 ? request.body : change(request.body),
  }));

/** One that each media type takes. */
const extensions: Readonly<Record<string, string>> = { image: 'png', audio: 'mp3', video: 'mp4', file: 'txt' };
const extensionFor = ({ path }: SeenRequest): string => extensions[path.split('/')[4] ?? ''] ?? 'txt';

const path = '/node/22/media/file/16?_format=json';
const headers = { 'content-type': 'text/plain', 'content-location': 'public://witness/a.txt' };
const put = (send: Send, body: Buffer | string = 'a text', given: Readonly<Record<string, string>> = headers) =>
  send('PUT', path, { as: 'editor', body, headers: given });
const uploaded =
  (body?: Buffer | string, given?: Readonly<Record<string, string>>): Witness =>
  (send) =>
    put(send, body, given);
/** An upload, the media that came of it, its file and its bytes. */
const followed =
  (bodies: readonly (Buffer | string)[] = ['a text'], given: Readonly<Record<string, string>> = headers): Witness =>
  async (send) => {
    const answers = [];
    for (const body of bodies) answers.push(await put(send, body, given));
    const locations = answers.flatMap((answer) => valuesOf(answer, 'Location'));
    const record = await send(
      'GET',
      `${new URL(locations.at(-1) ?? 'http://localhost/node/1').pathname}?_format=json`,
      { as: 'editor' },
    );
    const [source] = entityOf(record)['field_media_file'] ?? [];
    const file = await send('GET', `/entity/file/${String(source?.['target_id'])}?_format=json`, { as: 'editor' });
    const [uri] = entityOf(file)['uri'] ?? [];
    return [
      answers,
      record,
      file,
      await send('GET', (uri as { url?: string } | undefined)?.url ?? '/', { as: 'editor' }),
    ];
  };

/** What the first upload to an address was. */
const remembering =
  (again: (request: SeenRequest, first: SeenRequest) => SeenRequest): (() => Alteration) =>
  () => {
    const firsts = new Map<string, SeenRequest>();
    return async (request, ask) => {
      const first = firsts.get(request.path);
      if (!isUpload(request)) return ask(request);
      const reply = await ask(first === undefined ? request : again(request, first));
      if (reply.status === 201) firsts.set(request.path, request);
      return reply;
    };
  };

export const uploadMutants = mutantsOf('uploads', [
  [
    'replacing-keeps-the-old-bytes',
    'exists: the file content is replaced with the request body.',
    remembering((request, first) => (request.body.length === 0 ? request : { ...request, body: first.body })),
    followed(['one', 'two']),
  ],
  [
    'replacing-keeps-the-old-media-type',
    'exists: the file content is replaced; `Content-type` is the MIME type of the file.',
    remembering((request, first) => withHeaders(request, { 'content-type': first.headers['content-type'] ?? '' })),
    async (send) => {
      const [, location = ''] = /(\/media\/\d+)$/.exec(valuesOf(await put(send), 'Location')[0] ?? '') ?? [];
      await put(send, 'two', { ...headers, 'content-type': 'text/markdown' });
      return send('GET', `${location}?_format=json`, { as: 'editor' });
    },
  ],
  [
    'replacing-makes-another-media',
    'An existing media is found by a lookup on the node and the media-use term. If found, the body replaces the file content.',
    () => {
      const made = new Map<string, string>();
      return async (request, ask) => {
        const before = made.get(request.path);
        if (isUpload(request) && before !== undefined) {
          const query = '_format=json';
          await ask({ ...asAccount(request, 'admin'), method: 'DELETE', path: before, query, body: Buffer.alloc(0) });
        }
        const reply = await ask(request);
        const [location] = valuesOf(reply, 'Location');
        if (isUpload(request) && location !== undefined) made.set(request.path, new URL(location).pathname);
        return reply;
      };
    },
    followed(['one', 'two']),
  ],
  [
    'a-byte-is-added',
    'The body is the content of the file.',
    restored((body) => Buffer.concat([body, Buffer.from('\n')])),
    followed(),
  ],
  [
    'the-last-byte-is-lost',
    'The body is the content of the file.',
    restored((body) => body.subarray(0, Math.max(1, body.length - 1))),
    followed(),
  ],
  [
    'bytes-are-read-as-text',
    'binary body.',
    restored((body) => Buffer.from(body.toString('utf8'), 'utf8')),
    followed([Buffer.from([1, 0xff, 0xfe, 2])]),
  ],
  [
    'another-use-is-set',
    'media_use_term_id: id of the media-use taxonomy term set on the media.',
    onRequest(isUpload, (request) => ({
      ...request,
      path: request.path.replace(/\d+$/, (term) => (term === '16' ? '17' : '16')),
    })),
    followed(),
  ],
  [
    'media-is-not-linked-to-the-node',
    'node_id: the node the media is linked to.',
    () => async (request, ask) => {
      const reply = await ask(request);
      const [location] = valuesOf(reply, 'Location');
      if (!isUpload(request) || location === undefined) return reply;
      const bundle = [{ target_id: request.path.split('/')[4] }];
      const changed = { bundle, field_media_of: [] };
      await ask({
        ...asAccount(withHeaders(request, { 'content-type': 'application/json' }), 'admin'),
        ...{ method: 'PATCH', path: new URL(location).pathname, query: '_format=json' },
        body: Buffer.from(JSON.stringify(changed)),
      }).then(({ status }) => status);
      return reply;
    },
    followed(),
  ],
  [
    'media-type-of-the-content-is-lost',
    '`Content-type`: MIME type of the file.',
    onRequest(
      (request) => isUpload(request) && request.headers['content-type'] !== undefined,
      (request) => withHeaders(request, { 'content-type': 'application/octet-stream' }),
    ),
    followed(),
  ],
  [
    'location-of-the-content-is-ignored',
    'With scheme `public` the file is stored in local public storage at that path.',
    onRequest(
      (request) =>
        isUpload(request) && /^\w+:\/\/.+\/[^/]+$/.test(locationOf(request)) && !locationOf(request).includes('..'),
      relocated((location) => location.replace(/^(\w+:\/\/).*\/(?=[^/]+$)/, '$1uploads/')),
    ),
    followed(),
  ],
  [
    'the-external-store-is-not-used',
    'With the external object-store scheme it is stored in the external store.',
    onRequest(
      isUpload,
      relocated((location) => location.replace(/^fedora:/, 'public:')),
    ),
    followed(['a text'], { ...headers, 'content-location': 'fedora://witness/a.txt' }),
  ],
  [
    'upload-without-content-type-is-accepted',
    'PUT: headers `Content-type` (MIME type of the file) and `Content-Location`.',
    onRefusal(
      (request, reply) => sent('PUT', upload, 400)(request, reply) && request.headers['content-type'] === undefined,
      (request) => withHeaders(request, { 'content-type': 'application/octet-stream' }),
    ),
    uploaded('a text', { 'content-location': 'public://a.txt' }),
  ],
  [
    'upload-without-location-is-accepted',
    'PUT: headers `Content-type` and `Content-Location`.',
    onRefusal(
      (request, reply) => sent('PUT', upload, 400)(request, reply) && request.headers['content-location'] === undefined,
      (request) => withHeaders(request, { 'content-location': `public://unnamed.${extensionFor(request)}` }),
    ),
    uploaded('a text', { 'content-type': 'text/plain' }),
  ],
  [
    'upload-outside-of-the-store-is-accepted',
    '`Content-Location` has the form `<scheme>://<path>`; a path may not lead out of the store.',
    onRefusal(
      (request, reply) => sent('PUT', upload, 400, 422, 500)(request, reply) && locationOf(request).includes('..'),
      relocated((location) => location.replaceAll('../', '')),
    ),
    uploaded('a text', { ...headers, 'content-location': 'public://../../etc/a.txt' }),
  ],
  [
    'upload-of-other-types-of-files-is-accepted',
    'The extension is one that the media type takes: 400.',
    onRefusal(
      (request, reply) => sent('PUT', upload, 400)(request, reply) && reply.body.includes('extension'),
      (request) => relocated((location) => `${location.replace(/\.\w*$/, '')}.${extensionFor(request)}`)(request),
    ),
    uploaded('a text', { ...headers, 'content-location': 'public://a.exe' }),
  ],
  [
    'empty-uploads-are-accepted',
    'An empty body: 400.',
    onRefusal(
      (request, reply) => sent('PUT', upload, 400)(request, reply) && request.body.length === 0,
      (request) => ({ ...withHeaders(request, { 'content-length': '1' }), body: Buffer.from('\n') }),
    ),
    uploaded(''),
  ],
  [
    'upload-to-a-missing-node-answers-500',
    'The entity does not exist: 404.',
    onReply(sent('PUT', upload, 404), (reply) => withStatus(withJson(reply, { message: 'Error' }), 500)),
    async (send) => send('PUT', '/node/999999/media/file/16?_format=json', { as: 'editor', body: 'a', headers }),
  ],
  [
    'media-of-an-upload-is-hidden',
    '201; Location header gives the media: it can be read.',
    () => {
      const made = new Set<string>();
      return async (request, ask) => {
        const reply = await ask(request);
        const [location] = valuesOf(reply, 'Location');
        if (isUpload(request) && location !== undefined) made.add(new URL(location).pathname);
        return media.test(request.path) && made.has(request.path) && request.method === 'GET'
          ? withStatus(withJson(reply, { message: '' }), 403)
          : reply;
      };
    },
    followed(),
  ],
]);
