/** Statuses of the document that no other test meets: a store that fails, a body that stalls, sizes beyond the limits, HEAD. */
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readContract } from '../../../src/server/sources/read-document.ts';
import type { World } from '../../../src/core/world.ts';
import { createTestAtoll, root, type TestAtoll } from '../../support/atoll.ts';
import { pngBytes } from '../../support/png.ts';
import { anonymous, basic, bodyOf, cookie, sendJson, visit } from '../../support/requests.ts';
import { type Served, serveOnPort } from '../../support/server.ts';
import { outOfSpace, unavailable } from '../../../src/openapi/openapi-terms.ts';
import type { Entity } from '../../../src/openapi/openapi-records.ts';

let atoll: TestAtoll;
const admin = basic('admin');

beforeAll(async () => {
  atoll = await createTestAtoll({
    site: (site) => ({
      ...site,
      maxJsonBytes: 2000,
      maxUploadBytes: 2000,
      uploads: { ...site.uploads, idleSeconds: 0.02, minBytesPerSecond: 0 },
    }),
  });
});
/** The one that the addresses name. */
const alias: Entity = {
  ...{ type: 'path_alias', bundle: 'path_alias', id: 1, uuid: '5b1f7c5e-6a52-4f83-8c4b-0d6f1a2b3c1d' },
  fields: {
    ...{ revision_id: [{ value: 1 }], langcode: [{ value: 'und' }], status: [{ value: true }] },
    ...{ path: [{ value: '/node/5' }], alias: [{ value: '/every' }] },
  },
};
beforeEach(async () => {
  const { store } = await atoll.reset();
  await store.transact([], () => ({ changes: [{ put: alias }], result: undefined }));
});

type Described = { id: string; method: string; path: string; statuses: string[] };
type Item = Record<string, { operationId?: string; responses: Record<string, unknown> }>;
/** Every operation of the document. */
const operations: Described[] = Object.entries(
  (await readContract(join(root, 'openapi.yaml'))).paths as unknown as Record<string, Item>, // checked by its own tests
).flatMap(([path, item]) =>
  Object.entries(item).flatMap(([method, { operationId: id, responses }]) =>
    id === undefined ? [] : [{ id, method, path, statuses: Object.keys(responses) }],
  ),
);
const having = (status: string): [string, Described][] =>
  operations.filter(({ statuses }) => statuses.includes(status)).map((operation) => [operation.id, operation]);

const parameters: Readonly<Record<string, string>> = {
  node_id: '5',
  media_id: '1',
  file_id: '1',
  term_id: '24',
  user_id: '2',
  path_alias_id: '1',
  redirect_id: '1',
  media_type: 'image',
  media_use_term_id: '17',
  entity_type: 'media',
  entity_type_id: 'media',
  bundle: 'image',
  field_name: 'field_media_image',
  form_display_id: 'media.image.default',
  field_config_id: 'media.image.field_media_image',
  field_storage_config_id: 'media.field_media_image',
  media_type_id: 'image',
  node_type_id: 'islandora_object',
  vocabulary_id: 'person',
};
const addressOf = ({ path }: Described): string =>
  path.replace(/\{(\w+)\}/g, (_all, name: string) => parameters[name] ?? '2019-03/5-Service%20File.jpg');

const islandoraObject = [{ target_id: 'islandora_object' }];
const bodies: Readonly<Record<string, unknown>> = {
  createNode: { type: islandoraObject, title: [{ value: 'T' }], field_model: [{ target_id: 22 }] },
  createFile: {},
  updateNode: { type: islandoraObject, title: [{ value: 'T' }] },
  updateMedia: { bundle: [{ target_id: 'image' }], name: [{ value: 'n' }] },
  createMedia: {
    bundle: [{ target_id: 'image' }],
    name: [{ value: 'n' }],
    field_media_image: [{ target_id: 2, alt: 'a' }],
  },
  updateMediaByEditPath: { bundle: [{ target_id: 'image' }], name: [{ value: 'n' }] },
  updateTerm: { vid: [{ target_id: 'islandora_models' }], name: [{ value: 'n' }] },
  createPathAlias: { path: [{ value: '/node/5' }], alias: [{ value: '/a' }] },
  updatePathAlias: { alias: [{ value: '/b' }] },
  createRedirect: {
    type: [{ value: 'redirect' }],
    redirect_source: [{ path: 'a' }],
    redirect_redirect: [{ uri: 'internal:/' }],
  },
  createTerm: { vid: [{ target_id: 'subject' }], name: [{ value: 'n' }] },
  login: { name: 'viewer', pass: 'viewer' },
};

/** Without it the page of the term takes the request. */
const needsFormat = (id: string): boolean => id === 'updateTerm' || id === 'deleteTerm';

/** A request that would do what the operation does, as the administrator. */
const ask = (operation: Described, visitor = admin) => {
  const { id, method } = operation;
  const url = addressOf(operation);
  const formatted = ['get', 'head'].includes(method) || needsFormat(id) ? `${url}?_format=json` : url;
  if (id in bodies) return sendJson(atoll, visitor, method, formatted, bodies[id]);
  const request = visit(atoll, visitor, method, formatted);
  if (method === 'put') {
    return request.set({ 'Content-Type': 'image/png', 'Content-Location': 'public://every.png' }).send(pngBytes());
  }
  if (method === 'post' && id !== 'logout') {
    return request
      .set({ 'Content-Type': 'application/octet-stream', 'Content-Disposition': 'file; filename="every.png"' })
      .send(pngBytes());
  }
  return request;
};

const failingReads = (world: World, error: Error): void => {
  world.store.getMany = () => Promise.reject(error);
  world.store.lookupMany = () => Promise.reject(error);
  // A store far away: nothing is at hand.
  Object.assign(world.store, { present: undefined });
};

describe('a store that cannot be read', () => {
  it.each(having('500'))('%s is 500, without a word about why', async (id, operation) => {
    failingReads(atoll.world(), new Error('the secret of the disk'));
    const response = await ask(operation);
    expect(response.status).toBe(500);
    expect(response.type).toBe('application/json');
    if (operation.method !== 'head') {
      expect(response.body).toEqual({ message: 'The website encountered an unexpected error. Try again later.' });
    }
    expect(atoll.events.filter(({ kind }) => kind === 'failed').length).toBeGreaterThan(0);
    expect(id).toBe(operation.id);
  });

  it.each(having('503'))('%s is 503 when it says that it is busy', async (_id, operation) => {
    failingReads(atoll.world(), unavailable('Too many logins at once. Try again later.'));
    const response = await ask(operation);
    expect(response.status).toBe(503);
    if (operation.method !== 'head') {
      expect(response.body).toEqual({ message: 'Too many logins at once. Try again later.' });
    }
  });
});

describe('a store that cannot be written', () => {
  it.each(having('507'))('%s is 507 where there is no space, and 503 where writing is off', async (_id, operation) => {
    const world = atoll.world();
    world.store.transact = () => Promise.reject(outOfSpace());
    const full = await ask(operation);
    expect([full.status, full.body]).toEqual([507, { message: 'There is no space left to store this.' }]);
    world.store.transact = () => Promise.reject(unavailable('Writing is off since a sync failed; it needs a restart.'));
    expect((await ask(operation)).status).toBe(503);
    expect((await atoll.send('GET', '/node/5?_format=json')).status).toBe(200);
  });
});

describe('a body that is too large', () => {
  it.each(having('413'))('%s is 413', async (id, operation) => {
    const address = `${addressOf(operation)}${needsFormat(id) ? '?_format=json' : ''}`;
    const request = visit(atoll, id === 'login' ? anonymous : admin, operation.method, address);
    const isJson = id in bodies;
    const type = isJson ? 'application/json' : operation.method === 'put' ? 'image/png' : 'application/octet-stream';
    const response = await request
      .set({
        'Content-Type': type,
        ...(operation.method === 'put' ? { 'Content-Location': 'public://big.png' } : {}),
        ...(isJson ? {} : { 'Content-Disposition': 'file; filename="big.png"' }),
      })
      .send(' '.repeat(2001));
    expect([response.status, response.body]).toEqual([413, { message: 'The request body is larger than 2000 bytes.' }]);
  });
});

describe('a body that stops arriving', () => {
  let served: Served;
  beforeAll(async () => {
    served = await serveOnPort(atoll);
  });
  afterAll(() => served.stop());

  /** The head and the first byte, and then nothing. */
  const stall = ({ id, method, ...operation }: Described): Promise<{ status: number; body: string }> => {
    const headers = {
      ...(id === 'login' ? {} : admin.headers),
      'Content-Type': id in bodies ? 'application/json' : method === 'put' ? 'image/png' : 'application/octet-stream',
      'Content-Length': '100',
      ...(method === 'put' ? { 'Content-Location': 'public://slow.png' } : {}),
      ...(id in bodies ? {} : { 'Content-Disposition': 'file; filename="slow.png"' }),
    };
    return new Promise((resolve, reject) => {
      const path = addressOf({ id, method, ...operation });
      const sent = httpRequest({
        port: served.port,
        host: '127.0.0.1',
        method: method.toUpperCase(),
        path,
        headers,
        agent: false,
      });
      sent.on('response', (response) => {
        let body = '';
        response.on('data', (piece: Buffer) => (body += piece.toString()));
        response.on('end', () => {
          sent.destroy();
          resolve({ status: response.statusCode ?? 0, body });
        });
      });
      sent.on('error', reject);
      sent.write('{');
    });
  };

  it.each(having('408'))('%s is 408, and stores nothing', async (_id, operation) => {
    const { status, body } = await stall(operation);
    expect(status).toBe(408);
    expect(JSON.parse(body)).toMatchObject({ message: expect.stringContaining('no progress') });
    const { total } = await atoll.world().store.list('file', { offset: 0, limit: 1 });
    expect(total).toBe(66);
  });
});

describe('what else the document says', () => {
  const rows: [string, string, string | undefined, number][] = [
    ['HEAD', '/node/21?_format=json', 'plain', 403],
    ['HEAD', '/node/21?_format=json', undefined, 401],
    ['HEAD', '/media/1?_format=json', 'plain', 403],
    ['HEAD', '/media/999?_format=json', undefined, 404],
    ['HEAD', '/entity/file/1?_format=json', 'plain', 403],
    ['HEAD', '/entity/file/1?_format=json', undefined, 401],
    ['HEAD', '/entity/file/999?_format=json', undefined, 404],
    ['HEAD', '/taxonomy/term/999?_format=json', undefined, 404],
    ['HEAD', '/user/2?_format=json', undefined, 401],
    ['HEAD', '/user/2?_format=json', 'plain', 403],
    ['HEAD', '/user/999?_format=json', undefined, 404],
    ['HEAD', '/jwt/token?_format=json', undefined, 401],
    ['GET', '/_flysystem/fedora/nothing', 'editor', 404],
    ['HEAD', '/_flysystem/fedora/nothing', 'editor', 404],
    ['HEAD', '/_flysystem/fedora/2019-03/fleet-at-anchor.png', undefined, 401],
    ['HEAD', '/_flysystem/fedora/2019-03/fleet-at-anchor.png', 'plain', 403],
    ['GET', '/sites/default/files/nothing', undefined, 404],
    ['HEAD', '/sites/default/files/nothing', undefined, 404],
    ['PUT', '/media/999/source', 'editor', 404],
    ...['/node/5', '/media/1', '/entity/file/1', '/taxonomy/term/24', '/user/2'].map(
      (path): [string, string, string | undefined, number] => ['HEAD', `${path}?_format=foo`, 'editor', 406],
    ),
    ...['/jwt/token', '/user/login_status'].map((path): [string, string, string | undefined, number] => [
      'HEAD',
      `${path}?_format=jsonld`,
      'editor',
      406,
    ]),
    ...['/entity/file/1', '/media/1', '/node/5'].map((path): [string, string, string | undefined, number] => [
      'DELETE',
      `${path}?_format=jsonld`,
      'editor',
      406,
    ]),
  ];
  it.each(rows)('%s %s as %s is %i', async (method, path, name, status) => {
    expect((await visit(atoll, name === undefined ? anonymous : basic(name), method, path)).status).toBe(status);
  });

  it('content of the guarded scheme has ranges and conditions as the other has', async () => {
    const path = '/_flysystem/fedora/2019-03/fleet-at-anchor.png';
    const { headers } = await visit(atoll, admin, 'GET', path);
    const asked = (method: string, sent: Record<string, string>) => visit(atoll, admin, method, path).set(sent);
    expect((await asked('GET', { Range: 'bytes=0-3' })).status).toBe(206);
    expect((await asked('GET', { Range: 'bytes=999999-' })).status).toBe(416);
    for (const method of ['GET', 'HEAD']) {
      expect((await asked(method, { 'If-None-Match': String(headers['etag']) })).status).toBe(304);
    }
  });

  it('a term that is not published is kept from those who may not administer terms', async () => {
    const { store } = atoll.world();
    const [term] = await store.getMany(['taxonomy_term:24']);
    if (term === undefined) throw new Error('the default site has term 24');
    const hidden = { ...term, fields: { ...term.fields, status: [{ value: false }] } };
    await store.transact([], () => ({ changes: [{ put: hidden }], result: undefined }));
    for (const method of ['GET', 'HEAD']) {
      const path = '/taxonomy/term/24?_format=json';
      expect((await visit(atoll, anonymous, method, path)).status).toBe(401);
      expect((await visit(atoll, basic('plain'), method, path)).status).toBe(403);
      expect((await visit(atoll, admin, method, path)).status).toBe(200);
    }
  });

  it('a token is had by nobody with wrong credentials: 403, for HEAD too', async () => {
    for (const method of ['GET', 'HEAD']) {
      expect((await visit(atoll, basic('viewer', 'wrong'), method, '/jwt/token?_format=json')).status).toBe(403);
    }
  });

  it('a UUID that is taken is 409', async () => {
    const body = await bodyOf(visit(atoll, admin, 'GET', '/node/5?_format=json'));
    const { uuid } = body as { uuid: unknown }; // a record
    const node = { ...(bodies['createNode'] as object), uuid }; // made above
    const response = await sendJson(atoll, admin, 'POST', '/node?_format=json', node);
    expect(response.status).toBe(409);
  });

  it('a media of the wrong shape is 422, unreadable JSON 400', async () => {
    const path = '/media/1?_format=json';
    expect((await sendJson(atoll, admin, 'PATCH', path, { name: [{ value: 'n' }] })).status).toBe(422);
    expect((await sendJson(atoll, admin, 'PATCH', path, '{')).status).toBe(400);
  });

  it('a session ends with its own logout token: 204, and 403 with another or none', async () => {
    const login = await sendJson(atoll, anonymous, 'POST', '/user/login?_format=json', {
      name: 'viewer',
      pass: 'viewer',
    });
    expect(login.status).toBe(200);
    const { logout_token: token } = login.body as { logout_token: string }; // checked against the document by the engine
    const [set = ''] = login.get('Set-Cookie') ?? [];
    const viewer = { label: 'viewer', name: 'viewer', headers: { Cookie: set.split(';')[0] ?? '' } };
    const status = () => visit(atoll, viewer, 'GET', '/user/login_status?_format=json');
    for (const query of ['', '&token=wrong']) {
      expect((await visit(atoll, viewer, 'POST', `/user/logout?_format=json${query}`)).status).toBe(403);
    }
    expect((await status()).text).toBe('1');
    expect((await visit(atoll, viewer, 'POST', `/user/logout?_format=json&token=${token}`)).status).toBe(204);
    expect((await status()).text).toBe('0');
  });

  it('a login without _format is 200 with a page, and opens no session', async () => {
    const response = await sendJson(atoll, anonymous, 'POST', '/user/login', bodies['login']);
    expect([response.status, response.headers['content-type']]).toEqual([200, 'text/html; charset=UTF-8']);
    expect(response.text).toMatch(/<title>Log in \| Contract Site<\/title>/);
    expect(response.headers).not.toHaveProperty('set-cookie');
  });

  it('an account is shown with its links, and whole to administrators only', async () => {
    const read = async (name: string) => {
      const response = await visit(atoll, basic(name), 'GET', '/user/2?_format=json');
      return { members: Object.keys(response.body as object), links: String(response.headers['link']) };
    };
    const [editor, viewer, whole] = [await read('editor'), await read('viewer'), await read('admin')];
    expect([editor.members.length, viewer.members.length, whole.members.length]).toEqual([11, 7, 16]);
    expect(whole.members).toContain('roles');
    for (const { links } of [editor, viewer, whole]) expect(links).toContain('/user/2>; rel="canonical"');
  });

  it('a login is 400 when it is wrong or unreadable, and 403 for those who are logged in', async () => {
    const path = '/user/login?_format=json';
    const wrong = { name: 'viewer', pass: 'wrong' };
    expect((await sendJson(atoll, anonymous, 'POST', path, wrong)).status).toBe(400);
    expect((await sendJson(atoll, anonymous, 'POST', path, 'name=viewer')).body).toEqual({ message: 'Syntax error' });
    expect((await sendJson(atoll, await cookie(atoll, 'viewer'), 'POST', path, bodies['login'])).status).toBe(403);
  });
});
