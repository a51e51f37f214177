/** Answers made of the document: operations without a handler, wishes by `Prefer`, and what follows when the document changes. */
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { DocumentObject } from '../../src/openapi/openapi-terms.ts';
import { readContract } from '../support/site-sources.ts';
import { mocked } from '../../src/repository/repository-engine.ts';
import { createTestAtoll, root, type TestAtoll } from '../support/atoll.ts';
import { basic, bodyOf, messageOf, sendJson, visit } from '../support/requests.ts';

const editor = basic('editor');
const node = { type: [{ target_id: 'islandora_object' }], title: [{ value: 'T' }], field_model: [{ target_id: 22 }] };
const document = await readContract(join(root, 'openapi.yaml'));

type Tree = { [member: string]: Tree } & { example?: unknown; value?: unknown };
/** A copy of the document, changed. */
const changed = (change: (tree: Tree) => void): DocumentObject => {
  const copy = structuredClone(document);
  change(copy as unknown as Tree); // the parts of the document that the test names
  return copy;
};

describe('an operation whose handler is `mocked`', () => {
  let atoll: TestAtoll;
  beforeAll(async () => {
    atoll = await createTestAtoll({ app: { handlers: { getTerm: mocked, createNode: mocked, deleteNode: mocked } } });
  });

  it('answers its example, says so, and holds to the document', async () => {
    const body = await bodyOf(atoll.send('GET', '/openapi.json'));
    const served = body as Tree; // the document
    const response = await sendJson(atoll, editor, 'POST', '/node?_format=json', node);
    expect(response.status).toBe(201);
    expect(response.headers['atoll-mocked']).toBe('true');
    expect(response.body).toEqual(served['components']?.['examples']?.['NodeCreated']?.value);
    expect((await visit(atoll, editor, 'GET', '/node/31?_format=json')).status).toBe(404);
  });

  it('answers whoever asks, and answers HEAD as GET', async () => {
    const got = await atoll.send('GET', '/taxonomy/term/999?_format=json');
    expect([got.status, got.headers['atoll-mocked']]).toEqual([200, 'true']);
    const head = await atoll.send('HEAD', '/taxonomy/term/999?_format=json');
    expect([head.status, head.headers['atoll-mocked'], head.headers['content-length']]).toEqual([
      200,
      'true',
      got.headers['content-length'],
    ]);
  });

  it('answers without a body where the document has none, and refuses formats and media types as ever', async () => {
    const gone = await atoll.send('DELETE', '/node/5?_format=json');
    expect([gone.status, gone.text]).toEqual([204, '']);
    expect((await atoll.send('GET', '/taxonomy/term/1')).status).toBe(406);
    expect((await atoll.send('POST', '/node?_format=json').set('Content-Type', 'text/plain').send('x')).status).toBe(
      415,
    );
  });

  it('leaves the others with their handlers', async () => {
    const response = await atoll.send('GET', '/node/5?_format=json');
    expect(response.headers['atoll-mocked']).toBeUndefined();
    expect(response.body).toMatchObject({ nid: [{ value: 5 }] });
  });
});

describe('a wish by Prefer', () => {
  let atoll: TestAtoll;
  beforeAll(async () => {
    atoll = await createTestAtoll();
  });
  const wish = (prefer: string, path = '/node/5?_format=json') => atoll.send('GET', path).set('Prefer', prefer);

  it.each([
    ['code=404', 404],
    ['code="404"', 404],
    ['Code=404', 404],
    ['respond-async, code=404', 404],
    ['code=403; example=unpublished', 403],
    ['example=__proto__', 200],
    ['dynamic=true', 200],
  ])('"%s" is answered with %i and Atoll-Mocked', async (prefer, status) => {
    const response = await wish(prefer);
    expect([response.status, response.headers['atoll-mocked']]).toEqual([status, 'true']);
  });

  it.each(['respond-async', 'return=minimal', 'wait=10', ''])(
    '"%s" is not ours: the handler answers',
    async (prefer) => {
      const response = await wish(prefer);
      expect([response.status, response.headers['atoll-mocked']]).toEqual([200, undefined]);
      expect(response.body).toMatchObject({ nid: [{ value: 5 }] });
    },
  );

  it('changes nothing that is stored', async () => {
    const mock = await visit(atoll, editor, 'DELETE', '/node/5?_format=json').set('Prefer', 'code=204');
    expect([mock.status, mock.headers['atoll-mocked']]).toEqual([204, 'true']);
    expect((await visit(atoll, editor, 'GET', '/node/5?_format=json')).status).toBe(200);
  });

  it('for a dynamic answer gives a value that fits the schema, the same one each time', async () => {
    const [first, second] = [await wish('dynamic=true'), await wish('dynamic=true')];
    expect(first.status).toBe(200);
    expect(second.body).toEqual(first.body);
    expect(Object.keys(first.body as object)).toContain('nid');
  });
});

describe('a change of the document', () => {
  it('changes which requests are read, where the site has no leniency', async () => {
    const strict = changed((tree) => {
      const create = tree['components']?.['schemas']?.['NodeCreate'];
      if (create !== undefined) Object.assign(create, { minProperties: 4 });
    });
    const before = await createTestAtoll({ site: (site) => ({ ...site, leniency: 'none' }) });
    const after = await createTestAtoll({
      site: (site) => ({ ...site, leniency: 'none' }),
      app: { document: strict },
    });
    const [read, refused] = [before, after].map((atoll) => sendJson(atoll, editor, 'POST', '/node?_format=json', node));
    expect((await read)?.status).toBe(201);
    const response = await refused;
    expect(response?.status).toBe(422);
    expect((response?.body as { message: string }).message).toContain('must NOT have fewer than 4 properties');
  });

  it('changes nothing for a lenient site but what is told to who listens', async () => {
    const strict = changed((tree) => {
      const create = tree['components']?.['schemas']?.['NodeCreate'];
      if (create !== undefined) Object.assign(create, { minProperties: 4 });
    });
    const atoll = await createTestAtoll({ app: { document: strict } });
    expect((await sendJson(atoll, editor, 'POST', '/node?_format=json', node)).status).toBe(201);
    expect(atoll.events).toContainEqual(expect.objectContaining({ kind: 'lenient-body', operation: 'createNode' }));
  });

  it('changes which replies are let out', async () => {
    const document = changed((tree) => {
      const token = tree['components']?.['schemas']?.['Token']?.['properties']?.['token'];
      if (token !== undefined) Object.assign(token, { minLength: 100_000 });
    });
    const strict = await createTestAtoll({ app: { document } });
    const refused = await visit(strict, editor, 'GET', '/jwt/token?_format=json');
    expect(refused.status).toBe(500);
    expect((refused.body as { message: string }).message).toMatch(/^The 200 of getToken breaks the contract: .*100000/);
    const onlyLogging = await createTestAtoll({ app: { document, checkReplies: 'log' } });
    expect((await visit(onlyLogging, editor, 'GET', '/jwt/token?_format=json')).status).toBe(200);
    expect(onlyLogging.events).toContainEqual(expect.objectContaining({ kind: 'reply-breaks-contract', status: 200 }));
    const unchecked = await createTestAtoll({ app: { document, checkReplies: 'off' } });
    expect((await visit(unchecked, editor, 'GET', '/jwt/token?_format=json')).status).toBe(200);
    expect(unchecked.events.filter(({ kind }) => kind === 'reply-breaks-contract')).toEqual([]);
  });

  it('changes what is mocked', async () => {
    const document = changed((tree) => {
      const accepted = tree['components']?.['examples']?.['LoginAccepted'];
      if (accepted !== undefined) {
        accepted.value = {
          current_user: { uid: '7', name: 'someone new' },
          csrf_token: 'c'.repeat(43),
          logout_token: 'l'.repeat(43),
        };
      }
    });
    const atoll = await createTestAtoll({ app: { document } });
    const response = await sendJson(atoll, basic('nobody'), 'POST', '/user/login?_format=json', {}).set(
      'Prefer',
      'code=200',
    );
    expect(response.body).toMatchObject({ current_user: { name: 'someone new' } });
  });

  it.each([
    ['an object', { schema: { type: 'object' }, example: { pong: true } }, '{"pong":true}'],
    ['a text', { schema: { type: 'string' }, example: 'pong "1"' }, '"pong \\"1\\""'],
    ['a number', { schema: { type: 'integer' }, example: 0 }, '0'],
  ])('adds a path that answers at once from its example, %s', async (_kind, media, text) => {
    const document = changed((tree) => {
      const get = {
        operationId: 'getPing',
        summary: 'Ping',
        security: [],
        responses: { '200': { description: 'Pong.', content: { 'application/json': media } } },
      };
      Object.assign(tree['paths'] ?? {}, { '/ping': { get } });
    });
    const atoll = await createTestAtoll({ app: { document } });
    const response = await atoll.send('GET', '/ping');
    expect([response.status, response.text, response.headers['atoll-mocked']]).toEqual([200, text, 'true']);
  });

  it.each([
    ['may be any text: one of the media types that the answers have', { type: 'string' }, 'json', 'xml', 406],
    ['has one value', { const: 'json' }, 'json', 'jsonld', 406],
    ['has names that only its handler knows', { type: 'string', enum: ['ids', 'names'] }, 'ids', 'json', 400],
  ])('adds a path whose _format %s', async (_kind, schema, right, wrong, status) => {
    const document = changed((tree) => {
      const get = {
        operationId: 'getPing',
        summary: 'Ping',
        security: [],
        parameters: [{ name: '_format', in: 'query', required: true, schema }],
        responses: { '200': { description: 'Pong.', content: { 'application/json': { example: { pong: true } } } } },
      };
      Object.assign(tree['paths'] ?? {}, { '/ping': { get } });
    });
    // A handler of one's own, as a mock is not asked for its parameters.
    const answer = { status: 200, mediaType: 'application/json', body: { pong: true } };
    const handlers: object = { getPing: async () => async () => answer };
    const atoll = await createTestAtoll({ app: { document, handlers, checkReplies: 'off' } });
    expect((await atoll.send('GET', `/ping?_format=${right}`)).body).toEqual({ pong: true });
    const refused = await atoll.send('GET', `/ping?_format=${wrong}`);
    expect(refused.status).toBe(status);
    if (status === 406) expect(messageOf(refused)).toMatch(/Supported formats: json\.$/);
    expect((await atoll.send('GET', '/ping')).status).toBe(status);
  });
});
