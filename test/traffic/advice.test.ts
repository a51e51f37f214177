/** What a client's author is told of a request that was accepted and not stored as it was sent. */
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { components } from '../../src/client/generated/control.ts';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';
import { pngBytes } from '../support/png.ts';

type Schemas = components['schemas'];
type Entry = Schemas['TrafficEntry'];

let atoll: TestAtoll;

beforeAll(async () => {
  atoll = await createTestAtoll({ app: { advice: 'header' } });
});

beforeEach(async () => {
  await atoll.reset();
  await atoll.send('delete', '/_atoll/traffic').expect(204);
});

const collection = {
  type: [{ target_id: 'islandora_object' }],
  title: [{ value: 'A box' }],
  field_model: [{ target_id: 23 }],
};

const createNode = (body: object) => atoll.send('post', '/node?_format=json', 'admin').send(body);

const traffic = async (query = ''): Promise<Entry[]> => {
  const body: unknown = (await atoll.send('get', `/_atoll/traffic${query}`).expect(200)).body;
  return (body as Schemas['TrafficPage']).entries; // the control document says so
};

const adviceOfLast = async (): Promise<Entry['advice']> => (await traffic('?limit=1'))[0]?.advice ?? [];

const patchMedia = (body: object) => atoll.send('patch', '/media/1?_format=json', 'admin').send(body).expect(200);

const newNode = async (): Promise<string> => {
  const answer = await createNode(collection).expect(201);
  return new URL(String(answer.headers['location'])).pathname;
};

const relation = { target_id: 34, rel_type: 'relators:pht' };

/** What of a new node is not stored as it was sent: the rest of the body, the pointer, what was sent and stored. */
const changedParts: readonly (readonly [string, object, string, unknown, unknown])[] = [
  ['an empty item', { field_rights: [{ value: 'A' }, { value: '' }] }, 'field_rights/1', { value: '' }, undefined],
  ['an item null', { field_pid: [null] }, 'field_pid/0', null, undefined],
  ['an unknown property', { title: [{ value: 'A', lang: 'en' }] }, 'title/0/lang', 'en', undefined],
  ['a number in a text', { title: [7] }, 'title/0', 7, '7'],
  ['digits in a reference', { field_model: [{ target_id: '23' }] }, 'field_model/0/target_id', '23', 23],
  ['a boolean as 1', { sticky: [{ value: 1 }] }, 'sticky/0/value', 1, true],
  [
    'a wrong url',
    { field_linked_agent: [{ ...relation, url: '/x' }] },
    'field_linked_agent/0/url',
    '/x',
    '/taxonomy/term/34',
  ],
  [
    'a time',
    { created: [{ value: '2019-03-01T20:43:12+01:00' }] },
    'created/0/value',
    '2019-03-01T20:43:12+01:00',
    '2019-03-01T19:43:12+00:00',
  ],
  ['a bare false', { field_pid: false }, 'field_pid', false, []],
  [
    'a relation of no kind',
    { field_linked_agent: [{ target_id: 34 }, relation] },
    'field_linked_agent/0',
    { target_id: 34 },
    undefined,
  ],
  ['true in a text', { title: [{ value: true }] }, 'title/0/value', true, '1'],
];

describe('A part of a body that is not stored as it was sent', () => {
  it.each(changedParts)('is an advice: %s', async (_what, part, pointer, sent, stored) => {
    await createNode({ ...collection, ...part }).expect(201);
    const reason: unknown = expect.stringMatching(/^[A-Z].*\.$/);
    const told = stored === undefined ? {} : { stored };
    expect(await adviceOfLast()).toEqual([{ pointer: `/requestBody/${pointer}`, sent, ...told, reason }]);
  });

  it('is an advice: another bundle in a PATCH', async () => {
    await patchMedia({ bundle: [{ target_id: 'file' }], name: [{ value: 'My name' }] });
    expect(await adviceOfLast()).toEqual([
      {
        pointer: '/requestBody/bundle/0/target_id',
        sent: 'file',
        stored: 'image',
        reason: 'A record keeps its bundle.',
      },
    ]);
  });

  it('is an advice: the name of a media, sent or not, when its source field is sent', async () => {
    const record: unknown = (await atoll.send('get', '/media/1?_format=json', 'admin').expect(200)).body;
    const { field_media_image: source, name } = record as {
      readonly field_media_image: [{ readonly target_id: number }];
      readonly name: [{ readonly value: string }];
    };
    const bundle = [{ target_id: 'image' }];
    await patchMedia({ bundle, name: [{ value: 'My name' }] });
    expect(await adviceOfLast()).toEqual([]);
    await patchMedia({ bundle, field_media_image: [{ target_id: source[0].target_id, alt: 'Another' }] });
    expect(await adviceOfLast()).toContainEqual(
      expect.objectContaining({ pointer: '/stored/name', before: [{ value: 'My name' }], stored: name }),
    );
    await patchMedia({
      bundle,
      name: [{ value: 'My name' }],
      field_media_image: [{ target_id: source[0].target_id, alt: 'A third' }],
    });
    expect(await adviceOfLast()).toContainEqual(
      expect.objectContaining({ pointer: '/requestBody/name/0/value', sent: 'My name', stored: name[0].value }),
    );
  });

  it('is an advice: what a media takes from its file', async () => {
    const shown: unknown = (await atoll.send('get', '/media/1?_format=json', 'admin').expect(200)).body;
    const { field_media_image: source } = shown as { readonly field_media_image: [{ readonly target_id: number }] };
    const sent = { name: 'Mine', field_mime_type: 'a/b', field_file_size: 7, field_width: 7, field_height: 7 };
    await patchMedia({
      bundle: [{ target_id: 'image' }],
      field_media_image: [{ target_id: source[0].target_id, alt: 'Of its own' }],
      ...Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, [{ value }]])),
    });
    const told = (await adviceOfLast()).map(({ pointer, sent: one, reason }) => [pointer, one, reason]);
    for (const [name, value] of Object.entries(sent)) {
      expect(told).toContainEqual([`/requestBody/${name}/0/value`, value, 'The media takes this from its file.']);
    }
  });

  it('is an advice: the location of an upload that is not used, and the media type of its path', async () => {
    const put = async (path: string, location: string) => {
      const sent = atoll.send('put', path, 'admin').set('Content-Type', 'text/plain').set('Content-Location', location);
      await sent.send('text');
      return (await adviceOfLast()).map(({ pointer, sent: one, stored }) => [pointer, one, stored]);
    };
    const [first, second] = [await newNode(), await newNode()];
    expect(await put(`${first}/media/file/16`, 'public://advice.txt')).toEqual([]);
    expect(await put(`${second}/media/file/16`, 'public://advice.txt')).toEqual([
      ['/header/content-location', 'public://advice.txt', 'public://advice_0.txt'],
    ]);
    expect(await put(`${first}/media/video/16`, 'public://other.txt')).toEqual([
      ['/header/content-location', 'public://other.txt', 'public://advice.txt'],
      ['/path/media_type', 'video', 'file'],
    ]);
  });

  it('is told in a header when the server says so, in ASCII and of limited length', async () => {
    const values = Array.from({ length: 60 }, () => ({ value: '', 'größe"\\': 'x'.repeat(300) }));
    const body = { ...collection, title: [{ value: 'A', größe: 'ß' }], field_rights: values };
    const answer = await createNode(body).expect(201);
    const header: unknown = answer.headers['atoll-advice'];
    expect(header).toMatch(/^"\/requestBody\/title\/0\/gr\\\\u00f6\\\\u00dfe";sent="\\"\\\\u00df\\"";reason="[^"]+", /);
    expect(header).toMatch(/^[\x20-\x7e]{1000,2048}$/);
    expect(header).toMatch(/, more;count=\d+$/);
    const read = await atoll.send('get', '/node/2?_format=json').expect(200);
    expect(read.headers).not.toHaveProperty('atoll-advice');
  });

  it('is no advice when a record is sent back as it was read', async () => {
    const node: unknown = (await atoll.send('get', '/node/2?_format=json').expect(200)).body;
    await atoll
      .send('patch', '/node/2?_format=json', 'admin')
      .send(node as object)
      .expect(200);
    expect(await adviceOfLast()).toEqual([]);
    atoll.clock.advance(60);
    const renamed = { ...(node as object), title: [{ value: 'Renamed' }] };
    await atoll.send('patch', '/node/2?_format=json', 'admin').send(renamed).expect(200);
    expect((await adviceOfLast()).map(({ pointer }) => pointer)).toEqual(['/requestBody/changed/0/value']);
  });

  it('is found by the filter, and counted by coverage', async () => {
    await atoll.send('delete', '/_atoll/coverage').expect(204);
    await createNode({ ...collection, title: [7] }).expect(201);
    await createNode(collection).expect(201);
    expect(await traffic('?advice=some')).toHaveLength(1);
    expect((await traffic('?advice=none')).map(({ status }) => status)).toEqual([201]);
    const coverage: unknown = (await atoll.send('get', '/_atoll/coverage').expect(200)).body;
    expect((coverage as Schemas['Coverage']).advice).toEqual([
      { operation: 'createNode', pointer: '/requestBody/title/*', reason: expect.any(String), count: 1 },
    ]);
    for (const format of ['table', 'markdown', 'html']) {
      const { text } = await atoll.send('get', `/_atoll/coverage?format=${format}`).expect(200);
      expect(text).toContain('Text holds no number: its digits are stored.');
    }
  });

  it('shows no secrets in traffic', async () => {
    const title = [{ value: 'A', password: 'hunter2', extra: { api_key: 'hunter2', long: 'x'.repeat(300) } }];
    await createNode({ ...collection, title }).expect(201);
    expect(await adviceOfLast()).toHaveLength(2);
    expect(JSON.stringify(await adviceOfLast())).not.toContain('hunter2');
  });
});

describe('Bytes that cannot be the file that a client means', () => {
  const upload = (body: string | Buffer, type = 'image/png', location = 'public://bytes/a.png') =>
    atoll
      .send('put', '/node/3/media/image/17', 'editor')
      .set({ 'Content-Type': type, 'Content-Location': location })
      .send(body)
      .expect(201);
  const told = async () => (await adviceOfLast()).filter(({ pointer }) => pointer === '/requestBody');
  const object =
    'The body is what a program writes for an object, such as {} or [object Object], in place of its bytes.';
  const other = 'The bytes do not begin as files of this media type and extension do.';

  it.each([
    ['{}', object],
    ['[object Object]', object],
    ['[object Blob]\n', object],
    ['{"type":"Buffer","data":[137,80]}', object],
    ['a text', other],
    ['<html></html>', other],
  ])('are stored and told: %s', async (body, reason) => {
    const answer = await upload(body);
    expect(await told()).toEqual(
      [{ pointer: '/requestBody', sent: body.trim(), stored: body.trim(), reason }].map((one) => ({
        ...one,
        sent: expect.any(String),
        stored: expect.any(String),
      })),
    );
    expect(answer.headers['atoll-advice']).toContain(reason);
    const [, id] = /\/media\/(\d+)$/.exec(String(answer.headers['location'])) ?? [];
    const media = await atoll.send('get', `/media/${String(id)}?_format=json`, 'editor').expect(200);
    expect((media.body as Record<string, unknown>)['field_file_size']).toEqual([{ value: body.length }]);
  });

  it('are what the control document says of an advice', async () => {
    await upload('{}');
    const document: unknown = (await atoll.send('get', '/_atoll/openapi.json').expect(200)).body;
    const { Advice } = (document as { components: { schemas: Record<string, object> } }).components.schemas;
    const isAdvice = new Ajv2020({ strict: false }).compile({ ...Advice, unevaluatedProperties: false });
    const advice = await adviceOfLast();
    expect(advice.length).toBeGreaterThan(0);
    expect(advice.map((one) => isAdvice(one) || isAdvice.errors)).toEqual(advice.map(() => true));
  });

  it('are counted by coverage, and told of a standard upload by its extension', async () => {
    await atoll
      .send('post', '/file/upload/media/image/field_media_image?_format=json', 'editor')
      .set({ 'Content-Type': 'application/octet-stream', 'Content-Disposition': 'file; filename="a.png"' })
      .send(Buffer.from('{}'))
      .expect(201);
    expect(await told()).toEqual([expect.objectContaining({ reason: object })]);
    const coverage = await atoll.send('get', '/_atoll/coverage').expect(200);
    expect(JSON.stringify(coverage.body)).toContain(object);
  });

  it.each([
    ['a picture', pngBytes(), 'image/png', 'a.png'],
    ['another picture than the name says, of the type of the header', pngBytes(), 'image/png', 'a.jpg'],
    ['a text that is called one', Buffer.from('a text'), 'text/plain', 'a.png'],
  ])('are not those of %s', async (what, bytes, type, name) => {
    await upload(bytes, type, `public://bytes/${name}`);
    expect(await told()).toEqual(what.startsWith('a text') ? [expect.objectContaining({ reason: other })] : []);
  });
});
