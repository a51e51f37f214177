/** The contract's eleven rules, in its order, and its rules of authentication. */
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestAtoll, type TestAtoll } from '../../support/atoll.ts';
import { pngBytes } from '../../support/png.ts';
import {
  anonymous,
  basic,
  bearer,
  bodyOf,
  cookie,
  linksOf,
  pathOf,
  putContent,
  sendJson,
  targetsOf,
  visit,
  withoutToken,
} from '../../support/requests.ts';

let atoll: TestAtoll;
const editor = basic('editor');
const node = { type: [{ target_id: 'islandora_object' }] };

beforeAll(async () => {
  atoll = await createTestAtoll();
});
beforeEach(() => atoll.reset());

type FileRecord = { readonly fid: [{ value: number }]; readonly uri: [{ value: string; url: string }] };
const fileOf = async (id: number): Promise<FileRecord> => {
  const response = await visit(atoll, basic('admin'), 'GET', `/entity/file/${id}?_format=json`).expect(200);
  return response.body as FileRecord; // checked against the document by the engine
};

describe('the rules of the endpoints', () => {
  it('rule 1: the upload endpoint accepts PUT, whatever the site says of its REST resources; no other, see `endpoints.test.ts`', async () => {
    const bare = await createTestAtoll({ site: (site) => ({ ...site, resources: new Map() }) });
    expect((await bare.send('GET', '/media/1?_format=json', 'editor')).status).toBe(404);
    const put = await putContent(atoll, editor, '/node/22/media/image/16', 'public://a.png');
    const barePut = await bare
      .send('PUT', '/node/22/media/image/16', 'editor')
      .set({ 'Content-Type': 'image/png', 'Content-Location': 'public://a.png' })
      .send(pngBytes());
    expect([put.status, barePut.status]).toEqual([201, 201]);
  });

  it('rule 2: a media is found by node and term: found, its content is replaced; else media and file are made', async () => {
    const node22 = '/node/22/media/image';
    expect((await putContent(atoll, editor, `${node22}/16`, 'public://a.png')).status).toBe(201);
    expect((await putContent(atoll, editor, `${node22}/16`, 'public://b.png', pngBytes(9, 9))).status).toBe(204);
    const other = await putContent(atoll, editor, `${node22}/17`, 'public://c.png');
    expect([other.status, pathOf(other.headers['location'])]).toEqual([201, '/media/65']);
    const elsewhere = await putContent(atoll, editor, '/node/5/media/image/17', 'public://d.png');
    expect([elsewhere.status, pathOf(elsewhere.headers['location'])]).toEqual([201, '/media/66']);
    // A replaced file stays where it was.
    expect((await fileOf(67)).uri[0].value).toBe('public://a.png');
  });

  it('rule 3: Content-Location names scheme and path; public goes to local storage, the external scheme to its store', async () => {
    await putContent(atoll, editor, '/node/22/media/image/16', 'public://in/here.png').expect(201);
    await putContent(atoll, editor, '/node/22/media/image/17', 'fedora://over/there.png').expect(201);
    expect((await fileOf(67)).uri[0]).toEqual({
      value: 'public://in/here.png',
      url: '/sites/default/files/in/here.png',
    });
    expect((await fileOf(68)).uri[0]).toEqual({
      value: 'fedora://over/there.png',
      url: '/_flysystem/fedora/over/there.png',
    });
    expect((await visit(atoll, anonymous, 'GET', '/sites/default/files/in/here.png')).body).toEqual(pngBytes());
    expect((await visit(atoll, anonymous, 'GET', '/_flysystem/fedora/over/there.png')).status).toBe(401);
    expect((await visit(atoll, editor, 'GET', '/_flysystem/fedora/over/there.png')).body).toEqual(pngBytes());
  });

  it.each([
    undefined,
    '',
    'a.png',
    'public:/a.png',
    'file:///etc/passwd',
    'public://../a.png',
    'public://a/',
    'public://',
  ])('rule 3: Content-Location %j is 400 and stores nothing', async (location) => {
    const request = visit(atoll, editor, 'PUT', '/node/22/media/image/16').set('Content-Type', 'image/png');
    const response = await (location === undefined ? request : request.set('Content-Location', location)).send(
      pngBytes(),
    );
    expect(response.status).toBe(400);
    expect((await visit(atoll, editor, 'GET', '/media/64?_format=json')).status).toBe(404);
  });

  it('rule 4: the dedicated endpoint needs no X-CSRF-Token, by any provider, where other writes by cookie do', async () => {
    const session = withoutToken(await cookie(atoll, 'editor'));
    expect((await putContent(atoll, session, '/node/22/media/image/16', 'public://a.png')).status).toBe(201);
    expect(
      (await putContent(atoll, await bearer(atoll, 'editor'), '/node/22/media/image/17', 'public://b.png')).status,
    ).toBe(201);
    const patch = await sendJson(atoll, session, 'PATCH', '/node/22?_format=json', node);
    expect([patch.status, patch.body]).toEqual([403, { message: 'X-CSRF-Token request header is missing' }]);
  });

  it('rule 5: PATCH needs `type`, changes only what is sent, and shows references to nodes as `node`', async () => {
    const path = '/node/5?_format=json';
    const before = (await visit(atoll, editor, 'GET', path)).body as object; // superagent's body is `any`
    const untyped = await sendJson(atoll, editor, 'PATCH', path, { title: [{ value: 'No type' }] });
    expect(untyped.status).toBe(422);
    expect((await visit(atoll, editor, 'GET', path)).body).toEqual(before);
    const model = { field_model: [{ target_id: 22, target_type: 'taxonomy_term' }] };
    const modelled = await sendJson(atoll, editor, 'PATCH', path, { ...node, ...model });
    expect(modelled.body).toMatchObject({ field_model: [{ target_id: 22, target_type: 'taxonomy_term' }] });
    const member = { field_member_of: [{ target_id: 3, target_type: 'node_type' }] };
    const moved = await sendJson(atoll, editor, 'PATCH', path, { ...node, ...member });
    expect(moved.status).toBe(200);
    expect(moved.body).toEqual({
      ...before,
      field_model: (modelled.body as { field_model: unknown }).field_model, // a record
      field_member_of: [{ target_id: 3, target_type: 'node', target_uuid: await uuidOf('/node/3'), url: '/node/3' }],
      changed: [{ value: '2024-05-01T12:00:00+00:00', format: 'Y-m-d\\TH:i:sP' }],
    });
  });

  const uuidOf = async (path: string): Promise<string> => {
    const body = await bodyOf(visit(atoll, editor, 'GET', `${path}?_format=json`));
    return (body as { uuid: [{ value: string }] }).uuid[0].value; // checked against the document by the engine
  };

  it('rule 6: nodes and media can be patched; files cannot, see `endpoints.test.ts`', async () => {
    const media = { bundle: [{ target_id: 'image' }], name: [{ value: 'n.png' }] };
    expect((await sendJson(atoll, editor, 'PATCH', '/node/5?_format=json', node)).status).toBe(200);
    expect((await sendJson(atoll, editor, 'PATCH', '/media/1?_format=json', media)).status).toBe(200);
  });

  it.each([
    ['/media/1', 'field_media_image', 1],
    ['/media/19', 'field_media_audio_file', 19],
    ['/media/27', 'field_media_video_file', 29],
    ['/media/33', 'field_media_file', 36],
  ])('rule 7: the file of %s is the target_id of its source field', async (path, field, id) => {
    const body = await bodyOf(visit(atoll, editor, 'GET', `${path}?_format=json`));
    const sources = Object.entries(body as Record<string, { target_type?: string; target_id?: number }[]>) // a record
      .filter(([name, [first]]) => name !== 'thumbnail' && first?.target_type === 'file')
      .map(([name, [first]]) => [name, first?.target_id]);
    expect(sources).toEqual([[field, id]]);
    expect((await fileOf(id)).fid).toEqual([{ value: id }]);
  });

  it('rule 8: /media/{media_id}/source is the edit-media target, and PUT to it replaces the content', async () => {
    const media = await visit(atoll, editor, 'GET', '/media/1?_format=json');
    const [target = ''] = targetsOf(media, 'edit-media');
    expect(pathOf(target)).toBe('/media/1/source');
    const bytes = pngBytes(12, 34);
    const put = await visit(atoll, editor, 'PUT', target).set('Content-Type', 'image/png').send(bytes);
    expect([put.status, put.text]).toEqual([204, '']);
    expect((await visit(atoll, editor, 'GET', '/_flysystem/fedora/2019-03/fleet-at-anchor.png')).body).toEqual(bytes);
    expect((await visit(atoll, editor, 'GET', '/media/1?_format=json')).body).toMatchObject({
      field_width: [{ value: 12 }],
      field_height: [{ value: 34 }],
      field_file_size: [{ value: bytes.length }],
    });
  });

  it('rule 9: the resource routes of the contract create neither media nor files', async () => {
    for (const [path, status] of [['/media', 404] as const, ['/file', 404] as const, ['/entity/file', 403] as const]) {
      const response = await sendJson(atoll, basic('admin'), 'POST', `${path}?_format=json`, {});
      expect([path, response.status]).toEqual([path, status]);
    }
  });

  it('rule 10: replacing answers 204, without Location and body', async () => {
    await putContent(atoll, editor, '/node/22/media/image/16', 'public://a.png').expect(201);
    const response = await putContent(atoll, editor, '/node/22/media/image/16', 'public://a.png');
    expect([response.status, response.text, response.headers['location']]).toEqual([204, '', undefined]);
  });

  it('rule 11: a node can be read as jsonld, a graph with @id, @type, dated and language-tagged values', async () => {
    const response = await visit(atoll, anonymous, 'GET', '/node/5?_format=jsonld');
    expect(response.type).toBe('application/ld+json');
    const graph = (response.body as { '@graph': Record<string, unknown>[] })['@graph']; // checked against the document by the engine
    expect(graph[0]).toMatchObject({
      '@id': 'http://localhost:8000/node/5',
      '@type': expect.arrayContaining(['http://pcdm.org/models#Object']),
      'http://purl.org/dc/terms/title': [{ '@value': 'Fishing fleet at anchor off Gannet Point', '@language': 'en' }],
      'http://schema.org/dateCreated': [{ '@type': 'http://www.w3.org/2001/XMLSchema#dateTime' }],
    });
  });
});

describe('the rules of authentication', () => {
  it('1: which providers are accepted is configured per resource and method', async () => {
    const tight = await createTestAtoll({
      site: (site) => {
        const resource = site.resources.get('node');
        if (resource === undefined) throw new Error('the default site offers nodes');
        const methods = new Map(resource.methods);
        methods.set('GET', { formats: ['json'], providers: ['basic_auth'] });
        methods.set('PATCH', { formats: ['json'], providers: ['jwt_auth'] });
        return { ...site, resources: new Map(site.resources).set('node', { ...resource, methods }) };
      },
    });
    const token = await bearer(tight, 'editor');
    const refusal = { message: 'The used authentication method is not allowed on this route.' };
    const answers = [
      await visit(tight, editor, 'GET', '/node/5?_format=json'),
      await visit(tight, token, 'GET', '/node/5?_format=json'),
      await sendJson(tight, editor, 'PATCH', '/node/5?_format=json', node),
      await sendJson(tight, token, 'PATCH', '/node/5?_format=json', node),
      await sendJson(tight, anonymous, 'PATCH', '/node/5?_format=json', node),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 403, 403, 200, 403]);
    expect([answers[1]?.body, answers[2]?.body]).toEqual([refusal, refusal]);
  });

  it('2: hidden resources need credentials of an allowed provider; each of the three opens them', async () => {
    expect((await visit(atoll, anonymous, 'GET', '/media/1?_format=json')).status).toBe(401);
    for (const visitor of [editor, await bearer(atoll, 'editor'), await cookie(atoll, 'editor')]) {
      expect((await visit(atoll, visitor, 'GET', '/media/1?_format=json')).status).toBe(200);
    }
  });

  it('3: a token is had by any provider and reused until it expires', async () => {
    const token = await bearer(atoll, 'viewer');
    for (const visitor of [token, await cookie(atoll, 'viewer')]) {
      expect((await visit(atoll, visitor, 'GET', '/jwt/token?_format=json')).status).toBe(200);
    }
    atoll.clock.advance(7199);
    expect((await visit(atoll, token, 'GET', '/media/1?_format=json')).status).toBe(200);
    atoll.clock.advance(2);
    expect((await visit(atoll, token, 'GET', '/media/1?_format=json')).status).toBe(403);
    atoll.clock.set('2024-05-01T12:00:00Z');
  });

  it('4: writes without credentials are 401, those without the permission 403', async () => {
    for (const [method, path, body] of [
      ['POST', '/node', { ...node, title: [{ value: 'T' }], field_model: [{ target_id: 22 }] }],
      ['PATCH', '/node/5', node],
      ['DELETE', '/node/5', undefined],
    ] as const) {
      const statuses = await Promise.all(
        [anonymous, basic('plain')].map(async (visitor) => {
          const url = `${path}?_format=json`;
          const request =
            body === undefined ? visit(atoll, visitor, method, url) : sendJson(atoll, visitor, method, url, body);
          return (await request).status;
        }),
      );
      expect([method, statuses]).toEqual([method, [401, 403]]);
    }
    expect(linksOf(await visit(atoll, anonymous, 'GET', '/node/5?_format=json')).length).toBeGreaterThan(0);
  });
});
