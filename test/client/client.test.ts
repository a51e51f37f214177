/** The client against a whole server: its methods, refusals and links. Uploads and authentication have files of their own. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  AtollError,
  basic,
  bodyOf,
  createClient,
  isAtollError,
  isRecord,
  linksNamed,
  plainOf,
  upload,
  type AtollClient,
  type components,
} from '../../src/client/client.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { createClock } from '../support/atoll.ts';

let server: TestServer;
let admin: AtollClient;
let visitor: AtollClient;
beforeAll(async () => {
  server = await startServer({ clock: createClock() });
  admin = createClient({ baseUrl: server.url, authentication: basic('admin', 'islandora') });
  visitor = createClient({ baseUrl: `${server.url}/` });
});
beforeEach(() => {
  server.answers.length = 0;
});
afterAll(async () => {
  await server.stop();
  expect(server.errors).toEqual([]);
});

/** A new node, as its address and its id. */
const newNode = async (title = 'Of the client'): Promise<number> => {
  const body = bodyOf('node', { type: 'islandora_object', title, field_model: 24 });
  const { data } = await admin.POST('/node', { body });
  return data.nid[0].value;
};

/** What a promise rejects with; it is a failure when it does not. */
const refusalOf = async (promise: Promise<unknown>): Promise<AtollError> => {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isAtollError(error)) throw new Error(`no refusal: ${String(error)}`);
  return error;
};

describe('a method of the client', () => {
  it('reads a record with 200, as JSON when no format is named', async () => {
    const { data, response } = await admin.GET('/node/{node_id}', { params: { path: { node_id: 3 } } });
    const title: string = data.title[0].value;
    expect([response.status, data.nid[0].value, title.length > 0]).toEqual([200, 3, true]);
  });

  it('reads the graph with 200 when it asks for JSON-LD, and its type says so', async () => {
    const { data } = await admin.GET('/node/{node_id}', {
      params: { path: { node_id: 3 }, query: { _format: 'jsonld' } },
    });
    const graph: components['schemas']['Graph'] = data;
    expect(graph['@graph'][0]['@id']).toContain(`${server.url}/node/3`);
  });

  it('creates with 201, changes with 200 and deletes with 204', async () => {
    const { data, response } = await admin.POST('/node', {
      body: bodyOf('node', { type: 'islandora_object', title: 'New', field_model: 24 }),
    });
    const params = { path: { node_id: data.nid[0].value } };
    expect([response.status, response.headers.get('Location')]).toEqual([
      201,
      `${server.url}/node/${params.path.node_id}`,
    ]);
    const changed = await admin.PATCH('/node/{node_id}', {
      params,
      body: bodyOf('node', { type: 'islandora_object', title: 'Newer' }),
    });
    expect([changed.response.status, changed.data.title[0].value]).toEqual([200, 'Newer']);
    const deleted = await admin.DELETE('/node/{node_id}', { params });
    expect([deleted.response.status, deleted.data]).toEqual([204, undefined]);
  });

  it('reads text as text, content as a Blob and headers alone with 200', async () => {
    const token: { data: string } = await visitor.GET('/session/token');
    expect(token.data).toMatch(/^[\w-]{20,}$/);
    const login: { data: '0' | '1' } = await visitor.GET('/user/login_status');
    expect(login.data).toBe('0');
    const head = await admin.HEAD('/node/{node_id}', { params: { path: { node_id: 3 } } });
    expect([head.data, linksNamed(head.links, 'canonical').length]).toEqual([undefined, 1]);
  });

  it('sends nothing that the caller did not name but the format', async () => {
    const seen: Request[] = [];
    const watched = createClient({
      baseUrl: server.url,
      fetch: (request) => {
        seen.push(request);
        return fetch(request);
      },
    });
    await watched.GET('/node/{node_id}', { params: { path: { node_id: 1 } } });
    expect(seen.map(({ url, credentials }) => [url, credentials])).toEqual([
      [`${server.url}/node/1?_format=json`, 'omit'],
    ]);
    expect([...(seen[0]?.headers ?? [])]).toEqual([]);
  });
});

describe('a refusal', () => {
  it('is thrown with status and message: 404, 401, 403, 422', async () => {
    const missing = await refusalOf(admin.GET('/node/{node_id}', { params: { path: { node_id: 999 } } }));
    expect(missing).toBeInstanceOf(AtollError);
    expect([missing.status, missing.message]).toEqual([
      404,
      'The "node" parameter was not converted for the path "/node/{node}" (route name: "rest.entity.node.GET")',
    ]);
    const body = bodyOf('node', { type: 'islandora_object', title: 'x', field_model: 24 });
    expect((await refusalOf(visitor.POST('/node', { body }))).status).toBe(401);
    const plain = createClient({ baseUrl: server.url, authentication: basic('plain', 'plain') });
    const denied = await refusalOf(plain.POST('/node', { body }));
    expect([denied.status, denied.message]).toEqual([403, 'HTTP 403']);
    const invalid = bodyOf('node', { type: 'islandora_object', title: 'x'.repeat(256), field_model: 24 });
    const judged = await refusalOf(admin.POST('/node', { body: invalid }));
    expect([judged.status, judged.message]).toEqual([422, expect.stringContaining('Title: may not be longer')]);
  });

  it('is known by its status, and a failed connection is none', async () => {
    const missing = await refusalOf(admin.GET('/media/{media_id}', { params: { path: { media_id: 999 } } }));
    expect([isAtollError(missing, 404), isAtollError(missing, 403), isAtollError(new Error('x'))]).toEqual([
      ...[true, false, false],
    ]);
    const nowhere = createClient({ baseUrl: 'http://localhost:9' });
    await expect(nowhere.GET('/node/{node_id}', { params: { path: { node_id: 1 } } })).rejects.not.toBeInstanceOf(
      AtollError,
    );
  });

  it('has a message also where the body of a 502 is no JSON', async () => {
    const proxied = createClient({
      baseUrl: server.url,
      fetch: () => Promise.resolve(new Response('<h1>Bad Gateway</h1>', { status: 502 })),
    });
    const refusal = await refusalOf(proxied.GET('/node/{node_id}', { params: { path: { node_id: 1 } } }));
    expect([refusal.status, refusal.message]).toEqual([502, 'HTTP 502']);
  });
});

describe('links', () => {
  it('lead from a node to its media, its file and back with 200', async () => {
    const node = await newNode();
    const body = new Blob(['A letter.'], { type: 'text/plain' });
    await upload(admin, { to: { node, mediaType: 'file', use: 16 }, body, location: 'public://client/letter.txt' });
    const read = await admin.GET('/node/{node_id}', { params: { path: { node_id: node } } });
    const media = await admin.follow(read, 'related', { title: 'Original File' });
    if (media === undefined || !isRecord('media', media.data)) throw new Error('no media');
    expect(plainOf(media.data).name).toBe('letter.txt');
    const file = await admin.follow(media, 'describes', { type: 'text/plain' });
    expect(await (file?.data as Blob).text()).toBe('A letter.');
    const back = await admin.follow(media, 'related', { title: 'Media of' });
    expect(isRecord('node', back?.data) && back.data.nid[0].value).toBe(node);
    const graph = await admin.follow(read, 'alternate', { type: 'application/ld+json' });
    expect(graph?.data).toHaveProperty('@graph');
  });

  it('that are not there lead to undefined, without a request', async () => {
    const read = await visitor.GET('/node/{node_id}', { params: { path: { node_id: 1 } } });
    server.answers.length = 0;
    expect(await visitor.follow(read, 'related', { title: 'Nobody' })).toBeUndefined();
    expect(server.answers).toEqual([]);
  });

  it('for which the header has no room are read from the linkset with 200', async () => {
    const parent = await newNode('Parent');
    const node = await newNode('With many parents');
    const others = await Promise.all(Array.from({ length: 70 }, (_, index) => newNode(`Parent ${index}`)));
    const last = others.at(-1) ?? parent;
    const params = { path: { node_id: node } };
    const body = bodyOf('node', { type: 'islandora_object', field_member_of: [parent, ...others] });
    await admin.PATCH('/node/{node_id}', { params, body });
    const read = await admin.GET('/node/{node_id}', { params });
    const all = await admin.allLinks(read);
    const isLast = ({ target }: { target: string }): boolean => target === `${server.url}/node/${last}`;
    expect([read.links.length <= 60, read.links.some(isLast)]).toEqual([true, false]);
    expect(linksNamed(all, 'related', { title: 'Member of' })).toHaveLength(71);
    expect(all.some(isLast)).toBe(true);
  });

  it('to other addresses are followed without credentials', async () => {
    const seen: { url: string; authorization: string | null }[] = [];
    const client = createClient({
      baseUrl: 'http://repository.test/base',
      authentication: basic('admin', 'islandora'),
      fetch: ({ url, headers }) => {
        seen.push({ url, authorization: headers.get('Authorization') });
        return Promise.resolve(Response.json({}));
      },
    });
    const targets = [
      ...['http://purl.org/x', 'http://repository.test/basement', 'http://repository.test/base/../x'],
      'http://repository.test/base/node/1',
    ];
    for (const target of targets) await client.open({ target, rel: 'related' });
    expect(seen).toEqual([
      { url: 'http://purl.org/x', authorization: null },
      { url: 'http://repository.test/basement', authorization: null },
      { url: 'http://repository.test/x', authorization: null },
      { url: 'http://repository.test/base/node/1?_format=json', authorization: expect.stringContaining('Basic ') },
    ]);
  });
});
