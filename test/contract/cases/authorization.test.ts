/** Group Z: what is hidden, links, headers, references, files, changes of roles. */
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { createTestAtoll, type TestAtoll } from '../../support/atoll.ts';
import { pngBytes } from '../../support/png.ts';
import {
  anonymous,
  bearer,
  linksOf,
  read,
  seen,
  sendJson,
  targetsOf,
  visit,
  type Visitor,
} from '../../support/requests.ts';
import { entityKey, type EntityKey, type Fields } from '../../../src/openapi/openapi-records.ts';

const type = [{ target_id: 'islandora_object' }];
const newNode = { type, title: [{ value: 'A title' }], field_model: [{ target_id: 24 }] };
let atoll: TestAtoll;
let as: Readonly<Record<'admin' | 'editor' | 'viewer' | 'plain' | 'owner', Visitor>>;

beforeAll(async () => {
  atoll = await createTestAtoll();
});
beforeEach(async () => {
  await atoll.reset();
  const [admin, editor, viewer, plain, owner] = await Promise.all([
    bearer(atoll, 'admin'), bearer(atoll, 'editor'), bearer(atoll, 'viewer'), bearer(atoll, 'plain'), bearer(atoll, 'owner'),
  ]); // prettier-ignore
  as = { admin, editor, viewer, plain, owner };
});

const everyone = (): Visitor[] => [anonymous, ...Object.values(as)];
const statusAndMessage = ({ status, body }: Response): [number, unknown] => [
  status,
  (body as { message?: unknown }).message,
];
/** Changes stored fields, as no request could. */
const store = (key: EntityKey, fields: Fields): Promise<void> =>
  atoll.world().store.transact([key], (view) => {
    const entity = view.get(key);
    return {
      changes: entity === undefined ? [] : [{ put: { ...entity, fields: { ...entity.fields, ...fields } } }],
      result: undefined,
    };
  });

describe('Z03: what is hidden', () => {
  it.each(['/node/11', '/node/27', '/media/53'])(
    '%s is refused with a message alone, alike for every id',
    async (path) => {
      for (const [visitor, status] of [
        [anonymous, 401],
        [as.editor, 403],
      ] as const) {
        // prettier-ignore
        const response = await read(atoll, visitor, path);
        expect(response.status).toBe(status);
        expect(Object.keys(response.body as object)).toEqual(['message']);
        for (const name of ['etag', 'last-modified', 'link']) expect(response.headers).not.toHaveProperty(name);
      }
    },
  );

  it('says the same of every unpublished node', async () => {
    const bodies = await Promise.all(['/node/11', '/node/21', '/node/27'].map((path) => read(atoll, as.viewer, path)));
    expect(new Set(bodies.map(({ text }) => text)).size).toBe(1);
  });
});

describe('Z05, Z09, Z10: links to what may be seen', () => {
  it('of a node name its media as far as each visitor sees them, and none to anonymous', async () => {
    const mediaOf = async (visitor: Visitor) =>
      targetsOf(await read(atoll, visitor, '/node/26'), 'related').filter((uri) => uri.includes('/media/')).map((uri) => uri.replace(/.*\//, '')); // prettier-ignore
    expect(await mediaOf(anonymous)).toEqual([]);
    expect(await mediaOf(as.plain)).toEqual([]);
    expect(await mediaOf(as.viewer)).toEqual(['50', '51', '52']);
    expect(await mediaOf(as.editor)).toEqual(['50', '51', '52']);
    expect(await mediaOf(as.owner)).toEqual(['50', '51', '52', '53']);
    expect(await mediaOf(as.admin)).toEqual(['50', '51', '52', '53']);
  });

  it('of a node with a hidden collection and a hidden subject are those of a node that never had them', async () => {
    await store(entityKey('node', 4), { status: [{ value: false }] });
    await store(entityKey('taxonomy_term', 28), { status: [{ value: false }] });
    await store(entityKey('node', 20), { field_member_of: [{ target_id: 4 }], field_subject: [{ target_id: 28 }] });
    const withThem = (await read(atoll, as.viewer, '/node/20')).headers['link'] as unknown;
    await store(entityKey('node', 20), { field_member_of: [], field_subject: [] });
    expect((await read(atoll, as.viewer, '/node/20')).headers['link']).toBe(withThem);
  });

  it('edit-media is for whoever has "update media"', async () => {
    for (const [visitor, count] of [
      [as.viewer, 0],
      [as.editor, 1],
      [as.owner, 1],
      [as.admin, 1],
    ] as const) {
      // prettier-ignore
      expect(targetsOf(await read(atoll, visitor, '/media/60'), 'edit-media')).toHaveLength(count);
    }
  });

  it('describes leads whoever gets it to the bytes', async () => {
    for (const visitor of [as.viewer, as.editor, as.owner, as.admin]) {
      for (const path of ['/media/60', '/media/23']) {
        const [target = ''] = targetsOf(await read(atoll, visitor, path), 'describes');
        expect((await visit(atoll, visitor, 'GET', target)).status).toBe(200);
      }
    }
  });
});

describe('Z06, Z07, Z08, Z25: headers', () => {
  it('Link stands on no refusal but 406', async () => {
    const refused = [
      await read(atoll, anonymous, '/media/60'), await read(atoll, as.plain, '/media/60'), await read(atoll, anonymous, '/node/999'),
      await visit(atoll, as.admin, 'PUT', '/node/13?_format=json'), await visit(atoll, as.admin, 'GET', '/nowhere'),
    ]; // prettier-ignore
    for (const { status, headers } of refused) {
      expect(status).toBeGreaterThan(400);
      expect(headers).not.toHaveProperty('link');
    }
    expect((await read(atoll, anonymous, '/node/13', 'xml')).headers).toHaveProperty('link');
  });

  it('Link is the same in json and jsonld, but for the alternate', async () => {
    for (const visitor of everyone()) {
      const others = async (format: string) =>
        linksOf(await read(atoll, visitor, '/node/13', format)).filter(({ rel }) => rel !== 'alternate');
      expect(await others('json')).toEqual(await others('jsonld'));
      const [alternate] = targetsOf(await read(atoll, visitor, '/node/13', 'json'), 'alternate');
      expect(alternate).toBe('http://localhost:8000/node/13?_format=jsonld');
    }
  });

  it('no validator is sent and none is looked at: nobody gets the view of another by 304', async () => {
    const { headers } = await read(atoll, as.admin, '/node/26');
    expect(headers).not.toHaveProperty('etag');
    expect(headers['cache-control']).toBe('must-revalidate, no-cache, private');
    const conditions = { 'If-None-Match': '*', 'If-Modified-Since': new Date(4e12).toUTCString(), 'If-Match': '"x"' };
    expect((await read(atoll, anonymous, '/node/26').set(conditions)).status).toBe(200);
    expect((await read(atoll, anonymous, '/media/60').set(conditions)).status).toBe(401);
  });
});

describe('Z11, Z12: references to what is hidden', () => {
  it('are shown in json and jsonld, as the real site shows them', async () => {
    await store(entityKey('node', 20), { field_member_of: [{ target_id: 27 }] });
    const { body } = seen(await read(atoll, as.viewer, '/node/20'));
    expect((body as Record<string, unknown>)['field_member_of']).toMatchObject([{ target_id: 27, url: '/node/27' }]); // a node
    expect((await read(atoll, as.viewer, '/node/20', 'jsonld')).text).toContain('http://localhost:8000/node/27');
  });

  it('cannot be made: 422, and missing ones are 422 with a text of their own', async () => {
    const answerTo = async (target_id: number) =>
      statusAndMessage(
        await sendJson(atoll, as.editor, 'POST', '/node', { ...newNode, field_member_of: [{ target_id }] }),
      );
    const head = 'Unprocessable Entity: validation failed.\nfield_member_of.0.target_id: ';
    expect(await answerTo(27)).toEqual([422, `${head}This entity (node: 27) cannot be referenced.\n`]);
    const own = await sendJson(atoll, as.owner, 'POST', '/node', { ...newNode, field_member_of: [{ target_id: 11 }] });
    expect(statusAndMessage(own)).toEqual([422, `${head}This entity (node: 11) cannot be referenced.\n`]); // though its owner sees it
    expect(await answerTo(999)).toEqual([422, `${head}The referenced entity (node: 999) does not exist.\n`]);
  });
});

describe('Z14–Z18: what a writer may not write', () => {
  it('a refused field leaves the rest of the PATCH undone', async () => {
    const before = await read(atoll, as.admin, '/node/20');
    atoll.clock.advance(60);
    for (const field of [
      { status: [{ value: false }] },
      { uuid: [{ value: '11111111-2222-4333-8444-555555555555' }] },
      { vid: [{ value: 99 }] },
    ]) {
      // prettier-ignore
      const body = { type, title: [{ value: 'Sneaked in' }], ...field };
      expect([403, 422]).toContain((await sendJson(atoll, as.editor, 'PATCH', '/node/20', body)).status);
    }
    expect((await read(atoll, as.admin, '/node/20')).body).toEqual(before.body);
  });

  it('the present value of every protected field may be sent: 200', async () => {
    const { body } = seen(await read(atoll, as.editor, '/node/20'));
    expect((await sendJson(atoll, as.editor, 'PATCH', '/node/20', body)).status).toBe(200);
  });

  it.each([{ vid: [{ value: 99 }] }, { default_langcode: [{ value: false }] }])(
    '%j is taken with POST, and refused with PATCH: 422',
    async (field) => {
      expect((await sendJson(atoll, as.admin, 'POST', '/node', { ...newNode, ...field })).status).toBe(201);
      expect((await sendJson(atoll, as.admin, 'PATCH', '/node/20', { type, ...field })).status).toBe(422);
    },
  );

  it('Z17: without a type 422, with one that is none 422', async () => {
    for (const [body, message] of [
      [{}, 'Could not determine entity type bundle: "type" field is missing.'],
      [{ type: [{ target_id: 'page' }] }, '"page" is not a valid bundle type for denormalization.'],
    ] as const) {
      expect(statusAndMessage(await sendJson(atoll, as.admin, 'PATCH', '/node/20', body))).toEqual([422, message]);
    }
  });

  it('Z18: the owner of a node is changed by admin alone', async () => {
    const body = { type, uid: [{ target_id: 2 }] };
    for (const [visitor, status] of [
      [as.owner, 403],
      [as.editor, 403],
      [as.admin, 200],
    ] as const) {
      // prettier-ignore
      expect((await sendJson(atoll, visitor, 'PATCH', '/node/20', body)).status).toBe(status);
    }
    expect((await sendJson(atoll, as.owner, 'PATCH', '/node/20', { type, title: [{ value: 'x' }] })).status).toBe(403);
  });
});

describe('Z20, Z21, Z23: after a deletion or a failure', () => {
  it('a deleted node answers nothing but 404, and no neighbour links to it', async () => {
    expect(targetsOf(await read(atoll, as.admin, '/media/23'), 'related')).toContain('http://localhost:8000/node/13');
    expect((await visit(atoll, as.admin, 'DELETE', '/node/13')).status).toBe(204);
    for (const method of ['GET', 'HEAD', 'DELETE']) {
      expect((await visit(atoll, as.admin, method, '/node/13?_format=json')).status).toBe(404);
    }
    expect((await sendJson(atoll, as.admin, 'PATCH', '/node/13', { type })).status).toBe(404);
    const put = visit(atoll, as.admin, 'PUT', '/node/13/media/image/17').set({ 'Content-Type': 'image/png', 'Content-Location': 'public://z20.png' }); // prettier-ignore
    expect((await put.send(pngBytes())).status).toBe(404);
    const media = await read(atoll, as.admin, '/media/23');
    expect([media.status, (media.body as Record<string, unknown>)['field_media_of']]).toEqual([
      200,
      [{ target_id: 13 }],
    ]); // a media
    expect(String(media.headers['link'])).not.toContain('/node/13>');
    const next = await sendJson(atoll, as.admin, 'POST', '/node', newNode);
    expect((next.body as Record<string, unknown>)['nid']).toEqual([{ value: 31 }]); // a node
  });

  it('a file in use, a media, a term in use and an account with nodes leave 200 behind', async () => {
    expect((await visit(atoll, as.admin, 'DELETE', '/entity/file/63')).status).toBe(204);
    await atoll.world().store.transact([], () => ({
      changes: [{ remove: entityKey('taxonomy_term', 16) }, { remove: entityKey('user', 6) }],
      result: undefined,
    }));
    for (const path of ['/node/29', '/media/60', '/node/26', '/media/50']) {
      for (const format of ['json', 'jsonld']) expect((await read(atoll, as.admin, path, format)).status).toBe(200);
    }
    const { headers, body } = seen(await read(atoll, as.admin, '/media/60'));
    expect((body as Record<string, unknown>)['uid']).toEqual([{ target_id: 6 }]); // a media
    expect(String(headers['link'])).not.toContain('describes');
    expect(String(headers['link'])).not.toContain('/taxonomy/term/16');
  });

  it('a refused POST leaves nothing and takes no number', async () => {
    expect((await sendJson(atoll, as.admin, 'POST', '/node', { ...newNode, title: [] })).status).toBe(422);
    expect((await read(atoll, as.admin, '/node/31')).status).toBe(404);
    const { body } = seen(await sendJson(atoll, as.admin, 'POST', '/node', newNode));
    expect((body as Record<string, unknown>)['nid']).toEqual([{ value: 31 }]); // a node
  });
});

describe('Z22: a media of one node by the path of another', () => {
  it('is created for the other; the one keeps its own', async () => {
    const before = await read(atoll, as.admin, '/media/52');
    const put = visit(atoll, as.admin, 'PUT', '/node/13/media/image/19').set({ 'Content-Type': 'image/png', 'Content-Location': 'public://z22.png' }); // prettier-ignore
    expect((await put.send(pngBytes())).status).toBe(201);
    expect((await read(atoll, as.admin, '/media/52')).body).toEqual(before.body);
    expect(
      ((await read(atoll, as.admin, '/media/64')).body as Record<string, unknown>)['field_media_of'],
    ).toMatchObject([{ target_id: 13 }]); // a media
  });
});

describe('Z24: a right that is taken away, a thing that is hidden', () => {
  it('counts from the next request on', async () => {
    expect((await read(atoll, as.viewer, '/media/60')).status).toBe(200);
    await store(entityKey('user', 3), { roles: [] });
    expect((await read(atoll, as.viewer, '/media/60')).status).toBe(403);
    expect((await read(atoll, as.editor, '/node/13')).status).toBe(200);
    await sendJson(atoll, as.admin, 'PATCH', '/node/13', { type, status: [{ value: false }] });
    expect((await read(atoll, as.editor, '/node/13')).status).toBe(403);
    expect((await read(atoll, anonymous, '/node/13')).status).toBe(401);
  });
});

describe('Z29: a refusal', () => {
  it('has the one member message, and tells nothing of the machine', async () => {
    const refused = [
      await read(atoll, anonymous, '/media/60'), await read(atoll, as.plain, '/node/999'), await read(atoll, as.plain, '/node/13', '<script>'),
      await visit(atoll, as.admin, 'POST', '/node/<b>'), await sendJson(atoll, as.admin, 'POST', '/node', '{'),
      await sendJson(atoll, as.admin, 'POST', '/node', { ...newNode, '<b>': 1 }), await visit(atoll, as.admin, 'GET', '/a%20b'),
    ]; // prettier-ignore
    for (const response of refused) {
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(Object.keys(response.body as object)).toEqual(['message']);
      expect(response.type).toBe('application/json');
      expect(response.headers['x-content-type-options']).toBe('nosniff');
      expect(response.text).not.toMatch(/\bat .*:\d+|node_modules|\/work\/|\.ts\b/);
    }
  });
});
