/** What Schemathesis found (`npm run test:suite -- fuzz`) of documents and strict sites; of the default site: `expected/default`. docs/inside/decisions/0019-rules-for-schemathesis.md lists the rules. */
import { describe, expect, it } from '@jest/globals';
import { createTestAtoll } from '../../support/atoll.ts';
import { messageOf } from '../../support/requests.ts';

const atoll = await createTestAtoll();

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
