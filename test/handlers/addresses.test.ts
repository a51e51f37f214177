/** URL aliases and redirects as records, beyond the contract: made, read, and followed. */
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { systemIds } from '../../src/server/server.ts';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';
import { messageOf } from '../support/requests.ts';

const atoll = await createTestAtoll();
beforeEach(() => atoll.reset());

const post = (path: string, body: object, as: string | undefined = 'admin', on: TestAtoll = atoll) =>
  on.send('POST', `${path}?_format=json`, as).set('Content-Type', 'application/json').send(JSON.stringify(body));
const get = (path: string, as = 'admin', on: TestAtoll = atoll) => on.send('GET', path, as);

const aliasOf = (path: string, alias: string) => ({ path: [{ value: path }], alias: [{ value: alias }] });
const letters = aliasOf('/node/5', '/letters/from-riel');
const makeAlias = (body: object = letters, as?: string) => post('/entity/path_alias', body, as);

describe('An alias', () => {
  it('is 404 before, and leads to the record afterwards, with each method and format', async () => {
    expect((await get('/letters/from-riel?_format=json')).status).toBe(404);
    const created = await makeAlias().expect(201);
    expect(created.headers).not.toHaveProperty('location');
    expect(created.body).toEqual({
      id: [{ value: 1 }],
      uuid: [{ value: expect.stringMatching(/^[0-9a-f-]{36}$/) }],
      revision_id: [{ value: 1 }],
      langcode: [{ value: 'und' }],
      path: [{ value: '/node/5' }],
      alias: [{ value: '/letters/from-riel' }],
      status: [{ value: true }],
    });
    for (const path of ['/letters/from-riel', '/letters/from%2Driel']) {
      expect((await get(`${path}?_format=json`)).body).toMatchObject({ nid: [{ value: 5 }] });
      expect((await atoll.send('HEAD', path, 'admin')).status).toBe(
        (await atoll.send('HEAD', '/node/5', 'admin')).status,
      );
    }
    expect((await get('/letters/from-riel?_format=jsonld')).type).toBe('application/ld+json');
    expect((await get('/entity/path_alias/1?_format=json').expect(200)).body).toEqual(created.body);
    expect((await atoll.send('HEAD', '/entity/path_alias/1?_format=json', 'admin')).status).toBe(200);
  });

  it('goes with its record, and its number is not given again', async () => {
    await makeAlias().expect(201);
    await atoll.send('DELETE', '/node/5', 'admin').expect(204);
    expect((await get('/letters/from-riel?_format=json')).status).toBe(404);
    expect((await get('/entity/path_alias/1?_format=json')).status).toBe(404);
    const again = await makeAlias(aliasOf('/taxonomy/term/24', '/models/image')).expect(201);
    expect(again.body).toMatchObject({ id: [{ value: 2 }] });
    expect((await get('/models/image?_format=json')).body).toMatchObject({ tid: [{ value: 24 }] });
  });

  it('is found in any case and with a slash at its end, and taken in any case, as on a real site', async () => {
    await makeAlias().expect(201);
    for (const path of ['/LETTERS/From-Riel', '/letters/from-riel/', '/Letters/from-riel/']) {
      expect((await get(`${path}?_format=json`).expect(200)).body).toMatchObject({ nid: [{ value: 5 }] });
    }
    expect(messageOf(await makeAlias(aliasOf('/node/1', '/Letters/From-Riel')).expect(422))).toContain(
      '\n: The alias /Letters/From-Riel could not be added because it is already in use in this language with different capitalization: /letters/from-riel.',
    );
  });

  it('may be made again for its path, and for another path in a language, which goes before that of none', async () => {
    await makeAlias().expect(201);
    await makeAlias().expect(201);
    await makeAlias({ ...aliasOf('/node/1', '/letters/from-riel'), langcode: [{ value: 'en' }] }).expect(201);
    await makeAlias().expect(201);
    expect((await get('/letters/from-riel?_format=json').expect(200)).body).toMatchObject({ nid: [{ value: 1 }] });
  });

  it('that is not published leads nowhere', async () => {
    await makeAlias({ ...letters, status: [{ value: false }] }).expect(201);
    expect((await get('/letters/from-riel?_format=json')).status).toBe(404);
    await makeAlias().expect(201);
  });

  it.each([
    [
      'no such record',
      aliasOf('/node/9999', '/a'),
      "path.0.value: Either the path '/node/9999' is invalid or you do not",
    ],
    ['no record at all', aliasOf('/user/login', '/a'), 'path.0.value: Either the path'],
    [
      'a source without a slash',
      aliasOf('node/5', '/a'),
      'failed.\npath.0.value: The source path has to start with a slash.',
    ],
    ['an alias without a slash', aliasOf('/node/5', 'a'), 'alias.0.value: The alias path has to start with a slash.'],
    ['an alias of slashes', aliasOf('/node/5', '//'), 'alias.0.value: The alias path has to start with a slash.'],
    ['no alias', { path: [{ value: '/node/5' }] }, 'alias: This value should not be null.'],
    [
      'an alias that is taken',
      aliasOf('/node/1', ' /letters/from-riel/ '),
      'validation failed.\n: The alias /letters/from-riel is already in use in this language.',
    ],
    [
      'a number for a path',
      { path: [{ value: 5 }], alias: [{ value: '/a' }] },
      "path.0.value: Either the path '5' is invalid or you do not have access to it.\npath.0.value: The source path has",
    ],
    [
      'a field of another type',
      { ...letters, title: [{ value: 'a' }] },
      'title: This field does not exist on path_alias.',
    ],
  ])('is refused with %s', async (_what, body, message) => {
    await makeAlias().expect(201);
    const refused = await makeAlias(body).expect(422);
    expect(messageOf(refused)).toContain(message);
  });

  it('needs the permission, and so does reading it', async () => {
    const needed = "The 'administer url aliases' permission is required.";
    expect((await makeAlias(letters, undefined)).status).toBe(201);
    expect(messageOf(await makeAlias(letters, 'editor').expect(403))).toBe(needed);
    expect(
      (await atoll.send('POST', '/entity/path_alias?_format=json').set('Content-Type', 'application/json').send('{}'))
        .status,
    ).toBe(401);
    expect(messageOf(await get('/entity/path_alias/1?_format=json', 'editor').expect(403))).toBe(needed);
    expect((await atoll.send('GET', '/entity/path_alias/1?_format=json')).status).toBe(401);
    expect(messageOf(await get('/entity/path_alias/2?_format=json').expect(404))).toContain(
      'rest.entity.path_alias.GET',
    );
  });
});

const change = (path: string, body: object | undefined, as = 'admin') =>
  body === undefined
    ? atoll.send('DELETE', `${path}?_format=json`, as)
    : atoll
        .send('PATCH', `${path}?_format=json`, as)
        .set('Content-Type', 'application/json')
        .send(JSON.stringify(body));

describe('An alias that is changed', () => {
  const first = '/entity/path_alias/1';

  it('leads from its new text, to its new record, or nowhere: 200 with all of it', async () => {
    const made = (await makeAlias().expect(201)).body as object;
    const changed = await change(first, { alias: [{ value: '/letters/riel/' }] }).expect(200);
    expect(changed.body).toEqual({ ...made, alias: [{ value: '/letters/riel' }] });
    expect((await get('/letters/from-riel?_format=json')).status).toBe(404);
    expect((await get('/letters/riel?_format=json').expect(200)).body).toMatchObject({ nid: [{ value: 5 }] });
    await change(first, { path: [{ value: '/node/1' }] }).expect(200);
    expect((await get('/letters/riel?_format=json').expect(200)).body).toMatchObject({ nid: [{ value: 1 }] });
    await change(first, { status: [{ value: false }] }).expect(200);
    expect((await get('/letters/riel?_format=json')).status).toBe(404);
    expect((await change(first, {}).expect(200)).body).toMatchObject({ status: [{ value: false }] });
  });

  it.each([
    ['422', { alias: [{ value: 'riel' }] }, 'alias.0.value: The alias path has to start with a slash.'],
    ['422', { path: [{ value: 'node/5' }] }, 'path.0.value: The source path has to start with a slash.'],
    ['422', { path: [{ value: '/node/9999' }] }, "path.0.value: Either the path '/node/9999' is invalid"],
    ['422', { alias: [] }, 'alias: This value should not be null.'],
    ['422', { alias: [{ value: '/taken' }] }, '\n: The alias /taken is already in use in this language.'],
    ['422', { langcode: [{ value: 'xx' }] }, 'langcode.0'],
    [
      '403',
      { uuid: [{ value: '5b1f7c5e-6a52-4f83-8c4b-0d6f1a2b3c4d' }] },
      "Access denied on updating field 'uuid'. The entity UUID cannot be changed.",
    ],
    ['403', { id: [{ value: 7 }] }, "Access denied on updating field 'id'. The entity ID cannot be changed."],
  ])('is refused: %s for %j', async (status, body, message) => {
    await makeAlias().expect(201);
    await makeAlias(aliasOf('/node/1', '/taken')).expect(201);
    expect(messageOf(await change(first, body).expect(Number(status)))).toContain(message);
    expect((await get('/letters/from-riel?_format=json')).status).toBe(200);
  });

  it('is JSON: 400 for what is none, 415 for another type, 406 for another format, which deletes nothing either', async () => {
    await makeAlias().expect(201);
    const send = (method: string, format: string, type: string) => {
      const sent = atoll.send(method, `${first}?_format=${format}`, 'admin').set('Content-Type', type);
      return method === 'DELETE' ? sent : sent.send('{');
    };
    expect((await send('PATCH', 'json', 'application/json')).status).toBe(400);
    expect((await send('PATCH', 'json', 'text/plain')).status).toBe(415);
    expect((await send('PATCH', 'jsonld', 'application/json')).status).toBe(406);
    expect((await send('DELETE', 'jsonld', 'application/json')).status).toBe(406);
    expect((await get('/letters/from-riel?_format=json')).status).toBe(200);
  });

  it('or deleted needs the permission, and has to be there', async () => {
    await makeAlias().expect(201);
    for (const body of [{ alias: [{ value: '/b' }] }, undefined]) {
      expect(messageOf(await change(first, body, 'editor').expect(403))).toBe(
        "The 'administer url aliases' permission is required.",
      );
      expect(messageOf(await change('/entity/path_alias/9', body).expect(404))).toContain(
        `rest.entity.path_alias.${body === undefined ? 'DELETE' : 'PATCH'}`,
      );
    }
  });
});

const redirectOf = (path: string, uri: string, others: object = {}) => ({
  type: [{ value: 'redirect' }],
  redirect_source: [{ path }],
  redirect_redirect: [{ uri }],
  ...others,
});
const makeRedirect = (body: object, as?: string) => post('/entity/redirect', body, as);

describe('A redirect', () => {
  it('is asked for with HEAD, which is 405, and made with POST', async () => {
    const asked = await atoll.send('HEAD', '/entity/redirect?_format=json', 'admin');
    expect([asked.status, asked.headers['allow']]).toEqual([405, 'POST']);
    const created = await makeRedirect(redirectOf('old-letters', 'internal:/node/5')).expect(201);
    expect(created.headers['location']).toBe('http://localhost:8000/admin/config/search/redirect/edit/1');
    expect(created.body).toEqual({
      enabled: [{ value: true }],
      rid: [{ value: 1 }],
      uuid: [{ value: expect.any(String) }],
      hash: [{ value: 'iHQWjjnbU5FnzHY0VNHpXktSdZmpJr9lXKqax6luDjM' }],
      type: [{ value: 'redirect' }],
      uid: [expect.objectContaining({ target_id: 1, target_type: 'user', url: '/user/1' })],
      redirect_source: [{ path: 'old-letters', query: [] }],
      redirect_redirect: [{ uri: 'internal:/node/5', title: null, options: [] }],
      language: [{ value: 'en' }],
      status_code: [{ value: 301 }],
      created: [{ value: expect.any(String), format: 'Y-m-d\\TH:i:sP' }],
    });
    const path = '/admin/config/search/redirect/edit/1?_format=json';
    expect((await get(path).expect(200)).body).toEqual(created.body);
    expect((await atoll.send('HEAD', path, 'admin')).status).toBe(200);
  });

  it('answers GET and HEAD with the address, and the query goes along', async () => {
    expect((await get('/old-letters')).status).toBe(404);
    await makeRedirect(redirectOf('old-letters', 'internal:/node/5', { status_code: [{ value: 302 }] })).expect(201);
    for (const path of ['/old-letters', '/Old-Letters/']) {
      const answer = await atoll.send('GET', `${path}?_format=json`);
      expect([answer.status, answer.headers['location'], answer.headers['x-redirect-id']]).toEqual([
        302,
        'http://localhost:8000/node/5?_format=json',
        '1',
      ]);
      expect([answer.type, answer.text]).toEqual(['text/html', expect.stringContaining('/node/5?_format=json')]);
    }
    const head = await atoll.send('HEAD', '/old-letters');
    expect([head.status, head.headers['location']]).toEqual([302, 'http://localhost:8000/node/5']);
    expect((await post('/old-letters', {})).status).toBe(404);
  });

  it('goes before a page of the site, and leads to what has an alias by its alias', async () => {
    await makeRedirect(redirectOf('node/1', 'entity:node/5')).expect(201);
    expect((await get('/node/1?_format=json')).headers['location']).toBe('http://localhost:8000/node/5?_format=json');
    await makeRedirect(redirectOf('models', 'entity:taxonomy_term/24?a=1#top')).expect(201);
    expect((await get('/models?a=2&b=3')).headers['location']).toBe(
      'http://localhost:8000/taxonomy/term/24?a=1&b=3#top',
    );
  });

  it.each([
    ['https://example.org/a?b=c', 'https://example.org/a?b=c&x=1'],
    ['internal:/old\r\nSet-Cookie: a=b', 'http://localhost:8000/old%0D%0ASet-Cookie:%20a=b?x=1'],
    ['route:<front>', 'http://localhost:8000/?x=1'],
    ['internal:#part', 'http://localhost:8000/?x=1#part'],
  ])('leads to %j', async (uri, location) => {
    await makeRedirect(redirectOf('away', uri)).expect(201);
    expect((await get('/away?x=1')).headers['location']).toBe(location);
  });

  it('may ask for a query, and goes before one without', async () => {
    await makeRedirect(redirectOf('search', 'internal:/node/1')).expect(201);
    const source = { redirect_source: [{ path: 'search', query: { page: '2' } }] };
    const created = await makeRedirect({ ...redirectOf('search', 'internal:/node/2'), ...source }).expect(201);
    expect(created.body).toMatchObject({ redirect_source: [{ path: 'search', query: { page: '2' } }] });
    expect((await get('/search?page=2')).headers['location']).toBe('http://localhost:8000/node/2?page=2');
    expect((await get('/search?page=3')).headers['location']).toBe('http://localhost:8000/node/1?page=3');
  });

  it.each([[{ page: '2' }], [['2']], [[]]])('shows the query %j so that it can be sent again', async (query) => {
    const source = { redirect_source: [{ path: 'search', query }] };
    const created = await makeRedirect({ ...redirectOf('search', 'internal:/node/2'), ...source }).expect(201);
    const shown = (created.body as typeof source).redirect_source; // a redirect, checked by the engine
    expect(shown).toEqual(source.redirect_source);
    const again = { ...redirectOf('', 'internal:/node/1', { language: [{ value: 'und' }] }), redirect_source: shown };
    expect((await makeRedirect(again).expect(201)).body).toMatchObject(source);
  });

  it('takes the places of a list for the names of a query', async () => {
    const source = { redirect_source: [{ path: 'search', query: ['2'] }] };
    await makeRedirect({ ...redirectOf('search', 'internal:/node/2'), ...source }).expect(201);
    expect((await get('/search?0=2')).headers['location']).toBe('http://localhost:8000/node/2?0=2');
    expect((await get('/search')).status).toBe(404);
  });

  it('leads to the end of a chain, and a circle is 503', async () => {
    await makeRedirect(redirectOf('first', 'internal:/second')).expect(201);
    await makeRedirect(redirectOf('second', 'internal:/node/5')).expect(201);
    const end = await get('/first');
    expect([end.headers['location'], end.headers['x-redirect-id']]).toEqual(['http://localhost:8000/node/5', '2']);
    await makeRedirect(redirectOf('node/5', 'internal:/first')).expect(201);
    const circle = await get('/first');
    expect([circle.status, circle.text]).toEqual([503, 'Service unavailable']);
  });

  it('that is off, or of another language, redirects nobody', async () => {
    await makeRedirect(redirectOf('off', 'internal:/node/5', { enabled: [{ value: false }] })).expect(201);
    await makeRedirect(redirectOf('weg', 'internal:/node/5', { language: [{ value: 'de' }] })).expect(201);
    await makeRedirect(redirectOf('any', 'internal:/node/5', { language: [{ value: 'und' }] })).expect(201);
    const statuses = await Promise.all(['/off', '/weg', '/any'].map(async (path) => (await get(path)).status));
    expect(statuses).toEqual([404, 404, 301]);
  });

  it.each([
    [
      'no type',
      { redirect_source: [{ path: 'a' }] },
      'Could not determine entity type bundle: "type" field is missing.',
    ],
    ['another type', { type: [{ value: 'detour' }] }, '"detour" is not a valid bundle type for denormalization.'],
    [
      'no target',
      { ...redirectOf('a', ''), redirect_redirect: [] },
      'redirect_redirect: This value should not be null.',
    ],
    ['no source', redirectOf('', 'internal:/node/5'), 'redirect_source: This value should not be null.'],
    ['slashes as source', redirectOf('//', 'internal:/node/5'), 'redirect_source: This value should not be null.'],
    [
      'a query without names',
      { ...redirectOf('', 'internal:/'), redirect_source: [{ path: 'a', query: 0 }] },
      'redirect_source.0.query: This value should be of the correct primitive type.',
    ],
    ['a target of another kind', redirectOf('a', 'javascript:alert(1)'), 'redirect_redirect.0'],
    ['a code that is none', redirectOf('a', 'internal:/', { status_code: [{ value: 200 }] }), 'status_code.0.value'],
    ['a source that is taken', redirectOf('/Taken/', 'internal:/'), 'is already being redirected.'],
  ])('is refused with %s', async (_what, body, message) => {
    await makeRedirect(redirectOf('taken', 'internal:/node/5')).expect(201);
    expect(messageOf(await makeRedirect(body).expect(422))).toContain(message);
  });

  it('needs the permission, and so does reading it', async () => {
    const needed = "The 'administer redirects' permission is required.";
    await makeRedirect(redirectOf('a', 'internal:/node/5')).expect(201);
    expect(messageOf(await makeRedirect(redirectOf('b', 'internal:/'), 'editor').expect(403))).toBe(needed);
    const path = '/admin/config/search/redirect/edit/';
    expect(messageOf(await get(`${path}1?_format=json`, 'editor').expect(403))).toBe(needed);
    expect(messageOf(await get(`${path}2?_format=json`).expect(404))).toContain('rest.entity.redirect.GET');
  });
});

describe('Reading an alias or a redirect', () => {
  it.each([['/entity/path_alias/'], ['/admin/config/search/redirect/edit/']])(
    '%s refuses GET and HEAD alike',
    async (path) => {
      await makeAlias().expect(201);
      await makeRedirect(redirectOf('a', 'internal:/')).expect(201);
      const asked: readonly (readonly [string, string | undefined, number])[] = [
        ['1?_format=json', undefined, 401],
        ['1?_format=json', 'plain', 403],
        ['9?_format=json', 'admin', 404],
        ['x?_format=json', 'admin', 404],
        ['1?_format=jsonld', 'admin', 406],
      ];
      for (const [rest, as, status] of asked) {
        for (const method of ['GET', 'HEAD']) expect((await atoll.send(method, path + rest, as)).status).toBe(status);
      }
    },
  );
});

describe('Aliases and redirects', () => {
  it('have uuids of their own: one that is taken is 409', async () => {
    const uuid = [{ value: '6f1d3c34-8f5e-4f5a-9f3b-1d2c3b4a5968' }];
    await makeAlias({ ...letters, uuid }).expect(201);
    await makeAlias({ ...aliasOf('/node/1', '/b'), uuid }).expect(409);
    await makeRedirect({ ...redirectOf('a', 'internal:/'), uuid }).expect(201);
    await makeRedirect({ ...redirectOf('b', 'internal:/'), uuid }).expect(409);
  });

  const data = mkdtempSync(join(tmpdir(), 'atoll-addresses-'));
  afterAll(() => rm(data, { recursive: true, force: true }));

  it('are there after a restart, and go on with their numbers', async () => {
    // Ids from a seed would draw the same uuids once more after the restart.
    const start = (): Promise<TestAtoll> => createTestAtoll({ open: { data, durability: 'os', ids: systemIds } });
    const close = async (running: TestAtoll): Promise<void> => {
      running.worlds.close();
      await running.world().store.close();
    };
    const before = await start();
    await post('/entity/path_alias', letters, 'admin', before).expect(201);
    await post('/entity/redirect', redirectOf('old', 'internal:/node/5'), 'admin', before).expect(201);
    await close(before);
    const after = await start();
    const seen: readonly Response[] = [
      await get('/letters/from-riel?_format=json', 'admin', after),
      await get('/old', 'admin', after),
    ];
    expect(seen.map(({ status }) => status)).toEqual([200, 301]);
    const [alias, redirect] = [
      await post('/entity/path_alias', aliasOf('/node/1', '/b'), 'admin', after),
      await post('/entity/redirect', redirectOf('older', 'internal:/node/5'), 'admin', after),
    ];
    expect([alias.body, redirect.body]).toMatchObject([{ id: [{ value: 2 }] }, { rid: [{ value: 2 }] }]);
    await close(after);
  });

  it('belong to their world, and go back with it', async () => {
    await makeAlias().expect(201);
    await makeRedirect(redirectOf('old', 'internal:/node/5')).expect(201);
    await atoll.reset();
    expect((await get('/letters/from-riel?_format=json')).status).toBe(404);
    expect((await get('/old')).status).toBe(404);
  });

  it('are not there on a site without these resources', async () => {
    const plain = await createTestAtoll({
      site: (site) => ({
        ...site,
        resources: new Map([...site.resources].filter(([name]) => name !== 'path_alias' && name !== 'redirect')),
      }),
    });
    for (const path of ['/entity/path_alias', '/entity/redirect', '/admin/config/search/redirect/edit/1']) {
      expect((await get(`${path}?_format=json`, 'admin', plain)).status).toBe(404);
    }
  });
});
