/** What Schemathesis found (`npm run test:suite -- fuzz`), each as a test of its own. docs/inside/decisions/0019-rules-for-schemathesis.md lists the rules. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { createTestAtoll } from '../../support/atoll.ts';
import { messageOf } from '../../support/requests.ts';

const atoll = await createTestAtoll();
beforeEach(() => atoll.reset());

const post = (path: string, body: string | object, as?: string) =>
  atoll.send('POST', `${path}?_format=json`, as).set('Content-Type', 'application/json').send(body);

describe('POST /user/login', () => {
  it.each([
    ['text that holds U+0000', '{"name":"\\u0000","pass":"a"}'],
    ['a number that is not exact', '{"name":"a","pass":"b","more":36893488147419103232}'],
  ])('answers 422, as its document says, to %s', async (_, body) => {
    expect(messageOf(await post('/user/login', body).expect(422))).toMatch(/that cannot be stored/);
  });

  it('answers 400 to half of a surrogate pair', async () => {
    await post('/user/login', '{"name":"a","pass":"\\ud800"}').expect(400);
  });
});

describe('POST /taxonomy/term', () => {
  it('answers 201 to a term below two others', async () => {
    const vid = [{ target_id: 'subject' }];
    const ids = [];
    for (const value of ['Boats', 'Crafts']) {
      const made = await post('/taxonomy/term', { vid, name: [{ value }] }, 'editor').expect(201);
      ids.push((made.body as { tid: [{ value: number }] }).tid[0].value); // a term, checked by the engine
    }
    const parent = ids.map((id) => ({ target_id: id }));
    const response = await post('/taxonomy/term', { vid, name: [{ value: 'Sailmaking' }], parent }, 'editor').expect(
      201,
    );
    expect(response.body).toMatchObject({ parent });
  });
});

describe('PATCH /media/1', () => {
  it.each(['toString', 'valueOf'])('answers 200 to a member %s, which every object has', async (member) => {
    const body = `{"bundle":"image","revision_translation_affected":[{"${member}":{}}]}`;
    const request = atoll.send('PATCH', '/media/1?_format=json', 'admin').set('Content-Type', 'application/json');
    await request.send(body).expect(200);
  });
});

describe('POST /file/upload', () => {
  it('answers 400 in the words of the reference without the header that the document demands', async () => {
    const request = atoll.send('POST', '/file/upload/media/image/field_media_image?_format=json', 'editor');
    const response = await request.set('Content-Type', 'application/octet-stream').send(Buffer.from('a')).expect(400);
    expect(messageOf(response)).toBe(
      '"Content-Disposition" header is required. A file name in the format "filename=FILENAME" must be provided.',
    );
  });
});

describe('A site without leniency', () => {
  const made = createTestAtoll({ site: (site) => ({ ...site, leniency: 'none' }) });
  const alias = (value: string, others: object = {}) => ({
    path: [{ value: '/node/5' }],
    alias: [{ value }],
    ...others,
  });
  const redirect = (source: object, others: object = {}) => ({
    type: [{ value: 'redirect' }],
    redirect_source: [source],
    redirect_redirect: [{ uri: 'internal:/node/5' }],
    ...others,
  });
  const ask = async (path: string, body: object) => {
    const strict = await made;
    await strict.reset();
    return strict.send('POST', `${path}?_format=json`, 'admin').set('Content-Type', 'application/json').send(body);
  };

  it.each([
    ['/entity/path_alias', alias('/\r\nb')],
    ['/entity/path_alias', alias('/b', { langcode: [{ value: 'fr' }] })],
    ['/entity/redirect', redirect({ path: 'a', query: { page: '2', more: [1] } })],
    ['/entity/redirect', redirect({ path: '/a/', query: ['2'] })],
    ['/entity/redirect', redirect({ path: 'a', query: [] }, { language: [{ value: 'und' }] })],
  ])('answers 201 to what fits the document: %s %j', async (path, body) => {
    expect((await ask(path, body)).status).toBe(201);
  });

  it.each([
    ['/entity/path_alias', alias('/ \ufeff')],
    ['/entity/path_alias', alias('/b', { langcode: [{ value: 'thirteen-chrs' }] })],
    ['/entity/redirect', redirect({ path: 'a', query: 0 })],
    ['/entity/redirect', redirect({ path: '//' })],
  ])('answers 422 to what its document does not allow: %s %j', async (path, body) => {
    const response = await ask(path, body);
    expect([response.status, messageOf(response)]).toEqual([422, expect.stringMatching(/: must /)]);
  });
});

describe('The document', () => {
  type Schemas = Record<string, { properties: Record<string, { minItems?: number; maxItems?: number }> }>;
  it('says which fields of a record a change cannot empty, answered 200', async () => {
    const response = await atoll.send('GET', '/openapi.json').expect(200);
    const { schemas } = (response.body as { components: { schemas: Schemas } }).components; // our own document
    for (const [name, needed, optional] of [
      ['NodeUpdate', ['title', 'field_model', 'status'], ['revision_log', 'field_pid']],
      ['MediaUpdate', ['name', 'field_media_image', 'uid'], ['thumbnail', 'field_media_of']],
      ['TermUpdate', ['name', 'weight'], ['parent', 'description']],
    ] as const) {
      const properties = schemas[name]?.properties ?? {};
      expect(needed.map((member) => properties[member]?.minItems)).toEqual(needed.map(() => 1));
      expect(optional.map((member) => properties[member]?.minItems)).toEqual(optional.map(() => undefined));
    }
  });
});
